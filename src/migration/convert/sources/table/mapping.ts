// Compiles a mapping: its values, times and conditions as functions of a row, with every problem reported at its place.

import type { SourcePosition } from '../../../../core/model/source.ts';
import {
  fieldsOf,
  fileFields,
  type MappingSection,
  mappingSections,
  type TableFormat,
  type TextEncoding,
  type WrittenEntry,
  type WrittenMapping,
  type WrittenSince,
  type WrittenTable,
  type WrittenTime,
  type WrittenValue,
} from '../../../../core/model/tables/mapping.ts';
import { reservedKeys } from '../../../../lib/json.ts';
import { type LinearPattern, linearPattern } from '../../../../lib/patterns/linear-pattern.ts';
import type { Condition, Lookup, RowValue, ValueContext } from './row-values.ts';
import { type Join, Scopes, type TableColumns } from './scopes.ts';
import { type TimeReader, timeReader } from './times.ts';
import { UsedColumns } from './used-columns.ts';
import { compileValue } from './values.ts';

/** A problem of the mapping. `path` leads to it from the root of the file. */
export interface MappingProblem {
  readonly path: readonly string[];
  readonly detail: string;
}

export interface Table extends TableColumns {
  readonly name: string;
  /** The patterns in the mapping. */
  readonly fileNames: readonly string[];
  readonly files: readonly LinearPattern[];
  readonly format: TableFormat | undefined;
  /** Its name in a dump. */
  readonly table: string;
  /** Where its rows are in JSON. `*` and `{name}` are any key; the latter becomes a column. Without a step, the file is a row. */
  readonly path: readonly string[];
  /** Whether the mapping says where its rows are in JSON. */
  readonly hasPath: boolean;
  readonly isOptional: boolean;
  /** The columns of files that do not name them. */
  readonly columns: readonly string[] | undefined;
  /** How its CSV is written. What is undefined is found by looking. */
  readonly delimiter: string | undefined;
  readonly quote: string | undefined;
  readonly encoding: TextEncoding | undefined;
  /** The column that a later read of a database begins with. Undefined if the table is always read whole. */
  readonly since: Exclude<WrittenSince, string> | undefined;
  /** Undefined if no other row looks up rows of the table. */
  readonly key: RowValue | undefined;
  /** What is largest in the row that counts, of several with one key. Undefined if each row counts. */
  readonly latest: RowValue | undefined;
  /** Texts that stand for a missing value. Undefined if the mapping does not say which. */
  readonly nulls: ReadonlySet<string> | undefined;
  /** The tables whose rows are columns of its rows. */
  readonly joins: readonly Join[];
  /** Whether its rows are columns of the rows of another table. */
  readonly isJoined: boolean;
  /** The entries that read the table. */
  readonly entries: MappingEntry[];
}

export interface MappingEntry {
  readonly section: MappingSection;
  /** `messages`, or `messages/2` for the second entry. */
  readonly label: string;
  readonly path: readonly string[];
  /** Whether the entry applies to a row. */
  readonly where: Condition | undefined;
  readonly hasPersonalIds: boolean;
  readonly repeats: boolean;
  /** Whether the field, or a column that its table computes, calls the function on a text. */
  mends(field: string, method: string): boolean;
  readonly values: Readonly<Record<string, RowValue>>;
  readonly times: Readonly<Record<string, TimeField>>;
  readonly file: Readonly<Record<string, RowValue>> | undefined;
}

export interface TimeField {
  readonly path: readonly string[];
  readonly of: RowValue;
  readonly read: TimeReader;
}

export interface Mapping {
  readonly name: string;
  readonly title: string;
  /** Every export lists all users and channels. */
  readonly isComplete: boolean;
  readonly tables: readonly Table[];
  /** The look-ups in the order in which they are filled. Those of a level need only those of earlier levels. */
  readonly lookups: readonly (readonly Lookup[])[];
  /** Takes problems of headers in place of a refusal, which names only those of one table. */
  readonly collect?: (problems: readonly MappingProblem[]) => void;
  /** The place in the file of the mapping. */
  position(path: readonly string[]): SourcePosition;
}

/** `written` must match the schema. The mapping must not be used if a problem was reported. */
export function compileMapping(
  written: WrittenMapping,
  position: Mapping['position'],
  report: (problem: MappingProblem) => void,
): Mapping {
  const scopes = new Scopes((path, detail) => report({ path, detail }));
  const tablesByName = new Map<string, Omit<Table, 'key' | 'latest' | 'joins' | 'isJoined'>>();
  for (const [name, writtenTable] of Object.entries(written.tables)) {
    const {
      files = [],
      format,
      table = name,
      path = '*',
      omit = [],
      optional,
      since,
      null: nulls = written.null,
    } = writtenTable;
    const { delimiter, quote, encoding } = writtenTable;
    const steps = path === '$' ? [] : path.replace(/^\$\./u, '').split('.');
    const fileNames = typeof files === 'string' ? [files] : files;
    const captures = [...steps, ...fileNames].flatMap((step) =>
      [...step.matchAll(/\{(.+?)\}/gu)].map(([, found = '']) => found),
    );
    const patterns = fileNames.flatMap((pattern) => patternOf(pattern) ?? []);
    if (patterns.length < fileNames.length)
      report({
        path: ['tables', name, 'files'],
        detail: 'A {name} in a file name becomes a column. Write for example members/{channel}.json.',
      });
    if (steps.includes('') || captures.some((capture) => reservedKeys.has(capture))) {
      report({
        path: ['tables', name, 'path'],
        detail:
          'A path consists of keys and dots. Write for example rooms.{room}.messages.*, or $ for the whole file as one row.',
      });
    }
    const used = new UsedColumns();
    for (const column of [...omit, ...captures]) used.addNamed(column);
    const uses: TableColumns = { used, read: new Set(), ids: new Set(), needed: new Map() };
    scopes.add(name, writtenTable, uses);
    tablesByName.set(name, {
      ...uses,
      name,
      fileNames,
      files: patterns,
      format,
      table,
      path: steps,
      hasPath: writtenTable.path !== undefined,
      isOptional: optional === true,
      columns: writtenTable.columns,
      delimiter,
      quote,
      encoding,
      since: typeof since === 'string' ? { column: since } : since,
      nulls: nulls === undefined ? undefined : new Set(nulls.flatMap((text) => text ?? ['NULL', 'Null', 'null'])),
      entries: [],
    });
  }
  const joined = new Set(Object.values(written.tables).flatMap(({ join = {} }) => Object.keys(join)));
  const tables = new Map(
    Array.from(tablesByName, ([name, table]): [string, Table] => {
      const scope = scopes.of(name);
      const compiled = { key: scope?.key(), latest: scope?.latest(), joins: scope?.joins() ?? [] };
      return [name, { ...table, ...compiled, isJoined: joined.has(name) }];
    }),
  );
  for (const section of mappingSections) {
    const entries = written[section];
    if (entries === undefined) continue;
    const list = isMany(entries) ? entries : [entries];
    for (const [place, entry] of list.entries()) {
      const path = isMany(entries) ? [section, String(place)] : [section];
      const table = tables.get(entry.from);
      if (table === undefined) {
        const known = [...tables.keys()].join(', ');
        report({ path: [...path, 'from'], detail: `There is no table ${entry.from}. The tables are ${known}.` });
      }
      const label = place === 0 ? section : `${section}/${place + 1}`;
      const compiled = compileEntry(
        section,
        label,
        path,
        entry,
        written.tables[entry.from]?.computed,
        scopes.of(entry.from) ?? scopes.nowhere(),
      );
      table?.entries.push(compiled);
    }
  }
  for (const table of tables.values()) {
    const isOfMessages = table.key === undefined && table.entries.every(({ section }) => section === 'messages');
    if (table.since === undefined || isOfMessages) continue;
    report({
      path: ['tables', table.name, 'since'],
      detail:
        'Only tables whose rows are nothing but messages can be read in part. Remove since here: the others are read whole.',
    });
  }
  for (const { name, since, entries } of tables.values()) {
    if (since === undefined || entries.every(({ values }) => values.id !== undefined)) continue;
    report({
      path: ['tables', name, 'since'],
      detail:
        'Messages without id are numbered, so their table cannot be read in part. Name their id, or remove since.',
    });
  }
  if (written.messages === undefined && written.users === undefined && written.channels === undefined) {
    report({
      path: [],
      detail: 'The mapping does not create any objects. Write at least one of users, channels and messages.',
    });
  }
  const { name, title = name, complete } = written;
  const lookups = scopes.end();
  return { name, title, isComplete: complete === true, tables: [...tables.values()], lookups, position };
}

/** Matches files at any depth. Undefined if a name in braces is not a valid column name, or occurs twice. */
function patternOf(name: string): LinearPattern | undefined {
  const source = name.normalize().replaceAll(/\*\*\/|\*|\{(\w+)\}|[^*{]+|\{/gu, (part, column?: string) => {
    if (column !== undefined) return `(?P<${column}>[^/]+)`;
    if (part.startsWith('*')) return part === '*' ? '[^/]*' : '(?:.*/)?';
    return part.replaceAll(/[!-/:-@[-`{-~]/gu, String.raw`\$&`);
  });
  try {
    return /\{\d/u.test(name) ? undefined : linearPattern(`^(?:.*/)?${source}$`);
  } catch {
    return undefined;
  }
}

function isMany(entries: WrittenEntry | readonly WrittenEntry[]): entries is readonly WrittenEntry[] {
  return Array.isArray(entries);
}

function compileEntry(
  section: MappingSection,
  label: string,
  path: readonly string[],
  entry: WrittenEntry,
  computed: WrittenTable['computed'],
  context: ValueContext,
): MappingEntry {
  const values: Record<string, RowValue> = {};
  const times: Record<string, TimeField> = {};
  let file: Record<string, RowValue> | undefined;
  for (const [name, { type }] of Object.entries(fieldsOf(section))) {
    const written = entry[name];
    if (written === undefined || typeof written === 'boolean') continue;
    const at = [...path, name];
    if (type === 'value') values[name] = compileValue(written as WrittenValue, at, context);
    else if (type === 'time') times[name] = compileTime(written as WrittenTime | WrittenValue, at, context);
    else if (type === 'file') {
      const parts = written as Readonly<Record<string, WrittenValue>>;
      file = {};
      for (const part of Object.keys(fileFields)) {
        const value = parts[part];
        if (value !== undefined) file[part] = compileValue(value, [...at, part], context);
      }
    }
  }
  return {
    section,
    label,
    path,
    where: entry.where === undefined ? undefined : context.compileCondition(entry.where, [...path, 'where']),
    hasPersonalIds: entry.personal_ids === true,
    repeats: entry.repeats === true,
    mends: (field, method) => JSON.stringify([entry[field], computed]).includes(`.${method}()`),
    values,
    times,
    file,
  };
}

function compileTime(written: WrittenTime | WrittenValue, path: readonly string[], context: ValueContext): TimeField {
  const isForm = typeof written === 'object' && 'of' in written;
  const of = isForm ? compileValue(written.of, [...path, 'of'], context) : compileValue(written, path, context);
  try {
    return { path, of, read: timeReader(isForm ? written : {}) };
  } catch (error) {
    context.report(path, `${error instanceof Error ? error.message : String(error)}.`);
    return { path, of, read: () => 'unit' };
  }
}
