// The intermediate model, into which exports of all systems are read.
import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import type { ReasonCode } from './reasons.ts';

/** A person, bot or app of the source. */
export interface SourceUser {
  /** The source's own id. */
  readonly id: string;
  /** Used only to find the user in a file of identities, and never written. */
  readonly email?: string | undefined;
  readonly handle?: string | undefined;
  /** Becomes the nickname. */
  readonly name: string;
  /** URL of a profile image. */
  readonly picture?: string | undefined;
  readonly type: 'person' | 'guest' | 'bot';
  /** Whether the user left or was removed. There may still be messages. */
  readonly isDeleted: boolean;
  /** Whether the user may not use the source any more, or posts only for themselves. */
  readonly isBanned?: boolean;
  /** False if the id is a login name or an address, which a user_id must not contain. */
  readonly hasOpaqueId: boolean;
  readonly reasons: readonly ReasonCode[];
}

export interface SourceChannel {
  /** The source's own id, which does not change when the channel is renamed. */
  readonly id: string;
  readonly name: string;
  readonly access: 'public' | 'private' | 'direct';
  /** Fields in the platform's own form. A channel with such fields keeps its channel_url. */
  readonly native?: JsonObject;
  /** The channel_url from the source. If undefined, it is derived from the id. */
  readonly url?: string | undefined;
  /** False if the id consists of names of people. */
  readonly hasOpaqueId: boolean;
  /** Source ids of users. Undefined if the export does not list the members. */
  readonly members: readonly string[] | undefined;
  /** Source ids of members who were invited and have not joined. */
  readonly invited?: readonly string[];
  /** Source ids of people who were members and may not be, even if earlier exports list them. */
  readonly excluded?: readonly string[];
  /** Source ids of users who may not write, or not enter, each until its end. */
  readonly muted?: ReadonlyMap<string, ChannelRestriction>;
  readonly banned?: ReadonlyMap<string, ChannelRestriction>;
  /** Whether it is an open channel of the platform, which anybody can enter and nobody is a member of. */
  readonly isOpen?: boolean;
  /** Source ids. Users who are not members are left out. */
  readonly operators: readonly string[];
  readonly creator?: string | undefined;
  readonly isArchived: boolean;
  /** Whether the channel was deleted or switched off at the source, so that nobody can open it. */
  readonly isDeleted?: boolean;
  /** Other facts about the channel, for its envelope. */
  readonly facts: JsonObject;
  readonly reasons: readonly ReasonCode[];
}

export interface ChannelRestriction extends JsonObject {
  /** ISO 8601. Undefined without an end. */
  readonly until?: string;
  readonly description?: string;
}

export interface SourceFile {
  readonly id: string;
  readonly name: string;
  readonly url?: string;
  /** The place of the file in the export, as the source writes it. */
  readonly path?: string;
  /** In bytes. */
  readonly size?: number;
  /** The media type. */
  readonly type?: string;
}

export interface SourceReaction extends JsonObject {
  readonly name: string;
  /** Source ids. */
  readonly users: readonly string[];
}

/**
 * The facts of a message, which `--decode` prints. URLs have no tokens. The names are those of the envelope.
 */
export interface MessageFacts {
  /** `slack:C0JGLMMNX:1452800000.000002`: source, channel, message. */
  readonly id: string;
  /** The source id of the sender. */
  readonly sender?: string | undefined;
  /**
   * Unix milliseconds, or ISO 8601 in UTC if the source is finer and the id does not contain it, or a value of the source that is no
   * time.
   */
  readonly time: JsonValue;
  /** What orders the messages of one millisecond at the source, as the mapping says. */
  readonly order?: JsonValue | undefined;
  /** With the markup of the source. */
  readonly text: string;
  /** The source's own type of message, if it is not the usual one. */
  readonly type?: string | undefined;
  /** The id of the first message of the thread, within the channel. */
  readonly thread?: string | undefined;
  /** The id of the message that is answered, within the channel. */
  readonly reply_to?: string | undefined;
  readonly reactions?: readonly SourceReaction[] | undefined;
  /** Who edited the message last, and when. */
  readonly edited?: JsonValue | undefined;
  /** The files as the source describes them, URLs without tokens. */
  readonly files?: readonly JsonValue[] | undefined;
  /** Everything else, by the source's own names: blocks, attachments, bots. */
  readonly more?: JsonObject | undefined;
}

export interface SourceMessage {
  /** Source id. */
  readonly channel: string;
  /** For a sender whom the export does not list. */
  readonly stranger?: { readonly name?: string; readonly isBot: boolean } | undefined;
  /** The name that a bot chose for this message. */
  readonly postedAs?: string | undefined;
  /** People described by the message, in exports without lists of users. */
  readonly people?: readonly SourceUser[];
  /** Unix milliseconds. */
  readonly time: number;
  /** `system` is written by the source about the channel. `join` means that somebody joined or left. */
  readonly kind: 'message' | 'system' | 'join';
  /** The text without markup. */
  readonly text: string;
  /** Whether only some of the members could see it. */
  readonly isRestricted?: boolean;
  /** Source ids of users. */
  readonly mentions: readonly string[];
  readonly files: readonly SourceFile[];
  readonly facts: MessageFacts;
  /** The key by which other rows of the export, such as reactions, refer to the message. */
  readonly rowId?: string | undefined;
  /** Fields of the line of the history file in the platform's own form. */
  readonly native?: JsonObject;
  readonly reasons: readonly ReasonCode[];
}

/** All users and channels that the export lists. Read before the messages. */
export interface Roster {
  readonly users: readonly SourceUser[];
  readonly channels: readonly SourceChannel[];
}

/** One object or message of the source, in source order. `at` is its place: `general/2016-01-14.json#3` is the third. */
export type SourceItem =
  | {
      readonly type: 'user' | 'channel';
      readonly at: string;
      readonly id: string;
      /** The version at this place, for sources that may list a user or channel twice. */
      readonly name?: string;
      /** What is to be said of this row alone. */
      readonly reasons?: readonly ReasonCode[];
    }
  | { readonly type: 'message'; readonly at: string; readonly message: SourceMessage }
  /** A row that became a part of another object, such as a membership or a reaction. */
  | {
      readonly type: 'part';
      readonly at: string;
      readonly id: string;
      readonly of: { readonly type: 'user' | 'channel' | 'message'; readonly id: string };
      readonly reason?: ReasonCode;
      /** Further reasons. */
      readonly reasons?: readonly ReasonCode[];
    }
  | {
      readonly type: 'left_out';
      readonly at: string;
      readonly id: string;
      readonly reason: ReasonCode;
      /** The number of rows, for a whole table. */
      readonly rows?: number;
    };
