// Keeps the data in one file. Each line holds the effects of one request and is written before the request is answered.

import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import type { Effect } from './effects.ts';
import { acquireLock, demandFileOrNothing } from './lock-file.ts';
import { State } from './state.ts';

const { O_CREAT, O_SYNC, O_TRUNC, O_WRONLY } = constants;
const FORMAT = 1;
const HEADER = `{"format":"chatform-emulator-data","version":${FORMAT}}`;
const COMPACT_FROM_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export interface StoreOptions {
  /** A file of this size that is mostly history is compacted when it is opened. */
  readonly compactFromBytes?: number;
}

export class Store {
  readonly state = new State();
  readonly #path: string;
  readonly #releaseLock: () => void;
  readonly #compactFromBytes: number;
  #file = -1;
  #bytes = 0;
  #broken = false;

  /** Reads the file or starts a new one. Throws when another emulator uses it, or it is not a data file or not a file. */
  constructor(path: string, options: StoreOptions = {}) {
    this.#path = path;
    // Compaction renames a new file into place, which would replace a device or a pipe.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error(`${path} is not a regular file.`);
    demandFileOrNothing(`${path}.new`);
    this.#compactFromBytes = options.compactFromBytes ?? COMPACT_FROM_BYTES;
    this.#releaseLock = acquireLock(`${path}.lock`);
    try {
      const effects = existsSync(path) ? this.#load() : 0;
      if (this.#bytes === 0 || this.#isMostlyHistory(effects)) this.#compact();
      else this.#file = openSync(path, 'a');
    } catch (error) {
      this.#releaseLock();
      throw error;
    }
  }

  /** The line is written when this returns, so it survives the process. */
  append(effects: readonly Effect[]): void {
    if (this.#broken) throw new Error('The data file could not be written before; nothing is added to it.');
    this.#write(this.#file, `${JSON.stringify(effects)}\n`);
  }

  /** Writes the state anew, after it was replaced by something other than effects. */
  rewrite(): void {
    const former = this.#file;
    this.#compact();
    closeSync(former);
  }

  close(): void {
    if (this.#file < 0) return;
    closeSync(this.#file);
    this.#file = -1;
    this.#broken = true;
    this.#releaseLock();
  }

  /** Writes the whole state to a new file and renames it into place, so that a complete file exists at every moment. */
  #compact(): void {
    const draft = `${this.#path}.new`;
    // Each write is durable. The permission model of Node refuses fsync.
    const file = openSync(draft, O_WRONLY | O_CREAT | O_TRUNC | O_SYNC);
    this.#write(file, `${HEADER}\n`);
    let lines = '';
    for (const effect of this.state.snapshot()) {
      lines += `[${JSON.stringify(effect)}]\n`;
      if (lines.length < CHUNK_BYTES) continue;
      this.#write(file, lines);
      lines = '';
    }
    this.#write(file, lines);
    closeSync(file);
    renameSync(draft, this.#path);
    this.#file = openSync(this.#path, 'a');
  }

  #write(file: number, text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    } catch (error) {
      // The file may end in part of a line now. Another line after it would make the file unreadable.
      this.#broken = true;
      throw error;
    }
  }

  /** Whether compaction would halve a large file. */
  #isMostlyHistory(effects: number): boolean {
    if (this.#bytes < this.#compactFromBytes) return false;
    let live = 0;
    for (const _ of this.state.snapshot()) live++;
    return effects > 2 * live;
  }

  /** Returns how many effects were read. */
  #load(): number {
    let effects = 0;
    const wholeBytes = readLines(this.#path, (line, number) => {
      if (number === 1) {
        if (line !== HEADER) throw new Error(`${this.#path} ${whyOther(line)}`);
        return;
      }
      for (const effect of parseEffects(this.#path, line, number)) {
        this.state.apply(effect);
        effects++;
      }
    });
    // A last line without its end was being written when the process died. Its request was never answered.
    if (wholeBytes < statSync(this.#path).size) truncateSync(this.#path, wholeBytes);
    this.#bytes = wholeBytes;
    return effects;
  }
}

function whyOther(line: string): string {
  const [, format] = /^\{"format":"chatform-emulator-data","version":(\d+)\}$/u.exec(line) ?? [];
  if (format === undefined) return 'is not a data file of this emulator.';
  return `has the format ${format}; this emulator reads ${FORMAT}. Start the emulator that wrote the file, or choose another file.`;
}

function parseEffects(path: string, line: string, number: number): readonly Effect[] {
  try {
    return JSON.parse(line) as readonly Effect[];
  } catch (error) {
    throw new Error(`${path} is damaged: line ${number} cannot be read.`, { cause: error });
  }
}

/** Calls `onLine` with each whole line. Returns how many bytes the whole lines take. */
function readLines(path: string, onLine: (line: string, number: number) => void): number {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer[] = [];
  let whole = 0;
  let number = 0;
  try {
    for (;;) {
      const size = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (size === 0) return whole;
      let start = 0;
      for (let end = chunk.indexOf(10, start); end >= 0 && end < size; end = chunk.indexOf(10, start)) {
        const line = Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        onLine(line.toString('utf8'), ++number);
        whole += line.length + 1;
        start = end + 1;
      }
      if (start < size) rest.push(Buffer.from(chunk.subarray(start, size)));
    }
  } finally {
    closeSync(file);
  }
}
