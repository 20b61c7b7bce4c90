// Lists every object of a kind on the platform, and reads page by page what the list cuts short.
//
// Only one page is held in memory, with what is read for it. An object that moves while the list is read may come twice;
// the caller decides which one counts.
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { ApiRequest } from '../model/request.ts';
import type { KindDefinition } from '../resources/definition/kind.ts';
import type { LiveReads } from '../resources/definition/live-reads.ts';
import { pathPartSchema } from '../resources/definition/values.ts';
import { hiddenChannelsRequest, hiddenStatuses } from '../resources/group-channel/statuses.ts';
import { pageSize, pagesOf, readPages } from './pages.ts';
import { readPart } from './parts.ts';
import type { Reader } from './send.ts';

/** One object of the platform, in the attributes of its kind. */
export interface ListedObject {
  readonly key: string;
  readonly attributes: JsonObject;
  /** Attributes that are set although no read shows their values: `access_code`. */
  readonly hidden: readonly string[];
}

/** Objects that went away while they were read are left out. Refused as `pagesOf`. */
export async function* listAll(
  kind: KindDefinition,
  reader: Reader,
  { readEach = false }: { readonly readEach?: boolean } = {},
): AsyncGenerator<readonly ListedObject[]> {
  const { live } = kind;
  if (live === undefined) return;
  if (live.list === undefined) {
    const only = await readWhole(kind, live, kind.onlyKey, {}, reader, readEach);
    yield only === undefined ? [] : [only];
    return;
  }
  const keyIn = (answer: JsonObject) => live.list?.keyOf?.(answer) ?? answer[kind.keyName];
  const { route, query, ownOnly, field } = live.list;
  const request: ApiRequest = { method: 'GET', route, query: { ...query, ...ownOnly, limit: pageSize } };
  for await (const page of pagesOf(request, field, reader)) {
    const listed = await Promise.all(
      page.map((answer) => readWhole(kind, live, keyIn(answer), answer, reader, readEach)),
    );
    yield listed.filter((one) => one !== undefined);
  }
}

async function readWhole(
  kind: KindDefinition,
  { parts, details, unreadable }: LiveReads,
  key: JsonValue | undefined,
  answer: JsonObject,
  reader: Reader,
  readEach: boolean,
): Promise<ListedObject | undefined> {
  if (typeof key !== 'string') return undefined;
  let all = answer;
  for (const part of parts) {
    const isEach = kind.attributes[part.attribute]?.isReadEach === true;
    if (part.isWhole(answer) || (isEach && !(readEach && fitsPath.test(key)))) continue;
    const found = await readPart(part, key, reader);
    if (found === undefined) return undefined;
    all = { ...all, [part.field]: found };
  }
  const attributes = kind.observe(all);
  const detail = details?.(all);
  const items = detail === undefined ? [] : await readPart(detail.part, key, reader);
  const detailed = detail?.add(attributes, isList(items) ? items.filter(isObject) : []);
  return { key, attributes: detailed ?? attributes, hidden: unreadable?.(all) ?? [] };
}

/** Other ids cannot be declared either. */
const fitsPath = new RegExp(String(pathPartSchema.pattern), 'u');

/** By channel_url, how an active user has hidden their channels: one request, more only for very many channels. */
export async function hiddenBy(userId: string, reader: Reader): Promise<ReadonlyMap<string, string>> {
  return hiddenStatuses((await readPages(hiddenChannelsRequest(userId), 'channels', reader)) ?? []);
}
