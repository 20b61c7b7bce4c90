// Records which copies exist or may exist, so that a killed run can continue.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { flush } from '../../../lib/flush.ts';
import { parsedObject } from '../../../lib/json.ts';
import { readStreamLines } from '../../../lib/line-reader.ts';
import type { Placed } from './target.ts';

/** A copy that is stored or about to be stored. */
interface Noted extends Placed {
  /** As in conversion/files.ndjson. */
  readonly from: string;
}

export interface Journal {
  /** The records of an earlier run, by `from`. */
  readonly before: ReadonlyMap<string, Noted>;
  /** Call before storing the copy. Returns once the record survives a power failure. */
  note(copy: Noted): Promise<void>;
  close(): Promise<void>;
}

export async function openJournal(file: string): Promise<Journal> {
  const before = await readJournal(file);
  const handle = await open(file, 'a', 0o644);
  // A killed run may have left half a line at the end.
  if (before.size > 0 || (await handle.stat()).size > 0) await handle.write('\n');
  /** Appends run one after the other, so that lines stay whole. */
  let last = Promise.resolve();
  const note = (copy: Noted): Promise<void> => {
    last = last.then(async () => {
      await handle.write(`${JSON.stringify(copy)}\n`);
      await flush(handle);
    });
    return last;
  };
  return { before, note, close: () => handle.close() };
}

async function readJournal(file: string): Promise<ReadonlyMap<string, Noted>> {
  const notes = new Map<string, Noted>();
  try {
    for await (const lines of readStreamLines(createReadStream(file))) {
      for (const { text } of lines) {
        const note = noteIn(text);
        if (note !== undefined) notes.set(note.from, note);
      }
    }
  } catch {
    // Without a journal, files that the map lacks are copied again.
  }
  return notes;
}

function noteIn(text: string | undefined): Noted | undefined {
  const { from, name, sha256, size } = parsedObject(text ?? '') ?? {};
  const isWhole = typeof from === 'string' && typeof name === 'string' && typeof sha256 === 'string';
  return isWhole && typeof size === 'number' ? { from, name, sha256, size } : undefined;
}
