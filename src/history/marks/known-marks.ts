// What is known of the reactions and pins of sent messages, and what comes into doubt (semantics §7).
//
// Messages of one time and identity form a group. Doubt concerns a whole group, because the platform does not show which
// message belongs to which line, and the next plan may find other lines than this one.

import type { KindChange } from '../../kinds/definition/kind.ts';
import { defaultMessagesPolicy, type MessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Search } from '../../model/request.ts';
import { archiveOf } from '../lines/archive.ts';
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
import { sentOf } from '../sent/recorded-calls.ts';
import { groupOf, identityOf, MessageKeys } from './message-keys.ts';

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

const nothing: Differences = { known: 0, edited: [], gone: [], late: [], unsure: [] };

/**
 * The only line of a group has the marks of its message, even if it was edited. If one of several messages of a group is
 * deleted, edited or new, each mark of any of them may be on any of them.
 */
export function knownMarks({
  before,
  after,
  policy = defaultMessagesPolicy,
}: Pick<KindChange, 'before' | 'after' | 'policy'>): KnownMarks {
  const archive = archiveOf(after);
  const lines = new LineBlocks(archive);
  const declared = declaredMarks(after);
  const { sure, unsure } = sentMarks(before);
  const isMarked = sure.length > 0 || unsure.length > 0 || Object.keys(declared).length > 0;
  const differences = isMarked ? differencesOf(archive, sentOf(before)) : nothing;
  const isUpdated = policy.edited === 'update';
  const keys = new MessageKeys(lines, isUpdated ? [] : differences.edited);
  const moved = movedIdentities(differences, lines, policy);
  const edited = new Set(isUpdated ? differences.edited.map(({ was }) => was.identity) : []);
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
  { known, edited, gone, late, unsure }: Differences,
  lines: LineBlocks,
  policy: MessagesPolicy,
): ReadonlySet<string> {
  return new Set([
    ...appendedIdentities(known, lines),
    ...(policy.deleted === 'delete' ? gone.map(({ identity }) => identity) : []),
    ...(policy.late === 'insert' ? late.map((line) => lines.identityOf(line)) : []),
    ...[...unsure, ...(policy.edited === 'update' ? edited : [])].flatMap(({ was }) =>
      was.isUnsure ? [was.identity] : [],
    ),
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
