// What is known of the reactions and pins of sent messages, and what comes into doubt (semantics §7).
import { defaultMessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Target } from '../../model/request.ts';
import type { KindChange } from '../definition/kind.ts';
import { archiveOf, identitiesFrom } from './archive.ts';
import { differencesOf } from './differences.ts';
import type { LineBlocks } from './line-blocks.ts';
import {
  type MessageKey,
  pathOfReactions,
  pinsPath,
  type Reactions,
  type SentMarks,
  sentMarks,
  unsurePinsPath,
} from './marked-lines.ts';
import { sentOf } from './recorded-calls.ts';

export interface Reaction {
  readonly message: MessageKey;
  readonly key: string;
  readonly user: string;
}

/** The marks of sent messages. Those in doubt may be there or not. */
export interface KnownMarks {
  readonly sure: readonly Reaction[];
  readonly unsure: readonly Reaction[];
  readonly surePins: readonly MessageKey[];
  readonly unsurePins: readonly MessageKey[];
  /** The edits that bring state to the same. */
  readonly doubts: readonly RecordEdit[];
}

/**
 * Messages of one sender, type and time are told apart by their order. If one of them is deleted, inserted or edited, each
 * mark of any of them may be on any of them.
 */
export function knownMarks(
  { before, after, policy = defaultMessagesPolicy }: Pick<KindChange, 'before' | 'after' | 'policy'>,
  lines: LineBlocks,
): KnownMarks {
  const sent = sentMarks(before);
  const all = [...listOf(sent.reactions), ...listOf(sent.unsure.reactions)];
  const allPins = [...sent.pinned, ...sent.unsure.pinned];
  const doubts = new Doubts(sent);
  if (all.length + allPins.length > 0) {
    const { edited, gone, late, unsure } = differencesOf(archiveOf(after), sentOf(before));
    const isUpdated = policy.edited === 'update';
    const moved = new Set([
      ...(policy.deleted === 'delete' ? gone.map(({ identity }) => identity) : []),
      ...(policy.late === 'insert' ? late.map((line) => identityAt(line, lines)) : []),
      ...[...unsure, ...(isUpdated ? edited : [])].flatMap(({ was }) => (was.isUnsure ? [was.identity] : [])),
    ]);
    const changed = new Set([...moved, ...(isUpdated ? edited.map(({ was }) => was.identity) : [])]);
    const messages = [...all.map(({ message }) => message), ...allPins].filter((one) => changed.has(identityOf(one)));
    for (const group of new Set(messages.map(groupOf))) {
      const count = linesOf(group, lines);
      if (count === 1 && !moved.has(identityOf(group))) continue;
      const isOwn = (message: MessageKey): boolean => groupOf(message) === group;
      doubts.doubt(
        group,
        count,
        all.filter(({ message }) => isOwn(message)),
        allPins.filter(isOwn),
      );
    }
  }
  return doubts.known();
}

class Doubts {
  readonly #sent: SentMarks;
  readonly #edits: RecordEdit[] = [];
  /** Reactions by their id. */
  readonly #unsure: Map<string, Reaction>;
  readonly #unsurePins: Set<MessageKey>;

  constructor(sent: SentMarks) {
    this.#sent = sent;
    this.#unsure = new Map(listOf(sent.unsure.reactions).map((reaction) => [reactionId(reaction), reaction]));
    this.#unsurePins = new Set(sent.unsure.pinned);
  }

  /** `count` is the number of lines left in the group. Without any, its marks stay in doubt until such a line returns. */
  doubt(group: string, count: number, reactions: readonly Reaction[], pins: readonly MessageKey[]): void {
    const messages = Array.from({ length: Math.max(1, count) }, (_none, place) => `${group}.${place}`);
    for (const message of new Set([...reactions.map((one) => one.message), ...pins])) {
      if (!messages.includes(message)) this.#drop(message);
    }
    for (const message of messages) {
      for (const { key, user } of reactions) {
        const reaction = { message, key, user };
        const id = reactionId(reaction);
        if (!this.#unsure.has(id)) this.#edits.push(reactionEdit('add', reaction, 'unsure'));
        this.#unsure.set(id, reaction);
      }
      if (pins.length === 0) continue;
      if (!this.#unsurePins.has(message)) this.#edits.push(pinEdit('add', message, unsurePinsPath));
      this.#unsurePins.add(message);
    }
  }

  #drop(message: MessageKey): void {
    for (const where of ['reacted', 'unsure'] as const) {
      this.#edits.push({ op: 'unset', path: pathOfReactions(message, where) });
    }
    if (this.#sent.pinned.includes(message)) this.#edits.push(pinEdit('remove', message, pinsPath));
    if (this.#unsurePins.has(message)) this.#edits.push(pinEdit('remove', message, unsurePinsPath));
    for (const [id, reaction] of this.#unsure) if (reaction.message === message) this.#unsure.delete(id);
    this.#unsurePins.delete(message);
  }

  known(): KnownMarks {
    const unsure = [...this.#unsure.values()];
    return {
      sure: without(listOf(this.#sent.reactions), unsure),
      unsure,
      surePins: this.#sent.pinned.filter((message) => !this.#unsurePins.has(message)),
      unsurePins: [...this.#unsurePins],
      doubts: this.#edits,
    };
  }
}

/** Returns the edit that notes in state that the outcome of a call is unknown. */
export function markInDoubt({ reaction, pin }: Target, edits: readonly RecordEdit[]): RecordEdit[] {
  const [edit] = edits;
  if (edit === undefined) return [];
  if (reaction !== undefined) {
    return [reactionEdit('add', { message: edit.path[2] ?? '', key: reaction.key, user: reaction.user_id }, 'unsure')];
  }
  const [message] = 'values' in edit ? edit.values : [];
  return pin === undefined || message === undefined ? [] : [pinEdit('add', message, unsurePinsPath)];
}

export function reactionEdit(
  op: 'add' | 'remove',
  { message, key, user }: Reaction,
  where: 'reacted' | 'unsure',
): RecordEdit {
  return { op, path: [...pathOfReactions(message, where), key], values: [user] };
}

export function pinEdit(op: 'add' | 'remove', message: MessageKey, path: readonly string[]): RecordEdit {
  return { op, path, values: [message] };
}

export function listOf(reactions: Reactions): Reaction[] {
  return Object.entries(reactions).flatMap(([message, byKey]) =>
    Object.entries(byKey).flatMap(([key, users]) => users.map((user) => ({ message, key, user }))),
  );
}

export function without(reactions: readonly Reaction[], others: readonly Reaction[]): Reaction[] {
  const known = new Set(others.map(reactionId));
  return reactions.filter((reaction) => !known.has(reactionId(reaction)));
}

export function reactionId({ message, key, user }: Reaction): string {
  return JSON.stringify([message, key, user]);
}

/** Returns the line of a message. Undefined if no line is left for it. */
export function lineOf(message: MessageKey, lines: LineBlocks): number | undefined {
  const [time = '', identity = '', earlier = ''] = message.split('.');
  return lines.find(Number(time), identity, Number(earlier));
}

/** The messages of one time and identity share the key without its number. */
function groupOf(message: MessageKey): string {
  return message.slice(0, message.lastIndexOf('.'));
}

function identityOf(message: MessageKey): string {
  return message.split('.')[1] ?? '';
}

function linesOf(group: string, lines: LineBlocks): number {
  let count = 0;
  while (lineOf(`${group}.${count}`, lines) !== undefined) count += 1;
  return count;
}

function identityAt(line: number, lines: LineBlocks): string {
  const number = lines.blockOf(line);
  const place = line - lines.startOf(number);
  return identitiesFrom(lines.block(number).identities, place, place + 1);
}
