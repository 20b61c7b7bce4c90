// Compares one history file with its channel: first the counts, then a sample or all messages.

import { isList, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { readStreamLines } from '../../../lib/line-reader.ts';
import { piecesOf } from '../../../lib/path-streams.ts';
import { partsOfMessage } from '../../history/comparing/shown-message.ts';
import {
  countMarks,
  type HistoryFile,
  historyFileOf,
  type LineBlock,
  repliesIn,
} from '../../history/lines/history-file.ts';
import { type HistoryFileLine, lineFrom } from '../../history/lines/line.ts';
import type { PlannedLines } from '../../history/lines/range.ts';
import { circularList, MessageWalk } from '../../history/searching/batch-search.ts';
import { batchLines, historyQuery, messagesRoute } from '../../history/sending/requests.ts';
import { readersBehind } from '../../history/sent/last-message.ts';
import { type ArrivedLines, Comparison } from '../../history/verification.ts';
import { textOf } from '../../kinds/definition/values.ts';
import { unpacked } from '../../manifest/files/gzip.ts';
import { keyOf } from '../../model/address.ts';
import { type ChannelFigures, sortedUncompared, type Uncompared } from '../../model/migration-report.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Resource } from '../../model/resource.ts';
import type { LiveReader } from '../../refresh/send.ts';
import { receiptsIn } from '../../resources/group-channel/statuses.ts';

/** The number of calls that sample a channel whose count matches: the first, the last, and some between. */
const sampledBlocks = 6;

/** The lines of one piece of each history file wait for their page, and many history files are read at once. */
const pieceBytes = 1 << 14;

export interface VerifyPorts {
  readonly reader: LiveReader;
  /** Reads a range of a history file. Refused when the file has changed since it was loaded. */
  readonly lines: (source: PlannedLines) => Promise<readonly HistoryFileLine[]>;
  readonly path: (file: string) => string;
  /** Whether to compare everything, even if the count matches. */
  readonly isWhole: boolean;
  /** Whether the policy keeps the data of edited messages as they were sent. */
  readonly keepsData: boolean;
}

/** The platform refuses to show the channel's messages. */
class Unreadable extends Error {}

export interface VerifiedChannel {
  readonly figures: ChannelFigures;
  /** How far the history file is on the platform. Undefined if the channel could not be read. */
  readonly reach?: ArrivedLines;
  /** Messages that the platform counts and did not list between the first and the last line. 0 after a sample. */
  readonly unlisted?: number;
}

/** The facts that a comparison needs. The outlines of many history files would fill the memory. */
interface HistoryFileEnds extends Pick<HistoryFile, 'file' | 'gzip' | 'threads' | 'messages'> {
  readonly first?: number;
  readonly last?: number;
  /** The times of the first messages of threads. Absent if the history file has no threads. */
  readonly threadTimes?: ReadonlySet<number>;
  /** Whether the lines state which messages are pinned. */
  readonly hasPins: boolean;
  /** Undefined if all lines of the history file are compared. */
  readonly sample: readonly Sample[] | undefined;
}

/** A block, and the times that it shares with its neighbours. */
interface Sample {
  readonly block: LineBlock;
  readonly shared: ReadonlySet<number | undefined>;
}

/** The resource is not kept in memory while its channel is read. */
export function verifyChannel({ address, attributes }: Resource, ports: VerifyPorts): Promise<VerifiedChannel> {
  const { file, gzip, threads, messages, blocks } = historyFileOf(attributes);
  const threadTimes = new Set(Array.from(repliesIn({ blocks }), ({ reply: [, since] }) => since));
  const first = blocks[0]?.first;
  const ends: HistoryFileEnds = {
    file,
    gzip,
    messages,
    ...(first === undefined ? {} : { first, last: blocks.at(-1)?.last ?? 0 }),
    ...(threads === true ? { threads, threadTimes } : {}),
    hasPins: attributes.pinned !== undefined,
    sample: ports.isWhole || blocks.length <= sampledBlocks ? undefined : sampleOf(blocks),
  };
  const route = messagesRoute(textOf(attributes, 'channel') ?? 'group_channel');
  return verifyHistoryFile(keyOf(address), route, ends, attributes.mark_as_read, ports);
}

async function verifyHistoryFile(
  key: string,
  route: string,
  historyFile: HistoryFileEnds,
  readers: JsonValue | undefined,
  ports: VerifyPorts,
): Promise<VerifiedChannel> {
  const params = { channel_url: key };
  const { first, last, sample, threadTimes, hasPins } = historyFile;
  const base = {
    channel_url: key,
    file: historyFile.file,
    declared: historyFile.messages,
    ...(first === undefined || last === undefined ? {} : { first, last }),
  };
  try {
    const { total } = await read({ method: 'GET', route: `${route}/total_count`, params }, ports.reader);
    const totalCount = typeof total === 'number' ? total : undefined;
    const comparison = new Comparison({ threads: threadTimes, keepsData: ports.keepsData });
    let [listed, unlisted] = [0, 0];
    const isRead = readers === true || (isList(readers) && readers.length > 0);
    const channel = hasPins || isRead ? await viewOf(key, ports.reader) : {};
    const pins = hasPins ? pinnedIn(channel) : undefined;
    const messages = (from: number, until: number) =>
      walk({ method: 'GET', route, params }, from, until, pins, ports.reader, (count) => {
        listed += count;
      });
    if (sample === undefined || totalCount !== historyFile.messages) {
      await compare(comparison, linesOfHistoryFile(historyFile.file, ports), messages(first ?? 0, last ?? 0));
      unlisted = Math.max(0, (totalCount ?? 0) - listed);
    } else {
      for (const block of sample) await compareBlock(comparison, historyFile, block, key, ports, messages);
    }
    const ends = comparison.end();
    const figures = isRead ? withReaders(ends, readers, last ?? 0, receiptsIn(channel)) : ends;
    // Messages of the same time are in order of arrival. No plan can change that, so it is reported but not a mismatch.
    const { missing, deleted, doubled, moved, altered } = figures;
    const isMatch = missing + deleted + doubled + moved + altered === 0;
    const outcome = isMatch ? 'matched' : 'mismatched';
    return {
      figures: { ...base, ...(totalCount === undefined ? {} : { there: totalCount }), ...figures, outcome },
      reach: comparison.reach,
      unlisted,
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { figures: { ...base, ...new Comparison().end(), outcome: 'unreadable', note: error.message } };
  }
}

/** A list of messages does not show who has read them, but the channel does (platform §5.2). */
function withReaders<T extends Pick<ChannelFigures, 'compared' | 'not_compared' | 'altered' | 'altered_fields'>>(
  figures: T,
  readers: JsonValue,
  last: number,
  receipts: ReadonlyMap<string, number> = new Map(),
): T {
  const { compared, not_compared, altered, altered_fields } = figures;
  if (compared === 0) return figures;
  const behind = readersBehind(isList(readers) ? readers.map(String) : 'all', receipts, last);
  if (behind?.length === 0) return figures;
  if (behind !== undefined)
    return { ...figures, altered: altered + 1, altered_fields: { ...altered_fields, mark_as_read: 1 } };
  const readStatus: Uncompared = { field: 'mark_as_read', why: 'not_shown', messages: compared };
  return { ...figures, not_compared: sortedUncompared([...not_compared, readStatus]) };
}

/** The first, the last, and some between, evenly spread. */
function sampleOf(blocks: readonly LineBlock[]): Sample[] {
  const places = Array.from({ length: sampledBlocks }, (_, index) =>
    Math.round((index * (blocks.length - 1)) / (sampledBlocks - 1)),
  );
  return [...new Set(places)].flatMap((place) => {
    const block = blocks[place];
    const shared = new Set([blocks[place - 1]?.last, blocks[place + 1]?.first]);
    return block === undefined ? [] : [{ block, shared }];
  });
}

/** Skips times that a block shares with its neighbours, because their other messages are in those blocks. */
async function compareBlock(
  comparison: Comparison,
  historyFile: HistoryFileEnds,
  { block, shared }: Sample,
  key: string,
  ports: VerifyPorts,
  messages: (from: number, until: number) => SortedBatches<JsonObject>,
): Promise<void> {
  const lines = await ports.lines(batchLines(wholeBlock(block), historyFile, key));
  const unshared = lines.filter(({ timestamp }) => !shared.has(timestamp));
  const isOwn = ({ created_at: time }: JsonObject) => typeof time !== 'number' || !shared.has(time);
  await compare(comparison, [unshared], filtered(messages(block.first, block.last), isOwn));
}

function wholeBlock(block: LineBlock) {
  return { block, skip: 0, count: countMarks(block.marks), marks: block.marks };
}

async function* filtered<T>(batches: SortedBatches<T>, isWanted: (value: T) => boolean): AsyncGenerator<readonly T[]> {
  for await (const batch of batches) yield batch.filter(isWanted);
}

/** Both sides are sorted by time. Messages of each time are compared separately. */
async function compare(
  comparison: Comparison,
  lines: SortedBatches<HistoryFileLine>,
  messages: SortedBatches<JsonObject>,
): Promise<void> {
  const wanted = new Instants(lines, ({ timestamp }) => timestamp);
  const liveMessages = new Instants(messages, ({ created_at: time }) => (typeof time === 'number' ? time : 0));
  try {
    for (;;) {
      if (!wanted.isReady) await wanted.fill();
      if (!liveMessages.isReady) await liveMessages.fill();
      const time = Math.min(wanted.time, liveMessages.time);
      if (time === Number.POSITIVE_INFINITY) return;
      comparison.instant(wanted.take(time), liveMessages.take(time));
    }
  } finally {
    // The other side may have failed.
    await Promise.all([wanted.end(), liveMessages.end()]);
  }
}

async function* linesOfHistoryFile(file: string, { path }: VerifyPorts): AsyncGenerator<readonly HistoryFileLine[]> {
  const { chunks } = await unpacked(piecesOf(path(file), pieceBytes));
  for await (const lines of readStreamLines(chunks)) {
    yield lines.map(({ text }) => lineFrom(JSON.parse(text ?? '{}') as JsonObject));
  }
}

/** Undefined if the channel does not show the ids of its pinned messages. */
/** The group channel, with who has read it. */
function viewOf(key: string, reader: LiveReader): Promise<JsonObject> {
  const params = { channel_url: key };
  const query = { show_read_receipt: 'true' };
  return read({ method: 'GET', route: '/group_channels/{channel_url}', params, query }, reader);
}

function pinnedIn({ pinned_message_ids: ids }: JsonObject): ReadonlySet<JsonValue> | undefined {
  return isList(ids) ? new Set(ids) : undefined;
}

/** Yields the parts of the messages, page by page. `onRead` gets the number of messages that are not removed. A list of messages does not show which of them are pinned, but the channel does. */
async function* walk(
  base: Pick<ApiRequest, 'method' | 'route' | 'params'>,
  from: number,
  until: number,
  pins: ReadonlySet<JsonValue> | undefined,
  reader: LiveReader,
  onRead: (messages: number) => void,
): AsyncGenerator<readonly JsonObject[]> {
  const first: ApiRequest = { ...base, query: historyQuery(from) };
  const pages = new MessageWalk(first, until);
  for (let request: ApiRequest | undefined = first; request !== undefined; ) {
    const { messages, next, isCircular } = pages.take(await read(request, reader));
    if (isCircular === true) throw new Unreadable(circularList);
    onRead(messages.filter(({ is_removed }) => is_removed !== true).length);
    const parts = messages.flatMap(partsOfMessage);
    yield pins === undefined
      ? parts
      : parts.map((message) => ({ ...message, pinned: pins.has(message.message_id ?? null) }));
    request = next;
  }
}

async function read(request: ApiRequest, reader: LiveReader): Promise<JsonObject> {
  const said = await reader.send(request);
  if (said.type === 'ok') return said.body;
  throw new Unreadable(`the platform refuses to show its messages, with code ${said.code}: ${said.message}`);
}

// Reads sorted values that arrive in batches, and waits only between batches.

/** Sorted values in batches of any size. */
type SortedBatches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** Groups the values of each time. Keeps one batch in memory, and more only while they have one time. */
export class Instants<T> {
  readonly #timeOf: (value: T) => number;
  readonly #batches: AsyncIterator<readonly T[]> | Iterator<readonly T[]>;
  #values: readonly T[] = [];
  /** The indexes of the first value of the next time, and of the value after its last. */
  #from = 0;
  #to = 0;
  #hasEnded = false;

  constructor(batches: SortedBatches<T>, timeOf: (value: T) => number) {
    this.#timeOf = timeOf;
    this.#batches = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  }

  /** Whether all values of the next time have arrived, which only a value of another time shows. */
  get isReady(): boolean {
    return this.#to < this.#values.length || this.#hasEnded;
  }

  /** The next time. Infinity at the end. Valid if `isReady`. */
  get time(): number {
    const value = this.#values[this.#from];
    return value === undefined ? Number.POSITIVE_INFINITY : this.#timeOf(value);
  }

  /** Reads until `isReady`. Keeps no value that was taken while it waits. */
  async fill(): Promise<void> {
    while (!this.isReady) {
      this.#values = this.#values.slice(this.#from);
      this.#to -= this.#from;
      this.#from = 0;
      const next = await this.#batches.next();
      if (next.done === true) this.#hasEnded = true;
      else this.#values = this.#values.length === 0 ? next.value : [...this.#values, ...next.value];
      this.#findEnd();
    }
  }

  /** Takes the values of the time. None if the next time is another one. */
  take(time: number): readonly T[] {
    if (this.time !== time) return [];
    const values = this.#values.slice(this.#from, this.#to);
    this.#from = this.#to;
    this.#findEnd();
    return values;
  }

  /** Closes what the batches come from. */
  async end(): Promise<void> {
    await this.#batches.return?.();
  }

  #findEnd(): void {
    const { time } = this;
    let end = this.#to;
    for (let value = this.#values[end]; value !== undefined && this.#timeOf(value) === time; ) {
      end += 1;
      value = this.#values[end];
    }
    this.#to = end;
  }
}
