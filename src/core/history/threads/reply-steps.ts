// Drafts the calls that send lines as replies in threads (semantics §7; platform §6.2). Each call first looks for the message
// of the first line of its thread, and for its own message.

import { printNumber } from '../../../lib/words.ts';
import type { KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import {
  type HistoryFile,
  historyFileOf,
  identitiesFrom,
  type LineBlock,
  marksFrom,
  repliesIn,
  writerOf,
} from '../lines/history-file.ts';
import { LineTargets } from '../sending/line-targets.ts';
import type { ReplyLine } from '../sending/message-search.ts';
import type { CallEdits } from '../sent/call-edits.ts';
import { type Differences, differencesOf, type PendingReply } from '../sent/differences.ts';
import { arraysSent, pathOfCall, printCall, type RecordedCall, sentOf } from '../sent/recorded-calls.ts';

export interface Replying {
  /** The kind and key of the channel. */
  readonly channel: string;
  readonly key: string;
  /** The number of the first call. */
  readonly call: number;
  readonly edits: CallEdits;
  /** Messages of the channel were edited or deleted. */
  readonly isChanged: boolean;
  readonly differences: Pick<Differences, 'known' | 'late'>;
}

/** Returns a call for each reply, in the order of the lines. They run one after the other, so that replies arrive in order. */
export function replyDrafts(
  historyFile: HistoryFile,
  pending: readonly PendingReply[],
  replying: Replying,
): StepDraft[] {
  if (pending.length === 0) return [];
  const drafter = new ReplyDrafter(historyFile, pending, replying);
  return [...repliesIn(historyFile)].flatMap(({ line, block, place, reply: [parent, since, time] }) => {
    return drafter.isPending(line) ? [drafter.draft({ line, block, place, parent, since, time })] : [];
  });
}

interface ReplyInBlock {
  readonly line: number;
  readonly block: LineBlock;
  readonly place: number;
  readonly parent: number;
  readonly since: number;
  readonly time: number;
}

class ReplyDrafter {
  readonly #historyFile: HistoryFile;
  readonly #replying: Replying;
  readonly #targets: LineTargets;
  readonly #params: Readonly<Record<string, string>>;
  readonly #pending: ReadonlyMap<number, PendingReply>;
  #call: number;

  constructor(historyFile: HistoryFile, pending: readonly PendingReply[], replying: Replying) {
    this.#historyFile = historyFile;
    this.#replying = replying;
    this.#targets = new LineTargets(historyFile, replying.channel, { channel_url: replying.key });
    const type = replying.channel === 'open_channel' ? 'open_channels' : 'group_channels';
    this.#params = { channel_type: type, channel_url: replying.key };
    this.#pending = new Map(pending.map((reply) => [reply.line, reply]));
    this.#call = replying.call;
  }

  isPending(line: number): boolean {
    return this.#pending.has(line);
  }

  draft({ line, block, place, parent, since, time }: ReplyInBlock): StepDraft {
    const marks = marksFrom(block.marks, place, place + 1);
    const identity = identitiesFrom(block.identities, place, place + 1);
    const first = { line: parent, time: since, identity: this.#targets.blocks.identityOf(parent) };
    const late = this.#pendingLike(first);
    const search = this.#targets.search(first, {
      ...(late.length === 0 ? {} : { late: this.#targets.placesAt(late, since) }),
      reply: this.#replyLine(line, time, identity, this.#isOld(parent)),
    });
    const sender = this.#historyFile.senders[writerOf(block, place) ?? -1] ?? '';
    return {
      action: 'migrate',
      phase: 'messages',
      request: {
        method: 'POST',
        route: '/{channel_type}/{channel_url}/messages',
        params: this.#params,
        body: { user_id: sender, created_at: time },
      },
      edits: this.#edits(line, { marks, identities: identity, first: time, last: time }, hasArrays(block, place)),
      begin: true,
      // The platform has a message with this dedup_id.
      doneOn: [platformCode.taken],
      search,
    };
  }

  /** Whether a line was sent before this plan. */
  #isOld(line: number): boolean {
    const { known, late } = this.#replying.differences;
    return line < known && !late.includes(line);
  }

  #replyLine(line: number, time: number, identity: string, hasOldThread: boolean): ReplyLine {
    const { isChanged } = this.#replying;
    const later = this.#pendingLike({ time, identity }).filter((other) => other > line);
    const lines = { ...this.#targets.linesAt(line, time), ...(isChanged ? { call: this.#call } : {}) };
    return {
      lines,
      time,
      ...(later.length === 0 ? {} : { later: this.#targets.placesAt(later, time) }),
      ...(isChanged ? { isChanged } : {}),
      ...(hasOldThread ? { hasOldThread } : {}),
    };
  }

  #edits(line: number, sent: Omit<RecordedCall, 'isUnsure'>, isArrayed: boolean): RecordEdit[] {
    const { edits } = this.#replying;
    const was = this.#pending.get(line)?.was;
    if (was !== undefined) edits.lose(was);
    const path = pathOfCall(this.#call);
    this.#call += 1;
    return [
      { op: 'set', path, value: printCall({ ...sent, isUnsure: false, isQuiet: true }) },
      ...(isArrayed ? [arraysSent] : []),
      ...(was === undefined ? [] : edits.edits([was.call])),
    ];
  }

  /** Returns the lines of this time and identity that are still to be sent as replies. */
  #pendingLike({ time, identity }: { readonly time: number; readonly identity: string }): readonly number[] {
    const lines = this.#targets.blocks.ofIdentity(time, identity);
    return lines.length === 1 ? [] : lines.flatMap(({ line }) => (this.#pending.has(line) ? [line] : []));
  }
}

function hasArrays({ arrays = [] }: LineBlock, place: number): boolean {
  return arrays.includes(place);
}

/** Returns the sentence about replies for the notes of a plan. */
export function replyNotes({ before, after }: Pick<KindChange, 'before' | 'after'>): string[] {
  const { replies } = differencesOf(historyFileOf(after), sentOf(before));
  if (replies.length === 0) return [];
  const [what, where] = replies.length === 1 ? ['reply is', 'its thread'] : ['replies are', 'their threads'];
  return [`${printNumber(replies.length)} ${what} sent into ${where}, with one or two reads and a call each`];
}
