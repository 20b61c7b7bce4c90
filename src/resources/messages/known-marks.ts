// What is known of the reactions and pins of sent messages, and what comes into doubt (semantics §7).
import { defaultMessagesPolicy } from '../../model/policy.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Target } from '../../model/request.ts';
import type { KindChange } from '../definition/kind.ts';
import { archiveOf, identitiesFrom } from './archive.ts';
import { type Differences, differencesOf } from './differences.ts';
import { LineBlocks } from './line-blocks.ts';
import {
  type DeclaredMarks,
  declaredMarks,
  type MessageKey,
  pathOfReactions,
  pinsPath,
  type Reactions,
  type SentMarks,
  sentMarks,
  unsurePinsPath,
} from './marked-lines.ts';
import { groupOf, identityOf, isOfEarlierVersion, MessageKeys } from './message-keys.ts';
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
  readonly keys: MessageKeys;
  /** The edits that bring state to the same, at the start. */
  readonly doubts: readonly RecordEdit[];
  /** The edits that move the marks of an edited line to its new key, by line. They count once the line is edited. */
  readonly moves: ReadonlyMap<number, readonly RecordEdit[]>;
}

const nothing: Omit<Differences, 'changedAt'> = { known: 0, edited: [], gone: [], late: [], unsure: [] };

/**
 * The marks of a line that was edited alone move with it. If one of several messages of one sender, type and time is deleted,
 * edited or new, each mark of any of them may be on any of them, because the platform shows neither their lines nor their
 * pins.
 */
export function knownMarks({
  before,
  after,
  policy = defaultMessagesPolicy,
}: Pick<KindChange, 'before' | 'after' | 'policy'>): KnownMarks {
  const archive = archiveOf(after);
  const lines = new LineBlocks(archive);
  const sent = sentMarks(before);
  const { reactions, pinned } = declaredMarks(after);
  const all = [...messagesIn(sent), ...messagesIn(sent.unsure)];
  const isMarked = all.length > 0 || reactions !== undefined || pinned !== undefined;
  const { known, edited, gone, late, unsure } = isMarked ? differencesOf(archive, sentOf(before)) : nothing;
  const isUpdated = policy.edited === 'update';
  const keys = new MessageKeys(lines, isUpdated ? [] : edited);
  const doubts = new Doubts(sent, keys);
  const moved = new Set([
    ...appendedIdentities(known, lines),
    ...(policy.deleted === 'delete' ? gone.map(({ identity }) => identity) : []),
    ...(policy.late === 'insert' ? late.map((line) => identityAt(line, lines)) : []),
    ...[...unsure, ...(isUpdated ? edited : [])].flatMap(({ was }) => (was.isUnsure ? [was.identity] : [])),
  ]);
  const changed = new Set([...moved, ...(isUpdated ? edited.map(({ was }) => was.identity) : [])]);
  // The key of a mark in doubt may be that of an archive that was never applied to its end, and earlier versions wrote other keys.
  const odd = new Set([...messagesIn(sent.unsure), ...all.filter(isOfEarlierVersion)].map(groupOf));
  const groups = new Map<string, MessageKey[]>();
  for (const message of all) {
    const group = groupOf(message);
    if (!changed.has(identityOf(group)) && !odd.has(group)) continue;
    groups.set(group, [...(groups.get(group) ?? []), message]);
  }
  for (const [group, messages] of groups) {
    const isChanged = changed.has(identityOf(group));
    const own = keys.ofGroup(group);
    if (!isChanged && messages.every((message) => own.includes(message))) continue;
    const [line] = own.length === 1 && !moved.has(identityOf(group)) ? own : [];
    if (line !== undefined && isChanged) doubts.moveWithLine(messages, line);
    else if (line !== undefined && messages.every((message) => message === line || isOfEarlierVersion(message)))
      doubts.move(messages, line);
    else doubts.doubt(messages, own);
  }
  return doubts.known();
}

/** Returns the keys of all messages with marks. Some occur twice. */
function messagesIn({ reactions, pinned }: Required<DeclaredMarks>): MessageKey[] {
  return [...Object.keys(reactions), ...pinned];
}

class Doubts {
  readonly #keys: MessageKeys;
  readonly #edits: RecordEdit[] = [];
  readonly #moves = new Map<number, RecordEdit[]>();
  readonly #sure: ReactionsByMessage;
  readonly #unsure: ReactionsByMessage;
  readonly #surePins: Set<MessageKey>;
  readonly #unsurePins: Set<MessageKey>;

  constructor({ reactions, pinned, unsure }: SentMarks, keys: MessageKeys) {
    this.#keys = keys;
    this.#sure = byMessage(listOf(reactions));
    this.#unsure = byMessage(listOf(unsure.reactions));
    this.#surePins = new Set(pinned);
    this.#unsurePins = new Set(unsure.pinned);
  }

  /** Moves the marks of these messages to the key `to` at the start. */
  move(messages: readonly MessageKey[], to: MessageKey): void {
    this.#edits.push(...this.#moved(messages, to));
  }

  /** Moves the marks of these messages to the key `to` once its line is edited. */
  moveWithLine(messages: readonly MessageKey[], to: MessageKey): void {
    const edits = this.#moved(messages, to);
    const line = this.#keys.lineOf(to);
    if (line !== undefined) this.#moves.set(line, edits);
  }

  #moved(messages: readonly MessageKey[], to: MessageKey): RecordEdit[] {
    const edits: RecordEdit[] = [];
    for (const from of new Set(messages)) {
      if (from === to) continue;
      for (const [where, known] of this.#reactions()) {
        const left = known.get(from);
        if (left === undefined) continue;
        known.delete(from);
        edits.push({ op: 'unset', path: pathOfReactions(from, where) });
        for (const reaction of left.values()) {
          const there = { ...reaction, message: to };
          edits.push(reactionEdit('add', there, where));
          put(known, there);
        }
      }
      for (const [path, known] of this.#pins()) {
        if (!known.delete(from)) continue;
        edits.push(pinEdit('remove', from, path), pinEdit('add', to, path));
        known.add(to);
      }
    }
    return edits;
  }

  /**
   * `own` are the keys of the lines that are left in the group of these messages. Without any, their marks stay in doubt until
   * such a line returns.
   */
  doubt(messages: readonly MessageKey[], own: readonly MessageKey[]): void {
    const marked = new Set(messages);
    const reactions = [...marked].flatMap((message) =>
      [this.#sure, this.#unsure].flatMap((known) => [...(known.get(message)?.values() ?? [])]),
    );
    const isPinned = messages.some((message) => this.#surePins.has(message) || this.#unsurePins.has(message));
    const left = own.length > 0 ? own : [...marked];
    for (const message of marked) if (!left.includes(message)) this.#drop(message);
    for (const message of left) {
      for (const { key, user } of reactions) {
        const reaction = { message, key, user };
        if (!has(this.#unsure, reaction)) this.#edits.push(reactionEdit('add', reaction, 'unsure'));
        put(this.#unsure, reaction);
      }
      if (!isPinned) continue;
      if (!this.#unsurePins.has(message)) this.#edits.push(pinEdit('add', message, unsurePinsPath));
      this.#unsurePins.add(message);
    }
  }

  #drop(message: MessageKey): void {
    for (const [where, known] of this.#reactions()) {
      if (known.delete(message))
        this.#edits.push({
          op: 'unset',
          path: pathOfReactions(message, where),
        });
    }
    for (const [path, known] of this.#pins()) {
      if (known.delete(message)) this.#edits.push(pinEdit('remove', message, path));
    }
  }

  #reactions() {
    return [['reacted', this.#sure] as const, ['unsure', this.#unsure] as const];
  }

  #pins() {
    return [[pinsPath, this.#surePins] as const, [unsurePinsPath, this.#unsurePins] as const];
  }

  known(): KnownMarks {
    return {
      sure: allIn(this.#sure).filter((reaction) => !has(this.#unsure, reaction)),
      unsure: allIn(this.#unsure),
      surePins: [...this.#surePins].filter((message) => !this.#unsurePins.has(message)),
      unsurePins: [...this.#unsurePins],
      keys: this.#keys,
      doubts: this.#edits,
      moves: this.#moves,
    };
  }
}

/** By message and id. */
type ReactionsByMessage = Map<MessageKey, Map<string, Reaction>>;

function byMessage(reactions: readonly Reaction[]): ReactionsByMessage {
  const known: ReactionsByMessage = new Map();
  for (const reaction of reactions) put(known, reaction);
  return known;
}

function put(known: ReactionsByMessage, reaction: Reaction): void {
  const own = known.get(reaction.message) ?? new Map<string, Reaction>();
  known.set(reaction.message, own);
  own.set(reactionId(reaction), reaction);
}

function has(known: ReactionsByMessage, reaction: Reaction): boolean {
  return known.get(reaction.message)?.has(reactionId(reaction)) === true;
}

function allIn(known: ReactionsByMessage): Reaction[] {
  return [...known.values()].flatMap((own) => [...own.values()]);
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

/** Returns the identities of lines to append that may share a time with lines that were sent. */
function appendedIdentities(known: number, lines: LineBlocks): string[] {
  if (known === 0) return [];
  const first = lines.blockOf(known - 1);
  const [, to] = lines.sharingTime(first);
  const end = lines.startOf(to + 1);
  return Array.from({ length: end - known }, (_none, place) => identityAt(known + place, lines));
}

function identityAt(line: number, lines: LineBlocks): string {
  const number = lines.blockOf(line);
  const place = line - lines.startOf(number);
  return identitiesFrom(lines.block(number).identities, place, place + 1);
}
