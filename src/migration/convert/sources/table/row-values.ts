// The values that a mapping computes from the rows of a table, and what they may refer to.
import { type JsonObject, type JsonValue, parsedJson } from '../../../../lib/json.ts';

/** An expression that failed for a row, such as one that reads a missing column, or a look-up that found no row. */
export const failed = Symbol('failed');

/** The value for a row, or undefined. */
export type RowValue = (row: JsonObject) => JsonValue | undefined | typeof failed;

/** Why a condition cannot be evaluated for a row: `\`!\` of text`. `columns` are those that it reads. */
export interface FailedCondition {
  readonly reason: string;
  readonly columns: readonly string[];
}

export type Condition = (row: JsonObject) => boolean | FailedCondition;

export const absent: RowValue = () => undefined;

/** One value per row of a table, by the key of the row. Filled before the rows are read that look it up. */
export interface Lookup {
  readonly table: string;
  readonly get: RowValue;
  readonly values: Map<string, JsonValue>;
  /** The look-ups by which the key and the value of a row are computed. */
  readonly needs: Set<Lookup>;
}

/** How a value reads a column. */
export interface ColumnUse {
  /** The column, and the steps to the part of it that is read. */
  readonly path: readonly string[];
  /** Every row must have the column. */
  readonly isNeeded: boolean;
  /** `tested`: only whether there is a value. `inside`: the parts that are read have uses of their own. */
  readonly extent: 'whole' | 'tested' | 'inside';
}

/** The table whose rows a value reads. `at` leads to a place in the mapping. */
export interface ValueContext {
  /** Notes that the value reads a column. */
  use(column: ColumnUse, at: readonly string[]): void;
  /** Notes that a text reads a column by its name, or by the path to a part of it. */
  useNamed(name: string, at: readonly string[]): void;
  /** The computed column of the name. Undefined if it is not one. */
  computed(name: string, at: readonly string[]): RowValue | undefined;
  /** Whether the column is the row of a joined table. */
  isJoined(name: string): boolean;
  /** The look-up of a value in another table. Undefined if that is not possible, which is reported. */
  lookup(
    table: string,
    get: string,
    at: { readonly table: readonly string[]; readonly get: readonly string[] },
  ): Lookup | undefined;
  compileExpression(text: string, at: readonly string[]): RowValue;
  compileCondition(text: string, at: readonly string[]): Condition;
  report(at: readonly string[], detail: string): void;
}

/** Undefined if the text is not a JSON list or map. */
export function parsedText(text: string): JsonValue | undefined {
  return /^\s*[[{]/u.test(text) ? parsedJson(text) : undefined;
}

/** Advice for a join that a mapping cannot state. */
export const viewAdvice =
  'For a join that a mapping cannot state, make a view and export that: CREATE VIEW chat_messages AS SELECT m.*, r.kind FROM messages m JOIN rooms r ON r.id = m.room_id.';
