// What the search of a call keeps in a plan for this wing alone (semantics §5.5): how a channel's messages are looked for.
import type { JsonObject } from '../../../lib/json.ts';
import type { Search } from '../../model/request.ts';
import type { PlannedLines } from '../lines/range.ts';

/** The content of a search (`Search.content`). */
// A type, because the compiler does not take an interface for plain JSON.
export type MessageSearch = {
  /** Indexes of the call's lines that a later call sends. */
  readonly later?: readonly number[];
  /**
   * The times of the later calls of the history file, in Unix milliseconds: of the first line, absent if there is none, and of the
   * last. No message in them means that no later call needs a search (`Search.fresh`).
   */
  readonly rest?: { readonly from?: number; readonly until: number };
  /** Set if the call changes or deletes one message, whose `message_id` the listing finds. */
  readonly target?: Target;
};

/** One message of a history file, as it can be found on the platform. */
export type Target = {
  /** The fingerprint of the fields that an edit keeps (`identityMark`), and that of the whole line as sent. */
  readonly identity: string;
  readonly mark: string;
  /** The lines of the history file that may have the same identity. Without `only`, the message is to be deleted and has no line. */
  readonly lines: PlannedLines;
  /** Indexes of lines that were not sent yet, of lines whose outcome is unknown, and of lines that are edited later. */
  readonly late?: readonly number[];
  readonly unsure?: readonly number[];
  readonly edited?: readonly number[];
  /**
   * The number of messages of this identity without a line. If more are found, chatform cannot tell which to delete. If fewer are
   * found, the one to delete is gone.
   */
  readonly most?: number;
  /** The message may be deleted or may never have arrived; then nothing is done. */
  readonly mayBeAbsent?: true;
  /** Only the meta arrays of the message are changed: those that differ are removed, or those of the line are added. */
  readonly metaArrays?: 'remove' | 'add';
  /** Only this reaction of the user to the message is added or removed. */
  readonly reaction?: {
    readonly how: 'add' | 'remove';
    readonly key: string;
    readonly user_id: string;
  };
  /** The message is only pinned or unpinned. */
  readonly pin?: 'add' | 'remove';
  /** The message is the first of a thread, to which a line is sent as a reply. */
  readonly reply?: ReplyLine;
};

/** A line that is sent as a reply, and how its message is looked for. */
export type ReplyLine = {
  /** The lines of the history file at its time, of which `only` names the line. */
  readonly lines: PlannedLines;
  /** In Unix milliseconds. */
  readonly time: number;
  /** Indexes of lines that later calls send. */
  readonly later?: readonly number[];
  /** Messages of the channel were deleted and may be sent again, so a deleted message does not count as arrived. */
  readonly isChanged?: true;
  /** The first message of the thread was sent before this plan. */
  readonly hasOldThread?: true;
};

export function messageSearchOf({ content }: Search): MessageSearch {
  return content as MessageSearch;
}

/** Returns the message that a call with this search changes or deletes. Undefined for calls that send messages. */
export function targetOf(search: Search | undefined): Target | undefined {
  return search === undefined ? undefined : messageSearchOf(search).target;
}

/** Makes a search look for one message before its call, which needs the id and so is never made unseen. */
export function searchForTarget(search: Search, target: Target): Search {
  const content: JsonObject = { target };
  return { ...search, unseenOn: [], unsure: true, isApart: true, content };
}
