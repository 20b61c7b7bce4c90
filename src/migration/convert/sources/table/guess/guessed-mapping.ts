// Writes the first mapping of tables, with a comment for each guess and for what nobody could guess.
import { type MappingSection, mappingSections } from '../../../../../core/model/tables/mapping.ts';
import { nullMark } from '../doubts.ts';
import type { FoundTable, FoundTables } from './found-tables.ts';
import { type GuessedTable, guessTables, timeOf } from './guesses.ts';
import { personalIdNames, plainName, referredSections } from './names.ts';

const head = `# Guessed by chatform from the names of tables and columns. Correct it, try it with --sample 20, and then convert.
# schema/mapping.md explains each key.
version: 1
name: own # TODO: a short name of your application. It begins the channel_url of each channel, so do not change it later.
`;

/** Undefined if there are no tables. */
export function guessedMapping(found: FoundTables): string | undefined {
  const tables = guessTables(found);
  const [first] = tables;
  if (first === undefined) return undefined;
  const hasObjects = tables.some(
    ({ section }) => section === 'users' || section === 'channels' || section === 'messages',
  );
  const shown = hasObjects ? tables.filter(({ section }) => section !== undefined) : [withSomeUser(first)];
  const lookups = new Lookups(found, shown);
  const entries = mappingSections.flatMap((section) => [...sectionLines(section, shown, lookups)]);
  const lines = [...tableLines(shown, lookups), '', ...entries];
  const others = hasObjects ? tables.filter(({ section }) => section === undefined) : tables.slice(1);
  for (const { found: table } of others)
    lines.push(
      `# TODO: what is in ${inComment(table.table ?? table.path ?? table.files.join(', '))}? Its columns: ${inComment(table.columns.join(', '))}`,
    );
  for (const path of found.others)
    lines.push(`# TODO: what is in ${inComment(path)}? It has no rows that could be read.`);
  return `${head}${lines.join('\n')}\n`;
}

/** If no table looks like one of a chat, the first one shows the form of a mapping. */
function withSomeUser({ found, name }: GuessedTable): GuessedTable {
  return { found, name, section: 'users', fields: new Map([['id', found.columns[0] ?? 'id']]) };
}

function inComment(text: string): string {
  return text.replaceAll(/[\r\n]+/gu, ' ');
}

/** References to other columns than the id of a table need a look-up. */
class Lookups {
  /** The key of each table that is looked up. */
  readonly keys = new Map<GuessedTable, string>();
  readonly #found: FoundTables;
  readonly #tables: readonly GuessedTable[];

  constructor(found: FoundTables, tables: readonly GuessedTable[]) {
    this.#found = found;
    this.#tables = tables;
    for (const { found: table, fields } of tables)
      for (const [field, column] of fields) this.value(table, field, column);
  }

  /** The value of a field, as YAML, and whether a foreign key says so. */
  value(table: FoundTable, field: string, column: string): { readonly text: string; readonly isKey: boolean } {
    const text = columnText(column);
    const key = this.#found.keys.find((candidate) => candidate.table === table.table && candidate.column === column);
    const target = this.#tables.find(
      ({ found, section }) =>
        found.table !== undefined && found.table === key?.otherTable && section === referredSections[field],
    );
    const id = target?.fields.get('id');
    if (key === undefined || target === undefined) return { text, isKey: false };
    if (id === undefined || key.otherColumn === undefined || key.otherColumn === id) return { text, isKey: true };
    this.keys.set(target, key.otherColumn);
    return { text: `{ in: ${target.name}, key: ${text}, get: ${columnText(id)} }`, isKey: true };
  }
}

function columnText(column: string): string {
  return JSON.stringify(`\${${column}}`);
}

function* tableLines(tables: readonly GuessedTable[], lookups: Lookups): Generator<string> {
  const cells = tables.flatMap(({ found }) => found.rows.flatMap((row) => Object.values(row)));
  if (cells.some((cell) => typeof cell === 'string' && nullMark.test(cell)))
    yield 'null: [NULL, "\\\\N"] # guessed: cells with this text are empty';
  yield 'tables:';
  for (const table of tables) {
    const { found, name, fields } = table;
    const key = lookups.keys.get(table);
    yield `  ${name}:`;
    const files = found.files.map((path) => shortest(path, tables));
    yield `    files: ${JSON.stringify(files.length === 1 ? files[0] : files)}`;
    if (found.table !== undefined) yield `    table: ${JSON.stringify(found.table)}`;
    if (found.path !== undefined) yield `    path: ${JSON.stringify(found.path)}`;
    if (key !== undefined) yield `    key: ${columnText(key)} # guessed: a foreign key names this column`;
    const read = new Set([...fields.values(), key]);
    const unread = found.columns.filter((column) => !read.has(column));
    if (unread.length > 0)
      yield `    # TODO: read these columns, or list them under omit: ${inComment(unread.join(', '))}`;
  }
}

/** The name of the file, if only one has it. Names match in any folder. */
function shortest(path: string, tables: readonly GuessedTable[]): string {
  const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
  const files = new Set(tables.flatMap(({ found }) => found.files));
  return [...files].filter((file) => nameOf(file) === nameOf(path)).length === 1 ? nameOf(path) : path;
}

const onlyChannel = 'general';

function* sectionLines(section: MappingSection, tables: readonly GuessedTable[], lookups: Lookups): Generator<string> {
  const entries = tables.filter((table) => table.section === section).map((table) => [...entryLines(table, lookups)]);
  if (section === 'channels' && entries.length === 0) {
    for (const { name, fields } of tables.filter((table) => table.section === 'messages')) {
      const column = fields.get('channel');
      const id = column === undefined ? onlyChannel : columnText(column);
      entries.push([`from: ${name} # guessed: no table lists the channels`, `id: ${id}`, 'repeats: true']);
    }
  }
  if (entries.length === 0) return;
  yield `${section}:`;
  for (const lines of entries)
    for (const [place, line] of lines.entries())
      yield entries.length === 1 ? `  ${line}` : `  ${place === 0 ? '-' : ' '} ${line}`;
  yield '';
}

/** Fields that a person should look for if no column has their name. */
const expected: Readonly<Partial<Record<MappingSection, readonly string[]>>> = {
  users: ['name'],
  channels: ['name', 'access', 'members'],
  messages: ['sender', 'edited', 'deleted'],
};

function* entryLines({ found, name, section, fields }: GuessedTable, lookups: Lookups): Generator<string> {
  if (section === undefined) return;
  yield `from: ${name} # guessed: by the name and the columns of the table`;
  if (section === 'messages' && !fields.has('channel'))
    yield `channel: ${onlyChannel} # TODO: which column has the id of the channel?`;
  for (const [field, column] of fields) {
    if (field === 'time' || field === 'edited') {
      const { form = {}, note } = timeOf(found.rows.map((row) => row[column])) ?? {};
      const parts = Object.entries({ of: columnText(column), ...form }).map(([part, value]) => `${part}: ${value}`);
      yield `${field}: { ${parts.join(', ')} } # ${note === undefined ? 'guessed: by its name and its values' : `TODO: ${note}`}`;
      continue;
    }
    const { text, isKey } = lookups.value(found, field, column);
    yield `${field}: ${text} # guessed: by ${isKey ? 'a foreign key' : 'its name'}`;
  }
  if (section === 'users' && personalIdNames.has(plainName(fields.get('id') ?? '')))
    yield 'personal_ids: true # guessed: the id is a name or an address';
  for (const field of expected[section] ?? []) if (!fields.has(field)) yield `# TODO: ${field}, if the data has it`;
}
