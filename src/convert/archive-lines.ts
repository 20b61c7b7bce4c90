// Builds the archive lines that a single message of the source becomes.
import { isList, type JsonObject, type JsonValue } from '../lib/json.ts';
import { encodeEnvelope, metaKey } from './envelope.ts';
import type { SourceFile, SourceMessage } from './export/items.ts';

/** The decisions made about a message. */
interface Decided {
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
  /** By key, user_ids. Undefined: none are sent. */
  readonly reactions: JsonObject | undefined;
}

/** Each line begins with its timestamp. `isCut`: some facts do not fit into the envelope. */
export function archiveLines(
  { facts, kind, native }: SourceMessage,
  { time, userId, parts, files, mentions, reactions }: Decided,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const shown = { sender: userId, time, text: parts.join('') };
  const { envelopes, isCut } = encodeEnvelope(facts, shown, parts.length + files.length);
  const from = userId === undefined ? { message_type: 'ADMM' } : { message_type: 'MESG', user_id: userId };
  const silent = userId === undefined && kind === 'join' ? { is_silent: true } : {};
  const lines: string[] = [];
  const add = (fields: JsonObject, envelopeName: 'data' | 'custom_field'): void => {
    const number = lines.length;
    const line: Record<string, JsonValue> = {
      timestamp: time,
      dedup_id: number === 0 ? facts.id : `${facts.id}#${number + 1}`,
      ...fields,
    };
    if (number === 0 && mentions.length > 0) line.mentioned_user_ids = mentions;
    if (number === 0 && reactions !== undefined) line.reactions = reactions;
    const envelope = envelopes[number] ?? '';
    if (native === undefined) line[envelopeName] = envelope;
    else Object.assign(line, envelopeFields(envelopeName, envelope, native));
    lines.push(JSON.stringify(line));
  };
  for (const text of parts) add({ ...from, message: text, ...silent }, 'data');
  for (const { url = '', name, size, type = '' } of files) {
    const file = {
      message_type: 'FILE',
      ...(userId === undefined ? {} : { user_id: userId }),
      url,
      ...(name === '' ? {} : { file_name: name }),
      ...(size === undefined ? {} : { file_size: size }),
      ...(type === '' ? {} : { file_type: type }),
    };
    add(file, 'custom_field');
  }
  return { lines, isCut };
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
