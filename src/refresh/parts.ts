// Reads a part of an object that the object's own answer does not show whole: a list page by page, or one answer.
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { platformCode } from '../model/platform-codes.ts';
import type { PartRead } from '../resources/define.ts';
import { readPages, refused } from './pages.ts';
import type { Reader } from './send.ts';

/** Undefined if the object is gone. Throws the Refusals of `readPages`. */
export async function readPart(
  { request, field, isOneAnswer }: PartRead,
  key: string,
  reader: Reader,
): Promise<JsonValue | undefined> {
  return isOneAnswer === true ? readOnce(request(key), reader) : readPages(request(key), field, reader);
}

async function readOnce(request: ReturnType<PartRead['request']>, reader: Reader): Promise<JsonObject | undefined> {
  const said = await reader.send(request);
  if (said.type === 'ok') return said.body;
  if (said.code === platformCode.notFound) return undefined;
  // Nothing is known then.
  if (said.code === platformCode.deactivatedUser) return {};
  throw refused(request, said);
}
