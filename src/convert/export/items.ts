// The intermediate model: what every export is read into, whatever system it comes from.
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { ReasonCode } from './reasons.ts';

/** A person, bot or app of the source. */
export interface SourceUser {
  /** The source's own id. */
  readonly id: string;
  /** To find them in a file of identities; neither is written anywhere. */
  readonly email?: string | undefined;
  readonly handle?: string | undefined;
  /** Becomes the nickname. */
  readonly name: string;
  /** URL of a profile image. */
  readonly picture?: string | undefined;
  readonly type: 'person' | 'guest' | 'bot';
  /** They left, or were removed, and may still have messages. */
  readonly isDeleted: boolean;
  /** False when the id is a login name or an address, which a user_id must not hold. */
  readonly hasOpaqueId: boolean;
  readonly reasons: readonly ReasonCode[];
}

export interface SourceChannel {
  /** The source's own id, which stays when the channel is renamed. */
  readonly id: string;
  readonly name: string;
  readonly access: 'public' | 'private' | 'direct';
  /** Fields of a channel that the source has as the platform has them; it keeps its channel_url then. */
  readonly native?: JsonObject;
  /** The channel_url that the source gives it. Undefined: one is made of the id. */
  readonly url?: string | undefined;
  /** False when the id is made of names of people. */
  readonly hasOpaqueId: boolean;
  /** Source ids of users. Undefined when the export does not say who is in the channel. */
  readonly members: readonly string[] | undefined;
  /** Source ids of members who were invited and have not joined. */
  readonly invited?: readonly string[];
  /** Source ids; those who are no members are left out. */
  readonly operators: readonly string[];
  readonly creator?: string | undefined;
  readonly isArchived: boolean;
  /** What else the source says of it; it goes into the envelope of the channel. */
  readonly facts: JsonObject;
  readonly reasons: readonly ReasonCode[];
}

export interface SourceFile {
  readonly id: string;
  readonly name: string;
  readonly url?: string;
  /** The place of its bytes in the export, as the source writes it. */
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
 * What the source says of a message: what `--decode` gives back. URLs are without tokens. Names are those of the
 * envelope.
 */
export interface MessageFacts {
  /** `slack:C0JGLMMNX:1452800000.000002`: source, channel, message. */
  readonly id: string;
  /** The source id of the sender. */
  readonly sender?: string | undefined;
  /** Unix milliseconds; as the source writes it, when the id does not say it and it is finer or of another form. */
  readonly time: JsonValue;
  /** With the markup of the source. */
  readonly text: string;
  /** The source's own type, when it is not the usual one. */
  readonly type?: string | undefined;
  /** The id of the first message of the thread, within the channel. */
  readonly thread?: string | undefined;
  /** The id of the message that is answered. */
  readonly reply_to?: string | undefined;
  readonly reactions?: readonly SourceReaction[] | undefined;
  /** Who edited it last and when. */
  readonly edited?: JsonValue | undefined;
  readonly files?: readonly JsonValue[] | undefined;
  /** Everything else, by the source's own names: blocks, attachments, bots. */
  readonly more?: JsonObject | undefined;
}

export interface SourceMessage {
  /** Source id. */
  readonly channel: string;
  /** For a sender whom the export does not list. */
  readonly stranger?: { readonly name?: string; readonly isBot: boolean } | undefined;
  /** People whom the message itself describes, in exports without lists of users. */
  readonly people?: readonly SourceUser[];
  /** Unix milliseconds. */
  readonly time: number;
  /** `system`: written by the source about the channel. `join`: somebody came or went. */
  readonly kind: 'message' | 'system' | 'join';
  /** For people: without markup. */
  readonly text: string;
  /** Source ids of users. */
  readonly mentions: readonly string[];
  readonly files: readonly SourceFile[];
  readonly facts: MessageFacts;
  /** By what other rows of the export, such as reactions, name it. */
  readonly rowId?: string | undefined;
  /** Fields of an archive line that the source has as the platform has them. */
  readonly native?: JsonObject;
  readonly reasons: readonly ReasonCode[];
}

/** Everybody and every channel that the export lists. Read before the messages. */
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
      /** As this place has it, in sources that may list somebody or something twice. */
      readonly name?: string;
    }
  | { readonly type: 'message'; readonly at: string; readonly message: SourceMessage }
  /** A row of its own that became a part of another object, as a membership or a reaction. */
  | {
      readonly type: 'part';
      readonly at: string;
      readonly id: string;
      readonly of: { readonly type: 'user' | 'channel' | 'message'; readonly id: string };
      readonly reason?: ReasonCode;
    }
  | { readonly type: 'left_out'; readonly at: string; readonly id: string; readonly reason: ReasonCode };
