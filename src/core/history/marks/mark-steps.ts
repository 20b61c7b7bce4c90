// Drafts the calls that add and remove reactions, and that pin and unpin messages (semantics §7; platform §6.2). Each call
// first looks for the id of its message, as the edit of a sent message does.

import { plural, printNumber } from '../../../lib/words.ts';
import type { KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { textOf } from '../../kinds/definition/values.ts';
import { userAddresses } from '../../kinds/parts/people.ts';
import type { Action } from '../../model/action.ts';
import type { Address } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest, Search } from '../../model/request.ts';
import { historyFileOf } from '../lines/history-file.ts';
import {
  declaredMarks,
  isManaged,
  type Mark,
  type MessageKey,
  markEdit,
  markId,
  marksIn,
} from '../lines/marked-lines.ts';
import { LineTargets } from '../sending/line-targets.ts';
import type { Target } from '../sending/message-search.ts';
import { messagesRoute } from '../sending/requests.ts';
import { type KnownMarks, knownMarks } from './known-marks.ts';

/** The differences between the declared marks and those that were sent. Nothing is removed if no line has such a field. */
interface MarkDifferences {
  readonly added: readonly Mark[];
  readonly removed: readonly Mark[];
  readonly known: KnownMarks;
  readonly isUnsure: (mark: Mark) => boolean;
}

/** A mark in doubt counts as missing if it is declared, and as present otherwise. */
function markDifferences(change: Pick<KindChange, 'before' | 'after' | 'policy'>): MarkDifferences {
  const declared = declaredMarks(change.after);
  const known = knownMarks(change);
  const { sure, unsure, keys } = known;
  const wanted = marksIn(declared).map((mark) => ({ ...mark, message: keys.asSent(mark.message) }));
  return {
    added: without(wanted, sure),
    removed: without([...sure, ...unsure], wanted).filter((mark) => isManaged(declared, mark)),
    known,
    isUnsure: isIn(unsure),
  };
}

function without(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
  const isOther = isIn(others);
  return marks.filter((mark) => !isOther(mark));
}

function isIn(marks: readonly Mark[]): (mark: Mark) => boolean {
  const ids = new Set(marks.map(markId));
  return (mark) => ids.has(markId(mark));
}

export interface MarkDrafts {
  /**
   * Run one after the other: pins, because a channel has room for ten only and shows them in the order of the calls, and
   * everything in doubt, because the last of these calls ends the doubts.
   */
  readonly chained: readonly StepDraft[];
  /** Independent of each other. */
  readonly reactions: readonly StepDraft[];
  /** Edits of state, which the first call of the plan records. */
  readonly firstEdits: readonly RecordEdit[];
}

export function markDrafts(change: KindChange, action: Action): MarkDrafts {
  const { added, removed, known, isUnsure } = markDifferences(change);
  const drafter = new Drafter(change, known, action, isUnsure);
  const isChained = (mark: Mark): boolean => mark.reaction === undefined || isUnsure(mark);
  const calls = [
    ...removed.flatMap((mark) => drafter.draft(mark, 'remove')),
    ...added.filter(isChained).flatMap((mark) => drafter.draft(mark, 'add')),
  ];
  const chained = calls.map((draft, place): StepDraft => {
    return place < calls.length - 1 ? draft : { ...draft, edits: [...draft.edits, ...known.lastEdits] };
  });
  const owner: Address = `${textOf(change.after, 'channel') ?? 'group_channel'}.${change.key}`;
  const reactions = without(added, added.filter(isChained)).flatMap((mark) =>
    drafter.draft(mark, 'add').map((draft): StepDraft => {
      const exists = [owner, ...(draft.exists ?? [])];
      return { ...draft, phase: 'reactions', exists, between: [owner], active: exists };
    }),
  );
  return { chained, reactions, firstEdits: known.firstEdits };
}

class Drafter {
  readonly #route: string;
  readonly #action: Action;
  readonly #params: Readonly<Record<string, string>>;
  readonly #targets: LineTargets;
  readonly #keys: KnownMarks['keys'];
  readonly #isUnsure: MarkDifferences['isUnsure'];

  constructor({ key, after }: KindChange, { keys }: KnownMarks, action: Action, isUnsure: MarkDifferences['isUnsure']) {
    this.#keys = keys;
    this.#isUnsure = isUnsure;
    this.#action = action;
    const channel = textOf(after, 'channel') ?? 'group_channel';
    this.#route = `${messagesRoute(channel)}/{message_id}`;
    this.#params = { channel_url: key };
    this.#targets = new LineTargets(historyFileOf(after), channel, this.#params);
  }

  /** Returns the call that adds or removes a mark, or nothing if its message has no line. */
  draft(mark: Mark, how: 'add' | 'remove'): StepDraft[] {
    const { message, reaction } = mark;
    const target =
      reaction === undefined ? { pin: how } : { reaction: { how, key: reaction.key, user_id: reaction.user } };
    const search = this.#search(message, target);
    if (search === undefined) return [];
    const users = reaction === undefined ? [] : userAddresses([reaction.user]);
    const taken = reaction === undefined ? [platformCode.taken] : [];
    return [
      {
        action: this.#action,
        phase: 'messages',
        request: this.#request(reaction, how),
        // State has a mark in doubt in its group and not at its message.
        edits: how === 'remove' && this.#isUnsure(mark) ? [] : [markEdit(how, mark, 'sure')],
        exists: users,
        active: users,
        begin: true,
        doneOn: how === 'add' ? taken : [platformCode.notFound],
        search,
      },
    ];
  }

  #request(reaction: Mark['reaction'], how: 'add' | 'remove'): ApiRequest {
    const method = how === 'add' ? 'POST' : 'DELETE';
    if (reaction === undefined) return { method, route: `${this.#route}/pin`, params: this.#params };
    const fields = { user_id: reaction.user, reaction: reaction.key };
    const route = `${this.#route}/reactions`;
    return { method, route, params: this.#params, ...(how === 'add' ? { body: fields } : { query: fields }) };
  }

  #search(message: MessageKey, what: Pick<Target, 'reaction' | 'pin'>): Search | undefined {
    const line = this.#keys.lineOf(message);
    if (line === undefined) return undefined;
    const [time = '', identity = ''] = message.split('.');
    return this.#targets.search({ line, time: Number(time), identity }, what);
  }
}

/** Returns the sentences about reactions and pins for the notes of a plan. */
export function markNotes(change: Pick<KindChange, 'before' | 'after' | 'policy'>): string[] {
  const { added, removed, isUnsure } = markDifferences(change);
  const reactions = (marks: readonly Mark[]): number => marks.filter(({ reaction }) => reaction !== undefined).length;
  const note = (count: number, [singular, many]: readonly [string, string], verb: string): string[] =>
    count === 0 ? [] : [`${plural(count, `${singular} is`, `${many} are`)} ${verb}, with a read and a call each`];
  const names = { reaction: ['reaction', 'reactions'], message: ['message', 'messages'] } as const;
  return [
    ...note(reactions(removed), names.reaction, 'removed'),
    ...note(reactions(added), names.reaction, 'added'),
    ...note(removed.length - reactions(removed), names.message, 'unpinned'),
    ...note(added.length - reactions(added), names.message, 'pinned'),
    ...doubtNote([...added, ...removed].filter(isUnsure).length),
  ];
}

function doubtNote(count: number): string[] {
  if (count === 0) return [];
  const why = 'another message of the same sender and millisecond changed or an earlier call was interrupted';
  return [`${printNumber(count)} of these reactions and pins ${count === 1 ? 'is' : 'are'} in doubt, because ${why}`];
}
