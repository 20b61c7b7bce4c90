// The stored form of users, channels, members and messages. views/ gives their wire form.

import type { JsonObject } from '../api/request.ts';

export type StringMap = { readonly [key: string]: string };

export interface SessionToken {
  readonly token: string;
  readonly expiresAt: number;
}

export interface UserRecord {
  /** Order of creation, which lists and their page tokens use. */
  readonly seq: number;
  readonly userId: string;
  readonly nickname: string;
  readonly profileUrl: string;
  readonly accessToken: string;
  readonly active: boolean;
  /** Seconds. */
  readonly createdAt: number;
  readonly metadata: StringMap;
  readonly discoveryKeys: readonly string[];
  readonly preferredLanguages: readonly string[];
  readonly autoAccept: boolean;
  readonly sessions: readonly SessionToken[];
  /** Push preferences that were changed, by their names on the wire. */
  readonly push?: JsonObject;
  /** By token type. */
  readonly deviceTokens?: { readonly [type: string]: readonly string[] };
  readonly blocked?: readonly string[];
  /** Present when the user is a bot. `autoAccept` is its invitation preference. */
  readonly bot?: BotRecord;
}

/** The fields that a bot has in addition to a user's. */
export interface BotRecord {
  readonly type: string;
  readonly callbackUrl: string;
  readonly privacyMode: boolean;
  readonly marksAsRead: boolean;
  readonly showsMembers: boolean;
  readonly token: string;
  /** Absent: the bot is not an AI chatbot. */
  readonly ai?: JsonObject;
}

interface ChannelBase {
  readonly seq: number;
  readonly url: string;
  readonly name: string;
  readonly coverUrl: string;
  readonly customType: string;
  readonly data: string;
  readonly ephemeral: boolean;
  readonly frozen: boolean;
  /** Seconds. */
  readonly createdAt: number;
  readonly operators: readonly string[];
  readonly metadata: StringMap;
}

export interface OpenChannelRecord extends ChannelBase {
  readonly kind: 'open';
  readonly dynamicPartitioned: boolean;
}

export interface GroupChannelRecord extends ChannelBase {
  readonly kind: 'group';
  readonly distinct: boolean;
  readonly public: boolean;
  readonly super: boolean;
  readonly accessCode: string;
  readonly createdBy: string | null;
  readonly blockSdkJoin: boolean;
  /** Ids of pinned messages, in the order of their calls. Absent: none was ever pinned. */
  readonly pinned?: readonly number[];
}

export type ChannelRecord = OpenChannelRecord | GroupChannelRecord;
export type ChannelKind = ChannelRecord['kind'];

export type InvitationStatus = 'joined' | 'invited_by_friend' | 'invited_by_non_friend';
export type HiddenStatus = 'unhidden' | 'hidden_allow_auto_unhide' | 'hidden_prevent_auto_unhide';

export interface MemberRecord {
  readonly userId: string;
  readonly state: 'joined' | 'invited';
  readonly invitation: InvitationStatus;
  readonly hidden: HiddenStatus;
  readonly inviter: string | null;
  /** Seconds; 0 while only invited. */
  readonly joinedAt: number;
  /** Milliseconds, as are the next two. */
  readonly invitedAt: number;
  readonly readTs: number;
  readonly offsetTs: number;
  /** Preferences that were changed. */
  readonly countPreference?: string;
  readonly pushTrigger?: string;
  readonly pushSound?: string;
}

/** A ban or a mute of one user in one channel. It ends by the clock and stays stored until it is lifted or replaced. */
export interface RestrictionRecord {
  readonly userId: string;
  /** Milliseconds, as is the end. */
  readonly startAt: number;
  readonly endAt: number;
  readonly permanent: boolean;
  readonly description: string;
}

export interface FileRecord {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly data: string;
}

export interface MessageRecord {
  readonly id: number;
  readonly type: 'MESG' | 'FILE' | 'ADMM';
  /** Null for an admin message. */
  readonly userId: string | null;
  readonly text: string;
  readonly data: string;
  readonly customType: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly dedupId: string;
  readonly mentionType: 'users' | 'channel';
  readonly mentioned: readonly string[];
  readonly metaArray: readonly { readonly key: string; readonly value: readonly string[] }[];
  readonly file: FileRecord | null;
  /** The files of a message with several, whose `file` is null. */
  readonly files?: readonly FileRecord[];
  readonly silent: boolean;
  readonly removed: boolean;
  /** The message that it replies to. Absent: it is no reply. */
  readonly parent?: number;
  /** When it was migrated, in milliseconds. Absent: it was sent at its own time. */
  readonly arrivedAt?: number;
  /** In the order of their last changes. Absent: nobody ever reacted. */
  readonly reactions?: readonly Reaction[];
}

export interface Reaction {
  readonly key: string;
  readonly userIds: readonly string[];
  /** Milliseconds. */
  readonly updatedAt: number;
}

/** The data of the application itself. */
export interface ApplicationRecord {
  readonly autoAccept: boolean;
  /** How many tokens and names were generated. None is ever repeated. */
  readonly draws: number;
  readonly lastSeq: number;
  readonly lastMessageId: number;
}

/** The names of the settings that list the operators of a custom type begin with this. */
export const settingOfOperators = 'operators:';
