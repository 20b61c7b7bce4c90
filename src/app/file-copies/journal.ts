// Remembers which copies exist or may exist, so that a run that was killed is continued.
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { readStreamLines } from '../../lib/line-reader.ts';
import type { Placed } from './target.ts';

/** A copy that is about to be put in its place, or was. */
export interface Noted extends Placed {
  /** As in conversion/files.ndjson. */
  readonly from: string;
}

export class Journal {
  readonly #file: string;
  readonly #handle: FileHandle;
  /** Appends follow each other, so that lines are whole. */
  #last: Promise<void> = Promise.resolve();
  /** By `from`: what an earlier run noted. */
  readonly before: ReadonlyMap<string, Noted>;

  private constructor(file: string, handle: FileHandle, before: ReadonlyMap<string, Noted>) {
    this.#file = file;
    this.#handle = handle;
    this.before = before;
  }

  static async open(file: string): Promise<Journal> {
    const before = await readJournal(file);
    const handle = await open(file, 'a', 0o644);
    // The last line of a run that was killed may be half a line.
    if (before.size > 0 || (await handle.stat()).size > 0) await handle.write('\n');
    return new Journal(file, handle, before);
  }

  /** To be called before the copy is put in its place. Returns once the note survives a power failure. */
  note(copy: Noted): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.#handle.write(`${JSON.stringify(copy)}\n`);
      await this.#handle.sync();
    });
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** To be called once the map of URLs has everything. */
  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
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
    // Without a journal, the copies that the map does not have are made again.
  }
  return notes;
}

function noteIn(text: string | undefined): Noted | undefined {
  try {
    const value = JSON.parse(text ?? '') as JsonValue;
    if (!isObject(value)) return undefined;
    const { from, name, sha256, size } = value;
    const isWhole = typeof from === 'string' && typeof name === 'string' && typeof sha256 === 'string';
    return isWhole && typeof size === 'number' ? { from, name, sha256, size } : undefined;
  } catch {
    return undefined;
  }
}
