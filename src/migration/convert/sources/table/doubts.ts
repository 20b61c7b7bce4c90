// Collects values that may stand for a missing value, and flags and times that cannot be read. Only the author of the mapping knows
// what they mean: taken as they are, NULL in a column of times would say that everybody was deleted.
import type { JsonObject, JsonValue } from '../../../../lib/json.ts';
import { scrub } from '../../export/urls.ts';
import type { MappingEntry, MappingProblem, Table } from './mapping.ts';
import type { FailedCondition } from './row-values.ts';
import { zeroDate } from './times.ts';

/** NULL as many programs write it, and as MySQL does. */
export const nullMark = /^(?:null|\\N)$/iu;

interface Marks {
  readonly at: string;
  readonly column: string;
  readonly mark: string;
  readonly texts: Set<string>;
  readonly rows: Map<string, number>;
}

interface Unread {
  readonly path: readonly string[];
  readonly table: Table;
  readonly at: string;
  readonly value: JsonValue;
  /** The values that stand for a missing value in databases. */
  readonly marks: Set<string>;
  count: number;
}

interface FailedRows {
  readonly path: readonly string[];
  readonly reason: string;
  readonly at: string;
  /** The columns that the condition reads, with their values in the first such row. */
  readonly values: string;
  count: number;
}

/** Unread values of a field above this share of all, and above this number, are a mistake of the mapping and not of rows. */
const few = { share: 0.1, count: 2 } as const;

export class Doubts {
  /** Tables are read several times, but each row counts once. */
  isCounting = false;
  readonly #marks = new Map<Table, Marks>();
  /** By the field that reads the values. */
  readonly #unread = new Map<unknown, Unread>();
  readonly #counts = new Map<unknown, number>();
  /** By the place of the entry. */
  readonly #conditions = new Map<string, FailedRows>();

  /** A value that consists of a mark, without a word in the mapping on what it means. */
  noteMark(table: Table, column: string, mark: string, at: string): void {
    if (!this.isCounting) return;
    const marks = this.#marks.get(table) ?? { at, column, mark, texts: new Set(), rows: new Map() };
    this.#marks.set(table, marks);
    marks.texts.add(mark);
    marks.rows.set(column, (marks.rows.get(column) ?? 0) + 1);
  }

  /** A value of a flag or time. `field` identifies the field. */
  noteValue(field: unknown, isRead: boolean, found: Omit<Unread, 'count' | 'marks'>): void {
    if (!this.isCounting) return;
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
    if (isRead) return;
    const unread = this.#unread.get(field) ?? { ...found, marks: new Set(), count: 0 };
    this.#unread.set(field, unread);
    unread.count += 1;
    const text = typeof found.value === 'string' ? found.value.trim() : '';
    if (nullMark.test(text) || zeroDate.test(text)) unread.marks.add(text);
  }

  /** The condition of an entry for a row. */
  noteCondition({ path }: MappingEntry, result: boolean | FailedCondition, at: string, row: JsonObject): void {
    if (!this.isCounting) return;
    const name = path.join('.');
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (typeof result === 'boolean') return;
    const { reason, columns } = result;
    const values = columns.map((column) => `${column} = ${shown(row[column] ?? null)}`).join(', ');
    const conditions = this.#conditions.get(name) ?? { path: [...path, 'where'], reason, at, values, count: 0 };
    this.#conditions.set(name, conditions);
    conditions.count += 1;
  }

  /** `isOfRows`: those which failed for some rows, and not for all. */
  *#failedConditions(isOfRows: boolean): Generator<MappingProblem> {
    for (const [name, { path, reason, at, values, count }] of this.#conditions) {
      const all = this.#counts.get(name) ?? 0;
      if (count < all !== isOfRows) continue;
      const example = [at, values].filter((part) => part !== '').join(' ');
      const detail = `The condition cannot be evaluated: ${reason}, in ${count.toLocaleString('en')} of ${all.toLocaleString('en')} rows, for example ${example}.`;
      yield { path, detail };
    }
  }

  /** Whether the unread values of a field are mistakes of few rows. */
  #isOfRows(field: unknown): boolean {
    const { marks, count } = this.#unread.get(field) ?? { marks: new Set(), count: 0 };
    const all = this.#counts.get(field) ?? 0;
    return marks.size === 0 && (count <= few.count || count <= all * few.share);
  }

  /** An example for each field with values that could not be read, as sentences. */
  *notes(): Generator<string> {
    for (const { path, detail } of this.#failedConditions(true)) yield `${path.join('.')}: ${detail}`;
    for (const [field, { path, at, value, count }] of this.#unread) {
      const all = this.#counts.get(field) ?? 0;
      yield `${count} of ${all} values of ${path.join('.')} are not ${formOf(path)}: the first is ${shown(value)} at ${at}.`;
    }
  }

  /** What only the author of the mapping can decide. */
  problems(): readonly MappingProblem[] {
    const marks = [...this.#marks].map(([table, { at, column, mark, texts, rows }]): MappingProblem => {
      const counts = [...rows].map(([name, count]) => `${name}: ${count}`).join(', ');
      const detail = `${at} has ${mark} in the column ${column}, as databases write a missing value. Rows with it: ${counts}. Write null: [${listed(texts)}] under this table if the value is missing there, or null: [] if it is the text itself.`;
      return { path: ['tables', table.name], detail };
    });
    const unread = [...this.#unread].flatMap(([field, { path, table, at, value, marks, count }]): MappingProblem[] => {
      const all = this.#counts.get(field) ?? 0;
      if (this.#isOfRows(field)) return [];
      const advice =
        marks.size === 0
          ? 'Compute it: { cel: … }.'
          : `Write null: [${listed([...(table.nulls ?? []), ...marks])}] under tables.${table.name} if the value is missing there, or compute it: { cel: … }.`;
      const detail = `${at} has ${shown(value)} here, which is not ${formOf(path)}. Unreadable: ${count} of ${all} values. ${advice}`;
      return [{ path, detail }];
    });
    const conditions = [...this.#failedConditions(false)].map(({ path, detail }) => ({
      path,
      detail: `${detail} Compare each value with one of its own type: row.flag == "t". Test with has(row.x) whether JSON has a column.`,
    }));
    return [...marks, ...unread, ...conditions];
  }
}

function formOf(path: readonly string[]): string {
  const name = path.at(-1);
  if (name === 'latest') return 'a number or a time';
  if (name === 'order') return 'a number, a time or an id that grows';
  return name === 'time' || name === 'edited' ? 'a time' : 'yes or no, a number or a time';
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(scrub(value));
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}

const maxShown = 60;

/** As texts in YAML, where NULL without quotes means each of its spellings. */
function listed(texts: Iterable<string>): string {
  const unlike = [...texts].map((text) => (/^null$/iu.test(text) ? 'NULL' : text));
  return [...new Set(unlike)].map((text) => (/^[A-Z]+$/u.test(text) ? text : JSON.stringify(text))).join(', ');
}
