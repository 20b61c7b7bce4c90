// Reads many live objects by key and yields them in order. Only the requests in flight take memory. A list of a hundred keys
// costs one request. Parts that the list truncates (members of a supergroup) or does not show are read page by page.

import type { JsonObject } from '../../lib/json.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import type { LiveReads } from '../kinds/definition/live-reads.ts';
import { keyOf } from '../model/address.ts';
import type { LiveObject } from '../model/live.ts';
import { platformCode } from '../model/platform-codes.ts';
import type { ApiRequest } from '../model/request.ts';
import { isEssential, isUnavailable } from './listing.ts';
import { pageSize, pagesOf, readPages, refused } from './pages.ts';
import { readPart } from './parts.ts';
import type { LiveReader } from './send.ts';
import { batchesOf, type ReadBatch, type ReadSubject } from './subjects.ts';

/** Enough for the fastest plan, 600 calls per second, at half a second per answer. */
const maxInFlight = 384;
/** Before the first answer of a list shows how large its answers are. */
const firstInFlight = 8;
/** The characters of lists in flight. Each takes several bytes in memory while its objects are read from it. */
const maxCharacters = 8 << 20;
/** With this many reads waiting, the limit stays fully used until the next answer. More would only take memory. */
const enoughWaiting = 32;

export interface ReadResult<S extends ReadSubject> {
  readonly subject: S;
  readonly live: LiveObject;
}

/** The number of objects by `SECTION` or `SECTION.ATTRIBUTE` whose read the platform does not offer. */
export type LackedReads = Map<string, number>;

/**
 * Yields objects in the order of `batchesOf`. Throws the Refusals of `Reader.send`, and one (exit code 1) if the platform refuses
 * a list. With `lacked`, optional reads that the platform does not offer are left out and counted there.
 */
export async function* readLive<S extends ReadSubject>(
  subjects: Iterable<S>,
  kinds: readonly KindDefinition[],
  reader: LiveReader,
  lacked?: LackedReads,
): AsyncGenerator<ReadResult<S>> {
  const running: Promise<ReadResult<S>[]>[] = [];
  for (const batch of batchesOf(subjects, kinds)) {
    const reading = readBatch(batch, reader, lacked);
    // Awaited in its turn. If it fails before its turn, the reads before it end with its error.
    reading.catch((error: unknown) => reader.fail(error));
    running.push(reading);
    while (running.length >= inFlight(batch, reader) || reader.waiting >= enoughWaiting) {
      const first = running.shift();
      if (first === undefined) break;
      yield* await first;
    }
  }
  for (const reading of running) yield* await reading;
}

/** Returns the number of reads of this kind that may be in flight. A list of large channels may take megabytes. */
function inFlight<S extends ReadSubject>({ isAlone, reads }: ReadBatch<S>, reader: LiveReader): number {
  if (isAlone || reads.list === undefined) return maxInFlight;
  const largest = reader.largestAnswer(reads.list.route);
  if (largest === undefined) return firstInFlight;
  return Math.min(maxInFlight, Math.max(2, Math.floor(maxCharacters / Math.max(1, largest))));
}

async function readBatch<S extends ReadSubject>(
  batch: ReadBatch<S>,
  reader: LiveReader,
  lacked: LackedReads | undefined,
): Promise<ReadResult<S>[]> {
  try {
    const { answers, isComplete } = batch.isAlone
      ? { answers: new Map<string, JsonObject>(), isComplete: false }
      : await readList(batch, reader);
    return await Promise.all(
      batch.subjects.map(async (subject) => {
        const answer = answers.get(keyOf(subject.address));
        const live =
          answer === undefined
            ? await readMissing({ ...batch, isComplete }, subject, reader, lacked)
            : await readParts(batch, subject, answer, reader, lacked);
        return { subject, live };
      }),
    );
  } catch (error) {
    if (!isUnavailable(error) || lacked === undefined || isEssential(batch.kind, undefined)) throw error;
    count(lacked, batch.kind.section, batch.subjects.length);
    return batch.subjects.map((subject) => ({ subject, live: unread(subject) }));
  }
}

function count(lacked: LackedReads, name: string, more: number): void {
  lacked.set(name, (lacked.get(name) ?? 0) + more);
}

interface ListAnswers {
  /** By key. */
  readonly answers: ReadonlyMap<string, JsonObject>;
  /** Whether an object that is not in the answers was not found. */
  readonly isComplete: boolean;
}

async function readList<S extends ReadSubject>(
  { kind, reads, subjects }: ReadBatch<S>,
  reader: LiveReader,
): Promise<ListAnswers> {
  const { list } = reads;
  if (list === undefined) return { answers: new Map(), isComplete: false };
  const { route, filter, query, field, more } = list;
  if (filter === undefined) return searchList({ kind, subjects }, list, reader);
  const keys = subjects.map(({ address }) => keyOf(address)).join(',');
  const asked = subjects.some(({ wantsMore }) => wantsMore === true) ? more : {};
  const request: ApiRequest = { method: 'GET', route, query: { ...query, ...asked, [filter]: keys, limit: pageSize } };
  const items = await readPages(request, field, reader);
  if (items === undefined)
    throw refused(request, { type: 'refused', status: 400, code: platformCode.notFound, message: 'not found' });
  return { answers: new Map(items.map((item) => [String(item[kind.keyName]), item])), isComplete: true };
}

/** Looks for the objects in a list without a filter, and stops where as many reads of single objects would cost no more. */
async function searchList<S extends ReadSubject>(
  { kind, subjects }: Pick<ReadBatch<S>, 'kind' | 'subjects'>,
  { route, query, ownOnly, field, keyOf: keyIn }: NonNullable<LiveReads['list']>,
  reader: LiveReader,
): Promise<ListAnswers> {
  const missing = new Set(subjects.map(({ address }) => keyOf(address)));
  const answers = new Map<string, JsonObject>();
  const request: ApiRequest = { method: 'GET', route, query: { ...query, ...ownOnly, limit: pageSize } };
  let pages = 0;
  for await (const page of pagesOf(request, field, reader)) {
    for (const item of page) {
      const key = String(keyIn?.(item) ?? item[kind.keyName]);
      if (missing.delete(key)) answers.set(key, item);
    }
    pages += 1;
    // The next page is on its way already.
    if (missing.size <= pages + 1) return { answers, isComplete: missing.size === 0 };
  }
  return { answers, isComplete: true };
}

/** Reads an object that the list did not show. An object that is not in state counts as absent without a read. */
async function readMissing<S extends ReadSubject>(
  { kind, isComplete, reads }: ReadBatch<S> & Pick<ListAnswers, 'isComplete'>,
  subject: S,
  reader: LiveReader,
  lacked: LackedReads | undefined,
): Promise<LiveObject> {
  if (!subject.isKnown && isComplete) return gone(subject);
  // An object without a list always exists and consists only of parts.
  if (reads.list === undefined) return readParts({ kind, reads }, subject, {}, reader, lacked);
  const request = kind.view(keyOf(subject.address));
  const said = await reader.send(request);
  if (said.type === 'ok') return readParts({ kind, reads }, subject, said.body, reader, lacked);
  if (said.code === platformCode.notFound) return gone(subject);
  if (said.code !== platformCode.deactivatedUser) throw refused(request, said);
  const attributes = { [kind.disabledState.attribute]: true };
  return { address: subject.address, exists: true, attributes, facts: {}, isHidden: true };
}

async function readParts<S extends ReadSubject>(
  { kind, reads }: Pick<ReadBatch<S>, 'kind' | 'reads'>,
  subject: S,
  answer: JsonObject,
  reader: LiveReader,
  lacked: LackedReads | undefined,
): Promise<LiveObject> {
  let whole = answer;
  const refusedNames: string[] = [];
  for (const part of reads.parts.filter((part) => subject.wants(part.attribute) && !part.isWhole(answer))) {
    const name = `${kind.section}.${part.attribute}`;
    // Every object would get the same refusal.
    if (lacked?.has(name) === true) {
      count(lacked, name, 1);
      refusedNames.push(part.attribute);
      continue;
    }
    try {
      const items = await readPart(part, keyOf(subject.address), reader);
      if (items === undefined) return gone(subject);
      whole = { ...whole, [part.field]: items };
    } catch (error) {
      if (!isUnavailable(error) || lacked === undefined || isEssential(kind, part.attribute)) throw error;
      count(lacked, name, 1);
      refusedNames.push(part.attribute);
    }
  }
  const live = { address: subject.address, exists: true, attributes: kind.observe(whole), facts: reads.facts(whole) };
  return refusedNames.length === 0 ? live : { ...live, refused: refusedNames };
}

function unread({ address, isKnown }: ReadSubject): LiveObject {
  return { address, exists: isKnown, attributes: {}, facts: {}, isUnread: true };
}

function gone({ address }: ReadSubject): LiveObject {
  return { address, exists: false, attributes: {}, facts: {} };
}
