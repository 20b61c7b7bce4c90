// Writes the history of channels as archives. Every channel is read from its first message to its last.
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataOfMessage } from '../../../history/comparing/shown-message.ts';
import type { MessageType } from '../../../history/lines/line.ts';
import { circularList, MessageWalk, type WalkPlace } from '../../../history/searching/batch-search.ts';
import { listQuery, messagesRoute, shownParts } from '../../../history/sending/requests.ts';
import { userKinds } from '../../../kinds/parts/people.ts';
import { flush } from '../../../lib/durable-files.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { lineChecks } from '../../../manifest/schema/validate.ts';
import { addressOf } from '../../../model/address.ts';
import { Refusal } from '../../../model/errors.ts';
import { exitCode } from '../../../model/exit-code.ts';
import { ArchiveNames, patternsOfArchives } from '../../../model/migration/archive-names.ts';
import type { ApiRequest } from '../../../model/request.ts';
import type { LiveReader, ReadAnswer } from '../../../refresh/send.ts';
import type { ExportedBlocks } from './blocks.ts';
import type { EarlierExport } from './earlier-export.ts';
import { type ExportedMarks, exportedMarks, type ListedChannel } from './marks.ts';
import type { ArchiveProgress, CompleteArchive, ExportProgress } from './progress.ts';

/** The number of channels that are read in parallel. */
const atOnce = 32;
/** A kill costs at most the requests for so many pages of each channel that is being read. */
const pagesBetweenNotes = 10;

export interface ExportedMessages {
  readonly files: readonly string[];
  readonly sources: readonly JsonObject[];
  readonly messages: number;
}

export interface ExportedParts {
  /** Whether to export reactions and pins. */
  readonly reactions: boolean;
  /** The folder of an earlier export, whose older lines are not read again. */
  readonly since: EarlierExport | undefined;
  /** Archives that it has are continued. */
  readonly progress: ExportProgress;
}

/** One archive for each channel that has messages; patterns under `sources` match them all. */
export async function exportMessages(
  folder: string,
  channels: () => Iterable<ListedChannel>,
  blocks: ExportedBlocks,
  reader: LiveReader,
  parts: ExportedParts,
): Promise<ExportedMessages> {
  const archives = new Map<string, CompleteArchive & { readonly key: string }>();
  const names = new ArchiveNames([...parts.progress.archives, ...(parts.since?.archives ?? [])]);
  const files = new Set<string>();
  for (const { key } of channels()) files.add(names.of(key));
  // First, because on a file system that ignores case a leftover may be the new archive of another channel.
  await parts.progress.keep(files);
  const waiting = channels()[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const { key } = next.value;
      const file = names.of(key);
      const known = parts.progress.archive(file).complete;
      const complete = known ?? (await writeArchive(folder, file, next.value, blocks, reader, parts));
      if (known === undefined) parts.progress.note({ archive: file, complete });
      archives.set(file, { ...complete, key });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const sorted = [...archives].sort(([left], [right]) => (left < right ? -1 : 1));
  for (const [, { key, notes }] of sorted) {
    for (const [what, why] of notes) blocks.note(addressOf('messages', key), what, why);
  }
  const nonempty = sorted.flatMap(([file, { written }]) => (written > 0 ? [file] : []));
  const messages = sorted.reduce((sum, [, { written }]) => sum + written, 0);
  const sources = patternsOfArchives(nonempty).map((file) => ({ kind: 'messages', file }));
  return { files: nonempty, sources, messages };
}

/** Without lines, no file is left. */
async function writeArchive(
  folder: string,
  name: string,
  channel: ListedChannel,
  blocks: ExportedBlocks,
  reader: LiveReader,
  { reactions, since, progress }: ExportedParts,
): Promise<CompleteArchive> {
  const path = join(folder, name);
  if (!progress.has(name)) progress.note({ archive: name });
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, progress.isContinued ? 'a' : 'ax', 0o600);
  const isDeclared = (id: string): boolean => userKinds.some((kind) => blocks.isDeclared(kind, id));
  const hasSender = ({ user_id: id }: JsonObject): boolean => typeof id !== 'string' || isDeclared(id);
  const notes: (readonly [string, string])[] = [];
  let [written, refused] = [0, 0];
  try {
    const begun = await cutTo(progress.archive(name).until, file);
    let bytes = begun?.bytes ?? 0;
    [written, refused] = [begun?.written ?? 0, begun?.refused ?? 0];
    const append = async (lines: readonly JsonObject[]): Promise<void> => {
      const text = textOf(lines);
      await file.appendFile(text);
      bytes += Buffer.byteLength(text);
      written += lines.length;
    };
    const marks = reactions ? await exportedMarks(channel, reader, isDeclared, begun?.marks) : undefined;
    const earlier = begun === undefined ? await since?.linesOf(channel.key) : undefined;
    for await (const lines of earlier?.before ?? []) {
      const kept = lines.filter((line) => hasSender(line));
      await append(kept);
      refused += lines.length - kept.length;
    }
    let pages = 0;
    for await (const page of pagesOf(channel, reader, begun?.place ?? earlier?.until ?? 0)) {
      if ('code' in page) {
        notes.push(['the messages are ', `The platform refuses to show them (${page.code}): ${page.message}`]);
        break;
      }
      const there = page.messages.filter(({ is_removed }) => is_removed !== true);
      const lines = there.flatMap((message) => {
        const line = lineOf(message, marks);
        return line === undefined || !hasSender(line) ? [] : [line];
      });
      const [first, ...others] = lines;
      // Reactions and pins are managed if any line has the field, even after the last of them is removed.
      await append(written > 0 || first === undefined ? lines : [{ ...marks?.none, ...first }, ...others]);
      refused += there.length - lines.length;
      pages += 1;
      if (pages % pagesBetweenNotes !== 0 || page.place === undefined) continue;
      await flush(file, 'data');
      progress.note({ archive: name, until: { bytes, written, refused, marks: marks?.counts, place: page.place } });
    }
    await flush(file);
    notes.push(...(marks?.notes() ?? []));
  } finally {
    await file.close();
  }
  if (refused > 0) {
    const why = 'Their senders are not declared, or a history file cannot represent them.';
    notes.push([`${refused} of ${refused + written} messages are `, why]);
  }
  if (written === 0) await rm(path);
  return { written, notes };
}

/** Removes what a killed run wrote after its last note. Undefined if the archive has to be written from its beginning. */
async function cutTo(until: ArchiveProgress | undefined, file: FileHandle): Promise<ArchiveProgress | undefined> {
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
    query: { ...listQuery({ message_ts: String(begin), include: 'true' }), ...shownParts },
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

/** The archive line of a message. Undefined if an archive cannot represent it (platform §6.1, §6.2). */
function lineOf(message: JsonObject, marks: ExportedMarks | undefined): JsonObject | undefined {
  const { type, created_at: timestamp, user, custom_type, data, mentioned_users, sorted_metaarray } = message;
  if (type !== 'MESG' && type !== 'FILE' && type !== 'ADMM') return undefined;
  const mentioned = isList(mentioned_users) ? mentioned_users.filter(isObject).map(({ user_id: id }) => id ?? '') : [];
  const common = {
    message_type: type,
    timestamp,
    ...(type === 'ADMM' ? {} : { user_id: isObject(user) ? user.user_id : undefined }),
    ...(type === 'FILE' ? fileFields(message) : { message: message.message, data }),
    custom_type,
    mentioned_user_ids: mentioned,
    sorted_metaarray: isList(sorted_metaarray) ? sorted_metaarray : [],
    ...(type === 'ADMM' && message.silent === true ? { is_silent: true } : {}),
  };
  const fields = Object.entries(common).filter((entry): entry is [string, JsonValue] => !isNeutral(entry[0], entry[1]));
  const line = { ...Object.fromEntries(fields), ...marks?.of(message) };
  return lineChecks[type satisfies MessageType].fits(line) ? line : undefined;
}

function fileFields(message: JsonObject): Readonly<Record<string, JsonValue | undefined>> {
  const { file } = message;
  const { url, name, type, size } = isObject(file) ? file : {};
  return {
    url,
    file_name: name,
    file_type: type,
    file_size: size === 0 ? undefined : size,
    custom_field: dataOfMessage(message),
  };
}

function isNeutral(name: string, value: JsonValue | undefined): boolean {
  if (name === 'message') return value === undefined;
  return value === undefined || value === null || value === '' || (isList(value) && value.length === 0);
}
