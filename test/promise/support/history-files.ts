// Support: the history files of a scenario's estates. They only grow, and some are removed and restored.

import {
  type HistoryFileLine,
  identityMark,
  identityOfLine,
  likeness,
  likenessOfLine,
} from '../../../src/core/history/lines/line.ts';
import { reactionsIn } from '../../../src/core/history/lines/marked-lines.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import type { EmulatedPlatform as Emulator } from '../../../src/emulator/platform.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource, historyFileText } from '../../support/history-files.ts';
import type { Chance } from './chance.ts';
import type { Estate } from './estates.ts';

/** A history file as a few numbers that determine its lines. */
export interface HistoryFileDraft {
  readonly senders: readonly string[];
  readonly count: number;
  /** This many messages in a row share one time. */
  readonly sameTime: number;
  readonly mark_as_read?: JsonValue;
  /** The number of messages in one call. */
  readonly perCall?: number;
  /** Given lines in place of derived ones, for the history file of an export. */
  readonly lines?: readonly JsonObject[];
}

const messagesPerCall = 10;
const firstTime = 1_600_000_000_000;

function historyFileLines({ senders, count, sameTime, lines }: HistoryFileDraft): readonly JsonObject[] {
  if (lines !== undefined) return lines;
  return Array.from({ length: count }, (_, place): JsonObject => {
    const timestamp = firstTime + Math.floor(place / sameTime) * 1000;
    const user_id = senders[Math.floor(place / 3) % senders.length] ?? '';
    // Few texts, so that some messages of one time are equal.
    const text = `text ${place % 4}`;
    if (place % 7 === 5) return { message_type: 'ADMM', timestamp, message: text };
    if (place % 7 === 6) return { message_type: 'FILE', timestamp, user_id, url: `https://example.com/${place % 2}` };
    return { message_type: 'MESG', timestamp, user_id, message: text };
  });
}

export function withHistoryFiles(chance: Chance, estates: readonly Estate[]): Estate[] {
  const last = new Map<string, HistoryFileDraft | 'ephemeral'>();
  return estates.map((estate) => {
    const messages: Record<string, HistoryFileDraft> = {};
    for (const [url, block] of Object.entries({ ...estate.open_channel, ...estate.group_channel })) {
      // Fixed at creation, whether or not the line remains.
      if (block.is_ephemeral === true) last.set(url, 'ephemeral');
      const before = last.get(url);
      const draft = before === undefined ? newHistoryFile(chance, estate, url) : grown(chance, estate, before);
      if (draft !== undefined) messages[url] = draft;
    }
    for (const [url, draft] of Object.entries(messages)) last.set(url, draft);
    return Object.keys(messages).length === 0 ? estate : { ...estate, messages };
  });
}

function newHistoryFile(chance: Chance, estate: Estate, url: string): HistoryFileDraft | undefined {
  const users = Object.keys(estate.user);
  if (users.length === 0 || !chance.is(0.4)) return undefined;
  const senders = [0, 1, 2].map(() => users[chance.int(0, users.length)] ?? '').sort();
  const members = Object.entries((estate.group_channel[url]?.members ?? {}) as Record<string, JsonObject>)
    .filter(([, { invitation_status }]) => invitation_status === undefined)
    .map(([id]) => id);
  const readers = chance.one<JsonValue>([null, null, true, members.slice(0, 2).sort()]);
  const marked = members.length > 0 && readers !== null ? { mark_as_read: readers } : {};
  return { senders: [...new Set(senders)], count: chance.int(1, 45), sameTime: chance.one([1, 1, 4, 30]), ...marked };
}

/** Undefined if it is no longer declared, by chance or because one of its senders is not. */
function grown(chance: Chance, estate: Estate, before: HistoryFileDraft | 'ephemeral'): HistoryFileDraft | undefined {
  if (before === 'ephemeral' || chance.is(0.1)) return undefined;
  if (!isPossible(before, estate)) return undefined;
  // Read marks are set once for the sent messages, and it is uncertain whether they can be set again.
  const { mark_as_read: _once, perCall: _last, ...rest } = before;
  const calls = chance.is(0.3) ? { perCall: chance.one([3, 7]) } : {};
  if (chance.is(0.5)) return { ...rest, ...calls, count: rest.count + chance.int(1, 25) };
  return before.mark_as_read === true ? { ...before, ...calls } : { ...rest, ...calls };
}

export function isPossible({ senders, mark_as_read }: HistoryFileDraft, estate: Estate): boolean {
  const named = [...senders, ...(Array.isArray(mark_as_read) ? (mark_as_read as string[]) : [])];
  return named.every((id) => Object.hasOwn(estate.user, id));
}

function historyFileFile(url: string): string {
  return `history/${url}.ndjson`;
}

export function historyFileTexts({ messages = {} }: Estate): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(messages).map(([url, draft]) => [historyFileFile(url), historyFileText(historyFileLines(draft))]),
  );
}

export function historyFileResources({ messages = {}, group_channel }: Estate): Resource[] {
  return Object.entries(messages).map(([url, draft]) => {
    const kind = Object.hasOwn(group_channel, url) ? 'group_channel' : 'open_channel';
    const { mark_as_read, perCall = messagesPerCall } = draft;
    const historyFile = historyFileOfLines(
      historyFileFile(url),
      historyFileLines(draft),
      perCall,
      draft.lines !== undefined,
    );
    return historyFileResource(kind, url, historyFile, mark_as_read === undefined ? {} : { mark_as_read });
  });
}

/**
 * Members whose hidden status a message may have ended since it was declared, as `channel_url user_id`: their line is old, and
 * the history file has new messages. That is not drift (semantics §2.2). A new or edited line is applied after the messages of the
 * same plan. `isAbandoned`: it is unknown how much of this estate was applied. A channel that was not
 * declared for a while may have been deleted with its messages, which a new one gets again.
 */
export function reappearing(stages: readonly { readonly estate: Estate; readonly isAbandoned?: true }[]): Set<string> {
  const loose = new Set<string>();
  const counts = new Map<string, number>();
  const statuses = new Map<string, JsonValue | undefined>();
  let isSure = true;
  for (const { estate, isAbandoned } of stages) {
    for (const [url, { members = {} }] of Object.entries(estate.group_channel)) {
      const count = estate.messages?.[url]?.count ?? 0;
      const hasMore = count > (counts.get(url) ?? 0);
      for (const [id, line] of Object.entries(members as Record<string, JsonObject>)) {
        const member = `${url} ${id}`;
        const isOld = statuses.has(member) && statuses.get(member) === line.hidden_status;
        if (isSure && !isOld) loose.delete(member);
        else if (hasMore) loose.add(member);
        statuses.set(member, line.hidden_status);
      }
      counts.set(url, Math.max(count, counts.get(url) ?? 0));
    }
    for (const url of counts.keys()) if (!Object.hasOwn(estate.group_channel, url)) counts.delete(url);
    if (isAbandoned === true) isSure = false;
  }
  return loose;
}

/** Checks that every message of a history file exists exactly once, in the order of the file, and no other message does. */
export function historyFileFaults(emulator: Emulator, { messages = {} }: Estate): string[] {
  return Object.entries(messages).flatMap(([url, draft]) => {
    const isCorrected = draft.lines !== undefined;
    const declared = historyFileLines(draft).map((line) => wholeLine(line, isCorrected));
    const { pinned = [] } = emulator.state.groupChannels.get(url) ?? {};
    const found = [...emulator.state.messages(url).from(0)]
      .filter(({ removed }) => !removed)
      .map(({ id, createdAt, userId, type, text, file, data, customType, metaArray, reactions = [] }) => {
        const content = likeness(type, createdAt, userId, type === 'FILE' ? (file?.url ?? null) : text);
        const marks = marksOf(
          Object.fromEntries(reactions.map(({ key, userIds }) => [key, userIds])),
          pinned.includes(id),
        );
        return isCorrected ? [`${content} ${data} ${customType} ${JSON.stringify(metaArray)}`, ...marks] : [content];
      });
    // A message that was inserted late is after the others of the same time, and nobody can tell equal messages apart.
    const [wanted = [], there = []] = [declared, found].map((messages) =>
      isCorrected ? sortedWithMarks(messages) : messages.flat(),
    );
    if (found.length !== declared.length)
      return [`messages.${url} has ${found.length} messages instead of ${declared.length}`];
    const threads = isCorrected ? strayReplies(emulator, url, draft.lines ?? []) : [];
    if (threads.length > 0) return [`messages.${url} has replies outside of their threads: ${threads.join(', ')}`];
    const place = Array.from({ length: Math.max(wanted.length, there.length) }).findIndex(
      (_, at) => wanted[at] !== there[at],
    );
    return place < 0 ? [] : [`messages.${url} has ${there[place]} in the place of ${wanted[place]}`];
  });
}

/**
 * Declared replies without a message in the same thread, and replies that are not declared. A thread is known by the time, sender and file of its first message, because messages that agree in them may change their texts with each other.
 */
function strayReplies(emulator: Emulator, url: string, lines: readonly JsonObject[]): string[] {
  const messages = emulator.state.messages(url);
  const there = [...messages.from(0)].flatMap(({ removed, parent, createdAt, userId, type, text, file }) => {
    const first = parent === undefined ? undefined : messages.get(parent);
    if (removed || first === undefined) return [];
    const content = likeness(type, createdAt, userId, type === 'FILE' ? (file?.url ?? null) : text);
    return [
      `${content} in ${first.createdAt} ${identityMark(first.type, first.createdAt, first.userId, first.file?.url ?? null)}`,
    ];
  });
  const byId = new Map(lines.map((line) => [line.dedup_id, line as HistoryFileLine]));
  const stray = lines.flatMap((line) => {
    const first = line.parent === undefined ? undefined : byId.get(line.parent);
    if (first === undefined) return [];
    const wanted = `${likenessOfLine(line as HistoryFileLine)} in ${first.timestamp} ${identityOfLine(first)}`;
    const place = there.indexOf(wanted);
    if (place >= 0) there.splice(place, 1);
    return place >= 0 ? [] : [wanted];
  });
  return [...stray, ...there];
}

/** The content of a message, then its marks. */
function wholeLine(line: JsonObject, isCorrected: boolean): readonly string[] {
  const content = likenessOfLine(line as HistoryFileLine);
  if (!isCorrected) return [content];
  const { data = line.custom_field ?? '', custom_type = '', sorted_metaarray = [] } = line;
  const marks = marksOf(reactionsIn(line.reactions), line.pinned === true);
  return [`${content} ${data} ${custom_type} ${JSON.stringify(sorted_metaarray)}`, ...marks];
}

function marksOf(reactions: Readonly<Record<string, readonly string[]>>, isPinned: boolean): readonly string[] {
  const texts = Object.entries(reactions).flatMap(([key, users]) => users.map((user) => `${key}=${user}`));
  return isPinned ? [...texts, 'pinned'] : texts;
}

/** Each message as one text of its content and its marks, sorted. */
function sortedWithMarks(messages: readonly (readonly string[])[]): readonly string[] {
  return messages.map(([content = '', ...marks]) => [content, ...marks.sort()].join(' ')).sort();
}
