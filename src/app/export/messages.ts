// Writes the history of channels as archives. Every channel is read from its first message to its last.
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { lineChecks } from '../../manifest/schema/validate.ts';
import { addressOf } from '../../model/address.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { ReadAnswer, Reader } from '../../refresh/send.ts';
import { MessageWalk } from '../../resources/messages/batch-search.ts';
import type { MessageType } from '../../resources/messages/line.ts';
import { listQuery, messagesRoute, shownParts } from '../../resources/messages/requests.ts';
import { dataOfMessage } from '../../resources/messages/shown-message.ts';
import { userKinds } from '../../resources/parts/people.ts';
import type { Blocks } from './blocks.ts';
import type { EarlierExport } from './earlier-export.ts';
import { ExportedMarks } from './marks.ts';

/** The number of channels that are read in parallel. */
const atOnce = 32;
const pattern = 'history/{channel_url}.ndjson';

export interface ExportedMessages {
  readonly files: readonly string[];
  readonly sources: readonly JsonObject[];
  readonly messages: number;
}

interface Channel {
  readonly kind: string;
  readonly key: string;
  /** As listed. */
  readonly attributes: JsonObject;
}

export interface MessageParts {
  /** Whether to export reactions and pins. */
  readonly reactions: boolean;
  /** The folder of an earlier export, whose older lines are not read again. */
  readonly since: EarlierExport | undefined;
}

/** One archive for each channel that has messages; a pattern under `sources` names them all. */
export async function exportMessages(
  folder: string,
  channels: Iterable<Channel>,
  blocks: Blocks,
  reader: Reader,
  parts: MessageParts,
): Promise<ExportedMessages> {
  const files: string[] = [];
  let messages = 0;
  const waiting = channels[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const file = pattern.replace('{channel_url}', next.value.key);
      const written = await writeArchive(folder, file, next.value, blocks, reader, parts);
      if (written > 0) files.push(file);
      messages += written;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { files: files.sort(), sources: files.length === 0 ? [] : [{ kind: 'messages', file: pattern }], messages };
}

/** Returns the number of lines. Without lines, no file is left. */
async function writeArchive(
  folder: string,
  name: string,
  channel: Channel,
  blocks: Blocks,
  reader: Reader,
  { reactions, since }: MessageParts,
): Promise<number> {
  const address = addressOf('messages', channel.key);
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx', 0o600);
  const isDeclared = (id: string): boolean => userKinds.some((kind) => blocks.isDeclared(kind, id));
  const hasSender = ({ user_id: id }: JsonObject): boolean => typeof id !== 'string' || isDeclared(id);
  let [written, refused] = [0, 0];
  try {
    const marks = reactions ? await ExportedMarks.of(channel, reader, isDeclared) : undefined;
    const earlier = await since?.lines(name);
    for await (const lines of earlier?.before ?? []) {
      const kept = lines.filter((line) => hasSender(line));
      await file.appendFile(textOf(kept));
      written += kept.length;
      refused += lines.length - kept.length;
    }
    for await (const page of pagesOf(channel, reader, earlier?.until ?? 0)) {
      if ('code' in page) {
        blocks.note(address, 'the messages are ', `The platform refuses to show them (${page.code}): ${page.message}`);
        break;
      }
      const there = page.messages.filter(({ is_removed }) => is_removed !== true);
      const lines = there.flatMap((message) => {
        const line = lineOf(message, marks);
        return line === undefined || !hasSender(line) ? [] : [line];
      });
      const [first, ...others] = lines;
      // Reactions and pins are managed if any line has the field, also after the last of them was taken back.
      const marked = written > 0 || first === undefined ? lines : [{ ...marks?.none, ...first }, ...others];
      await file.appendFile(textOf(marked));
      written += lines.length;
      refused += there.length - lines.length;
    }
    await file.sync();
    for (const [what, why] of marks?.notes() ?? []) blocks.note(address, what, why);
  } finally {
    await file.close();
  }
  if (refused > 0) {
    const why = 'Their senders are not declared, or an archive cannot represent them.';
    blocks.note(address, `${refused} of ${refused + written} messages are `, why);
  }
  if (written === 0) await rm(path);
  return written;
}

function textOf(lines: readonly JsonObject[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function* pagesOf(
  { kind, key }: Channel,
  reader: Reader,
  from: number,
): AsyncGenerator<{ readonly messages: readonly JsonObject[] } | Extract<ReadAnswer, { type: 'refused' }>> {
  const first: ApiRequest = {
    method: 'GET',
    route: messagesRoute(kind),
    params: { channel_url: key },
    query: { ...listQuery({ message_ts: String(from), include: 'true' }), ...shownParts },
  };
  const walk = new MessageWalk(first, Number.POSITIVE_INFINITY);
  for (let request: ApiRequest | undefined = first; request !== undefined; ) {
    const said = await reader.send(request);
    if (said.type === 'refused') {
      yield said;
      return;
    }
    const { messages, next } = walk.take(said.body);
    yield { messages };
    request = next;
  }
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
