// Reads a part of an object that the object's own answer does not show completely, as a list or as one answer.

import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { PartRead } from '../kinds/definition/live-reads.ts';
import { platformCode } from '../model/platform-codes.ts';
import { routeName } from '../model/request.ts';
import { ListRefused, readPages, refused } from './pages.ts';
import type { LiveReader } from './send.ts';

/** Returns undefined if the object does not exist. Throws the Refusals of `readPages`. */
export async function readPart(
  { request, field, isOneAnswer, instead }: PartRead,
  key: string,
  reader: LiveReader,
): Promise<JsonValue | undefined> {
  const first = request(key);
  if (isOneAnswer === true) return readOnce(first, reader);
  if (instead === undefined) return readPages(first, field, reader);
  const name = routeName(first);
  if (!reader.refused.has(name)) {
    try {
      return await readPages(first, field, reader);
    } catch (error) {
      if (!(error instanceof ListRefused) || !instead.on.includes(error.platformCode)) throw error;
      reader.refused.add(name);
    }
  }
  const lists = await Promise.all(instead.requests(key).map((request) => readPages(request, field, reader)));
  return lists.includes(undefined) ? undefined : lists.flatMap((items) => items ?? []);
}

async function readOnce(request: ReturnType<PartRead['request']>, reader: LiveReader): Promise<JsonObject | undefined> {
  const said = await reader.send(request);
  if (said.type === 'ok') return said.body;
  if (said.code === platformCode.notFound) return undefined;
  // The part of a deactivated user is unknown.
  if (said.code === platformCode.deactivatedUser) return {};
  throw refused(request, said);
}
