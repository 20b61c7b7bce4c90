// Decides for each channel its kind, its channel_url and its members.
import { digestText } from '../../lib/digest.ts';
import { isList, isObject, type JsonObject, usableText } from '../../lib/json.ts';
import { isChannelUrl } from './decision-checks.ts';
import type { Decisions } from './decisions.ts';
import type { EarlierConversion } from './earlier-conversion.ts';
import { envelopeVersion } from './envelope.ts';
import type { SourceChannel } from './export/items.ts';
import type { ReasonCode } from './export/reasons.ts';
import { scrub } from './export/urls.ts';
import type { LedgerEntry } from './ledger.ts';
import { shortened, type Users } from './users.ts';

/** Maximum members of a group channel and of a supergroup (base, POST /group_channels). */
const maxMembers = 100;
const maxSupergroupMembers = 2000;
const maxName = 191;
const maxOperators = 100;

const invitation: JsonObject = { invitation_status: 'invited_by_friend' };

export interface ConvertedChannel {
  readonly source: SourceChannel;
  readonly url: string;
  /** The address of the channel's history file. */
  readonly historyFile: string;
  /** Why the channel is left out together with its messages. */
  readonly leftOut: ReasonCode | undefined;
  /** user_ids of the senders, used if the export lists no members. */
  readonly senders: Set<string> | undefined;
}

export interface DeclaredChannel {
  readonly kind: 'group_channel' | 'open_channel';
  readonly url: string;
  readonly attributes: JsonObject;
}

export class Channels {
  readonly #decisions: Decisions;
  readonly #users: Users;
  readonly #earlier: Pick<EarlierConversion, 'objects'> | undefined;
  readonly #channels = new Map<string, ConvertedChannel>();
  readonly #taken: Set<string>;
  /** The members of channels whose members the export lists, filled on demand. */
  readonly #members = new Map<ConvertedChannel, ReadonlySet<string>>();
  /** The first distinct channel for each set of members and type. */
  readonly #distinct = new Map<string, ConvertedChannel>();

  /** `earlier`: for an export that does not list everybody, the conversion whose members it keeps. */
  constructor(
    listed: readonly SourceChannel[],
    users: Users,
    decisions: Decisions,
    earlier?: Pick<EarlierConversion, 'objects'>,
  ) {
    this.#earlier = earlier;
    this.#decisions = decisions;
    this.#users = users;
    this.#taken = new Set(decisions.channel_urls.values());
    for (const source of listed)
      if (!this.#channels.has(source.id)) this.#channels.set(source.id, this.#convert(source));
  }

  get(sourceId: string): ConvertedChannel | undefined {
    return this.#channels.get(sourceId);
  }

  /** Complete once all messages have been read. */
  entry(at: string, id: string, sourceId: string, name?: string): LedgerEntry {
    const channel = this.#channels.get(sourceId);
    if (channel === undefined) return { at, id, reasons: ['part.orphan'] };
    const { source, url } = channel;
    const leftOut = this.#leftOutAtEnd(channel);
    if (leftOut !== undefined) return { at, id, reasons: [leftOut] };
    if ((name ?? source.name) !== source.name) return { at, id, reasons: ['object.repeated'] };
    const members = this.#membersOf(channel);
    const exportedMembers = this.#ownMembersOf(channel);
    const isOpen = this.#isOpen(channel, members.length);
    const reasons: ReasonCode[] = [];
    if (isOpen && source.isOpen !== true) reasons.push('channel.open');
    if (source.isOpen === true) {
      // Nobody is a member of it.
    } else if (isListed(source)) {
      if (exportedMembers.size < new Set(source.members).size) reasons.push('channel.members-left-out');
    } else reasons.push('channel.members-from-senders');
    if (members.length > exportedMembers.size) reasons.push('channel.members-kept');
    if (source.access === 'direct' && !this.#isDistinct(channel, members))
      reasons.push(isOneSided(channel, members) ? 'channel.one-sided' : 'channel.same-members');
    if (nameOf(source) !== source.name) reasons.push('channel.name-cut');
    if (this.#isNarrowed(source) && !isOpen) reasons.push('channel.not-public');
    const kind = isOpen ? 'open_channel' : 'group_channel';
    if (source.isDeleted === true) reasons.unshift('channel.was-deleted');
    return { at, id, reasons: [...reasons, ...source.reasons], to: `${kind}.${url}` };
  }

  *declared(): Generator<DeclaredChannel> {
    for (const channel of this.#channels.values()) {
      if (this.#leftOutAtEnd(channel) !== undefined) continue;
      const { source, url } = channel;
      const members = this.#membersOf(channel);
      const common = {
        ...(source.name === '' ? {} : { name: nameOf(source) }),
        custom_type: `${this.#decisions.source}_${source.access}`,
        data: JSON.stringify({
          chatform: envelopeVersion,
          id: `${this.#decisions.source}:${source.id}`,
          ...scrub(this.#factsOf(source)),
        }),
        ...(source.native === undefined ? {} : scrub(source.native)),
      };
      const frozen = source.isArchived || source.isDeleted === true ? { frozen: true } : {};
      if (this.#isOpen(channel, members.length)) {
        const operators = source.isOpen === true ? operatorsOf(this.#operatorsOf(source)) : {};
        const restrictions = this.#restrictionsOf(source, () => true);
        yield { kind: 'open_channel', url, attributes: { ...common, ...operators, ...restrictions, ...frozen } };
        continue;
      }
      const isMember = new Set(members);
      const before = this.#before(url);
      const named = this.#operatorsOf(source);
      const operators = [...new Set([...named, ...(isList(before.operators) ? before.operators.map(String) : [])])]
        .filter((id) => isMember.has(id))
        .slice(0, maxOperators);
      const exportedMembers = this.#ownMembersOf(channel);
      const keptMembers = isObject(before.members) ? before.members : {};
      const invited = new Set((source.invited ?? []).map((id) => this.#users.mentioned(id)));
      const attributes: JsonObject = {
        ...common,
        members: Object.fromEntries(
          members.map((id) => [
            id,
            invited.has(id) ? invitation : exportedMembers.has(id) ? {} : (keptMembers[id] ?? {}),
          ]),
        ),
        ...(operators.length === 0 ? {} : { operators }),
        ...(this.#isDistinct(channel, members) ? { is_distinct: true } : {}),
        ...(source.access === 'public' && !this.#isNarrowed(source) ? { is_public: true } : {}),
        ...(members.length > maxMembers ? { is_super: true } : {}),
        ...this.#restrictionsOf(source, (id) => isMember.has(id)),
        ...frozen,
      };
      yield { kind: 'group_channel', url, attributes };
    }
  }

  /** The address of the declared channel. */
  addressOf(channel: ConvertedChannel): string {
    const members = channel.senders === undefined ? this.#listedMembers(channel).size : 0;
    return `${this.#isOpen(channel, members) ? 'open_channel' : 'group_channel'}.${channel.url}`;
  }

  /** For channels whose members the export lists. */
  #listedMembers(channel: ConvertedChannel): ReadonlySet<string> {
    const members = this.#members.get(channel) ?? new Set(this.#membersOf(channel));
    this.#members.set(channel, members);
    return members;
  }

  /** user_ids of those who are declared and not banned. */
  #operatorsOf({ operators, banned }: SourceChannel): readonly string[] {
    const allowed = operators.filter((id) => banned?.has(id) !== true);
    return [...new Set(allowed.flatMap((id) => this.#users.mentioned(id) ?? []))];
  }

  /** Mutes of those who are inside, and bans of those who are not. */
  #restrictionsOf({ muted, banned }: SourceChannel, isInside: (userId: string) => boolean): JsonObject {
    const entriesOf = (people: SourceChannel['muted'], takes: (userId: string) => boolean) =>
      [...(people ?? [])].flatMap(([id, restriction]) => {
        const userId = this.#users.mentioned(id);
        return userId === undefined || !takes(userId) ? [] : [[userId, restriction] as const];
      });
    const [mutes, bans] = [entriesOf(muted, isInside), entriesOf(banned, () => true)];
    return {
      ...(mutes.length === 0 ? {} : { muted: Object.fromEntries(mutes) }),
      ...(bans.length === 0 ? {} : { banned: Object.fromEntries(bans) }),
    };
  }

  /** Omits a creator who is left out by name or as part of a group, such as guests, and replaces an id that is a name. */
  #factsOf({ facts, creator }: SourceChannel): JsonObject {
    if (creator === undefined) return facts;
    const isPersonal = this.#users.hasPersonalId(creator);
    if (!isPersonal && !this.#users.isLeftOut(creator)) return facts;
    const { creator: _creator, ...rest } = facts;
    const userId = isPersonal ? this.#users.mentioned(creator) : undefined;
    return userId === undefined ? rest : { creator: userId, ...rest };
  }

  /**
   * Whether the user can react in the channel. If the export lists no members, people who react count as members, like people
   * who write. Open channels have no reactions.
   */
  hasReactor(channel: ConvertedChannel, userId: string): boolean {
    if (channel.senders !== undefined) {
      channel.senders.add(userId);
      return true;
    }
    const members = this.#listedMembers(channel);
    return members.has(userId) && !this.#isOpen(channel, members.size);
  }

  /** channel_urls of channels that proved impossible to declare only after all messages were read. */
  *dropped(): Generator<string> {
    for (const channel of this.#channels.values()) {
      if (channel.leftOut === undefined && this.#leftOutAtEnd(channel) !== undefined) yield channel.url;
    }
  }

  /** channel_urls. */
  *leftOut(): Generator<string> {
    for (const { url, leftOut } of this.#channels.values()) if (leftOut !== undefined) yield url;
  }

  *urls(): Generator<readonly [string, string]> {
    for (const { source, url, leftOut } of this.#channels.values()) if (leftOut === undefined) yield [source.id, url];
  }

  #convert(source: SourceChannel): ConvertedChannel {
    const members = (source.members ?? []).length;
    const isDeleted = source.isDeleted === true && this.#decisions.channels.deleted === 'leave_out';
    const leftOut = this.#decisions.leftOut.channels.has(source.id)
      ? 'channel.left-out'
      : isDeleted
        ? 'channel.deleted'
        : members > maxSupergroupMembers && source.access !== 'public'
          ? 'channel.too-many-members'
          : undefined;
    const senders = isListed(source) || source.isOpen === true ? undefined : new Set<string>();
    const url = this.#newUrl(source);
    return { source, url, historyFile: `messages.${url}`, leftOut, senders };
  }

  #newUrl({ id, url: exportedUrl, hasOpaqueId, native }: SourceChannel): string {
    const decided = this.#decisions.channel_urls.get(id);
    if (decided !== undefined) return decided;
    const { source } = this.#decisions;
    // Channels from the platform's own exports keep their channel_url.
    const plain = exportedUrl ?? (native === undefined ? `${source}_${id}`.replace(/[^0-9A-Za-z_-]/gu, '_') : id);
    const digest = `${source}_${digestText(id).slice(0, 20)}`;
    const isUsable = exportedUrl !== undefined || hasOpaqueId;
    const url = isUsable && isChannelUrl(plain) && !this.#taken.has(plain) ? plain : digest;
    this.#taken.add(url);
    return url;
  }

  /** Sorted, without duplicates. */
  #membersOf(channel: ConvertedChannel): readonly string[] {
    const exportedMembers = this.#ownMembersOf(channel);
    const { members } = this.#before(channel.url);
    const { leftOutIds, mergedIds } = this.#users;
    const excluded = new Set((channel.source.excluded ?? []).map((id) => this.#users.mentioned(id)));
    const kept = Object.keys(isObject(members) ? members : {}).filter(
      (id) => !leftOutIds.has(id) && !mergedIds.has(id) && !excluded.has(id),
    );
    return [...new Set([...exportedMembers, ...kept])].sort();
  }

  /** The members that this export shows. */
  #ownMembersOf({ url, source, senders }: ConvertedChannel): ReadonlySet<string> {
    if (senders === undefined) return new Set((source.members ?? []).flatMap((id) => this.#users.userId(id) ?? []));
    const creator = source.creator === undefined ? undefined : this.#users.mentioned(source.creator);
    const isNobodyElse = senders.size === 0 && Object.keys(this.#before(url)).length === 0;
    return new Set([...senders, ...(isNobodyElse && creator !== undefined ? [creator] : [])]);
  }

  /** The group channel as earlier exports declared it, if this one does not list everybody. */
  #before(url: string): JsonObject {
    return this.#earlier?.objects('group_channel').get(url) ?? {};
  }

  /** An open channel has no members, so a part of them does not make it a group channel again. */
  #isOpen({ source, url }: ConvertedChannel, members: number): boolean {
    if (source.isOpen === true) return true;
    return members > maxSupergroupMembers || this.#earlier?.objects('open_channel').has(url) === true;
  }

  #leftOutAtEnd(channel: ConvertedChannel): ReasonCode | undefined {
    const { leftOut, source } = channel;
    if (leftOut !== undefined) return leftOut;
    const members = this.#membersOf(channel);
    const isOpen = this.#isOpen(channel, members.length);
    if (members.length === 0 && !isOpen) return 'channel.nobody';
    return isOpen && source.access !== 'public' ? 'channel.too-many-members' : undefined;
  }

  /** Whether a public channel of the source is restricted to its members. Channels from the platform's own exports are unchanged. */
  #isNarrowed({ access, native }: SourceChannel): boolean {
    return access === 'public' && native === undefined && this.#decisions.channels.public === 'members';
  }

  #isDistinct(channel: ConvertedChannel, members: readonly string[]): boolean {
    if (channel.source.access !== 'direct' || members.length === 0 || members.length > maxMembers) return false;
    if (isOneSided(channel, members)) return false;
    const key = members.join('\n');
    const first = this.#distinct.get(key) ?? channel;
    this.#distinct.set(key, first);
    return first === channel;
  }
}

/** Whether the export does not list the members of a channel and only one of them wrote. */
function isOneSided({ senders }: ConvertedChannel, members: readonly string[]): boolean {
  return senders !== undefined && members.length < 2;
}

function operatorsOf(ids: readonly string[]): JsonObject {
  return ids.length === 0 ? {} : { operators: ids.slice(0, maxOperators) };
}

/** The part of the name that the platform can store. */
function nameOf({ name }: SourceChannel): string {
  return shortened(usableText(name), maxName);
}

function isListed({ members }: SourceChannel): boolean {
  return members !== undefined && members.length > 0;
}
