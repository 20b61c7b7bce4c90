// Finds the foreign keys of one column that the statements of a dump declare.
import { definitionsIn, nameSource, namesIn, tableSource } from './names.ts';

export interface TableReference {
  /** With its schema and database, as far as the dump has them. */
  readonly table: string;
  readonly column: string;
  readonly otherTable: string;
  /** Undefined for the primary key. */
  readonly otherColumn: string | undefined;
}

const altered = new RegExp(`^\\s*ALTER\\s+TABLE\\s+(?:ONLY\\s+)?(?<table>${tableSource})`, 'iu');
const created = new RegExp(`\\bTABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?<table>${tableSource})\\s*\\(`, 'iu');
const other = `\\bREFERENCES\\s+(?<other>${tableSource})\\s*(?:\\(\\s*(?<otherColumn>${nameSource})\\s*\\))?`;
const declared = new RegExp(`\\bFOREIGN\\s+KEY\\s*\\(\\s*(?<column>${nameSource})\\s*\\)\\s*${other}`, 'iu');
const inline = new RegExp(`^(?<column>${nameSource})\\s.*?${other}`, 'isu');

/** `full` adds the current schema and database to a name. */
export function* foreignKeysIn(
  statement: string,
  full: (names: readonly string[]) => readonly string[],
): Generator<TableReference> {
  const alteredTable = altered.exec(statement)?.groups?.table;
  const table = alteredTable ?? created.exec(statement)?.groups?.table;
  if (table === undefined) return;
  for (const text of alteredTable === undefined ? definitionsIn(statement) : [statement]) {
    const { groups } = declared.exec(text) ?? (alteredTable === undefined ? inline.exec(text) : null) ?? {};
    if (groups === undefined) continue;
    yield {
      table: full(namesIn(table)).join('.'),
      column: namesIn(groups.column ?? '')[0] ?? '',
      otherTable: full(namesIn(groups.other ?? '')).join('.'),
      otherColumn: groups.otherColumn === undefined ? undefined : namesIn(groups.otherColumn)[0],
    };
  }
}
