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
import { listQuery, messagesRoute } from '../../resources/messages/requests.ts';
import { dataOfMessage } from '../../resources/messages/shown-message.ts';
import { userKinds } from '../../resources/parts/people.ts';
import type { Blocks } from './blocks.ts';

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
}

/** One archive for each channel that has messages; a pattern under `sources` names them all. */
export async function exportMessages(
  folder: string,
  channels: Iterable<Channel>,
  blocks: Blocks,
  reader: Reader,
): Promise<ExportedMessages> {
  const files: string[] = [];
  let messages = 0;
  const waiting = channels[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const file = pattern.replace('{channel_url}', next.value.key);
      const written = await writeArchive(join(folder, file), next.value, blocks, reader);
      if (written > 0) files.push(file);
      messages += written;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { files: files.sort(), sources: files.length === 0 ? [] : [{ kind: 'messages', file: pattern }], messages };
}

/** Returns the number of lines. Without lines, no file is left. */
async function writeArchive(path: string, channel: Channel, blocks: Blocks, reader: Reader): Promise<number> {
  const address = addressOf('messages', channel.key);
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx', 0o600);
  let [written, refused] = [0, 0];
  try {
    for await (const page of pagesOf(channel, reader)) {
      if ('code' in page) {
        blocks.note(address, 'the messages are ', `The platform refuses to show them (${page.code}): ${page.message}`);
        break;
      }
      const lines: string[] = [];
      for (const message of page.messages) {
        const line = message.is_removed === true ? undefined : lineOf(message);
        const sender = line?.user_id;
        const isDeclared = typeof sender !== 'string' || userKinds.some((kind) => blocks.isDeclared(kind, sender));
        if (line !== undefined && isDeclared) {
          lines.push(`${JSON.stringify(line)}\n`);
        } else if (message.is_removed !== true) refused += 1;
      }
      await file.appendFile(lines.join(''));
      written += lines.length;
    }
    await file.sync();
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

async function* pagesOf(
  { kind, key }: Channel,
  reader: Reader,
): AsyncGenerator<{ readonly messages: readonly JsonObject[] } | Extract<ReadAnswer, { type: 'refused' }>> {
  const first: ApiRequest = {
    method: 'GET',
    route: messagesRoute(kind),
    params: { channel_url: key },
    query: { ...listQuery({ message_ts: '0', include: 'true' }), with_sorted_meta_array: 'true' },
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
function lineOf(message: JsonObject): JsonObject | undefined {
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
  const line = Object.fromEntries(
    Object.entries(common).filter((entry): entry is [string, JsonValue] => !isNeutral(entry[0], entry[1])),
  );
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
