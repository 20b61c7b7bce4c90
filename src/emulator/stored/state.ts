// The stored records and their indexes, and how effects change them. Contains no rules of the API.

import type { JsonObject } from '../api/request.ts';
import type { Effect, RestrictionKind } from './effects.ts';
import { MessageLog } from './message-log.ts';
import type {
  ApplicationRecord,
  ChannelRecord,
  GroupChannelRecord,
  MemberRecord,
  MessageRecord,
  OpenChannelRecord,
  RestrictionRecord,
  UserRecord,
} from './records.ts';
import { settingOfOperators } from './records.ts';
import { Sequence } from './sequence.ts';

const NO_STRINGS: readonly string[] = Object.freeze([]);
const NO_SESSIONS: UserRecord['sessions'] = Object.freeze([]);
const NO_METADATA = Object.freeze({});
const NO_MEMBERS: ReadonlyMap<string, MemberRecord> = new Map();
const NO_URLS: ReadonlySet<string> = new Set();
const NO_MESSAGES = new MessageLog();
const NEW_APPLICATION: ApplicationRecord = { autoAccept: true, draws: 0, lastSeq: 0, lastMessageId: 0 };

export class State {
  readonly users = new Sequence<UserRecord>();
  readonly bots = new Sequence<UserRecord>();
  readonly openChannels = new Sequence<OpenChannelRecord>();
  readonly groupChannels = new Sequence<GroupChannelRecord>();
  readonly restrictions: Readonly<Record<RestrictionKind, Restrictions>> = {
    ban: new Restrictions(),
    mute: new Restrictions(),
  };
  /** Settings of the application by name. Absent: never changed. */
  readonly #settings = new Map<string, JsonObject>();
  #application: ApplicationRecord = NEW_APPLICATION;
  readonly #members = new Map<string, Map<string, MemberRecord>>();
  readonly #messages = new Map<string, MessageLog>();
  readonly #dedupIds = new Map<string, Set<string>>();
  /** User id → URLs of the group channels that the user is a member of (invited or joined). */
  readonly #memberOf = new Map<string, Set<string>>();
  /** User id → URLs of the channels that the user operates. */
  readonly #operatorOf = new Map<string, Set<string>>();

  get application(): ApplicationRecord {
    return this.#application;
  }

  setting(name: string): JsonObject | undefined {
    return this.#settings.get(name);
  }

  settingNames(): readonly string[] {
    return [...this.#settings.keys()];
  }

  channel(url: string): ChannelRecord | undefined {
    return this.openChannels.get(url) ?? this.groupChannels.get(url);
  }

  members(url: string): ReadonlyMap<string, MemberRecord> {
    return this.#members.get(url) ?? NO_MEMBERS;
  }

  messages(url: string): MessageLog {
    return this.#messages.get(url) ?? NO_MESSAGES;
  }

  channelsOf(userId: string): ReadonlySet<string> {
    return this.#memberOf.get(userId) ?? NO_URLS;
  }

  /** Whether the channel has a message with this dedup id. Without `url`: whether any channel has. */
  knowsDedupId(dedupId: string, url: string | undefined): boolean {
    if (url !== undefined) return this.#dedupIds.get(url)?.has(dedupId) ?? false;
    for (const known of this.#dedupIds.values()) if (known.has(dedupId)) return true;
    return false;
  }

  apply(effect: Effect): void {
    switch (effect.type) {
      case 'application.put':
        this.#application = effect.application;
        break;
      case 'user.put':
        this.#putUser(shareEmpties(effect.user));
        this.#saw(effect.user.seq, 0);
        break;
      case 'user.delete':
        this.#deleteUser(effect.userId);
        break;
      case 'channel.put':
        this.#putChannel(effect.channel);
        break;
      case 'channel.delete':
        this.#deleteChannel(effect.url);
        break;
      case 'members.put':
        for (const member of effect.members) {
          getOrAdd(this.#members, effect.url, () => new Map()).set(member.userId, member);
          getOrAdd(this.#memberOf, member.userId, () => new Set()).add(effect.url);
        }
        break;
      case 'members.delete':
        for (const userId of effect.userIds) {
          this.#members.get(effect.url)?.delete(userId);
          removeFrom(this.#memberOf, userId, effect.url);
        }
        break;
      case 'messages.put':
        for (const message of effect.messages) this.#putMessage(effect.url, message);
        break;
      case 'messages.delete':
        for (const id of effect.ids) this.#messages.get(effect.url)?.delete(id);
        break;
      case 'restriction.put':
        this.restrictions[effect.kind].put(effect.url, effect.restriction);
        break;
      case 'restriction.delete':
        this.restrictions[effect.kind].delete(effect.url, effect.userId);
        break;
      case 'setting.put':
        this.#settings.set(effect.name, effect.value);
        break;
      case 'setting.delete':
        this.#settings.delete(effect.name);
        break;
    }
  }

  /** Effects that build this state from nothing: the content of a compacted data file. */
  *snapshot(): Generator<Effect> {
    yield { type: 'application.put', application: this.#application };
    for (const [name, value] of this.#settings) yield { type: 'setting.put', name, value };
    for (const user of this.users.ascending()) yield { type: 'user.put', user };
    for (const channels of [this.openChannels, this.groupChannels]) {
      for (const channel of channels.ascending()) {
        yield { type: 'channel.put', channel };
        const members = this.members(channel.url);
        if (members.size > 0) yield { type: 'members.put', url: channel.url, members: [...members.values()] };
        for (const message of this.messages(channel.url).from(0)) {
          yield { type: 'messages.put', url: channel.url, messages: [message] };
        }
      }
    }
    for (const kind of ['ban', 'mute'] as const) {
      for (const [url, restriction] of this.restrictions[kind].all()) {
        yield { type: 'restriction.put', kind, url, restriction };
      }
    }
  }

  /** Replaces everything by what these effects make, such as those of an earlier `snapshot`. */
  restore(effects: Iterable<Effect>): void {
    this.#application = NEW_APPLICATION;
    for (const records of [this.users, this.bots, this.openChannels, this.groupChannels]) records.clear();
    for (const kind of ['ban', 'mute'] as const) this.restrictions[kind].clear();
    for (const index of [this.#settings, this.#members, this.#messages, this.#dedupIds]) index.clear();
    for (const index of [this.#memberOf, this.#operatorOf]) index.clear();
    for (const effect of effects) this.apply(effect);
  }

  #putUser(user: UserRecord): void {
    this.users.put(user.userId, user);
    if (user.bot !== undefined) this.bots.put(user.userId, user);
  }

  #putChannel(channel: ChannelRecord): void {
    for (const id of this.channel(channel.url)?.operators ?? []) removeFrom(this.#operatorOf, id, channel.url);
    for (const id of channel.operators) getOrAdd(this.#operatorOf, id, () => new Set()).add(channel.url);
    if (channel.kind === 'open') this.openChannels.put(channel.url, channel);
    else this.groupChannels.put(channel.url, channel);
    this.#saw(channel.seq, 0);
  }

  #deleteChannel(url: string): void {
    for (const id of this.channel(url)?.operators ?? []) removeFrom(this.#operatorOf, id, url);
    for (const userId of this.members(url).keys()) removeFrom(this.#memberOf, userId, url);
    this.#dedupIds.delete(url);
    this.#members.delete(url);
    this.#messages.delete(url);
    this.restrictions.ban.deleteChannel(url);
    this.restrictions.mute.deleteChannel(url);
    this.openChannels.delete(url);
    this.groupChannels.delete(url);
  }

  /** Removes the user as member and operator everywhere, with bans and mutes. The messages stay. */
  #deleteUser(userId: string): void {
    for (const url of this.channelsOf(userId)) this.#members.get(url)?.delete(userId);
    this.#memberOf.delete(userId);
    for (const url of this.#operatorOf.get(userId) ?? []) {
      const channel = this.channel(url);
      if (channel !== undefined) {
        this.#putChannel({ ...channel, operators: channel.operators.filter((id) => id !== userId) });
      }
    }
    this.#operatorOf.delete(userId);
    for (const [name, { ids }] of this.#settings) {
      if (name.startsWith(settingOfOperators) && Array.isArray(ids))
        this.#settings.set(name, { ids: ids.filter((id) => id !== userId) });
    }
    this.restrictions.ban.deleteUser(userId);
    this.restrictions.mute.deleteUser(userId);
    this.bots.delete(userId);
    this.users.delete(userId);
  }

  #putMessage(url: string, message: MessageRecord): void {
    getOrAdd(this.#messages, url, () => new MessageLog()).put(message);
    if (message.dedupId !== '') getOrAdd(this.#dedupIds, url, () => new Set()).add(message.dedupId);
    this.#saw(0, message.id);
  }

  #saw(seq: number, messageId: number): void {
    const { lastSeq, lastMessageId } = this.#application;
    if (seq <= lastSeq && messageId <= lastMessageId) return;
    this.#application = {
      ...this.#application,
      lastSeq: Math.max(seq, lastSeq),
      lastMessageId: Math.max(messageId, lastMessageId),
    };
  }
}

/** Users share one empty list and one empty map, to save memory. */
function shareEmpties(user: UserRecord): UserRecord {
  return {
    ...user,
    metadata: Object.keys(user.metadata).length === 0 ? NO_METADATA : user.metadata,
    discoveryKeys: user.discoveryKeys.length === 0 ? NO_STRINGS : user.discoveryKeys,
    preferredLanguages: user.preferredLanguages.length === 0 ? NO_STRINGS : user.preferredLanguages,
    sessions: user.sessions.length === 0 ? NO_SESSIONS : user.sessions,
  };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function removeFrom(index: Map<string, Set<string>>, key: string, value: string): void {
  const values = index.get(key);
  if (values === undefined) return;
  values.delete(value);
  if (values.size === 0) index.delete(key);
}

// The bans or the mutes of all channels and custom types.

const NONE: ReadonlyMap<string, RestrictionRecord> = new Map();

class Restrictions {
  readonly #ofChannel = new Map<string, Map<string, RestrictionRecord>>();

  /** By user id, with those that have ended. */
  of(url: string): ReadonlyMap<string, RestrictionRecord> {
    return this.#ofChannel.get(url) ?? NONE;
  }

  /** The restriction that holds at this moment. */
  current(url: string, userId: string, nowMs: number): RestrictionRecord | undefined {
    const restriction = this.of(url).get(userId);
    return restriction !== undefined && restriction.endAt > nowMs ? restriction : undefined;
  }

  /** The channels that have restricted the user, also if the restriction has ended. */
  urlsOf(userId: string): string[] {
    return [...this.#ofChannel].flatMap(([url, restrictions]) => (restrictions.has(userId) ? [url] : []));
  }

  /** With the channel or custom type of each, and with those that have ended. */
  *all(): Generator<readonly [url: string, restriction: RestrictionRecord]> {
    for (const [url, restrictions] of this.#ofChannel)
      for (const restriction of restrictions.values()) yield [url, restriction];
  }

  put(url: string, restriction: RestrictionRecord): void {
    const known = this.#ofChannel.get(url) ?? new Map<string, RestrictionRecord>();
    this.#ofChannel.set(url, known.set(restriction.userId, restriction));
  }

  delete(url: string, userId: string): void {
    this.#ofChannel.get(url)?.delete(userId);
  }

  deleteChannel(url: string): void {
    this.#ofChannel.delete(url);
  }

  clear(): void {
    this.#ofChannel.clear();
  }

  deleteUser(userId: string): void {
    for (const restrictions of this.#ofChannel.values()) restrictions.delete(userId);
  }
}
