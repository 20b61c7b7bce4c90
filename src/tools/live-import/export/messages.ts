// Writes the history of channels as history files. Every channel is read from its first message to its last.
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataOfMessage, partsOfMessage } from '../../../core/history/comparing/shown-message.ts';
import type { MessageType } from '../../../core/history/lines/line.ts';
import { circularList, MessageWalk, type WalkPlace } from '../../../core/history/searching/batch-search.ts';
import { historyQuery, messagesRoute } from '../../../core/history/sending/requests.ts';
import { userKinds } from '../../../core/kinds/parts/people.ts';
import { lineChecks } from '../../../core/manifest/schema/validate.ts';
import { addressOf } from '../../../core/model/address.ts';
import { Refusal } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import { HistoryFileNames, patternsOfHistoryFiles } from '../../../core/model/migration/history-names.ts';
import type { ApiRequest } from '../../../core/model/request.ts';
import type { LiveReader, ReadAnswer } from '../../../core/refresh/send.ts';
import { flush } from '../../../lib/durable-files.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { plural } from '../../../lib/words.ts';
import type { ExportedBlocks } from './blocks.ts';
import { type EarlierExport, objectsIn } from './earlier-export.ts';
import { type ExportedMarks, exportedMarks, type ListedChannel } from './marks.ts';
import type { CompleteHistoryFile, ExportProgress, HistoryFileProgress } from './progress.ts';
import { ExportedThreads } from './threads.ts';

/** The number of channels that are read in parallel. */
const atOnce = 32;
/** A kill costs at most the requests for so many pages of each channel that is being read. */
const pagesBetweenNotes = 10;

const replyNote = 'The replies are messages of the channel. --threads exports their threads.';

export interface ExportedMessages {
  readonly files: readonly string[];
  readonly sources: readonly JsonObject[];
  readonly messages: number;
}

export interface ExportedParts {
  /** Whether to export reactions and pins. */
  readonly reactions: boolean;
  /** Whether replies name the first messages of their threads. */
  readonly threads: boolean;
  /** The folder of an earlier export, whose older lines are not read again. */
  readonly since: EarlierExport | undefined;
  /** History files that it has are continued. */
  readonly progress: ExportProgress;
}

/** One history file for each channel that has messages; patterns under `sources` match them all. */
export async function exportMessages(
  folder: string,
  channels: () => Iterable<ListedChannel>,
  blocks: ExportedBlocks,
  reader: LiveReader,
  parts: ExportedParts,
): Promise<ExportedMessages> {
  const historyFiles = new Map<string, CompleteHistoryFile & { readonly key: string }>();
  const names = new HistoryFileNames([...parts.progress.historyFiles, ...(parts.since?.historyFiles ?? [])]);
  const files = new Set<string>();
  for (const { key } of channels()) files.add(names.of(key));
  // First, because on a file system that ignores case a leftover may be the new history file of another channel.
  await parts.progress.keep(files);
  const waiting = channels()[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const { key } = next.value;
      const file = names.of(key);
      const known = parts.progress.historyFile(file).complete;
      const complete = known ?? (await writeHistoryFile(folder, file, next.value, blocks, reader, parts));
      if (known === undefined) parts.progress.note({ historyFile: file, complete });
      historyFiles.set(file, { ...complete, key });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const sorted = [...historyFiles].sort(([left], [right]) => (left < right ? -1 : 1));
  for (const [, { key, notes }] of sorted) {
    for (const [what, why] of notes) blocks.note(addressOf('messages', key), what, why);
  }
  const nonempty = sorted.flatMap(([file, { written }]) => (written > 0 ? [file] : []));
  const messages = sorted.reduce((sum, [, { written }]) => sum + written, 0);
  const sources = patternsOfHistoryFiles(nonempty).map((file) => ({
    kind: 'messages',
    file,
    ...(parts.threads ? { threads: 'send' } : {}),
  }));
  return { files: nonempty, sources, messages };
}

/** Without lines, no file is left. */
async function writeHistoryFile(
  folder: string,
  name: string,
  channel: ListedChannel,
  blocks: ExportedBlocks,
  reader: LiveReader,
  { reactions, threads: withThreads, since, progress }: ExportedParts,
): Promise<CompleteHistoryFile> {
  const path = join(folder, name);
  if (!progress.has(name)) progress.note({ historyFile: name });
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, progress.isContinued ? 'a' : 'ax', 0o600);
  const isDeclared = (id: string): boolean => userKinds.some((kind) => blocks.isDeclared(kind, id));
  const hasSender = ({ user_id: id }: JsonObject): boolean => typeof id !== 'string' || isDeclared(id);
  const notes: (readonly [string, string])[] = [];
  let [written, refused, read, replies] = [0, 0, 0, 0];
  try {
    const begun = await cutTo(progress.historyFile(name).until, file);
    let bytes = begun?.bytes ?? 0;
    ({ written, refused, read, replies } = begun ?? { written, refused, read, replies });
    const threads = withThreads ? new ExportedThreads(channel, isDeclared, begun?.flat) : undefined;
    if (begun !== undefined && threads !== undefined) for await (const lines of objectsIn(path)) threads.note(lines);
    const append = async (lines: readonly JsonObject[]): Promise<void> => {
      const text = textOf(lines);
      await file.appendFile(text);
      bytes += Buffer.byteLength(text);
      written += lines.length;
    };
    // Before the list, so that a message of the meantime does not seem to be missing.
    const total = await totalOf(channel, reader);
    const marks = reactions ? await exportedMarks(channel, reader, isDeclared, begun?.marks) : undefined;
    const earlier = begun === undefined ? await since?.linesOf(channel.key) : undefined;
    for await (const lines of earlier?.before ?? []) {
      const kept = lines.filter((line) => hasSender(line));
      await append(kept);
      threads?.note(kept);
      refused += lines.length - kept.length;
      read += messagesOf(lines);
    }
    let [pages, isShown] = [0, true];
    for await (const page of pagesOf(channel, reader, begun?.place ?? earlier?.until ?? 0)) {
      if ('code' in page) {
        isShown = false;
        notes.push(['the messages are ', `The platform refuses to show them (${page.code}): ${page.message}`]);
        break;
      }
      const there = page.messages.filter(({ is_removed }) => is_removed !== true);
      const perMessage = there.map((message) => {
        const lines = linesOf(message, marks).filter(hasSender);
        if (threads === undefined) return lines;
        const threaded = threads.of(message, lines);
        threads.note(threaded);
        return threaded;
      });
      const lines = perMessage.flat();
      const [first, ...others] = lines;
      // Reactions and pins are managed if any line has the field, even after the last of them is removed.
      await append(written > 0 || first === undefined ? lines : [{ ...marks?.none, ...first }, ...others]);
      refused += perMessage.filter(({ length }) => length === 0).length;
      read += there.length;
      replies += there.filter(({ parent_message_id: id }) => typeof id === 'number' && id > 0).length;
      pages += 1;
      if (pages % pagesBetweenNotes !== 0 || page.place === undefined) continue;
      await flush(file, 'data');
      progress.note({
        historyFile: name,
        until: { bytes, written, refused, read, replies, flat: threads?.flat, marks: marks?.counts, place: page.place },
      });
    }
    await flush(file);
    notes.push(...(marks?.notes() ?? []));
    notes.push(...(threads?.notes() ?? []));
    if (replies > 0 && threads === undefined)
      notes.push([`the threads of ${plural(replies, 'reply', 'replies')} are `, replyNote]);
    if (isShown && total !== undefined && total > read) {
      const why = 'The platform counts them, and its list does not show them.';
      notes.push([`${total - read} of ${plural(total, 'message')} are `, why]);
    }
  } finally {
    await file.close();
  }
  if (refused > 0) {
    const why = 'Their senders are not declared, or a history file cannot represent them.';
    notes.push([`${refused} of ${plural(read, 'message')} are `, why]);
  }
  if (written === 0) await rm(path);
  return { written, notes };
}

/** Removes what a killed run wrote after its last note. Undefined if the history file has to be written from its beginning. */
async function cutTo(
  until: HistoryFileProgress | undefined,
  file: FileHandle,
): Promise<HistoryFileProgress | undefined> {
  const begun = until !== undefined && (await file.stat()).size >= until.bytes ? until : undefined;
  await file.truncate(begun?.bytes ?? 0);
  return begun;
}

function textOf(lines: readonly JsonObject[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function* pagesOf(
  { kind, key }: ListedChannel,
  reader: LiveReader,
  from: number | WalkPlace,
): AsyncGenerator<
  | { readonly messages: readonly JsonObject[]; readonly place: WalkPlace | undefined }
  | Extract<ReadAnswer, { type: 'refused' }>
> {
  const [begin, place] = typeof from === 'number' ? [from, undefined] : [from.time, from];
  const first: ApiRequest = {
    method: 'GET',
    route: messagesRoute(kind),
    params: { channel_url: key },
    query: historyQuery(begin),
  };
  const walk = new MessageWalk(first, Number.POSITIVE_INFINITY, place);
  for (let request: ApiRequest | undefined = first; request !== undefined; ) {
    const said = await reader.send(request);
    if (said.type === 'refused') {
      yield said;
      return;
    }
    const { messages, next, isCircular } = walk.take(said.body);
    if (isCircular === true) throw circularHistory(key);
    yield { messages, place: walk.place };
    request = next;
  }
}

function circularHistory(key: string): Refusal {
  return new Refusal(
    'refresh.refused',
    exitCode.unexpected,
    `The history of ${key} cannot be read: ${circularList}.`,
    'The platform was not changed. Check base_url and a proxy before it, or ask the vendor.',
  );
}

/** The lines of a history file for a message, as `convert` writes them. Empty if a history file cannot represent it (platform §6.1, §6.2). */
function linesOf(message: JsonObject, marks: ExportedMarks | undefined): JsonObject[] {
  const { type } = message;
  if (type !== 'MESG' && type !== 'FILE' && type !== 'ADMM') return [];
  const lines = partsOfMessage(message).map((part, place): JsonObject => {
    // A later export counts messages by these ids.
    const others =
      place === 0 ? marks?.of(message) : { dedup_id: `${message.channel_url}:${message.message_id}#${place + 1}` };
    const fields = Object.entries({ ...lineOf(part), ...others });
    return Object.fromEntries(fields.filter((entry): entry is [string, JsonValue] => !isNeutral(entry[0], entry[1])));
  });
  return lines.every((line) => lineChecks[line.message_type as MessageType].fits(line)) ? lines : [];
}

function lineOf(part: JsonObject): Readonly<Record<string, JsonValue | undefined>> {
  const { type, created_at: timestamp, user, message, file, custom_type, mentioned_users, sorted_metaarray } = part;
  const mentioned = isList(mentioned_users) ? mentioned_users.filter(isObject).map(({ user_id: id }) => id ?? '') : [];
  const { url, name, type: mediaType, size } = isObject(file) ? file : {};
  const content =
    type === 'FILE'
      ? { url, file_name: name, file_type: mediaType, file_size: size === 0 ? undefined : size }
      : { message };
  return {
    message_type: type,
    timestamp,
    ...(type === 'ADMM' ? {} : { user_id: isObject(user) ? user.user_id : undefined }),
    ...content,
    [type === 'FILE' ? 'custom_field' : 'data']: dataOfMessage(part),
    custom_type,
    sorted_metaarray: isList(sorted_metaarray) ? sorted_metaarray : [],
    ...(type === 'ADMM' && part.silent === true ? { is_silent: true } : {}),
    mentioned_user_ids: mentioned,
  };
}

/** The number of messages that became these lines. */
function messagesOf(lines: readonly JsonObject[]): number {
  return lines.filter(({ dedup_id: id }) => typeof id !== 'string' || !/#\d+$/u.test(id)).length;
}

async function totalOf({ kind, key }: ListedChannel, reader: LiveReader): Promise<number | undefined> {
  const route = `${messagesRoute(kind)}/total_count`;
  const said = await reader.send({ method: 'GET', route, params: { channel_url: key } });
  return said.type === 'ok' && typeof said.body.total === 'number' ? said.body.total : undefined;
}

function isNeutral(name: string, value: JsonValue | undefined): boolean {
  if (name === 'message') return value === undefined;
  return value === undefined || value === null || value === '' || (isList(value) && value.length === 0);
}
