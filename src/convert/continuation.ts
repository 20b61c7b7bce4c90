// Continues an earlier conversion: what lies outside of the export's times and lists stays as it was declared.
import type { JsonObject } from '../lib/json.ts';
import { isList, isObject } from '../lib/json.ts';
import type { NoLongerThere } from '../model/conversion.ts';
import type { EarlierRules } from './archives.ts';
import type { Channels, DeclaredChannel } from './channels.ts';
import { unlistedIn } from './coverage-file.ts';
import type { Decisions } from './decisions.ts';
import type { Earlier } from './earlier.ts';
import { type Coverage, isWithin, type TimeRange } from './export/coverage.ts';
import type { MergeCounts } from './merge.ts';
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
  /** Undefined: no time of it is covered. */
  readonly range: TimeRange | undefined;
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

  constructor(input: ContinuationInput) {
    this.#input = input;
    const { decisions, users, channels } = input;
    const usersOut = [...decisions.leftOut.users.keys(), ...users.leftOut()];
    this.#leftOutUsers = new Set(usersOut.map((id) => decisions.user_ids.get(id) ?? id));
    const channelsOut = [...decisions.leftOut.channels.keys()].flatMap((id) => decisions.channel_urls.get(id) ?? []);
    this.#leftOutChannels = new Set([...channelsOut, ...channels.leftOut()]);
  }

  /** Finds what is kept. To be called when all messages of the export were read. */
  scan(): void {
    const { earlier, coverage, channels } = this.#input;
    const ids = new Map([...channels.urls()].map(([id, url]) => [url, id]));
    for (const url of earlier.archives()) {
      if (this.#leftOutChannels.has(url)) continue;
      const id = ids.get(url);
      const range = id === undefined ? undefined : coverage.rangeOf(id);
      this.#archives.set(url, { range, counts: { kept: 0, gone: 0 } });
      const senders = id === undefined ? undefined : channels.get(id)?.senders;
      for (const { time, text } of earlier.lines(url)) {
        if (isWithin(range, time)) continue;
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
    const { range, counts } = archive;
    const isKept = ({ timestamp, user_id }: JsonObject): boolean =>
      !isWithin(range, Number(timestamp)) && !(typeof user_id === 'string' && this.#leftOutUsers.has(user_id));
    return { isKept, counts };
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
      counts.kept + counts.gone === 0 ? [] : [{ channel, ...counts }],
    );
    const sum = (name: keyof MergeCounts): number => found.reduce((total, counts) => total + counts[name], 0);
    return { kept: sum('kept'), gone: sum('gone'), users, channels, archives: found };
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

function peopleIn({ members, operators }: JsonObject): readonly string[] {
  return [...Object.keys(isObject(members) ? members : {}), ...(isList(operators) ? operators.map(String) : [])];
}
