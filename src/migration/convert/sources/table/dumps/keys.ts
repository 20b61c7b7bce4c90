// Finds the primary keys, and the foreign keys of one column, that the statements of a dump declare.
import { definitionsIn, nameSource, namesIn, tableSource } from './names.ts';

/** Names of tables have their schema and database, as far as the dump has them. */
export interface TableReference {
  readonly table: string;
  readonly column: string;
  readonly otherTable: string;
  /** Undefined for the primary key. */
  readonly otherColumn: string | undefined;
}

export interface TableKeys {
  readonly table: string;
  /** Empty if the statement declares none. */
  readonly primary: readonly string[];
  readonly foreign: readonly TableReference[];
}

const altered = new RegExp(`^\\s*ALTER\\s+TABLE\\s+(?:ONLY\\s+)?(?<table>${tableSource})`, 'iu');
const created = new RegExp(`\\bTABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?<table>${tableSource})\\s*\\(`, 'iu');
const other = `\\bREFERENCES\\s+(?<other>${tableSource})\\s*(?:\\(\\s*(?<otherColumn>${nameSource})\\s*\\))?`;
const declared = new RegExp(`\\bFOREIGN\\s+KEY\\s*\\(\\s*(?<column>${nameSource})\\s*\\)\\s*${other}`, 'giu');
const inline = new RegExp(`^(?<column>${nameSource})\\s.*?${other}`, 'isu');
// MySQL may write the kind of the index before the columns, and their lengths behind them.
const primary = /\bPRIMARY\s+KEY\s*(?:USING\s+\w+\s*)?\((?<columns>(?:[^()]|\(\d+\))*)\)/iu;
const inlinePrimary = new RegExp(`^(?<column>${nameSource})\\s.*?\\bPRIMARY\\s+KEY\\b`, 'isu');

/** Undefined if the statement neither creates nor alters a table. `full` adds the current schema and database to a name. */
export function keysIn(
  statement: string,
  full: (names: readonly string[]) => readonly string[],
): TableKeys | undefined {
  const alteredTable = altered.exec(statement)?.groups?.table;
  const written = alteredTable ?? created.exec(statement)?.groups?.table;
  if (written === undefined) return undefined;
  const table = full(namesIn(written)).join('.');
  const definitions = alteredTable === undefined ? definitionsIn(statement) : [statement];
  return {
    table,
    primary:
      definitions.map((text) => primaryIn(text, alteredTable === undefined)).find(({ length }) => length > 0) ?? [],
    foreign: definitions.flatMap((text) => {
      const found = [...text.matchAll(declared)].map(({ groups }) => groups);
      const all = found.length > 0 || alteredTable !== undefined ? found : [inline.exec(text)?.groups];
      return all.flatMap((groups) =>
        groups === undefined
          ? []
          : [
              {
                table,
                column: namesIn(groups.column ?? '')[0] ?? '',
                otherTable: full(namesIn(groups.other ?? '')).join('.'),
                otherColumn: groups.otherColumn === undefined ? undefined : namesIn(groups.otherColumn)[0],
              },
            ],
      );
    }),
  };
}

function primaryIn(text: string, isDefinition: boolean): readonly string[] {
  const columns = primary.exec(text)?.groups?.columns;
  if (columns !== undefined) return namesIn(columns.replaceAll(/\(\d+\)|\b(?:ASC|DESC)\b/giu, ''));
  const column = isDefinition ? inlinePrimary.exec(text)?.groups?.column : undefined;
  return column === undefined ? [] : namesIn(column);
}
