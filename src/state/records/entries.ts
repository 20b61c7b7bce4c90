// Serializes and parses the entries of a journal, one line for each change of state.
import { jsonString } from '../../lib/json.ts';
import { isAddress, isRecord } from './lines.ts';
import { recordText } from './record-text.ts';
import type { StateChange } from './view.ts';

/** An entry with its line in the journal. */
export interface Serialized {
  readonly entry: StateChange;
  readonly line: string;
  /** The part of the line with the record that the entry puts (`recordText`). */
  readonly text: string | undefined;
}

/** The length of a line after the text of its record. */
const behindText = '}}\n'.length;

/** Returns the line of an entry in the journal, with its line end. */
export function entryLine(entry: StateChange): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Serializes a record once, for the journal and for the view. A run may put a million records. */
export function serializeEntry(entry: StateChange): Serialized {
  if (entry.type !== 'done' || entry.entry.type !== 'put') return { entry, line: entryLine(entry), text: undefined };
  const text = recordText(entry.entry.record);
  const line = `{"type":"done","step":${jsonString(entry.step)},"entry":{"type":"put","record":${text}}}\n`;
  return { entry, line, text };
}

/** Entries and the bytes of their consecutive lines. */
export interface Flush {
  readonly entries: readonly Serialized[];
  readonly bytes: Uint8Array;
}

/** Passes on each entry with the bytes of its text, so that each text is encoded only once. */
export function eachText({ entries, bytes }: Flush, onEntry: (entry: StateChange, text?: Uint8Array) => void): void {
  const isAscii = bytes.length === entries.reduce((sum, { line }) => sum + line.length, 0);
  const sizeOf = (text: string): number => (isAscii ? text.length : Buffer.byteLength(text));
  let end = 0;
  for (const { entry, line, text } of entries) {
    end += sizeOf(line);
    const textEnd = end - behindText;
    onEntry(entry, text === undefined ? undefined : bytes.subarray(textEnd - sizeOf(text), textEnd));
  }
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
