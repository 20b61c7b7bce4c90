// Drafts the calls that add and remove reactions, and that pin and unpin messages (semantics §7; platform §6.2). Each call
// first looks for the id of its message, as the edit of a sent message does.
import type { Action } from '../../model/action.ts';
import type { Address } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest, MessagesPlaceholder, Settle, Target } from '../../model/request.ts';
import type { KindChange, StepDraft } from '../definition/kind.ts';
import { textOf } from '../definition/values.ts';
import { userAddresses } from '../parts/people.ts';
import { archiveOf, marksFrom } from './archive.ts';
import {
  type KnownMarks,
  knownMarks,
  listOf,
  pinEdit,
  type Reaction,
  reactionEdit,
  reactionId,
  without,
} from './known-marks.ts';
import { LineBlocks } from './line-blocks.ts';
import { declaredMarks, type MessageKey, pinsPath, unsurePinsPath } from './marked-lines.ts';
import { messagesRoute, settleOf, shownParts } from './requests.ts';

/** The differences between the declared marks and those that were sent. Nothing is removed if no line has such a field. */
interface MarkDifferences {
  readonly added: readonly Reaction[];
  readonly removed: readonly Reaction[];
  readonly pinned: readonly MessageKey[];
  readonly unpinned: readonly MessageKey[];
  readonly known: KnownMarks;
}

/** A mark in doubt counts as missing if it is declared, and as present otherwise. */
function markDifferences(change: Pick<KindChange, 'before' | 'after' | 'policy'>): MarkDifferences {
  const declared = declaredMarks(change.after);
  const known = knownMarks(change);
  const { sure, unsure, surePins, unsurePins, keys } = known;
  const isGone = (message: MessageKey): boolean => keys.lineOf(message) === undefined;
  const wanted = listOf(declared.reactions ?? {}).map((one) => ({
    ...one,
    message: keys.asSent(one.message),
  }));
  const removed = declared.reactions === undefined ? [] : without([...sure, ...unsure], wanted);
  const wantedPins = (declared.pinned ?? []).map((message) => keys.asSent(message));
  const unpinned =
    declared.pinned === undefined ? [] : [...surePins, ...unsurePins].filter((one) => !wantedPins.includes(one));
  return {
    added: without(wanted, sure),
    removed: removed.filter(({ message }) => !isGone(message)),
    pinned: wantedPins.filter((message) => !surePins.includes(message)),
    unpinned: unpinned.filter((message) => !isGone(message)),
    known,
  };
}

export interface MarkDrafts {
  /** Run one after the other, because a channel has room for ten pins only, and shows them in the order of the calls. */
  readonly chained: readonly StepDraft[];
  /** Independent of each other. */
  readonly reactions: readonly StepDraft[];
  /** Edits of state, which the first call records. */
  readonly doubts: readonly RecordEdit[];
  /** Edits of state that the edit of a line records, by line. */
  readonly moves: KnownMarks['moves'];
}

export function markDrafts(change: KindChange, action: Action): MarkDrafts {
  const { after, key: channel } = change;
  const { added, removed, pinned, unpinned, known } = markDifferences(change);
  const drafter = new Drafter(change, known, action);
  const chained = removed.flatMap((reaction) =>
    drafter.react(reaction, 'remove').map((draft): StepDraft => ({ ...draft, active: userAddresses([reaction.user]) })),
  );
  for (const message of unpinned) chained.push(...drafter.pin(message, 'remove'));
  for (const message of pinned) chained.push(...drafter.pin(message, 'add'));
  const owner: Address = `${textOf(after, 'channel') ?? 'group_channel'}.${channel}`;
  const reactions = added.flatMap((reaction) => {
    const users = userAddresses([reaction.user]);
    return drafter.react(reaction, 'add').map(
      (draft): StepDraft => ({
        ...draft,
        phase: 'reactions',
        exists: [owner, ...users],
        between: [owner],
        active: [owner, ...users],
      }),
    );
  });
  return { chained, reactions, doubts: known.doubts, moves: known.moves };
}

class Drafter {
  readonly #key: string;
  readonly #route: string;
  readonly #channel: string;
  readonly #action: Action;
  readonly #params: Readonly<Record<string, string>>;
  readonly #lines: LineBlocks;
  readonly #messages: number;
  readonly #keys: KnownMarks['keys'];
  readonly #unsure: ReadonlySet<string>;
  readonly #unsurePins: readonly MessageKey[];
  /** Shared by the calls of one range of blocks. */
  readonly #placeholders = new Map<string, MessagesPlaceholder>();

  constructor({ key, after }: KindChange, { unsure, unsurePins, keys }: KnownMarks, action: Action) {
    this.#keys = keys;
    this.#unsure = new Set(unsure.map(reactionId));
    this.#unsurePins = unsurePins;
    const archive = archiveOf(after);
    this.#key = key;
    this.#action = action;
    this.#channel = textOf(after, 'channel') ?? 'group_channel';
    this.#route = `${messagesRoute(this.#channel)}/{message_id}`;
    this.#params = { channel_url: key };
    this.#lines = new LineBlocks(archive);
    this.#messages = archive.messages;
  }

  react({ message, key, user }: Reaction, how: 'add' | 'remove'): StepDraft[] {
    const settle = this.#settle(message, { reaction: { how, key, user_id: user } });
    if (settle === undefined) return [];
    const fields = { user_id: user, reaction: key };
    const route = `${this.#route}/reactions`;
    const request: ApiRequest =
      how === 'add'
        ? { method: 'POST', route, params: this.#params, body: fields }
        : { method: 'DELETE', route, params: this.#params, query: fields };
    const reaction = { message, key, user };
    const isUnsure = this.#unsure.has(reactionId(reaction));
    const edits = [
      reactionEdit(how, reaction, 'reacted'),
      ...(isUnsure ? [reactionEdit('remove', reaction, 'unsure')] : []),
    ];
    return [this.#draft(request, settle, edits, how === 'add' ? [] : [platformCode.notFound])];
  }

  pin(message: MessageKey, how: 'add' | 'remove'): StepDraft[] {
    const settle = this.#settle(message, { pin: how });
    if (settle === undefined) return [];
    const method = how === 'add' ? 'POST' : 'DELETE';
    const request: ApiRequest = { method, route: `${this.#route}/pin`, params: this.#params };
    const doneOn = how === 'add' ? platformCode.taken : platformCode.notFound;
    const isUnsure = this.#unsurePins.includes(message);
    const edits = [pinEdit(how, message, pinsPath), ...(isUnsure ? [pinEdit('remove', message, unsurePinsPath)] : [])];
    return [this.#draft(request, settle, edits, [doneOn])];
  }

  #draft(request: ApiRequest, settle: Settle, edits: readonly RecordEdit[], doneOn: readonly number[]): StepDraft {
    return { action: this.#action, phase: 'messages', request, edits, begin: true, doneOn, settle };
  }

  #settle(message: MessageKey, what: Pick<Target, 'reaction' | 'pin'>): Settle | undefined {
    const line = this.#keys.lineOf(message);
    if (line === undefined) return undefined;
    const [time = '', identity = ''] = message.split('.');
    const times = { first: Number(time), last: Number(time) };
    const block = this.#lines.blockOf(line);
    const place = line - this.#lines.startOf(block);
    const [from, to] = this.#lines.within(times);
    const lines = { ...this.#placeholder(from, to), only: [line - this.#lines.startOf(from)] };
    const mark = marksFrom(this.#lines.block(block).marks, place, place + 1);
    const settle = settleOf(times, this.#channel, this.#params);
    const query = { ...settle.read.query, ...shownParts };
    const read = { ...settle.read, query };
    return { ...settle, read, unsure: true, isApart: true, target: { identity, mark, lines, ...what } };
  }

  #placeholder(from: number, to: number): MessagesPlaceholder {
    const range = `${from}-${to}`;
    const known = this.#placeholders.get(range) ?? this.#lines.placeholder(this.#key, [from, to], this.#messages);
    this.#placeholders.set(range, known);
    return known;
  }
}

/** Returns the sentences about reactions and pins for the notes of a plan. */
export function markNotes(change: Pick<KindChange, 'before' | 'after' | 'policy'>): string[] {
  const { added, removed, pinned, unpinned, known } = markDifferences(change);
  const note = (count: number, [one, many]: readonly [string, string], verb: string): string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? `${one} is` : `${many} are`} ${verb}, with a read and a call each`];
  const reactions = ['reaction', 'reactions'] as const;
  const messages = ['message', 'messages'] as const;
  return [
    ...note(removed.length, reactions, 'removed'),
    ...note(added.length, reactions, 'added'),
    ...note(unpinned.length, messages, 'unpinned'),
    ...note(pinned.length, messages, 'pinned'),
    ...doubtNote([...added, ...removed], [...pinned, ...unpinned], known),
  ];
}

function doubtNote(
  reactions: readonly Reaction[],
  pins: readonly MessageKey[],
  { unsure, unsurePins }: KnownMarks,
): string[] {
  const [doubted, doubtedPins] = [new Set(unsure.map(reactionId)), new Set(unsurePins)];
  const count =
    reactions.filter((reaction) => doubted.has(reactionId(reaction))).length +
    pins.filter((message) => doubtedPins.has(message)).length;
  if (count === 0) return [];
  const why = 'another message of the same sender and millisecond changed or an earlier call was interrupted';
  return [`${count} of these reactions and pins ${count === 1 ? 'is' : 'are'} in doubt, because ${why}`];
}
