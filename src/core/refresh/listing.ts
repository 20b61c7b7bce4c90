// Lists every object of a kind on the platform, and reads page by page the parts that the list truncates. Only one page of
// objects is in memory. An object that moves while the list is read may appear twice, and the caller decides which counts.

import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { isReadEach } from '../kinds/definition/attribute-table.ts';
import { urlBatchesOf } from '../kinds/definition/batches.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import type { LiveReads, PartRead } from '../kinds/definition/live-reads.ts';
import { pathPartSchema } from '../kinds/definition/schemas.ts';
import { platformCode } from '../model/platform-codes.ts';
import type { ApiRequest } from '../model/request.ts';
import { hiddenChannelsRequest, hiddenStatuses } from '../resources/group-channel/statuses.ts';
import { ListRefused, pageSize, pagesOf, readPages, refused } from './pages.ts';
import { readPart } from './parts.ts';
import type { LiveReader } from './send.ts';

/** One live object, as attributes of its kind. */
export interface ListedObject {
  readonly key: string;
  readonly attributes: JsonObject;
  /** Attributes that are set but whose values no read shows, such as `access_code`. */
  readonly hidden: readonly string[];
}

export interface ListOptions {
  readonly readEach?: boolean;
  /**
   * Whether to continue without an attribute that the platform does not offer, or, for undefined, without the
   * objects. Absent: never.
   */
  readonly mayLack?: (attribute: string | undefined) => boolean;
  /** Whether to read the parts of an object and return it. Absent: every object. */
  readonly isWanted?: (key: string, answer: JsonObject) => boolean;
  /** The only keys to read, instead of the whole list. Keys that are not on the platform are left out. */
  readonly keys?: Iterable<string>;
}

/** Leaves out objects that are deleted while they are read. Throws the same Refusals as `pagesOf`. */
export async function* listAll(
  kind: KindDefinition,
  reader: LiveReader,
  options: ListOptions = {},
): AsyncGenerator<readonly ListedObject[]> {
  const lacked = new Set<string>();
  try {
    yield* listed(kind, reader, options, lacked);
  } catch (error) {
    if (!isUnavailable(error) || options.mayLack?.(undefined) !== true) throw error;
  }
}

/**
 * Lists the objects of a kind as the platform answers them, without their parts: one request for every hundred. Lists nothing
 * of a kind without a list. Throws the same Refusals as `pagesOf`.
 */
export async function* listAnswers(
  { live }: Pick<KindDefinition, 'live'>,
  reader: LiveReader,
): AsyncGenerator<readonly JsonObject[]> {
  if (live?.list === undefined) return;
  const { route, query, ownOnly, field } = live.list;
  const request: ApiRequest = { method: 'GET', route, query: { ...query, ...ownOnly, limit: pageSize } };
  yield* pagesOf(request, field, reader);
}

/** The same for some keys: one request for every hundred if the list can be filtered by keys, and otherwise one for each. */
async function* answersFor(
  kind: KindDefinition,
  keys: Iterable<string>,
  reader: LiveReader,
): AsyncGenerator<readonly JsonObject[]> {
  const { list } = kind.live ?? {};
  if (list === undefined) return;
  const { route, query, ownOnly, field, filter } = list;
  for (const batch of urlBatchesOf(keys, (key) => key)) {
    const listed = filter === undefined ? [] : batch.filter((key) => !key.includes(','));
    if (filter !== undefined && listed.length > 0) {
      const request = { method: 'GET' as const, route, query: { ...query, ...ownOnly, limit: pageSize } };
      const filtered = { ...request, query: { ...request.query, [filter]: listed.join(',') } };
      // Pages may overlap while others create objects.
      yield* pagesOf(filtered, field, reader, 2 * listed.length);
    }
    const alone = batch.filter((key) => filter === undefined || key.includes(','));
    const requests = alone.filter((key) => fitsPath.test(key)).map((key) => kind.view(key));
    const answers = await Promise.all(requests.map(async (request) => ({ request, said: await reader.send(request) })));
    yield answers.flatMap(({ request, said }) => {
      if (said.type === 'ok') return [said.body];
      if (said.code === platformCode.notFound) return [];
      throw refused(request, said);
    });
  }
}

/** Returns the key in an answer of `listAnswers`. */
export function listedKey({ live, keyName }: KindDefinition, answer: JsonObject): JsonValue | undefined {
  return live?.list?.keyOf?.(answer) ?? answer[keyName];
}

/** Whether the platform does not offer the list: the application's plan lacks the feature, or the platform the route. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ListRefused && error.isNotOffered;
}

/** The kinds and attributes without which nothing useful is known of an application. */
const essential: ReadonlySet<string> = new Set(['user', 'open_channel', 'group_channel', 'members', 'operators']);

/** Whether a command fails without the attribute, or without the kind if no attribute is given. */
export function isEssential({ name }: Pick<KindDefinition, 'name'>, attribute: string | undefined): boolean {
  return essential.has(attribute ?? name);
}

/** `lacked` collects the names of attributes that the platform refused to show. */
async function* listed(
  kind: KindDefinition,
  reader: LiveReader,
  options: ListOptions,
  lacked: Set<string>,
): AsyncGenerator<readonly ListedObject[]> {
  const { live } = kind;
  const { isWanted = () => true } = options;
  if (live === undefined) return;
  if (live.list === undefined) {
    if (kind.onlyKey === undefined || !isWanted(kind.onlyKey, {})) return;
    const only = await readWhole(kind, live, kind.onlyKey, {}, reader, options, lacked);
    yield only === undefined ? [] : [only];
    return;
  }
  const pages = options.keys === undefined ? listAnswers(kind, reader) : answersFor(kind, options.keys, reader);
  for await (const page of pages) {
    const wanted = page.filter((answer) => {
      const key = listedKey(kind, answer);
      return typeof key === 'string' && isWanted(key, answer);
    });
    const objects = await Promise.all(
      wanted.map((answer) => readWhole(kind, live, listedKey(kind, answer), answer, reader, options, lacked)),
    );
    yield objects.filter((object) => object !== undefined);
  }
}

async function readWhole(
  kind: KindDefinition,
  { parts, details }: LiveReads,
  key: JsonValue | undefined,
  answer: JsonObject,
  reader: LiveReader,
  { readEach = false, mayLack }: ListOptions,
  lacked: Set<string>,
): Promise<ListedObject | undefined> {
  if (typeof key !== 'string') return undefined;
  let all = answer;
  const readOptional = (part: PartRead) =>
    readPart(part, key, reader).catch((error: unknown) => {
      if (!isUnavailable(error) || mayLack?.(part.attribute) !== true) throw error;
      lacked.add(part.attribute);
      return 'lacked' as const;
    });
  for (const part of parts) {
    const isEach = isReadEach(kind.attributes[part.attribute]);
    if (part.isWhole(answer) || lacked.has(part.attribute) || (isEach && !(readEach && fitsPath.test(key)))) continue;
    const found = await readOptional(part);
    if (found === undefined) return undefined;
    if (found === 'lacked') continue;
    all = { ...all, [part.field]: found };
  }
  const attributes = kind.observe(all);
  const detail = details?.(all);
  const items = detail === undefined ? [] : await readOptional(detail.part);
  const detailed = detail?.add(attributes, isList(items) ? items.filter(isObject) : []);
  const shown = Object.entries(detailed ?? attributes);
  const isWhole = (name: string) => kind.attributes[name]?.shown.as !== 'in_part';
  return {
    key,
    attributes: Object.fromEntries(shown.filter(([name]) => isWhole(name))),
    hidden: shown.flatMap(([name, value]) => (value === true && !isWhole(name) ? [name] : [])),
  };
}

/** Ids that do not match cannot be declared either. */
const fitsPath = new RegExp(String(pathPartSchema.pattern), 'u');

/** Returns the hidden status of an active user's channels by channel_url. Usually takes one request. */
export async function hiddenBy(userId: string, reader: LiveReader): Promise<ReadonlyMap<string, string>> {
  return hiddenStatuses((await readPages(hiddenChannelsRequest(userId), 'channels', reader)) ?? []);
}
