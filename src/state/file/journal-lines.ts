// Where is the text of a record that was written a moment ago? In the journal, which holds it anyway: the first of what a
// run writes is kept in memory, and the rest is read from there when somebody asks for it.

import type { Scratch } from '../../lib/temp-file.ts';
import { PagedBuffer, type StoredText } from '../records/paged-buffer.ts';
import { recordText } from '../records/record-lines.ts';
import type { StateChange } from '../view.ts';
import type { SourceFile } from './file-system.ts';
import { entryLine, putLine } from './journal.ts';

/** An entry with its line, and with the text of the record that it puts, which is a part of that line. */
export interface Serialized {
  readonly entry: StateChange;
  readonly line: string;
  readonly text: string | undefined;
}

/** An entry that stands in the journal. */
export interface Committed {
  readonly entry: StateChange;
  /** Of the record that it puts. */
  readonly text: StoredText | undefined;
}

/** A record is spelt out once, for the journal and for whoever asks for it later: it may be one of a million. */
export function serializeEntry(entry: StateChange): Serialized {
  if (entry.type !== 'done' || entry.entry.type !== 'put') return { entry, line: entryLine(entry), text: undefined };
  const text = recordText(entry.entry.record);
  return { entry, line: putLine(entry.step, text), text };
}

/** What stands behind the text of a record in its line. */
const behindText = '}}\n'.length;
/** So many bytes stay in memory. */
const defaultLimit = 8 << 20;
const pageBytes = 1 << 18;

export class WrittenLines {
  readonly #arena: PagedBuffer;
  readonly #journal: JournalPages | undefined;
  /** Used again for the lines of each flush. */
  readonly #page = Buffer.allocUnsafe(pageBytes);

  private constructor(journal: JournalPages | undefined, limit: number) {
    this.#journal = journal;
    this.#arena = new PagedBuffer(limit, () => journal);
  }

  /** `journal`: what is added from now on is written to it, behind what it holds. Without one, all stays in memory. */
  static async behind(journal: SourceFile | undefined, limit = defaultLimit): Promise<WrittenLines> {
    return new WrittenLines(journal && new JournalPages(journal, await journal.size()), limit);
  }

  /** All the lines, one behind the other. Of use until it is called again. */
  bytesOf(spelt: readonly Serialized[]): Uint8Array {
    let lines = '';
    for (const { line } of spelt) lines += line;
    // A code unit takes three bytes at most.
    if (3 * lines.length > pageBytes) return Buffer.from(lines);
    return this.#page.subarray(0, this.#page.write(lines));
  }

  /** `bytes`: those of the lines, which stand in the journal by now. */
  add(spelt: readonly Serialized[], bytes: Uint8Array): Committed[] {
    const sizeOf = sizesOf(spelt, bytes);
    let end = this.#arena.append(bytes);
    return spelt.map(({ entry, line, text }): Committed => {
      end += sizeOf(line);
      if (text === undefined) return { entry, text };
      const length = sizeOf(text);
      return { entry, text: { bytes: this.#arena, offset: end - behindText - length, length } };
    });
  }

  /** Nothing is added any more; what was can still be read. */
  async end(): Promise<void> {
    await this.#journal?.closeUnlessRead();
  }
}

/** How many bytes a part of the lines takes. Where all of them take one for each character, it need not be counted. */
function sizesOf(spelt: readonly Serialized[], bytes: Uint8Array): (text: string) => number {
  let characters = 0;
  for (const { line } of spelt) characters += line.length;
  return characters === bytes.length ? (text) => text.length : (text) => Buffer.byteLength(text);
}

/** Nobody says when a state is read no more: what cannot be read from any more is closed. */
const forgotten = new FinalizationRegistry<SourceFile>((file) => void file.close());

/** The part of a journal behind `start`, as a place for pages that need not be put there, as they are in it. */
class JournalPages implements Scratch {
  readonly #file: SourceFile;
  readonly #start: number;
  #isRead = false;

  constructor(file: SourceFile, start: number) {
    this.#file = file;
    this.#start = start;
    forgotten.register(this, file, this);
  }

  write(): boolean {
    this.#isRead = true;
    return true;
  }

  async closeUnlessRead(): Promise<void> {
    if (this.#isRead) return;
    forgotten.unregister(this);
    await this.#file.close();
  }

  read(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; ) {
      const got = this.#file.readNow(bytes, at, bytes.length - at, this.#start + position + at);
      if (got === 0) throw new Error('the journal of the state was cut while it was in use');
      at += got;
    }
  }
}
