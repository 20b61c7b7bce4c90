// The message archives of a conversion: one file a channel, in the order of time. Writes and decodes them.
import { closeSync, openSync, readSync } from 'node:fs';
import { isObject, type JsonValue } from '../lib/json.ts';
import { readLines } from '../lib/line-reader.ts';
import type { NewFiles } from '../lib/new-files.ts';
import type { Collect } from '../lib/series.ts';
import { Sorter } from '../lib/sorter.ts';
import { type DecodableLine, decodeLines } from './envelope.ts';
import type { MessageFacts } from './export/items.ts';

interface Archive {
  /** From the folder of the manifests. */
  readonly file: string;
  lines: number;
  lastTime: number;
  isSorted: boolean;
  /** The first message with the last time, and all of them when there are more: to find repetitions next to each other. */
  lastId: string;
  idsOfTime: Set<string> | undefined;
}

function newArchive(channelUrl: string): Archive {
  return { file: archiveFile(channelUrl), lines: 0, lastTime: 0, isSorted: true, lastId: '', idsOfTime: undefined };
}

/** Every line begins with it, then 13 digits. */
const timePrefix = '{"timestamp":';

export class Archives {
  readonly #files: NewFiles;
  readonly #collect: Collect;
  readonly #archives = new Map<string, Archive>();
  #messages = 0;

  constructor(files: NewFiles, collect: Collect) {
    this.#files = files;
    this.#collect = collect;
  }

  /** Channels that have messages. */
  get count(): number {
    return this.#archives.size;
  }

  /** Lines in all archives. */
  get messages(): number {
    return this.#messages;
  }

  /**
   * Adds the lines of one message; `id` is unique in its channel. Gives the number of the first, from 1; 0 when the
   * message is there already.
   */
  add(channelUrl: string, time: number, id: string, lines: readonly string[]): number {
    let archive = this.#archives.get(channelUrl);
    if (archive === undefined) {
      archive = newArchive(channelUrl);
      this.#archives.set(channelUrl, archive);
    }
    if (time !== archive.lastTime) {
      if (time < archive.lastTime) archive.isSorted = false;
      archive.lastTime = time;
      archive.lastId = id;
      archive.idsOfTime = undefined;
    } else {
      archive.idsOfTime ??= new Set([archive.lastId]);
      if (archive.idsOfTime.has(id)) return 0;
      archive.idsOfTime.add(id);
    }
    const first = archive.lines + 1;
    archive.lines += lines.length;
    this.#messages += lines.length;
    for (const line of lines) this.#files.append(archive.file, `${line}\n`);
    return first;
  }

  /** The empty archive of a channel that had messages in an earlier export: its messages are gone, and not forgotten. */
  keepEmpty(channelUrl: string): void {
    const file = archiveFile(channelUrl);
    if (this.#archives.has(channelUrl)) return;
    this.#archives.set(channelUrl, newArchive(channelUrl));
    this.#files.append(file, '');
  }

  /**
   * Sorts what is out of order and removes the archives of channels that were dropped. By the address of each archive
   * that was changed: the new line for each line, 0 for none.
   */
  end(dropped: Iterable<string>): Map<string, Int32Array> {
    const moved = new Map<string, Int32Array>();
    for (const channelUrl of dropped) {
      const archive = this.#archives.get(channelUrl);
      if (archive === undefined) continue;
      this.#archives.delete(channelUrl);
      this.#messages -= archive.lines;
      this.#files.remove(archiveFile(channelUrl));
      moved.set(`messages.${channelUrl}`, new Int32Array(archive.lines + 1));
    }
    for (const [channelUrl, archive] of this.#archives) {
      if (archive.isSorted) continue;
      const places = new Int32Array(archive.lines + 1);
      this.#files.rewrite(archiveFile(channelUrl), this.#sorted(channelUrl, places));
      moved.set(`messages.${channelUrl}`, places);
    }
    return moved;
  }

  /** Messages of one time keep the order of the source. */
  *#sorted(channelUrl: string, places: Int32Array): Generator<string> {
    const sorter = new Sorter<{ readonly key: string; readonly text: string }>(this.#collect, ({ key }) => key);
    for (const [number, text] of numbered(this.#files.pathOf(archiveFile(channelUrl)))) {
      const time = text.slice(timePrefix.length, timePrefix.length + 13);
      sorter.push({ key: `${time}${String(number).padStart(10, '0')}`, text });
    }
    let line = 0;
    let time = '';
    const ids = new Set<string>();
    for (const { key, text } of sorter.end()) {
      if (!key.startsWith(time) || time === '') {
        time = key.slice(0, 13);
        ids.clear();
      }
      const id = (JSON.parse(text) as { readonly dedup_id: string }).dedup_id;
      if (ids.has(id)) {
        this.#messages -= 1;
        continue;
      }
      ids.add(id);
      places[Number(key.slice(13))] = ++line;
      yield `${text}\n`;
    }
  }
}

/** From the folder of the manifests. */
export function archiveFile(channelUrl: string): string {
  return `history/${channelUrl}.ndjson`;
}

function* numbered(file: string): Generator<readonly [number, string]> {
  const descriptor = openSync(file, 'r');
  try {
    let number = 0;
    for (const lines of readLines((into, position) => readSync(descriptor, into, 0, into.length, position))) {
      for (const { text = '' } of lines) yield [++number, text];
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Gives the facts of the source back from the envelopes of an archive. Lines that are no JSON object, and those without
 * an envelope, are passed over.
 */
export function* decodeArchive(file: string): Generator<MessageFacts> {
  const descriptor = openSync(file, 'r');
  try {
    yield* decodeLines(objectsOf((into, position) => readSync(descriptor, into, 0, into.length, position)));
  } finally {
    closeSync(descriptor);
  }
}

function* objectsOf(read: (into: Uint8Array, position: number) => number): Generator<DecodableLine> {
  for (const lines of readLines(read)) {
    for (const { text = '' } of lines) {
      const value = parse(text);
      if (isObject(value)) yield value;
    }
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
