// Compares the edits of messages in two exports. An export with an earlier edit of a message was taken earlier, whatever was
// deleted since.

import { maxTime, minTime } from '../../core/model/migration/message-times.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Turns } from '../../lib/turns.ts';
import type { TimedLine } from './earlier-conversion.ts';
import { envelopeOf } from './envelope.ts';

/** When a message was edited, in Unix milliseconds. Sources write milliseconds, a text, or an object with seconds. */
export function editTimeOf(edited: JsonValue | undefined): number | undefined {
  if (edited === undefined) return undefined;
  const seconds = isObject(edited) ? Number(edited.ts) : Number.NaN;
  const time = isObject(edited) ? seconds * 1000 : typeof edited === 'string' ? Date.parse(edited) : Number(edited);
  return time >= minTime && time <= maxTime ? Math.floor(time) : undefined;
}

/** The last edit of a message, as the first line in its history file says. */
interface MessageEdit {
  /** Undefined: it was never edited. */
  readonly time: number | undefined;
  /** Who wrote what kind of message, and whether it has content. The placeholder that a deletion leaves differs in it. */
  readonly kind: string;
}

/** Undefined if the line does not say, because its envelope is missing or in pieces. */
export function editIn(line: JsonObject): MessageEdit | undefined {
  const envelope = envelopeOf(line);
  if (envelope === undefined || envelope.json !== undefined) return undefined;
  const { edited, type, sender, text, files } = envelope;
  const time = editTimeOf(edited);
  if (edited !== undefined && time === undefined) return undefined;
  return { time, kind: JSON.stringify([line.user_id, sender, type, text === '' && files === undefined]) };
}

function isEarlier({ time, kind }: MessageEdit, known: MessageEdit): boolean {
  if (known.time === undefined) return false;
  return time === undefined ? kind === known.kind : time < known.time;
}

/** Whether the first line of a message shows it as it was before the edit that the known line has. */
export function hasEarlierEdit(line: JsonObject, known: JsonObject): boolean {
  const [edit, knownEdit] = [editIn(line), editIn(known)];
  return edit !== undefined && knownEdit !== undefined && isEarlier(edit, knownEdit);
}

/**
 * Compares the history file of an export with the history file of earlier conversions. The time of the oldest edit that the export
 * lacks, in Unix milliseconds: the export was taken before. Undefined if it has all edits of the messages that it contains.
 */
export async function oldestMissingEdit(
  fresh: Iterable<TimedLine>,
  earlier: Iterable<TimedLine>,
  turns: Turns,
): Promise<number | undefined> {
  const known = new Map<string, MessageEdit & { readonly time: number }>();
  for (const { text } of earlier) {
    if (turns.isDue()) await turns.take();
    if (!text.includes(editedField)) continue;
    const line = JSON.parse(text) as JsonObject;
    const { time, kind } = editIn(line) ?? {};
    if (time !== undefined && kind !== undefined) known.set(String(line.dedup_id), { time, kind });
  }
  if (known.size === 0) return undefined;
  // Exports in one folder may have copies of a message.
  const latest = new Map<string, MessageEdit>();
  for (const { text } of fresh) {
    if (turns.isDue()) await turns.take();
    const line = JSON.parse(text) as JsonObject;
    const id = String(line.dedup_id);
    const edit = known.has(id) ? editIn(line) : undefined;
    if (edit !== undefined && (edit.time ?? 0) >= (latest.get(id)?.time ?? 0)) latest.set(id, edit);
  }
  let oldest: number | undefined;
  for (const [id, edit] of latest) {
    const knownEdit = known.get(id);
    if (knownEdit && isEarlier(edit, knownEdit)) oldest = Math.min(oldest ?? knownEdit.time, knownEdit.time);
  }
  return oldest;
}

/** How an envelope, which is JSON in a string, names the edit. */
const editedField = '\\"edited\\":';
