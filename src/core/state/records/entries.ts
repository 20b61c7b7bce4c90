// Serializes and parses the entries of a journal, one line for each change of state.
import { jsonString } from '../../../lib/json.ts';
import { isAddress, isRecord } from './lines.ts';
import { recordText } from './record-text.ts';
import type { StateChange } from './view.ts';

/** An entry with its line in the journal. The bytes take a tenth of the memory of the text, which is put together from many parts. */
export interface Serialized {
  readonly entry: StateChange;
  readonly line: Buffer;
  /** The part of the line with the record that the entry puts (`recordText`). */
  readonly text: Buffer | undefined;
}

/** The length of a line after the text of its record. */
const behindText = '}}\n'.length;

/** Returns the line of an entry in the journal, with its line end. */
export function entryLine(entry: StateChange): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Serializes a record once, for the journal and for the view. A run may put a million records. */
export function serializeEntry(entry: StateChange): Serialized {
  if (entry.type !== 'done' || entry.entry.type !== 'put')
    return { entry, line: Buffer.from(entryLine(entry)), text: undefined };
  const before = `{"type":"done","step":${jsonString(entry.step)},"entry":{"type":"put","record":`;
  const line = Buffer.from(`${before}${recordText(entry.entry.record)}}}\n`);
  return { entry, line, text: line.subarray(Buffer.byteLength(before), line.length - behindText) };
}

/** Returns the entry of a parsed line, or undefined if the line is not an entry. */
export function parseEntry(line: Readonly<Record<string, unknown>> | undefined): StateChange | undefined {
  if (typeof line?.step !== 'string') return undefined;
  const known =
    line.type === 'undone' ||
    (line.type === 'begin' && isAddress(line.address)) ||
    (line.type === 'done' && isStateEntry(line.entry));
  return known ? (line as unknown as StateChange) : undefined;
}

function isStateEntry(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'put':
      return isRecord(value.record) && isAddress(value.record.address) && isRecord(value.record.attributes);
    case 'patch':
      return isAddress(value.address) && Array.isArray(value.edits);
    case 'delete':
      return isAddress(value.address);
    default:
      return false;
  }
}
