// What the name of a table in a mapping means: the one resolution for dumps, databases and guesses.
import type { Mapping, Table } from './mapping.ts';
import { wrongTable } from './problems.ts';

/** A name with its schema and database, as far as they are known, from the outside: `acme`, `public`, `users`. */
export type FullName = readonly string[];

/** Whether a mapping that writes `users`, `acme.users`, `acme.public.users` or `public.messages_*` means the table. */
export function isNamed(written: string, names: FullName): boolean {
  const [name = '', ...around] = names.toReversed();
  const isMeant = matcherOf(written);
  return isMeant(name) || isMeant(names.join('.')) || around.some((outer) => isMeant(`${outer}.${name}`));
}

/** A `*` stands for any characters of one name. */
function matcherOf(written: string): (name: string) => boolean {
  if (!isPattern(written)) return (name) => name === written;
  const parts = written.split('*').map((part) => part.replaceAll(/[$()+.?[\\\]^{|}]/gu, String.raw`\$&`));
  const pattern = new RegExp(`^${parts.join('[^.]*')}$`, 'u');
  return (name) => pattern.test(name);
}

function isPattern(written: string): boolean {
  return written.includes('*');
}

/** Whether two names are of two tables. A name without a schema may be of a table of any schema. */
function areApart(left: FullName, right: FullName): boolean {
  const length = Math.min(left.length, right.length);
  return length > 0 && left.slice(-length).join('.') !== right.slice(-length).join('.');
}

/** The tables that an export has for each table of a mapping. */
export class MeantTables {
  readonly #met = new Map<Table, FullName>();

  /** Returns the tables of the mapping that mean this one. Refused (65) with both names if one of them means another table, too. */
  of(mapping: Mapping, names: FullName, tables: readonly Table[]): readonly Table[] {
    const meant = tables.filter(({ table }) => isNamed(table, names));
    for (const table of meant) {
      const other = this.#met.get(table);
      // A pattern means several tables of one schema, such as partitions.
      const demanded = (whole: FullName) => (isPattern(table.table) ? whole.slice(0, -1) : whole);
      if (other !== undefined && areApart(demanded(other), demanded(names)))
        throw wrongTable(mapping, table, 'table', bothMeant(other, names));
      if (other === undefined || other.length < names.length) this.#met.set(table, names);
    }
    return meant;
  }
}

function bothMeant(...names: readonly FullName[]): string {
  return `The export has ${names.map((name) => name.join('.')).join(' and ')}. Write one of these under table.`;
}
