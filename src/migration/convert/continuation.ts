// Continues an earlier conversion: whatever is outside the export's times and lists keeps its earlier declaration.

import type { AssumedLater, NoLongerThere } from '../../core/model/conversion.ts';
import type { HistoryFileNames } from '../../core/model/migration/history-names.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue, parsedObject } from '../../lib/json.ts';
import type { NewFiles } from '../../lib/new-files.ts';
import type { Turns } from '../../lib/turns.ts';
import type { NameTable } from '../../lib/typed-arrays.ts';
import type { Channels, DeclaredChannel } from './channels.ts';
import { LaterExports, unlistedIn } from './coverage-file.ts';
import type { Decisions } from './decisions.ts';
import { type EarlierConversion, historyFileLinesOf } from './earlier-conversion.ts';
import { oldestMissingEdit } from './edits.ts';
import { type Coverage, type CoveredRange, isWithin, type TimeRange } from './export/coverage.ts';
import { picked } from './export/values.ts';
import type { EarlierRules } from './history-files.ts';
import type { MergeCounts, Superseded } from './merge.ts';
import { isSameValue } from './notations.ts';
import type { Users } from './users.ts';

interface ContinuationInput {
  readonly historyFileNames: HistoryFileNames;
  readonly earlier: EarlierConversion;
  readonly coverage: Coverage;
  readonly users: Users;
  readonly channels: Channels;
  readonly decisions: Decisions;
  /** The export lists everybody, so anyone missing is gone. */
  readonly isWhole: boolean;
  /** Ids of messages that a partial export leaves out, although an earlier one may have them. Complete after the last message. */
  readonly removed: NameTable | undefined;
}

interface KeptHistoryFile {
  /** Whether the times of the channel are covered. */
  readonly ranges: readonly TimeRange[];
  /** Times that a more recent, already converted export covers as well. */
  readonly later: readonly CoveredRange[];
  /** Times of exports that may be more recent, or not. */
  readonly doubtful: readonly CoveredRange[];
  /** Whether the export or somebody says when it was taken. */
  readonly isStated: boolean;
  readonly counts: MergeCounts;
}

export class Continuation {
  readonly #input: ContinuationInput;
  /** By channel_url. */
  readonly #historyFiles = new Map<string, KeptHistoryFile>();
  /** user_ids of the senders of messages that are kept. */
  readonly #senders = new Set<string>();
  /** channel_urls that decisions.yaml leaves out. */
  readonly #leftOutChannels: ReadonlySet<string>;
  readonly #laterExports: LaterExports;

  constructor(input: ContinuationInput) {
    this.#input = input;
    const { decisions, channels, earlier } = input;
    this.#laterExports = new LaterExports(earlier);
    const channelsOut = [...decisions.leftOut.channels.keys()].flatMap((id) => decisions.channel_urls.get(id) ?? []);
    this.#leftOutChannels = new Set([...channelsOut, ...channels.leftOut()]);
  }

  /** Finds what to keep. `files`: with the history files of all messages of the export. */
  async scan(files: NewFiles, turns: Turns): Promise<void> {
    const { earlier, channels } = this.#input;
    const ids = new Map([...channels.urls()].map(([id, url]) => [url, id]));
    await this.#compareEdits(ids, files, turns);
    for (const url of earlier.historyFiles()) {
      if (this.#leftOutChannels.has(url)) continue;
      const id = ids.get(url);
      const historyFile = this.#historyFileOf(url, id);
      this.#historyFiles.set(url, historyFile);
      const senders = id === undefined ? undefined : channels.get(id)?.senders;
      for (const { time, text } of earlier.lines(url)) {
        if (turns.isDue()) await turns.take();
        if (isGone(historyFile, time)) continue;
        const message = JSON.parse(text) as JsonObject;
        const sender = message.user_id;
        if (typeof sender !== 'string' || this.#isRemoved(message) || this.#input.users.leftOutIds.has(sender))
          continue;
        this.#senders.add(sender);
        senders?.add(sender);
      }
    }
  }

  /** channel_urls of history files that stay, even those kept only as a record. */
  get historyFiles(): Iterable<string> {
    return this.#historyFiles.keys();
  }

  rulesOf(url: string): EarlierRules | undefined {
    const historyFile = this.#historyFiles.get(url);
    if (historyFile === undefined) return undefined;
    const isKept = ({ timestamp, user_id, dedup_id }: JsonObject): boolean =>
      !isGone(historyFile, Number(timestamp)) &&
      !this.#isRemoved({ dedup_id }) &&
      !(typeof user_id === 'string' && this.#input.users.leftOutIds.has(user_id));
    const { later, doubtful, isStated, counts } = historyFile;
    const superseded = (time: number): Superseded =>
      isWithin(later, time) ? 'whole' : later.some(({ edges }) => edges.includes(time)) ? 'known' : 'none';
    return { isKept, superseded, isDoubtful: (time) => isWithin(doubtful, time), keepsEdits: !isStated, counts };
  }

  #isRemoved({ dedup_id: id }: { readonly dedup_id?: JsonValue | undefined }): boolean {
    return typeof id === 'string' && this.#input.removed?.find(id) !== undefined;
  }

  /** Earlier channels that the export lacks, as they were declared. */
  *channels(): Generator<DeclaredChannel> {
    const { earlier, channels, isWhole } = this.#input;
    const urls = new Set([...channels.urls()].map(([, url]) => url));
    for (const kind of ['group_channel', 'open_channel'] as const) {
      for (const [url, attributes] of earlier.objects(kind)) {
        if (urls.has(url) || this.#leftOutChannels.has(url)) continue;
        if (isWhole && (this.#historyFiles.get(url)?.counts.kept ?? 0) === 0) continue;
        yield { kind, url, attributes: this.#withoutLeftOut(attributes) };
      }
    }
  }

  /** Users of the export. For users in a more recent, already converted export, the entry of that export wins. */
  *declaredUsers(): Generator<readonly [string, JsonObject]> {
    const { earlier, users, isWhole } = this.#input;
    const { isOlder } = this;
    for (const [userId, attributes] of users.declared(() => earlier.objects('user'))) {
      const before = isOlder ? earlier.objects('user').get(userId) : undefined;
      if (before !== undefined || !isOlder || !isWhole) yield [userId, before ?? attributes];
      // The more recent export lists everybody, so these users were gone by then.
      else if (users.hasSent(userId)) yield [userId, { ...attributes, deactivated: true }];
    }
  }

  /** Channels of the export. For channels in a more recent, already converted export, the entry of that export wins. */
  *declaredChannels(): Generator<DeclaredChannel> {
    const { earlier, channels, coverage, isWhole } = this.#input;
    const ids = new Map([...channels.urls()].map(([id, url]) => [url, id]));
    for (const channel of channels.declared()) {
      const { kind, url, attributes } = channel;
      const before = earlier.objects(kind).get(url);
      const taken = coverage.takenOf(ids.get(url) ?? '');
      const isOld = before !== undefined && !coverage.isOpenEnded && this.#laterExports.rangesOf(url, taken).length > 0;
      const id = ids.get(url);
      const isListed = id !== undefined && channels.get(id)?.senders === undefined;
      if (!isOld)
        yield before === undefined ? channel : { ...channel, attributes: inEarlierNotation(attributes, before) };
      else if (!isWhole) yield { kind, url, attributes: withMembersOf(before, attributes) };
      else yield { kind, url, attributes: isListed ? before : { ...before, members: attributes.members ?? {} } };
    }
  }

  /** Earlier users that the export lacks, as they were declared. `channels`: the channels that are kept. */
  *users(channels: readonly DeclaredChannel[]): Generator<readonly [string, JsonObject]> {
    const { earlier, users, isWhole } = this.#input;
    const isThere = new Set(users.declaredIds());
    const needed = new Set([...this.#senders, ...channels.flatMap(({ attributes }) => peopleIn(attributes))]);
    if (isWhole && [...needed].every((userId) => isThere.has(userId))) return;
    const unlisted = new Set(unlistedIn(earlier));
    for (const [userId, attributes] of earlier.objects('user')) {
      if (isThere.has(userId) || users.leftOutIds.has(userId)) continue;
      // Messages that are kept may be of an account that was merged since.
      if (users.mergedIds.has(userId) && !needed.has(userId)) continue;
      if (!isWhole || (needed.has(userId) && unlisted.has(userId))) yield [userId, attributes];
      // The list of people is complete, so these users are gone, but their messages stay.
      else if (needed.has(userId)) yield [userId, { ...attributes, deactivated: true }];
    }
  }

  /** How many users and channels are kept. Complete once the history files have been merged. */
  noLongerThere(users: number, channels: number): NoLongerThere {
    const found = [...this.#historyFiles].flatMap(([channel, { counts }]) =>
      counts.kept + counts.gone === 0 ? [] : [{ channel, kept: counts.kept, gone: counts.gone }],
    );
    const sum = (name: 'kept' | 'gone'): number => found.reduce((total, counts) => total + counts[name], 0);
    return { kept: sum('kept'), gone: sum('gone'), users, channels, historyFiles: found };
  }

  /** Whether an earlier conversion certainly read a more recent export. */
  get isOlder(): boolean {
    const { coverage } = this.#input;
    return !coverage.isOpenEnded && this.#laterExports.rangesOf(undefined, coverage.takenOf(undefined)).length > 0;
  }

  /** How many messages a more recent export changed or removed. Complete once the history files have been merged. */
  get superseded(): number {
    return [...this.#historyFiles.values()].reduce((sum, { counts }) => sum + counts.superseded, 0);
  }

  /**
   * What this export changes in one that may have been taken later. Undefined if it changes nothing, or if the order is known.
   * Takes all that is declared now; complete once the history files have been merged.
   */
  assumedLater(
    users: readonly (readonly [string, JsonObject])[],
    channels: readonly DeclaredChannel[],
  ): Omit<AssumedLater, 'newest'> | undefined {
    const messages = [...this.#historyFiles.values()].reduce((sum, { counts }) => sum + counts.doubtful, 0);
    const objects = this.#doubtfulObjects(users, channels);
    const later_edits = this.isOlder ? 0 : this.superseded;
    if (messages + objects.users + objects.channels + later_edits === 0) return undefined;
    return { messages, ...objects, later_edits };
  }

  #doubtfulObjects(users: readonly (readonly [string, JsonObject])[], channels: readonly DeclaredChannel[]) {
    const { coverage, earlier, channels: read } = this.#input;
    const doubtful = this.#laterExports.doubtfulRangesOf(undefined, coverage.takenOf(undefined));
    if (coverage.isOpenEnded || this.isOlder || doubtful.length === 0) return { users: 0, channels: 0 };
    // Every window of time adds members to channels whose members are known from messages alone.
    const unlisted = new Set(
      [...read.urls()].flatMap(([id, url]) => (read.get(id)?.senders === undefined ? [] : [url])),
    );
    const before = [...earlier.objects('group_channel'), ...earlier.objects('open_channel')];
    const now = channels.map(({ url, attributes }) => [url, attributes] as const);
    const isListed = ([url]: readonly [string, JsonObject]): boolean => !unlisted.has(url);
    return {
      users: this.#differences(new Map(users), earlier.objects('user')),
      channels: this.#differences(new Map(now.filter(isListed)), new Map(before.filter(isListed))),
    };
  }

  #differences(now: ReadonlyMap<string, JsonObject>, before: ReadonlyMap<string, JsonObject>): number {
    const changed = [...before].filter(
      ([key, attributes]) => !equalJson(asWritten(now.get(key)), asWritten(attributes)),
    );
    // An export that does not list everybody may lack objects that it knows nothing about.
    const added = this.#input.isWhole ? [...now.keys()].filter((key) => !before.has(key)) : [];
    return changed.length + added.length;
  }

  /** Looks for edits that this export lacks, if another one may have been taken later. `ids`: by channel_url. */
  async #compareEdits(ids: ReadonlyMap<string, string>, files: NewFiles, turns: Turns): Promise<void> {
    const { historyFileNames, earlier, coverage } = this.#input;
    if (coverage.isOpenEnded) return;
    for (const url of earlier.historyFiles()) {
      const id = ids.get(url);
      const doubtful = id === undefined ? [] : this.#laterExports.doubtfulRangesOf(url, coverage.takenOf(id));
      if (id === undefined || doubtful.length === 0) continue;
      const written = historyFileLinesOf(files.pathOf(historyFileNames.of(url)));
      const missing = await oldestMissingEdit(written, earlier.lines(url), turns);
      if (missing !== undefined) coverage.noteMissingEdit(id, missing);
    }
  }

  #historyFileOf(url: string, id: string | undefined): KeptHistoryFile {
    const { coverage } = this.#input;
    const counts = { kept: 0, gone: 0, superseded: 0, doubtful: 0 };
    const open = { later: [], doubtful: [], isStated: coverage.isOpenEnded, counts };
    if (id === undefined) return { ...open, ranges: [] };
    const ranges = coverage.rangesOf(id);
    if (coverage.isOpenEnded) return { ...open, ranges };
    const taken = coverage.takenOf(id);
    const later = this.#laterExports.rangesOf(url, taken);
    const doubtful = this.#laterExports.doubtfulRangesOf(url, taken);
    return { ranges, later, doubtful, isStated: taken.at !== undefined, counts };
  }

  #withoutLeftOut(attributes: JsonObject): JsonObject {
    const { members, operators } = attributes;
    const stays = (userId: string): boolean => !this.#input.users.leftOutIds.has(userId);
    return {
      ...attributes,
      ...(isObject(members)
        ? { members: Object.fromEntries(Object.entries(members).filter(([userId]) => stays(userId))) }
        : {}),
      ...(isList(operators) ? { operators: operators.filter((userId) => stays(String(userId))) } : {}),
    };
  }
}

/** The channel `before` with the members and operators of both, and what follows from their number. */
function withMembersOf(before: JsonObject, both: JsonObject): JsonObject {
  const known = isObject(before.members) ? before.members : {};
  const members = isObject(both.members) ? { members: { ...both.members, ...known } } : {};
  return { ...before, ...picked(both, ['operators', 'is_super', 'is_distinct']), ...members };
}

/** With the data of before, if only the notation of its values changed. */
function inEarlierNotation(attributes: JsonObject, { data: before }: JsonObject): JsonObject {
  const { data } = attributes;
  const isSame = typeof data === 'string' && typeof before === 'string' && data !== before;
  const [values, valuesBefore] = isSame ? [parsedObject(data), parsedObject(before)] : [];
  if (values === undefined || !isSameValue(values, valuesBefore)) return attributes;
  return { ...attributes, data: before as JsonValue };
}

/** YAML has nothing in place of an empty object. */
function asWritten(attributes: JsonObject | undefined): JsonValue | undefined {
  if (attributes === undefined) return undefined;
  const shortened = (_name: string, value: JsonValue) =>
    isObject(value) && Object.keys(value).length === 0 ? null : value;
  return JSON.parse(JSON.stringify(attributes), shortened) as JsonValue;
}

/** Whether the export would contain a message of that time if it still existed at the source. */
function isGone({ ranges, later }: KeptHistoryFile, time: number): boolean {
  return isWithin(ranges, time) && !isWithin(later, time);
}

function peopleIn({ members, operators }: JsonObject): readonly string[] {
  return [...Object.keys(isObject(members) ? members : {}), ...(isList(operators) ? operators.map(String) : [])];
}
