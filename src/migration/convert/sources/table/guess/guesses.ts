// Guesses from names and keys what the tables of an application are, and which columns have their fields.

import { fieldsOf, type MappingSection } from '../../../../../core/model/tables/mapping.ts';
import type { JsonValue } from '../../../../../lib/json.ts';
import type { TableReference } from '../dumps/keys.ts';
import { flagOf } from '../fields.ts';
import { timeReader } from '../times.ts';
import type { FoundTable, FoundTables } from './found-tables.ts';
import { columnNames, plainName, referredSections, tableNames } from './names.ts';

export interface GuessedTable {
  readonly found: FoundTable;
  /** Its name in the mapping. */
  readonly name: string;
  readonly section: MappingSection | undefined;
  /** The column of each field. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A message without a channel gets one. */
const required = (section: MappingSection): readonly string[] =>
  Object.entries(fieldsOf(section)).flatMap(([name, field]) =>
    'isRequired' in field && !(section === 'messages' && name === 'channel') ? [name] : [],
  );

export function guessTables({ tables, keys }: FoundTables): readonly GuessedTable[] {
  const taken = new Set<string>();
  const named = tables.map((found) => {
    const plain = plainName(found.name).replace(/^(?=\d)|^$/u, 'table_');
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain}_${number}`;
    taken.add(name);
    return { found, name };
  });
  const notPeople = tablesWithoutPeople(tables, keys);
  return named.map(({ found, name }) => {
    const referred = new Map(
      keys.filter(({ table }) => table === found.table).map((key) => [key.column, likelySections(key)]),
    );
    for (const section of sectionsOf(name)) {
      if (section === 'users' && notPeople.has(found)) continue;
      const fields = fieldsIn(section, name, found, referred);
      if (required(section).every((field) => fields.has(field)) && hasContent(section, name, fields))
        return { found, name, section, fields };
    }
    return { found, name, section: undefined, fields: new Map() };
  });
}

/** Those that the name fits. A table of any name may contain messages, and one named after them contains neither channels nor people. */
function sectionsOf(name: string): readonly MappingSection[] {
  const fitting = tableNames.filter(([, pattern]) => pattern.test(name)).map(([section]) => section);
  return fitting.includes('messages')
    ? fitting.filter((section) => section !== 'channels' && section !== 'users')
    : [...fitting, 'messages'];
}

/**
 * The tables named after people which contain something about them, such as their sessions, or what people have in common, such as
 * their types.
 */
function tablesWithoutPeople(tables: readonly FoundTable[], keys: readonly TableReference[]): ReadonlySet<FoundTable> {
  const isOther = (key: TableReference): boolean => key.table !== key.otherTable;
  const candidates = new Map(
    tables.flatMap((found) =>
      sectionsOf(plainName(found.name)).includes('users') ? [[found.table ?? '', found]] : [],
    ),
  );
  const referring = (table: string): readonly string[] =>
    keys.filter((key) => isOther(key) && key.otherTable === table).map((key) => key.table);
  const without = new Set<FoundTable>();
  for (const [name, found] of candidates) {
    const leadsToPeople = keys.some((key) => isOther(key) && key.table === name && candidates.has(key.otherTable));
    if (leadsToPeople && referring(name).length === 0) without.add(found);
  }
  for (const [name, found] of candidates) {
    const others = referring(name).map((table) => candidates.get(table));
    const ofPeople = others.filter((table) => table !== undefined && !without.has(table));
    if (ofPeople.length > 0 && ofPeople.length === others.length) without.add(found);
  }
  return without;
}

function hasContent(section: MappingSection, table: string, fields: ReadonlyMap<string, string>): boolean {
  if (section === 'files') return fields.has('url');
  if (section !== 'messages') return true;
  const isNamed = tableNames.some(([other, pattern]) => other === section && pattern.test(table));
  return fields.has('text') && (isNamed || fields.has('sender') || fields.has('channel'));
}

function likelySections({ otherTable }: TableReference): readonly MappingSection[] {
  return tableNames
    .filter(([, pattern]) => pattern.test(plainName(otherTable.split('.').at(-1) ?? '')))
    .map(([section]) => section);
}

function fieldsIn(
  section: MappingSection,
  table: string,
  { columns, rows, primary = [] }: FoundTable,
  referred: ReadonlyMap<string, readonly MappingSection[]>,
): ReadonlyMap<string, string> {
  const byName = new Map(columns.filter(isNameable).map((column) => [plainName(column), column]));
  const fields = new Map<string, string>();
  for (const [field, names] of Object.entries(columnNames[section])) {
    const wanted =
      field === 'id' ? [...primaryNames(primary, referred), ...names, `${table.replace(/s$/u, '')}_id`] : names;
    const target = referredSections[field];
    const isFit = (column: string): boolean => {
      const sections = referred.get(column);
      const isTarget =
        target === undefined || sections === undefined || sections.length === 0 || sections.includes(target);
      return (
        isTarget &&
        isReadable(
          field,
          rows.map((row) => row[column]),
        )
      );
    };
    const byTheName = wanted.flatMap((name) => byName.get(name) ?? []).find(isFit);
    const byTheKey = [...referred].find(
      ([column, sections]) =>
        target !== undefined && sections.includes(target) && isFit(column) && ![...fields.values()].includes(column),
    );
    const column = byTheName ?? byTheKey?.[0];
    if (column !== undefined) fields.set(field, column);
  }
  return fields;
}

/** The name of the primary key, unless it is the key of a row of another table. */
function primaryNames(primary: readonly string[], referred: ReadonlyMap<string, unknown>): readonly string[] {
  const [only, second] = primary;
  return only === undefined || second !== undefined || referred.has(only) ? [] : [plainName(only)];
}

/** `${a.b}` is a part of a column. */
function isNameable(column: string): boolean {
  return column !== '' && !/[{}.]/u.test(column);
}

const flags: ReadonlySet<string> = new Set(['deleted', 'archived', 'operator']);

/** Whether the examples of a flag or a time can be read. */
function isReadable(field: string, values: readonly (JsonValue | undefined)[]): boolean {
  const examples = values.filter((value) => value !== null && value !== '');
  if (flags.has(field)) return examples.every((value) => flagOf(value) !== undefined);
  return (field !== 'time' && field !== 'edited') || timeOf(examples) !== undefined;
}

/** How the times of a column are written. `note`: what a person has to decide. Undefined if they cannot be read. */
export function timeOf(
  values: readonly (JsonValue | undefined)[],
): { readonly form: Readonly<Record<string, string>>; readonly note?: string } | undefined {
  const examples = values.flatMap((value) => (value === undefined || value === null || value === '' ? [] : [value]));
  const digits = Math.max(0, ...examples.map((value) => /^(\d+)/u.exec(String(value))?.[1]?.length ?? 0));
  const unit = digits >= 18 ? 'nanoseconds' : digits >= 15 ? 'microseconds' : digits >= 12 ? 'milliseconds' : 'seconds';
  const forms = [
    { form: {} },
    { form: { zone: 'UTC' }, note: 'the time zone of the server' },
    { form: { unit } },
  ] as const;
  return forms.find(({ form }) => {
    const read = timeReader(form);
    return examples.every((value) => {
      const found = read(value);
      return typeof found === 'object' && !Number.isNaN(found.time);
    });
  });
}
