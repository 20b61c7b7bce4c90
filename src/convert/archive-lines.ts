// The lines of an archive that one message of the source becomes. Written as text, since a million messages come this way.
import { isList, type JsonObject, jsonString } from '../lib/json.ts';
import { encodeEnvelope, envelopeWithinJson, metaKey } from './envelope.ts';
import type { SourceFile, SourceMessage } from './model.ts';

/** What has been decided of a message. */
interface Decided {
  /** Unix milliseconds. */
  readonly time: number;
  /** Undefined: it becomes an admin message. */
  readonly userId: string | undefined;
  /** The text, in pieces that are short enough. */
  readonly parts: readonly string[];
  /** Files that become messages of their own. */
  readonly files: readonly SourceFile[];
  /** The field of the mentions, with a comma before it; empty when there are none. */
  readonly mentions: string;
}

/** Each begins with its timestamp. `isCut`: some facts have no room in the envelope. */
export function archiveLines(
  { facts, kind, native }: SourceMessage,
  { time, userId, parts, files, mentions }: Decided,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const from = userId === undefined ? '"message_type":"ADMM"' : `"message_type":"MESG","user_id":${jsonString(userId)}`;
  const silent = userId === undefined && kind === 'join' ? ',"is_silent":true' : '';
  const [text = '', ...more] = parts;
  if (more.length + files.length === 0 && native === undefined) {
    const envelope = envelopeWithinJson(facts, { sender: userId, time, text });
    if (envelope !== undefined) {
      const line = `{"timestamp":${time},"dedup_id":${jsonString(facts.id)},${from},"message":${jsonString(text)}${silent}${mentions},"data":"${envelope}"}`;
      return { lines: [line], isCut: false };
    }
  }
  const shown = { sender: userId, time, text: parts.join('') };
  const { envelopes, isCut } = encodeEnvelope(facts, shown, parts.length + files.length);
  const start = (number: number): string =>
    `{"timestamp":${time},"dedup_id":${jsonString(number === 0 ? facts.id : `${facts.id}#${number + 1}`)},`;
  const lines = parts.map(
    (text, number) =>
      `${start(number)}${from},"message":${jsonString(text)}${silent}${number === 0 ? mentions : ''},${envelopeField('data', envelopes[number] ?? '', native)}}`,
  );
  for (const file of files) {
    const number = lines.length;
    const fields = {
      message_type: 'FILE',
      user_id: userId,
      url: file.url,
      ...(file.name === '' ? {} : { file_name: file.name }),
      ...(file.size === undefined ? {} : { file_size: file.size }),
      ...((file.type ?? '') === '' ? {} : { file_type: file.type }),
    };
    const envelope = envelopeField('custom_field', envelopes[number] ?? '', native);
    lines.push(`${start(number)}${JSON.stringify(fields).slice(1, -1)}${number === 0 ? mentions : ''},${envelope}}`);
  }
  return { lines, isCut };
}

/** `data` that the message had at the source stays; the envelope then stands in its meta arrays. */
function envelopeField(field: 'data' | 'custom_field', envelope: string, native: JsonObject | undefined): string {
  if (native === undefined) return `"${field}":${JSON.stringify(envelope)}`;
  const { data, sorted_metaarray, ...rest } = native;
  const hasOwn = typeof data === 'string' && data !== '';
  const arrays = [
    ...(isList(sorted_metaarray) ? sorted_metaarray : []),
    ...(hasOwn ? [{ key: metaKey, value: [envelope] }] : []),
  ];
  const fields = { ...rest, [field]: hasOwn ? data : envelope };
  return JSON.stringify(arrays.length === 0 ? fields : { ...fields, sorted_metaarray: arrays }).slice(1, -1);
}
