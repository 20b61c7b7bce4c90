// Writes and decodes the message archives of a conversion: one file per channel, sorted by time.
import { parsedObject } from '../lib/json.ts';
import { NameTable } from '../lib/name-table.ts';
import type { NewFiles } from '../lib/new-files.ts';
import type { Collect } from '../lib/series.ts';
import { Sorter } from '../lib/sorter.ts';
import { type ArchiveNames, patternsOfArchives } from '../model/migration/archive-names.ts';
import type { DecidedMessage } from './archive-lines.ts';
import { archiveLinesOf, type EarlierConversion, type TimedLine } from './earlier-conversion.ts';
import { type DecodableLine, decodeLines } from './envelope.ts';
import type { MessageFacts } from './export/items.ts';
import { linesOfFile } from './export/lines.ts';
import { type MergeCounts, type MergeRules, mergedLines, type NumberedLine } from './merge.ts';

interface WrittenArchive {
  /** Relative to the manifest folder. */
  readonly file: string;
  lines: number;
  lastTime: number;
  isSorted: boolean;
  /** The messages with the latest time, to find adjacent duplicates: the first, and all of them if there are several. */
  lastId: string;
  idsOfTime: Set<string> | undefined;
  /** user_ids. Undefined if lines have reactions or come from an earlier conversion. */
  senders: Set<string> | undefined;
}

function newArchive(file: string): WrittenArchive {
  return {
    file,
    lines: 0,
    lastTime: 0,
    isSorted: true,
    lastId: '',
    idsOfTime: undefined,
    senders: new Set(),
  };
}

/** Marks a message that a more recent, already converted export does not contain. */
export const supersededLine = -1;

export class Archives {
  readonly #files: NewFiles;
  readonly #names: ArchiveNames;
  readonly #collect: Collect;
  readonly #archives = new Map<string, WrittenArchive>();
  #messages = 0;

  constructor(files: NewFiles, names: ArchiveNames, collect: Collect) {
    this.#files = files;
    this.#names = names;
    this.#collect = collect;
  }

  /** Channels with messages. */
  get count(): number {
    return this.#archives.size;
  }

  /** The patterns under `sources` that match the archives. */
  get patterns(): readonly string[] {
    return patternsOfArchives([...this.#archives.values()].map(({ file }) => file));
  }

  /** Line counts by channel_url. */
  get lines(): ReadonlyMap<string, number> {
    return new Map([...this.#archives].map(([url, { lines }]) => [url, lines]));
  }

  /** The senders by channel_url, for archives whose number of lines and senders are enough to count the calls. */
  get senders(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map(
      [...this.#archives].flatMap(([url, { senders }]) => (senders === undefined ? [] : [[url, senders] as const])),
    );
  }

  /** The total of all archives. */
  get messages(): number {
    return this.#messages;
  }

  /**
   * Adds the lines of one message. The id is unique in its channel. Returns the number of the first line, from 1, or 0 for a
   * repeated message.
   */
  add(channelUrl: string, id: string, { time, userId, reactions }: DecidedMessage, lines: readonly string[]): number {
    let archive = this.#archives.get(channelUrl);
    if (archive === undefined) {
      archive = newArchive(this.#names.of(channelUrl));
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
    if (reactions !== undefined) archive.senders = undefined;
    else if (userId !== undefined) archive.senders?.add(userId);
    const first = archive.lines + 1;
    archive.lines += lines.length;
    this.#messages += lines.length;
    for (const line of lines) this.#files.append(archive.file, `${line}\n`);
    return first;
  }

  /** Keeps the archive of a channel that had messages in an earlier export, so that its messages are not forgotten. */
  keep(channelUrl: string): void {
    if (this.#archives.has(channelUrl)) return;
    const archive = newArchive(this.#names.of(channelUrl));
    this.#archives.set(channelUrl, archive);
    this.#files.append(archive.file, '');
  }

  /**
   * Sorts the archives, merges lines that are kept from the previous conversion, and removes archives of dropped channels.
   * `rulesOf` is undefined without a previous conversion. Returns, by the address of each changed archive, the new number of
   * each line: 0 if it is gone, `supersededLine` if a later export does not have it.
   */
  end(
    dropped: Iterable<string>,
    earlier: EarlierConversion,
    rulesOf: (channelUrl: string) => EarlierRules | undefined,
  ): Map<string, Int32Array> {
    const moved = new Map<string, Int32Array>();
    for (const channelUrl of dropped) {
      const archive = this.#archives.get(channelUrl);
      if (archive === undefined) continue;
      this.#archives.delete(channelUrl);
      this.#messages -= archive.lines;
      this.#files.remove(archive.file);
      moved.set(`messages.${channelUrl}`, new Int32Array(archive.lines + 1));
    }
    for (const [channelUrl, archive] of this.#archives) {
      const rules = rulesOf(channelUrl);
      if (rules === undefined && archive.isSorted) continue;
      if (rules !== undefined && archive.isSorted && earlier.isSame(channelUrl, archive.file, this.#files)) continue;
      const places = new Int32Array(archive.lines + 1);
      const sorted = archive.isSorted ? numbered(this.#files.pathOf(archive.file)) : this.#sorted(archive.file);
      const drop = (number: number): void => {
        places[number] = supersededLine;
      };
      if (rules !== undefined) archive.senders = undefined;
      const before = earlier.lines(channelUrl);
      const lines = rules === undefined ? sorted : this.#merged(archive.file, sorted, before, rules, drop);
      const others = this.#messages - archive.lines;
      this.#messages = others;
      this.#files.rewrite(archive.file, this.#placed(lines, places));
      archive.lines = this.#messages - others;
      moved.set(`messages.${channelUrl}`, places);
    }
    return moved;
  }

  #merged(
    archive: string,
    sorted: Iterable<NumberedLine>,
    before: Iterable<TimedLine>,
    { counts, ...rules }: EarlierRules,
    drop: (number: number) => void,
  ): Generator<NumberedLine> {
    const file = this.#files.pathOf(archive);
    let ids: NameTable | undefined;
    const isElsewhere = (id: string): boolean => {
      ids ??= idsIn(file);
      return ids.find(id) !== undefined;
    };
    return mergedLines(sorted, before, { ...rules, isElsewhere, drop }, counts);
  }

  /** Records the new position of each line. */
  *#placed(lines: Iterable<NumberedLine>, places: Int32Array): Generator<string> {
    let line = 0;
    for (const { number, text } of lines) {
      line += 1;
      if (number > 0) places[number] = line;
      this.#messages += 1;
      yield `${text}\n`;
    }
  }

  /** Messages with equal times keep the order of the source. */
  *#sorted(file: string): Generator<NumberedLine> {
    const sorter = new Sorter<{ readonly key: string; readonly text: string }>(this.#collect, ({ key }) => key);
    for (const { number, time, text } of numbered(this.#files.pathOf(file)))
      sorter.push({ key: `${time}${String(number).padStart(10, '0')}`, text });
    let last = 0;
    const ids = new Set<string>();
    for (const { key, text } of sorter.end()) {
      const time = Number(key.slice(0, 13));
      if (time !== last) ids.clear();
      last = time;
      const id = (JSON.parse(text) as { readonly dedup_id: string }).dedup_id;
      if (ids.has(id)) continue;
      ids.add(id);
      yield { number: Number(key.slice(13)), time, text };
    }
  }
}

/** Lines to keep from the archive of the previous conversion. */
export interface EarlierRules extends Pick<MergeRules, 'isKept' | 'superseded' | 'isDoubtful' | 'keepsEdits'> {
  readonly counts: MergeCounts;
}

function* numbered(file: string): Generator<NumberedLine> {
  let number = 0;
  for (const line of archiveLinesOf(file)) yield { ...line, number: ++number };
}

function idsIn(file: string): NameTable {
  const ids = new NameTable();
  for (const { text } of archiveLinesOf(file)) ids.add((JSON.parse(text) as { readonly dedup_id: string }).dedup_id);
  return ids;
}

/**
 * Decodes the facts of the source from the envelopes of an archive. Skips lines that are not JSON objects or have no envelope.
 */
export function* decodeArchive(file: string): Generator<MessageFacts> {
  yield* decodeLines(objectsOf(file));
}

function* objectsOf(file: string): Generator<DecodableLine> {
  for (const { text = '' } of linesOfFile(file)) {
    const value = parsedObject(text);
    if (value !== undefined) yield value;
  }
}
