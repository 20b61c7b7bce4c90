// What the name of a table in a mapping means: the one resolution for dumps, databases and guesses.
import type { Mapping, Table } from './mapping.ts';
import { wrongTable } from './problems.ts';

/** A name with its schema and database, as far as they are known, from the outside: `acme`, `public`, `users`. */
export type FullName = readonly string[];

/** Whether a mapping that writes `users`, `acme.users` or `acme.public.users` means the table. */
export function isNamed(written: string, names: FullName): boolean {
  const [name = '', ...around] = names.toReversed();
  return written === name || written === names.join('.') || around.some((outer) => written === `${outer}.${name}`);
}

/** Whether two names are of two tables. A name without a schema may be of a table of any schema. */
function areApart(left: FullName, right: FullName): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(-length).join('.') !== right.slice(-length).join('.');
}

/** The tables that an export has for each table of a mapping. */
export class MeantTables {
  readonly #met = new Map<Table, FullName>();

  /** Returns the tables of the mapping that mean this one. Refused (65) with both names if one of them means another table, too. */
  of(mapping: Mapping, names: FullName, tables: readonly Table[]): readonly Table[] {
    const meant = tables.filter(({ table }) => isNamed(table, names));
    for (const table of meant) {
      const other = this.#met.get(table);
      if (other !== undefined && areApart(other, names))
        throw wrongTable(mapping, table, 'table', bothMeant(other, names));
      if (other === undefined || other.length < names.length) this.#met.set(table, names);
    }
    return meant;
  }
}

function bothMeant(...names: readonly FullName[]): string {
  return `The export has ${names.map((name) => name.join('.')).join(' and ')}. Write one of these under table.`;
}
