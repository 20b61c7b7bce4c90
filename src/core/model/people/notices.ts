// What people notice of an apply, besides the change itself (semantics §15.6).

import type { Count, PositiveCount } from '../../../lib/json.ts';
/** Notices that a document states or a behaviour decides. */
export type KnownNotice =
  /** A channel appears in the list of a person who is new in it. */
  | 'invitation'
  /** A channel that a person hid appears again. */
  | 'reappearance'
  /** Messages become unread (`mark_as_read: true` of a history file). */
  | 'unread'
  /** The platform writes a message into the channel (`auto_event_message`). */
  | 'event_message';

/** Calls of which no source says whether anybody notices them. */
export type UnknownNotice =
  /** Whether event messages are on is not declared, or no document says which of them the call causes. */
  | 'event_message'
  /** Whether a migrated message notifies anybody, or shows a hidden channel again. */
  | 'migration'
  /** The channels that a deactivated user leaves are not read. */
  | 'left_channels';

interface NoticeCount {
  readonly notice: KnownNotice;
  /** Different people. */
  readonly people: PositiveCount;
  /** Messages that the platform writes, one for each call at least. */
  readonly messages: Count;
}

/** Absent from a plan of which nobody notices anything. */
export interface NoticeSection {
  /** Different people, of all notices. */
  readonly people: Count;
  readonly counted: readonly NoticeCount[];
  /** Calls of which no source says whether anybody notices them. */
  readonly not_known: readonly { readonly notice: UnknownNotice; readonly calls: PositiveCount }[];
}
