// Reads rows from streamed JSON: the values at the paths of the tables, such as documents in nested collections.
import { type ParsedElementInfo, Tokenizer, TokenType } from '@streamparser/json';
import { isObject, type JsonObject } from '../../../../lib/json.ts';
import { JsonStreamError, streamElements, stringBufferSize } from '../../../../lib/json-stream.ts';
import { brokenFile } from '../../export/refusals.ts';
import { isTooDeep } from '../../export/values.ts';
import type { Table } from './mapping.ts';
import { placeIn, type RowBatch, type TableFile, type TablePass, type TableRow } from './reading.ts';

/** Throws a refusal if the text is not JSON or is truncated. */
export async function* jsonRows(
  { tree, met, unread }: TablePass,
  { path, tables }: TableFile,
): AsyncGenerator<RowBatch> {
  let rows: TableRow[] = [];
  let last = 'the beginning';
  const take = (found: ParsedElementInfo): void => {
    const keys = [...found.stack.slice(1).map(({ key }) => key), found.key].filter((key) => key !== undefined);
    const reading = tables.filter((table) => isAt(table, keys));
    if (reading.length > 0) last = placeOf(keys);
    for (const [number, table] of reading.entries()) {
      met.add(table);
      rows.push({ table, at: placeIn(table, `${path}#${last}`, number === 0), row: rowOf(table, keys, found) });
    }
    // A row is not part of the row around it, which would otherwise keep all of its nested rows in memory.
    if (!found.stack.some(({ emit }) => emit)) return;
    if (Array.isArray(found.parent)) found.parent.length -= 1;
    else if (found.parent !== undefined) delete (found.parent as Record<string, unknown>)[String(found.key)];
  };
  const paths = tables.map(({ path: steps }) =>
    ['$', ...steps.map((step) => (step.startsWith('{') ? '*' : step))].join('.'),
  );
  const tokenizer = new ExactTokenizer({ stringBufferSize });
  const lists = unread.isCounting ? new UnreadLists(tables, (list) => unread.note(path, list, 1)) : undefined;
  try {
    for await (const bytes of streamElements(await tree.stream(path), paths, take, tokenizer, lists?.take)) {
      yield { rows, bytes };
      rows = [];
    }
  } catch (error) {
    throw error instanceof JsonStreamError ? brokenFile(path, `${error.message}, after ${last}`) : error;
  }
}

/** Integers that a double cannot represent become text. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    const number = Number(text);
    return Number.isSafeInteger(number) || !/^-?\d+$/u.test(text) ? number : (text as unknown as number);
  }
}

type Keys = readonly (string | number)[];

function placeOf(keys: Keys): string {
  return keys.length === 0 ? '$' : keys.map((key) => (typeof key === 'number' ? key + 1 : key)).join('/');
}

function isAt({ path }: Table, keys: Keys): boolean {
  return (
    path.length === keys.length &&
    path.every((step, place) => step === '*' || step.startsWith('{') || step === String(keys[place]))
  );
}

function rowOf({ path }: Table, keys: Keys, { value }: ParsedElementInfo): JsonObject | undefined {
  if (!isObject(value) || isTooDeep(value)) return undefined;
  const captured = path.flatMap((step, place): [string, string][] =>
    step.startsWith('{') ? [[step.slice(1, -1), String(keys[place])]] : [],
  );
  return captured.length === 0 ? value : { ...value, ...Object.fromEntries(captured) };
}

/** A map or list that is open. */
interface Frame {
  /** The path of its values so far. Undefined if a table reads it whole, or if it is below a list that no table reads. */
  readonly steps: readonly string[] | undefined;
  readonly isList: boolean;
  /** The list that no table reads and whose rows are the objects in this frame. */
  readonly unread: string | undefined;
  key: string;
  /** Whether the next string is a key. */
  isKey: boolean;
}

/** Calls `onRow` for each object in a list that no table of the mapping reads, with the path of the list. */
class UnreadLists {
  readonly #tables: readonly Table[];
  readonly #onRow: (list: string) => void;
  readonly #frames: Frame[] = [];

  constructor(tables: readonly Table[], onRow: (list: string) => void) {
    this.#tables = tables;
    this.#onRow = onRow;
  }

  readonly take = ({ token, value }: { readonly token: TokenType; readonly value: unknown }): void => {
    const frame = this.#frames.at(-1);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      this.#frames.push(this.#framed(frame, token));
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#frames.pop();
    else if (frame === undefined || frame.isList) return;
    else if (token === TokenType.COMMA) frame.isKey = true;
    else if (frame.isKey && token === TokenType.STRING) {
      frame.key = String(value);
      frame.isKey = false;
    }
  };

  #framed(around: Frame | undefined, token: TokenType): Frame {
    const isList = token === TokenType.LEFT_BRACKET;
    const frame = { isList, key: '', isKey: !isList };
    if (around === undefined) return { ...frame, steps: [], unread: undefined };
    if (around.unread !== undefined && !isList) this.#onRow(around.unread);
    if (around.unread !== undefined && isList && !around.isList)
      return { ...frame, steps: undefined, unread: `${around.unread}/${around.key}` };
    const ignored = { ...frame, steps: undefined, unread: undefined };
    if (around.steps === undefined) return ignored;
    const steps = [...around.steps, this.#stepOf(around)];
    if (this.#tables.some(({ path }) => path.length <= steps.length && isOn(path, steps, path.length))) return ignored;
    if (this.#tables.some(({ path }) => isOn(path, steps, steps.length))) return { ...frame, steps, unread: undefined };
    // An object in a list is a row. Otherwise the objects in the value are.
    if (around.isList && !isList) this.#onRow(steps.join('/'));
    return { ...frame, steps: undefined, unread: around.isList && !isList ? undefined : steps.join('/') };
  }

  /** The key, or `*` in a list and where a table reads any key. */
  #stepOf({ isList, key, steps = [] }: Frame): string {
    const at = steps.length;
    const isAny = isList || this.#tables.some(({ path }) => isWild(path[at]) && isOn(path, steps, at));
    return isAny ? '*' : key;
  }
}

function isWild(step: string | undefined): boolean {
  return step?.startsWith('*') === true || step?.startsWith('{') === true;
}

/** Whether the first `length` steps are on the path of a table. */
function isOn(path: readonly string[], steps: readonly string[], length: number): boolean {
  return steps.slice(0, length).every((step, at) => path[at] === step || isWild(path[at]));
}
