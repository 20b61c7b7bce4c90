// The reactions and pins that the lines of a history file declare (semantics §7).

import { digestOf } from '../../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue, textsIn } from '../../../lib/json.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { HistoryFileLine } from './line.ts';

/**
 * A message by `TIME.IDENTITY.MARK.NUMBER`: its time in Unix milliseconds, the fingerprint of the fields that an edit keeps,
 * that of its whole line, and the number of earlier lines with the same three. So messages of one sender and millisecond keep
 * their marks when a later history file has them in another order.
 */
export type MessageKey = string;

/** By message and key of the reaction, the users, sorted. */
type Reactions = Readonly<Record<MessageKey, Readonly<Record<string, readonly string[]>>>>;

/** What a history file declares. Absent if no line of it has the field, so that reactions or pins are not managed. */
export interface DeclaredMarks {
  readonly reactions?: Reactions;
  /** In the order of the lines. */
  readonly pinned?: readonly MessageKey[];
}

/** Collects the marks of a history file line by line. */
export class MarkedLines {
  #time = -1;
  /** The keys of the lines of this time, without their numbers. */
  #keys: string[] = [];
  #reactions: Record<MessageKey, Record<string, readonly string[]>> | undefined;
  #pinned: MessageKey[] | undefined;

  /** `identity` and `mark` are the fingerprints of the line. */
  add({ timestamp, reactions, pinned }: HistoryFileLine, identity: string, mark: string): void {
    if (timestamp !== this.#time) {
      this.#time = timestamp;
      this.#keys = [];
    }
    const marked = `${timestamp}.${identity}.${mark}`;
    if (reactions !== undefined || pinned !== undefined) {
      const key = `${marked}.${this.#keys.filter((known) => known === marked).length}`;
      const users = reactionsIn(reactions);
      if (reactions !== undefined) this.#reactions ??= {};
      if (this.#reactions !== undefined && Object.keys(users).length > 0) this.#reactions[key] = users;
      if (pinned !== undefined) this.#pinned ??= [];
      if (pinned === true) this.#pinned?.push(key);
    }
    this.#keys.push(marked);
  }

  end(): DeclaredMarks {
    return {
      ...(this.#reactions === undefined ? {} : { reactions: this.#reactions }),
      ...(this.#pinned === undefined ? {} : { pinned: this.#pinned }),
    };
  }
}

/** Returns the users of each reaction of a line, sorted. Keys without users are left out. */
export function reactionsIn(value: JsonValue | undefined): Record<string, readonly string[]> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, users]): [string, readonly string[]][] => {
      const ids = (isList(users) ? users : []).filter((id): id is string => typeof id === 'string');
      return ids.length === 0 ? [] : [[key, [...new Set(ids)].sort()]];
    }),
  );
}

/** Returns the attributes of a resource. A count and a digest stand for the whole in plans and state. */
export function markAttributes({ reactions, pinned }: DeclaredMarks): JsonObject {
  const values: Record<string, JsonValue> = {};
  if (reactions !== undefined) values.reactions = withDigest(countOfReactions(reactions), reactions);
  if (pinned !== undefined) values.pinned = withDigest(pinned.length, pinned);
  return values;
}

function withDigest(count: number, value: object): JsonObject {
  return { count, digest: digestOf(value as JsonValue), of: value as JsonValue };
}

/** Returns what state keeps of an attribute that `markAttributes` made. */
export function rememberMarks(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const { of: _whole, ...kept } = value;
  return kept;
}

/** Returns what the attributes of a resource declare. */
export function declaredMarks(attributes: JsonObject): DeclaredMarks {
  const { reactions, pinned } = attributes;
  return {
    ...(reactions === undefined ? {} : { reactions: mapOf(mapOf(attributes, 'reactions'), 'of') as Reactions }),
    ...(pinned === undefined ? {} : { pinned: textsIn(mapOf(attributes, 'pinned').of) }),
  };
}

/** Returns everybody who reacts, each once. */
export function reactorsOf({ reactions = {} }: DeclaredMarks): string[] {
  return [...new Set(Object.values(reactions).flatMap((byKey) => Object.values(byKey).flat()))];
}

function countOfReactions(reactions: Reactions): number {
  let count = 0;
  for (const byKey of Object.values(reactions)) for (const users of Object.values(byKey)) count += users.length;
  return count;
}

/**
 * A reaction of a user to a message or, if `reaction` is absent, the pin of the message. In state, a mark in doubt has the key of
 * a group as its message (known-marks.ts).
 */
export interface Mark {
  readonly message: MessageKey;
  readonly reaction?: { readonly key: string; readonly user: string };
}

export function markId({ message, reaction }: Mark): string {
  return JSON.stringify([message, reaction?.key, reaction?.user]);
}

/** Returns the reactions and then the pins, in the order of their lists. */
export function marksIn({ reactions = {}, pinned = [] }: DeclaredMarks): Mark[] {
  return [
    ...Object.entries(reactions).flatMap(([message, byKey]) =>
      Object.entries(byKey).flatMap(([key, users]) => users.map((user) => ({ message, reaction: { key, user } }))),
    ),
    ...pinned.map((message) => ({ message })),
  ];
}

/** Whether marks of this sort are managed, which are those of which any line has the field. */
export function isManaged({ reactions, pinned }: DeclaredMarks, { reaction }: Mark): boolean {
  return (reaction === undefined ? pinned : reactions) !== undefined;
}

/** Marks of sent messages. Those in doubt may be there or not, because a call was interrupted or a message of the group changed. */
type Certainty = 'sure' | 'unsure';

/** The names in a record under which reactions and pins are kept. */
const names = {
  sure: { reactions: 'reacted', pins: 'pins' },
  unsure: { reactions: 'unsure', pins: 'unsure_pins' },
} as const;

/** Returns the edit that adds a mark to those in state, or removes it. */
export function markEdit(op: 'add' | 'remove', { message, reaction }: Mark, certainty: Certainty): RecordEdit {
  if (reaction === undefined) return { op, path: [names[certainty].pins], values: [message] };
  return { op, path: [...pathOf(message, certainty), reaction.key], values: [reaction.user] };
}

/** Returns the edits that remove these marks from state. The reactions are all those of their messages. */
export function withoutMarks(marks: readonly Mark[], certainty: Certainty): RecordEdit[] {
  const messages = (isReaction: boolean): string[] => [
    ...new Set(marks.filter(({ reaction }) => (reaction !== undefined) === isReaction).map(({ message }) => message)),
  ];
  const pinned = messages(false);
  return [
    ...messages(true).map((message): RecordEdit => ({ op: 'unset', path: pathOf(message, certainty) })),
    ...(pinned.length === 0 ? [] : [{ op: 'remove', path: [names[certainty].pins], values: pinned } as const]),
  ];
}

/** Days keep the edited maps small. */
function pathOf(message: string, certainty: Certainty): readonly string[] {
  const day = Math.floor(Number(message.slice(0, message.indexOf('.'))) / 86_400_000);
  return [names[certainty].reactions, String(day), message];
}

/** Returns the marks of a history file according to state. */
export function sentMarks(remembered: JsonObject): Readonly<Record<Certainty, readonly Mark[]>> {
  const sent = ({ reactions, pins }: (typeof names)[Certainty]): Mark[] =>
    marksIn({ reactions: reactionsOf(remembered, reactions), pinned: textsIn(remembered[pins]) });
  return { sure: sent(names.sure), unsure: sent(names.unsure) };
}

function reactionsOf(remembered: JsonObject, where: string): Reactions {
  const days = Object.values(mapOf(remembered, where)).filter(isObject);
  const all = days.flatMap((day) =>
    Object.entries(day).map(([message, byKey]) => [message, reactionsIn(byKey)] as const),
  );
  return Object.fromEntries(all.filter(([, byKey]) => Object.keys(byKey).length > 0));
}
