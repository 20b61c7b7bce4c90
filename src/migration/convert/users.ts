// Decides the user_id of each user of a conversion, and which users are left out.

import type { UserKinds } from '../../core/model/conversion.ts';
import { isUnusableText, type JsonObject, usableText } from '../../lib/json.ts';
import { Suggestions } from '../../lib/suggestions.ts';
import { isUserId, type WrongDecision } from './decision-checks.ts';
import type { Decisions } from './decisions.ts';
import type { EarlierConversion } from './earlier-conversion.ts';
import type { SourceUser } from './export/items.ts';
import type { ReasonCode } from './export/reasons.ts';
import { otherIdentity } from './export/refusals.ts';
import type { ExportSource } from './export/source.ts';
import { safePlace } from './export/urls.ts';
import type { Identities } from './identities.ts';
import type { LedgerEntry } from './ledger.ts';

const maxNickname = 80;
const maxProfileUrl = 2048;

interface User {
  readonly source: SourceUser;
  /** Undefined if the user is left out. `admin` turns the user's messages into admin messages. */
  readonly userId: string | undefined;
  readonly isAdmin: boolean;
  /** Neither this export nor, if it does not list everybody, an earlier one lists the user. */
  readonly isUnknown: boolean;
  /** Listed by an earlier export only, and kept as declared there. */
  readonly isKept: boolean;
}

/** The sender of a message on the platform. */
export type Sender =
  | { readonly type: 'user'; readonly userId: string; readonly reasons: readonly ReasonCode[] }
  | { readonly type: 'admin' }
  | { readonly type: 'left_out' };

const noReasons: readonly ReasonCode[] = [];
const unknownReasons: readonly ReasonCode[] = ['sender.unknown'];

export class Users {
  readonly #decisions: Decisions;
  readonly #ids: Pick<ExportSource, 'isOpaqueId' | 'idsArePersonal'>;
  readonly #identities: Identities | undefined;
  readonly #earlier: Pick<EarlierConversion, 'objects'> | undefined;
  readonly #users = new Map<string, User>();
  readonly #senders = new Map<string, Sender>();
  /** Users who are missing from the export's list and whose names have not appeared in a message yet. */
  readonly #nameless = new Set<string>();
  /** user_ids, complete once all messages have been read. */
  #sent: ReadonlySet<string> | undefined;
  readonly #taken: Set<string>;
  readonly #leftOutIds: Set<string>;
  /** Listed accounts that became part of another one. */
  readonly #merged = new Set<string>();
  #nextNumber: number;
  /** `earlier`: for an export that does not list everybody, the conversion whose users it keeps. */
  constructor(
    listed: readonly SourceUser[],
    decisions: Decisions,
    ids: Pick<ExportSource, 'isOpaqueId' | 'idsArePersonal'>,
    identities?: Identities,
    earlier?: Pick<EarlierConversion, 'objects'>,
  ) {
    this.#decisions = decisions;
    this.#ids = ids;
    this.#identities = identities;
    this.#earlier = earlier;
    this.#taken = new Set(decisions.user_ids.values());
    this.#leftOutIds = new Set([...decisions.leftOut.users.keys()].map((id) => decisions.user_ids.get(id) ?? id));
    const numbers = [...this.#taken].map((id) => Number(/^user-(\d+)$/u.exec(id)?.[1] ?? 0));
    this.#nextNumber = numbers.reduce((most, number) => Math.max(most, number), 0) + 1;
    // If two users have the same id, the first counts. The ledger has both.
    for (const source of listed) {
      if (decisions.merged.has(source.id)) this.#merged.add(source.id);
      else if (!this.#users.has(source.id)) this.#add(source, false);
    }
  }

  /** A user described by a message, in an export without a list of users. */
  meet(source: SourceUser): void {
    if (this.#decisions.merged.has(source.id)) this.#merged.add(source.id);
    else if (!this.#users.has(source.id)) this.#add(source, false);
  }

  sender(sourceId: string, { name, isBot }: { readonly name?: string; readonly isBot: boolean }): Sender {
    if (name !== undefined && this.#nameless.has(sourceId)) this.#name(sourceId, name);
    const known = this.#senders.get(sourceId);
    if (known !== undefined) return known;
    const { source, userId, isAdmin, isUnknown } = this.#find(sourceId, name, isBot);
    const sender: Sender =
      userId === undefined
        ? { type: isAdmin ? 'admin' : 'left_out' }
        : { type: 'user', userId, reasons: isUnknown && source.type !== 'bot' ? unknownReasons : noReasons };
    this.#senders.set(sourceId, sender);
    return sender;
  }

  /** The name of a sender, as the export lists it or as the first message says. */
  nameOf(sourceId: string): string | undefined {
    return this.#users.get(this.#ownerOf(sourceId))?.source.name;
  }

  /** The user_id of a member, who is declared even if unlisted. Undefined if the user is left out. */
  userId(sourceId: string): string | undefined {
    return this.#find(sourceId, undefined, false).userId;
  }

  /** Undefined if the user is not listed or is left out. */
  mentioned(sourceId: string): string | undefined {
    const ownerId = this.#ownerOf(sourceId);
    const user = this.#users.get(ownerId);
    if (user === undefined && this.#keptId(ownerId) !== undefined) return this.userId(ownerId);
    return user?.userId;
  }

  /** Whether data that clients read must not contain the id, since it is the name or address of a person. */
  hasPersonalId(sourceId: string): boolean {
    if (!this.#ids.idsArePersonal) return false;
    const source = this.#users.get(sourceId)?.source;
    return source === undefined ? !this.#ids.isOpaqueId(sourceId) : source.type !== 'bot' && !source.hasOpaqueId;
  }

  /** `name` is the name at this place in the export, if stated. */
  entry(at: string, id: string, sourceId: string, name?: string): LedgerEntry {
    const ownerId = this.#ownerOf(sourceId);
    const user = ownerId === sourceId ? this.#users.get(sourceId) : this.#find(ownerId, undefined, false);
    if (user?.userId === undefined) return { at, id, reasons: ['user.left-out'] };
    const { source, userId } = user;
    if (ownerId !== sourceId) return { at, id, reasons: ['user.merged'], to: `user.${userId}` };
    if ((name ?? source.name) !== source.name) return { at, id, reasons: ['object.repeated'] };
    const reasons: ReasonCode[] = [...source.reasons];
    if (source.isBanned === true) reasons.unshift(this.#deactivatesBanned ? 'user.banned' : 'user.ban-lifted');
    if (userId !== source.id) reasons.unshift('user.new-id');
    if (nicknameOf(source, userId) !== source.name) reasons.push('user.name-cut');
    if (source.picture !== undefined && safePlace(source.picture)?.isCut === true) reasons.push('token.removed');
    const isPictureLost = source.picture !== undefined && this.#keepsPictures && pictureOf(source) === undefined;
    if (isPictureLost && !reasons.includes('user.profile-fields')) reasons.push('user.profile-fields');
    return { at, id, reasons, to: `user.${userId}` };
  }

  /** Users in order of appearance. `before` has their previous declarations, for names that this export does not state. */
  *declared(before: () => ReadonlyMap<string, JsonObject>): Generator<readonly [string, JsonObject]> {
    for (const { source, userId, isUnknown, isKept } of this.#users.values()) {
      if (userId === undefined || isKept) continue;
      const known = this.#nameless.has(source.id) ? before().get(userId)?.nickname : undefined;
      const picture = this.#keepsPictures ? pictureOf(source) : undefined;
      const isBanned = source.isBanned === true && this.#deactivatesBanned;
      const isDeactivated = source.isDeleted || isBanned || (isUnknown && source.type !== 'bot');
      yield [
        userId,
        {
          nickname: typeof known === 'string' ? known : nicknameOf(source, userId),
          ...(picture === undefined ? {} : { profile_url: picture }),
          ...(isDeactivated ? { deactivated: true } : {}),
        },
      ];
    }
  }

  /** The user_ids of all users that are not left out, by source id. */
  *ids(): Generator<readonly [string, string]> {
    for (const { source, userId } of this.#users.values()) if (userId !== undefined) yield [source.id, userId];
  }

  /** The user_ids of the users that this export declares. */
  *declaredIds(): Generator<string> {
    for (const { userId, isKept } of this.#users.values()) if (userId !== undefined && !isKept) yield userId;
  }

  /** Whether the user sent a message of the export. */
  hasSent(userId: string): boolean {
    this.#sent ??= new Set(
      [...this.#senders.values()].flatMap((sender) => (sender.type === 'user' ? sender.userId : [])),
    );
    return this.#sent.has(userId);
  }

  /** The number of users of each kind that this export declares. */
  get kinds(): UserKinds {
    const kinds = { people: 0, guests: 0, bots: 0, deactivated: 0, unlisted: 0 };
    for (const { source, userId, isUnknown, isKept } of this.#users.values()) {
      if (userId === undefined || isKept) continue;
      if (source.type === 'bot') kinds.bots += 1;
      else if (isUnknown) kinds.unlisted += 1;
      else if (source.isDeleted || (source.isBanned === true && this.#deactivatesBanned)) kinds.deactivated += 1;
      else if (source.type === 'guest') kinds.guests += 1;
      else kinds.people += 1;
    }
    return kinds;
  }

  isLeftOut(sourceId: string): boolean {
    const ownerId = this.#ownerOf(sourceId);
    const user = this.#users.get(ownerId);
    return user === undefined ? this.#decisions.leftOut.users.has(ownerId) : user.userId === undefined && !user.isAdmin;
  }

  /** The user_ids of users who are not declared. Complete once all messages have been read. */
  get leftOutIds(): ReadonlySet<string> {
    return this.#leftOutIds;
  }

  /** The user_ids that merged accounts had in earlier conversions. */
  get mergedIds(): ReadonlySet<string> {
    const { merged, user_ids: userIds } = this.#decisions;
    return new Set([...merged.keys()].map((id) => userIds.get(id) ?? id));
  }

  /** user_ids. */
  *unlistedBots(): Generator<string> {
    for (const { source, userId, isUnknown } of this.#users.values()) {
      if (isUnknown && source.type === 'bot' && userId !== undefined) yield userId;
    }
  }

  get #deactivatesBanned(): boolean {
    return this.#decisions.users.banned === 'deactivate';
  }

  get #keepsPictures(): boolean {
    return this.#decisions.users.pictures === 'keep';
  }

  #name(sourceId: string, name: string): void {
    const user = this.#users.get(sourceId);
    if (user !== undefined) this.#users.set(sourceId, { ...user, source: { ...user.source, name } });
    this.#nameless.delete(sourceId);
  }

  /** The account that the person of an account keeps. */
  #ownerOf(sourceId: string): string {
    return this.#decisions.merged.get(sourceId) ?? sourceId;
  }

  /**
   * Merges into accounts that no list has, whose person would become a deactivated user. Complete once all messages have been read.
   * `earlier`: the conversion before, even if this export lists everybody.
   */
  *wrongOwners(earlier: Pick<EarlierConversion, 'objects'>): Generator<WrongDecision> {
    const { merged, user_ids: userIds, leftOut } = this.#decisions;
    const suggestions = new Suggestions();
    for (const [id, ownerId] of merged) {
      if (leftOut.users.has(ownerId) || this.#users.get(ownerId)?.isUnknown === false) continue;
      if (earlier.objects('user').has(userIds.get(ownerId) ?? ownerId)) continue;
      const listed = [...this.#users.values()].flatMap(({ source, isUnknown }) =>
        isUnknown || source.id === id ? [] : [source.id],
      );
      yield {
        path: ['merged', id],
        detail: `${id} is merged into ${ownerId}, but neither this export nor an earlier conversion lists that user. Write the id at the source of the account that the person keeps.${suggestions.sentence(ownerId, listed)}`,
      };
    }
  }

  /** Which accounts became part of others, as sentences. */
  *notes(): Generator<string> {
    const pairs = [...this.#merged].map((id) => `${id} into ${this.#ownerOf(id)}`);
    if (pairs.length > 0) yield `Merged accounts, as decisions.yaml says: ${namedList(pairs)}.`;
  }

  #find(accountId: string, name: string | undefined, isBot: boolean): User {
    const sourceId = this.#ownerOf(accountId);
    const known = this.#users.get(sourceId);
    if (known === undefined && name === undefined && !isBot) this.#nameless.add(sourceId);
    return (
      known ??
      this.#add(
        {
          id: sourceId,
          // Several such users must be distinguishable.
          name: name ?? (isBot ? `Bot ${sourceId}` : 'Unknown user'),
          type: isBot ? 'bot' : 'person',
          isDeleted: false,
          hasOpaqueId: this.#ids.isOpaqueId(sourceId),
          reasons: noReasons,
        },
        true,
      )
    );
  }

  #add(source: SourceUser, isUnknown: boolean): User {
    const { users, leftOut } = this.#decisions;
    const keptId = isUnknown ? this.#keptId(source.id) : undefined;
    const isKept = keptId !== undefined;
    const isLeftOut =
      leftOut.users.has(source.id) ||
      (isUnknown && !isKept && source.type !== 'bot' && users.unknown === 'leave_out') ||
      (source.type === 'guest' && users.guests === 'leave_out') ||
      (source.type === 'bot' && users.bots === 'leave_out') ||
      (source.isDeleted && users.deleted === 'leave_out');
    const isAdmin = !isLeftOut && source.type === 'bot' && users.bots === 'admin_message';
    const userId = isLeftOut || isAdmin ? undefined : (keptId ?? this.#newId(source));
    const user = { source, userId, isAdmin, isUnknown: isUnknown && !isKept, isKept };
    this.#users.set(source.id, user);
    if (userId === undefined) this.#leftOutIds.add(this.#decisions.user_ids.get(source.id) ?? source.id);
    return user;
  }

  /** The user_id of a user whom earlier exports declared, if this one does not list everybody. */
  #keptId(sourceId: string): string | undefined {
    if (this.#earlier === undefined || this.#decisions.leftOut.users.has(sourceId)) return undefined;
    const decided = this.#decisions.user_ids.get(sourceId);
    const userId = decided ?? (this.#taken.has(sourceId) ? undefined : sourceId);
    return userId !== undefined && this.#earlier.objects('user').has(userId) ? userId : undefined;
  }

  #newId(user: SourceUser): string {
    const decided = this.#decisions.user_ids.get(user.id);
    const known = this.#identities?.userIdOf(user);
    if (known === undefined) {
      const userId = decided ?? this.#madeId(user);
      if (user.type !== 'bot') this.#identities?.miss(user.id, userId);
      return userId;
    }
    if ((decided ?? known) !== known || (decided === undefined && this.#taken.has(known))) {
      throw otherIdentity(user.id, known, decided);
    }
    this.#taken.add(known);
    return known;
  }

  #madeId({ id, hasOpaqueId }: SourceUser): string {
    if (hasOpaqueId && isUserId(id) && !this.#taken.has(id)) {
      this.#taken.add(id);
      return id;
    }
    for (;;) {
      const made = `user-${this.#nextNumber++}`;
      if (this.#taken.has(made)) continue;
      this.#taken.add(made);
      return made;
    }
  }
}

const mostNamed = 20;

function namedList(texts: readonly string[]): string {
  const more = texts.length - mostNamed;
  return [...texts.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function nicknameOf({ name }: SourceUser, userId: string): string {
  const nickname = shortened(usableText(name), maxNickname);
  return nickname === '' ? userId : nickname;
}

/** The picture's URL without its query. Undefined if the platform cannot store it. */
function pictureOf({ picture }: SourceUser): string | undefined {
  const url = picture === undefined ? undefined : safePlace(picture)?.url;
  return url === undefined || url.length > maxProfileUrl || isUnusableText(url) ? undefined : url;
}

/** Limits the text to a number of Unicode code points. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('');
}
