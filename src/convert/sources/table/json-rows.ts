// Reads rows from streamed JSON: the values at the paths of the tables, such as documents in nested collections.
import { type ParsedElementInfo, Tokenizer } from '@streamparser/json';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { JsonStreamError, streamElements, stringBufferSize } from '../../../lib/json-stream.ts';
import { brokenFile } from '../../export/refusals.ts';
import { isTooDeep } from '../../export/values.ts';
import type { Table } from './mapping.ts';
import { placeIn, type RowBatch, type TableFile, type TablePass, type TableRow } from './reading.ts';
import { UnreadLists } from './unread-lists.ts';

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
    if (reading.length > 0) last = keys.map((key) => (typeof key === 'number' ? key + 1 : key)).join('/');
    for (const [number, table] of reading.entries()) {
      met.add(table);
      rows.push({ table, at: placeIn(table, `${path}#${last}`, number === 0), row: rowOf(table, keys, found) });
    }
    // A row is not part of the row around it, which would otherwise keep all of its nested rows in memory.
    if (!found.stack.some(({ emit }) => emit)) return;
    if (Array.isArray(found.parent)) found.parent.length -= 1;
    else if (found.parent !== undefined) delete (found.parent as Record<string, unknown>)[String(found.key)];
  };
  const paths = tables.map((table) => `$.${table.path.map((step) => (step.startsWith('{') ? '*' : step)).join('.')}`);
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
