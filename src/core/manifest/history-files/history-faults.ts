// Checks a history file against its channel: who reacts, what is pinned, and who writes replies (platform §6.2).

import type { JsonObject } from '../../../lib/json.ts';
import { firstOf } from '../../../lib/words.ts';
import { type HistoryFile, repliesIn, writerOf } from '../../history/lines/history-file.ts';
import { type DeclaredMarks, reactorsOf } from '../../history/lines/marked-lines.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import type { ManifestCode } from '../problems/codes.ts';
import { quoted } from '../problems/wording.ts';

/** The part of a channel that the checks of its history file need. */
export interface ChannelWithHistory {
  readonly kind: string;
  readonly key: string;
  readonly attributes: JsonObject;
}

/** Messages that are pinned in a channel (platform §6.2). */
const maxPinned = 10;

interface HistoryFileFault {
  readonly code: ManifestCode;
  /** Follows the name of the file. */
  readonly detail: string;
}

/** Returns what is wrong with a history file for its channel. */
export function faultsOf(
  channel: ChannelWithHistory,
  historyFile: HistoryFile,
  marks: DeclaredMarks,
): readonly HistoryFileFault[] {
  return [faultOfMarks(channel, marks), faultOfReplies(channel, historyFile)].filter((fault) => fault !== undefined);
}

/** Returns why the writers of replies cannot send messages in the channel (platform §6.2). */
function faultOfReplies(
  { kind, key, attributes }: ChannelWithHistory,
  historyFile: HistoryFile,
): HistoryFileFault | undefined {
  if (kind !== 'group_channel') return undefined;
  const [members, muted] = [mapOf(attributes, 'members'), mapOf(attributes, 'muted')];
  const writers = new Set(
    Array.from(repliesIn(historyFile), ({ block, place }) => historyFile.senders[writerOf(block, place) ?? -1] ?? ''),
  );
  const isJoined = (id: string): boolean =>
    Object.hasOwn(members, id) && mapOf(members, id).invitation_status === undefined && !Object.hasOwn(muted, id);
  const others = [...writers].filter((id) => !isJoined(id)).sort();
  if (others.length === 0) return undefined;
  return {
    code: 'manifest.history-thread',
    detail: `has replies of ${firstIds(others)}. The platform takes replies only of joined members of ${kind}.${key} who are not muted. Declare the members, or remove parent from their replies.`,
  };
}

/** Prints the first three ids, and how many more there are. */
export function firstIds(ids: readonly string[]): string {
  return firstOf(ids.map(quoted), 3);
}

/** Returns what is wrong with the reactions and pins of a history file's lines (platform §6.2). */
function faultOfMarks(channel: ChannelWithHistory, marks: DeclaredMarks): HistoryFileFault | undefined {
  const detail = detailOfMarks(channel, marks);
  return detail === undefined ? undefined : { code: 'manifest.history-reactions', detail };
}

function detailOfMarks({ kind, key, attributes }: ChannelWithHistory, marks: DeclaredMarks): string | undefined {
  const { pinned = [] } = marks;
  const reactors = reactorsOf(marks);
  if (pinned.length + reactors.length === 0) return undefined;
  if (kind !== 'group_channel') {
    return 'has lines with reactions or pinned: true, which the platform supports only in group channels. Remove them.';
  }
  if (pinned.length > 0 && attributes.is_super === true) {
    return 'has lines with pinned: true, but a supergroup has no pinned messages. Remove them.';
  }
  if (pinned.length > maxPinned) {
    return `pins ${pinned.length} messages, but a channel has room for ${maxPinned}. Keep pinned: true on at most ${maxPinned} lines.`;
  }
  const members = mapOf(attributes, 'members');
  const others = reactors.filter((id) => !Object.hasOwn(members, id));
  if (others.length === 0) return undefined;
  return `has reactions of ${firstIds(others)}, who ${others.length === 1 ? 'is' : 'are'} not declared as a member of ${kind}.${key}. Declare the members, or remove their reactions.`;
}
