// Builds the lines of a history file that a single message of the source becomes.
import { isList, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { encodeEnvelope, metaKey } from './envelope.ts';
import type { SourceFile, SourceMessage } from './export/items.ts';

/** The decisions made about a message. */
export interface DecidedMessage {
  /** Unix milliseconds. */
  readonly time: number;
  /** Undefined if the message becomes an admin message. */
  readonly userId: string | undefined;
  /** The text, split into pieces that each fit into one message. */
  readonly parts: readonly string[];
  /** Files that become separate messages. */
  readonly files: readonly SourceFile[];
  /** user_ids. */
  readonly mentions: readonly string[];
  /** user_ids by key. Undefined if no reactions are sent. */
  readonly reactions: JsonObject | undefined;
}

/** Each line begins with its timestamp. `isCut`: some facts do not fit into the envelope. `isScrubbed`: it lacks queries or tokens. */
export function historyFileLines(
  { facts, kind, native }: SourceMessage,
  { time, userId, parts, files, mentions, reactions }: DecidedMessage,
): { readonly lines: readonly string[]; readonly isCut: boolean; readonly isScrubbed: boolean } {
  const shown = { sender: userId, time, text: parts.join('') };
  const { envelopes, isCut, isScrubbed } = encodeEnvelope(facts, shown, parts.length + files.length);
  const lines: string[] = [];
  const add = (type: 'FILE' | 'MESG' | 'ADMM', text: string | undefined, file?: SourceFile): void => {
    const number = lines.length;
    const envelope = envelopes[number] ?? '';
    const isFirst = number === 0;
    // JSON leaves out what is undefined.
    const line: Record<string, JsonValue | undefined> = {
      timestamp: time,
      dedup_id: isFirst ? facts.id : `${facts.id}#${number + 1}`,
      message_type: type,
      user_id: userId,
      message: text,
      is_silent: type === 'ADMM' && kind === 'join' ? true : undefined,
      url: file?.url,
      file_name: file?.name === '' ? undefined : file?.name,
      file_size: file?.size,
      file_type: file?.type === '' ? undefined : file?.type,
      mentioned_user_ids: isFirst && mentions.length > 0 ? mentions : undefined,
      reactions: isFirst ? reactions : undefined,
    };
    const name = type === 'FILE' ? 'custom_field' : 'data';
    if (native === undefined) line[name] = envelope;
    else Object.assign(line, envelopeFields(name, envelope, native));
    lines.push(JSON.stringify(line));
  };
  for (const text of parts) add(userId === undefined ? 'ADMM' : 'MESG', text);
  for (const file of files) add('FILE', undefined, file);
  return { lines, isCut, isScrubbed };
}

/** `data` that the message had at the source is preserved, and the envelope goes into the meta arrays instead. */
function envelopeFields(name: 'data' | 'custom_field', envelope: string, native: JsonObject): JsonObject {
  const { data, sorted_metaarray, ...rest } = native;
  const hasOwn = typeof data === 'string' && data !== '';
  const arrays = [
    ...(isList(sorted_metaarray) ? sorted_metaarray : []),
    ...(hasOwn ? [{ key: metaKey, value: [envelope] }] : []),
  ];
  const fields = { ...rest, [name]: hasOwn ? data : envelope };
  return arrays.length === 0 ? fields : { ...fields, sorted_metaarray: arrays };
}
