// Finds renamed users and channels in sources whose ids are names, by comparing with the previous conversion.
import { digestText } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Decisions, RenamedKind, RenameProposal } from './decisions.ts';
import type { EarlierConversion } from './earlier-conversion.ts';
import type { Roster } from './export/items.ts';

/** The number of messages to compare per new name. Comparing more adds no certainty. */
const maxCompared = 1000;

/** Ids that only this export has, and ids that only earlier conversions had. */
interface RenameSide {
  /** The entry of the export for each new id. */
  readonly appeared: ReadonlyMap<string, string>;
  /** The earlier source id by platform key. */
  readonly vanished: ReadonlyMap<string, string>;
  readonly isOpen: boolean;
  /** New ids by time and text of a message. */
  readonly messages: Map<string, Set<string>>;
  readonly counts: Map<string, number>;
}

function sideOf(
  listed: readonly { readonly id: string; readonly name: string; readonly isAsked: boolean }[],
  keys: ReadonlyMap<string, string>,
  isSettled: (id: string) => boolean,
  leftOut: { has(id: string): boolean },
): RenameSide {
  const ids = new Set(listed.map(({ id }) => id));
  const isNew = (id: string): boolean => !keys.has(id) && !isSettled(id);
  const appeared = new Map(listed.filter((item) => item.isAsked && isNew(item.id)).map(({ id, name }) => [id, name]));
  const vanished = new Map([...keys].filter(([id]) => !ids.has(id) && !leftOut.has(id)).map(([id, key]) => [key, id]));
  return { appeared, vanished, isOpen: appeared.size > 0 && vanished.size > 0, messages: new Map(), counts: new Map() };
}

function note({ counts, messages }: RenameSide, id: string, key: string): void {
  const count = counts.get(id) ?? 0;
  if (count >= maxCompared) return;
  counts.set(id, count + 1);
  messages.set(key, (messages.get(key) ?? new Set()).add(id));
}

/** How the messages of a missing id compare with those of the new ids. */
interface Compared {
  /** Messages within the times of the export. */
  total: number;
  readonly same: Map<string, number>;
}

export class SourceRenames {
  readonly #earlier: EarlierConversion;
  readonly #sides: Readonly<Record<RenamedKind, RenameSide>>;

  constructor(roster: Roster, decisions: Decisions, earlier: EarlierConversion) {
    const isSettled = (kind: RenamedKind) => (id: string) => decisions.renamed[kind].get(id)?.same === 'no';
    const { user_ids, channel_urls, leftOut } = decisions;
    this.#earlier = earlier;
    this.#sides = {
      users: sideOf(
        roster.users.map(({ id, name }) => ({ id, name, isAsked: true })),
        user_ids,
        isSettled('users'),
        leftOut.users,
      ),
      // The id of a direct channel consists of its members' ids, so it follows them.
      channels: sideOf(
        roster.channels.map(({ id, name, access }) => ({ id, name, isAsked: access !== 'direct' })),
        channel_urls,
        isSettled('channels'),
        leftOut.channels,
      ),
    };
  }

  /** Records the first line of a message of the export. */
  note(sender: string | undefined, channel: string, line: string): void {
    const { users, channels } = this.#sides;
    const isOfUser = sender !== undefined && users.isOpen && users.appeared.has(sender);
    const isOfChannel = channels.isOpen && channels.appeared.has(channel);
    if (!isOfUser && !isOfChannel) return;
    const key = keyOf(JSON.parse(line) as JsonObject);
    if (isOfUser) note(users, sender, key);
    if (isOfChannel) note(channels, channel, key);
  }

  /** Call after all messages were recorded. `extent`: times of the first and last message of the export. */
  proposals(extent: { readonly first: number; readonly last: number } | undefined): readonly RenameProposal[] {
    const { users, channels } = this.#sides;
    if (!users.isOpen && !channels.isOpen) return [];
    const compared = { users: new Map<string, Compared>(), channels: new Map<string, Compared>() };
    for (const url of this.#earlier.historyFiles()) {
      for (const { time, text } of this.#earlier.lines(url)) {
        if (extent === undefined || time < extent.first || time > extent.last) continue;
        const message = JSON.parse(text) as JsonObject;
        // Compare only the first line of a message.
        if (/#\d+$/u.test(String(message.dedup_id))) continue;
        const key = keyOf(message);
        const sender = typeof message.user_id === 'string' ? users.vanished.get(message.user_id) : undefined;
        if (sender !== undefined) compare(compared.users, sender, users.messages.get(key));
        const channel = channels.vanished.get(url);
        if (channel !== undefined) compare(compared.channels, channel, channels.messages.get(key));
      }
    }
    return [...this.#proposed('users', compared.users), ...this.#proposed('channels', compared.channels)];
  }

  *#proposed(kind: RenamedKind, compared: ReadonlyMap<string, Compared>): Generator<RenameProposal> {
    const { appeared, vanished, counts } = this.#sides[kind];
    const askedIds = new Set<string>();
    const found = [...compared].flatMap(([was, { total, same }]) =>
      [...same].map(([id, count]) => ({ id, was, count, total })),
    );
    for (const { id, was, count, total } of found.sort((left, right) => right.count - left.count)) {
      if (count * 2 < Math.min(total, counts.get(id) ?? 0) || askedIds.has(id)) continue;
      askedIds.add(id);
      yield { kind, id, was, evidence: `${count} of ${total} messages have the same time and text` };
    }
    // A user without messages in these times can be matched only by name.
    const silent = [...vanished].filter(([, was]) => (compared.get(was)?.total ?? 0) === 0);
    for (const [id, name] of appeared) {
      if (askedIds.has(id) || name === '') continue;
      const alike = silent.filter(([key]) => this.#nameOf(kind, key) === name);
      const [only] = alike;
      if (only !== undefined && alike.length === 1) yield { kind, id, was: only[1], evidence: 'the same display name' };
    }
  }

  /** As the previous conversion declared it. */
  #nameOf(kind: RenamedKind, key: string): unknown {
    if (kind === 'users') return this.#earlier.objects('user').get(key)?.nickname;
    const channel = this.#earlier.objects('group_channel').get(key) ?? this.#earlier.objects('open_channel').get(key);
    return channel?.name;
  }
}

function keyOf({ timestamp, message, file_name }: JsonObject): string {
  return `${String(timestamp)} ${digestText(String(message ?? file_name ?? ''))}`;
}

function compare(compared: Map<string, Compared>, was: string, ids: ReadonlySet<string> | undefined): void {
  const known = compared.get(was) ?? { total: 0, same: new Map<string, number>() };
  known.total += 1;
  for (const id of ids ?? []) known.same.set(id, (known.same.get(id) ?? 0) + 1);
  compared.set(was, known);
}
