// What is known of the reactions and pins of sent messages, and what comes into doubt (semantics §7).
//
// Messages of one time and identity form a group. Doubt concerns a whole group, because the platform does not show which
// message belongs to which line, and the next plan may find other lines than this one.

import type { KindChange } from '../../kinds/definition/kind.ts';
import { defaultMessagesPolicy, type MessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Search } from '../../model/request.ts';
import { historyFileOf } from '../lines/history-file.ts';
import {
  declaredMarks,
  isManaged,
  type Mark,
  type MessageKey,
  markEdit,
  markId,
  sentMarks,
  withoutMarks,
} from '../lines/marked-lines.ts';
import { LineBlocks } from '../sending/line-blocks.ts';
import type { Target } from '../sending/message-search.ts';
import { type Differences, differencesOf } from '../sent/differences.ts';
import { editsByWord } from '../sent/edited-lines.ts';
import { sentOf } from '../sent/recorded-calls.ts';

/** The marks of sent messages. Those in doubt may be there or not. */
export interface KnownMarks extends GroupMarks {
  readonly keys: MessageKeys;
}

interface GroupMarks {
  readonly sure: readonly Mark[];
  /** Each mark of a group in doubt, for each of its lines. */
  readonly unsure: readonly Mark[];
  /** The edits that bring state to the same, for the first call of the plan. */
  readonly firstEdits: readonly RecordEdit[];
  /** The edits that end the doubts, once a call for each mark in doubt was made. */
  readonly lastEdits: readonly RecordEdit[];
}

const nothing: Differences = { known: 0, edited: [], gone: [], late: [], replies: [], unsure: [] };

/**
 * The only line of a group has the marks of its message, even if it was edited. If one of several messages of a group is
 * deleted, edited or new, each mark of any of them may be on any of them.
 */
export function knownMarks({
  before,
  after,
  policy = defaultMessagesPolicy,
}: Pick<KindChange, 'before' | 'after' | 'policy'>): KnownMarks {
  const historyFile = historyFileOf(after);
  const lines = new LineBlocks(historyFile);
  const declared = declaredMarks(after);
  const { sure, unsure } = sentMarks(before);
  const isMarked = sure.length > 0 || unsure.length > 0 || Object.keys(declared).length > 0;
  const differences = isMarked ? differencesOf(historyFile, sentOf(before)) : nothing;
  const { update: updated, ...others } = editsByWord(differences.edited, policy);
  const keys = new MessageKeys(lines, [...others.keep, ...others.refuse]);
  const moved = movedIdentities(differences, lines, policy);
  const edited = new Set(updated.map(({ was }) => was.identity));
  const gone = new Set(differences.gone.map(({ identity }) => identity));
  const [sureByGroup, unsureByGroup] = [byGroup(sure), byGroup(unsure)];
  const groups = [...new Set([...sureByGroup.keys(), ...unsureByGroup.keys()])].map((group): GroupMarks => {
    const identity = identityOf(group);
    const ofGroup = keys.ofGroup(group);
    const [marks, doubts] = [sureByGroup.get(group) ?? [], unsureByGroup.get(group) ?? []];
    const [only] = ofGroup.length === 1 && !gone.has(identity) ? ofGroup : [];
    if (doubts.length === 0 && !moved.has(identity)) {
      if (only !== undefined) return renamed(marks, only);
      const isSame = !edited.has(identity) && marks.every(({ message }) => ofGroup.includes(message));
      if (isSame) return { sure: marks, unsure: [], firstEdits: [], lastEdits: [] };
    }
    const added = moveTo(group, marks);
    // Without a line, the marks stay in doubt until one returns.
    const ended = ofGroup.length === 0 ? [] : [...doubts, ...added].filter((mark) => isManaged(declared, mark));
    return {
      sure: [],
      unsure: moveTo(group, [...doubts, ...marks]).flatMap((mark) => ofGroup.map((message) => ({ ...mark, message }))),
      firstEdits: [...withoutMarks(marks, 'sure'), ...added.map((mark) => markEdit('add', mark, 'unsure'))],
      lastEdits: withoutMarks(ended, 'unsure'),
    };
  });
  return {
    sure: groups.flatMap((group) => group.sure),
    unsure: groups.flatMap((group) => group.unsure),
    firstEdits: groups.flatMap((group) => group.firstEdits),
    lastEdits: groups.flatMap((group) => group.lastEdits),
    keys,
  };
}

/** Returns the identities with messages that come or go, or whose outcome is unknown. */
function movedIdentities(
  { known, edited, gone, late, replies, unsure }: Differences,
  lines: LineBlocks,
  policy: MessagesPolicy,
): ReadonlySet<string> {
  return new Set([
    ...appendedIdentities(known, lines),
    ...(policy.deleted === 'delete' ? gone.map(({ identity }) => identity) : []),
    ...(policy.late === 'insert' ? late.map((line) => lines.identityOf(line)) : []),
    ...replies.map((line) => lines.identityOf(line)),
    ...[...unsure, ...editsByWord(edited, policy).update].flatMap(({ was }) => (was.isUnsure ? [was.identity] : [])),
  ]);
}

/** State may have other keys of the message, because an edit of the line changes its key. */
function renamed(marks: readonly Mark[], message: MessageKey): GroupMarks {
  const others = marks.filter((mark) => mark.message !== message);
  const added = moveTo(message, others).map((mark) => markEdit('add', mark, 'sure'));
  return {
    sure: moveTo(message, marks),
    unsure: [],
    firstEdits: [...withoutMarks(others, 'sure'), ...added],
    lastEdits: [],
  };
}

/** Returns the marks with another message or group, each once. */
function moveTo(message: string, marks: readonly Mark[]): readonly Mark[] {
  return [...new Map(marks.map((mark) => [markId({ ...mark, message }), { ...mark, message }])).values()];
}

function byGroup(marks: readonly Mark[]): ReadonlyMap<string, readonly Mark[]> {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const group = groupOf(mark.message);
    const alike = groups.get(group);
    if (alike === undefined) groups.set(group, [mark]);
    else alike.push(mark);
  }
  return groups;
}

/** Returns the edits that note in state that the outcome of a call for a mark is unknown. */
export function markInDoubt({ identity, reaction, pin }: Target, { read }: Pick<Search, 'read'>): RecordEdit[] {
  const message = `${read.query?.message_ts}.${identity}`;
  if (pin !== undefined) return [markEdit('add', { message }, 'unsure')];
  if (reaction === undefined) return [];
  const { key, user_id: user } = reaction;
  return [markEdit('add', { message, reaction: { key, user } }, 'unsure')];
}

/** Returns the identities of lines to append that may share a time with lines that were sent. */
function appendedIdentities(known: number, lines: LineBlocks): string[] {
  if (known === 0) return [];
  const first = lines.blockOf(known - 1);
  const [, to] = lines.sharingTime(first);
  const end = lines.startOf(to + 1);
  return Array.from({ length: end - known }, (_none, place) => lines.identityOf(known + place));
}

interface KeyedLine {
  readonly line: number;
  /** The first key is that of the line as it is, the second that of the line as it was sent. */
  readonly declared: MessageKey;
  readonly sent: MessageKey;
}

/** Finds the lines of a history file by the keys under which state keeps the marks of their messages (semantics §7). */
class MessageKeys {
  readonly #lines: LineBlocks;
  /** Maps the lines whose messages the policy leaves as they were sent to their fingerprints of then. */
  readonly #kept: ReadonlyMap<number, string>;
  readonly #groups = new Map<string, readonly KeyedLine[]>();

  /** `kept` are edited lines whose messages stay as they were sent. */
  constructor(lines: LineBlocks, kept: Differences['edited']) {
    this.#lines = lines;
    this.#kept = new Map(kept.map(({ line, was }) => [line, was.mark]));
  }

  /** Returns the line of a message, or undefined if no line is left for it. */
  lineOf(message: MessageKey): number | undefined {
    return this.#group(groupOf(message)).find(({ sent }) => sent === message)?.line;
  }

  /** Returns the keys of the messages of a group that have a line. */
  ofGroup(group: string): readonly MessageKey[] {
    return this.#group(group).map(({ sent }) => sent);
  }

  /** Returns the key of a line's message as it was sent, given that of the line as it is. */
  asSent(declared: MessageKey): MessageKey {
    if (this.#kept.size === 0) return declared;
    return this.#group(groupOf(declared)).find((key) => key.declared === declared)?.sent ?? declared;
  }

  #group(group: string): readonly KeyedLine[] {
    let keyed = this.#groups.get(group);
    if (keyed === undefined) {
      const [time = '', identity = ''] = group.split('.');
      const alike = this.#lines.ofIdentity(Number(time), identity);
      const declared = numbered(alike.map(({ mark }) => `${group}.${mark}`));
      const sent = numbered(alike.map(({ line, mark }) => `${group}.${this.#kept.get(line) ?? mark}`));
      keyed = alike.map(({ line }, place) => ({ line, declared: declared[place] ?? '', sent: sent[place] ?? '' }));
      this.#groups.set(group, keyed);
    }
    return keyed;
  }
}

/** Appends to each text the number of earlier ones that are equal. */
function numbered(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const earlier = counts.get(text) ?? 0;
    counts.set(text, earlier + 1);
    return `${text}.${earlier}`;
  });
}

/** Returns the key of the group of a message. The messages of one time and identity share the first two parts of their keys. */
function groupOf(message: MessageKey): string {
  return message.split('.', 2).join('.');
}

/** Returns the identity in the key of a message or of a group. */
function identityOf(message: MessageKey): string {
  return message.split('.', 2)[1] ?? '';
}
