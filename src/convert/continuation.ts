// Continues an earlier conversion: what lies outside of the export's times and lists stays as it was declared.
import type { JsonObject } from '../lib/json.ts';
import { isList, isObject } from '../lib/json.ts';
import type { NoLongerThere } from '../model/conversion.ts';
import type { EarlierRules } from './archives.ts';
import type { Channels, DeclaredChannel } from './channels.ts';
import { LaterExports, unlistedIn } from './coverage-file.ts';
import type { Decisions } from './decisions.ts';
import type { Earlier } from './earlier.ts';
import { type Coverage, type CoveredRange, isWithin, type TimeRange } from './export/coverage.ts';
import type { MergeCounts, Superseded } from './merge.ts';
import type { Users } from './users.ts';

interface ContinuationInput {
  readonly earlier: Earlier;
  readonly coverage: Coverage;
  readonly users: Users;
  readonly channels: Channels;
  readonly decisions: Decisions;
  /** The export lists everybody: who is missing is not there any more. */
  readonly isWhole: boolean;
}

interface KeptArchive {
  /** The times of it that are covered. */
  readonly ranges: readonly TimeRange[];
  /** Those of them that an export of before covers, too, and which was taken later. */
  readonly later: readonly CoveredRange[];
  readonly counts: MergeCounts;
}

export class Continuation {
  readonly #input: ContinuationInput;
  /** By channel_url. */
  readonly #archives = new Map<string, KeptArchive>();
  /** user_ids of senders of messages that are kept. */
  readonly #senders = new Set<string>();
  /** user_ids and channel_urls that decisions.yaml leaves out. */
  readonly #leftOutUsers: ReadonlySet<string>;
  readonly #leftOutChannels: ReadonlySet<string>;
  readonly #laterExports: LaterExports;

  constructor(input: ContinuationInput) {
    this.#input = input;
    const { decisions, users, channels, earlier } = input;
    this.#laterExports = new LaterExports(earlier);
    const usersOut = [...decisions.leftOut.users.keys(), ...users.leftOut()];
    this.#leftOutUsers = new Set(usersOut.map((id) => decisions.user_ids.get(id) ?? id));
    const channelsOut = [...decisions.leftOut.channels.keys()].flatMap((id) => decisions.channel_urls.get(id) ?? []);
    this.#leftOutChannels = new Set([...channelsOut, ...channels.leftOut()]);
  }

  /** Finds what is kept. To be called when all messages of the export were read. */
  scan(): void {
    const { earlier, channels } = this.#input;
    const ids = new Map([...channels.urls()].map(([id, url]) => [url, id]));
    for (const url of earlier.archives()) {
      if (this.#leftOutChannels.has(url)) continue;
      const id = ids.get(url);
      const archive = this.#archiveOf(url, id);
      this.#archives.set(url, archive);
      const senders = id === undefined ? undefined : channels.get(id)?.senders;
      for (const { time, text } of earlier.lines(url)) {
        if (isGone(archive, time)) continue;
        const sender = (JSON.parse(text) as JsonObject).user_id;
        if (typeof sender !== 'string' || this.#leftOutUsers.has(sender)) continue;
        this.#senders.add(sender);
        senders?.add(sender);
      }
    }
  }

  /** channel_urls of archives that stay, if only because they must not be forgotten. */
  get archives(): Iterable<string> {
    return this.#archives.keys();
  }

  rulesOf(url: string): EarlierRules | undefined {
    const archive = this.#archives.get(url);
    if (archive === undefined) return undefined;
    const isKept = ({ timestamp, user_id }: JsonObject): boolean =>
      !isGone(archive, Number(timestamp)) && !(typeof user_id === 'string' && this.#leftOutUsers.has(user_id));
    const { later, counts } = archive;
    const superseded = (time: number): Superseded =>
      isWithin(later, time) ? 'whole' : later.some(({ edges }) => edges.includes(time)) ? 'known' : 'none';
    return { isKept, superseded, counts };
  }

  /** Channels of before that the export does not have, as they were declared. */
  *channels(): Generator<DeclaredChannel> {
    const { earlier, channels, isWhole } = this.#input;
    const urls = new Set([...channels.urls()].map(([, url]) => url));
    for (const kind of ['group_channel', 'open_channel'] as const) {
      for (const [url, attributes] of earlier.objects(kind)) {
        if (urls.has(url) || this.#leftOutChannels.has(url)) continue;
        if (isWhole && (this.#archives.get(url)?.counts.kept ?? 0) === 0) continue;
        yield { kind, url, attributes: this.#withoutLeftOut(attributes) };
      }
    }
  }

  /** Users of the export. What a later export, converted before, says of them stays. */
  *declaredUsers(): Generator<readonly [string, JsonObject]> {
    const { earlier, users, isWhole } = this.#input;
    const { isOlder } = this;
    for (const [userId, attributes] of users.declared(() => earlier.objects('user'))) {
      const before = isOlder ? earlier.objects('user').get(userId) : undefined;
      if (before !== undefined || !isOlder || !isWhole) yield [userId, before ?? attributes];
      // The later export lists everybody, so they were gone by then.
      else if (users.hasSent(userId)) yield [userId, { ...attributes, deactivated: true }];
    }
  }

  /** Channels of the export. What a later export, converted before, says of them stays. */
  *declaredChannels(): Generator<DeclaredChannel> {
    const { earlier, channels, coverage } = this.#input;
    const ids = new Map([...channels.urls()].map(([id, url]) => [url, id]));
    for (const channel of channels.declared()) {
      const { kind, url, attributes } = channel;
      const before = earlier.objects(kind).get(url);
      const taken = coverage.takenOf(ids.get(url) ?? '');
      const isOld = before !== undefined && !coverage.isOpenEnded && this.#laterExports.rangesOf(url, taken).length > 0;
      const id = ids.get(url);
      const isListed = id !== undefined && channels.get(id)?.senders === undefined;
      if (!isOld) yield channel;
      else yield { kind, url, attributes: isListed ? before : { ...before, members: attributes.members ?? {} } };
    }
  }

  /** Users of before whom the export does not have, as they were declared. `channels`: those that are kept. */
  *users(channels: readonly DeclaredChannel[]): Generator<readonly [string, JsonObject]> {
    const { earlier, users, isWhole } = this.#input;
    const isThere = new Set([...users.ids()].map(([, userId]) => userId));
    const needed = new Set([...this.#senders, ...channels.flatMap(({ attributes }) => peopleIn(attributes))]);
    if (isWhole && [...needed].every((userId) => isThere.has(userId))) return;
    const unlisted = new Set(unlistedIn(earlier));
    for (const [userId, attributes] of earlier.objects('user')) {
      if (isThere.has(userId) || this.#leftOutUsers.has(userId)) continue;
      if (!isWhole || (needed.has(userId) && unlisted.has(userId))) yield [userId, attributes];
      // The list of people is complete, so they are gone, and their messages stay.
      else if (needed.has(userId)) yield [userId, { ...attributes, deactivated: true }];
    }
  }

  /** Complete once the archives were merged. `users`, `channels`: how many are kept. */
  noLongerThere(users: number, channels: number): NoLongerThere {
    const found = [...this.#archives].flatMap(([channel, { counts }]) =>
      counts.kept + counts.gone === 0 ? [] : [{ channel, kept: counts.kept, gone: counts.gone }],
    );
    const sum = (name: 'kept' | 'gone'): number => found.reduce((total, counts) => total + counts[name], 0);
    return { kept: sum('kept'), gone: sum('gone'), users, channels, archives: found };
  }

  /** Whether an export of before was taken later than this one. */
  get isOlder(): boolean {
    const { coverage } = this.#input;
    return !coverage.isOpenEnded && this.#laterExports.rangesOf(undefined, coverage.takenOf(undefined)).length > 0;
  }

  /** How many messages a later export, converted before, has otherwise or no longer. Complete once the archives were merged. */
  get superseded(): number {
    return [...this.#archives.values()].reduce((sum, { counts }) => sum + counts.superseded, 0);
  }

  #archiveOf(url: string, id: string | undefined): KeptArchive {
    const { coverage } = this.#input;
    const ranges = id === undefined ? [] : coverage.rangesOf(id);
    const isOld = id !== undefined && !coverage.isOpenEnded;
    const later = isOld ? this.#laterExports.rangesOf(url, coverage.takenOf(id)) : [];
    return { ranges, later, counts: { kept: 0, gone: 0, superseded: 0 } };
  }

  #withoutLeftOut(attributes: JsonObject): JsonObject {
    const { members, operators } = attributes;
    const stays = (userId: string): boolean => !this.#leftOutUsers.has(userId);
    return {
      ...attributes,
      ...(isObject(members)
        ? { members: Object.fromEntries(Object.entries(members).filter(([userId]) => stays(userId))) }
        : {}),
      ...(isList(operators) ? { operators: operators.filter((userId) => stays(String(userId))) } : {}),
    };
  }
}

/** The export would contain a message of that time if it were still there. */
function isGone({ ranges, later }: KeptArchive, time: number): boolean {
  return isWithin(ranges, time) && !isWithin(later, time);
}

function peopleIn({ members, operators }: JsonObject): readonly string[] {
  return [...Object.keys(isObject(members) ? members : {}), ...(isList(operators) ? operators.map(String) : [])];
}
