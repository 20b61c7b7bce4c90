// Checks one line of a history file: its JSON, its fields, its time and its sender.

import { isList, isObject, isUnusableText, type JsonObject, type JsonValue, parsedJson } from '../../../lib/json.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';
import type { HistoryFile, ThreadReply } from '../../history/lines/history-file.ts';
import {
  type HistoryFileLine,
  lineFrom,
  type MessageType,
  messageTypes,
  threadLikeness,
  withoutThread,
} from '../../history/lines/line.ts';
import { reactionsIn } from '../../history/lines/marked-lines.ts';
import { type MetaArrayLimits, messageLengths } from '../../model/limits.ts';
import type { ManifestCode } from '../problems/codes.ts';
import { describeValue, oneOf, quoted } from '../problems/wording.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import { lineChecks } from '../schema/validate.ts';
import { FirstLines } from './first-lines.ts';

export interface LineProblem {
  readonly code: ManifestCode;
  readonly detail: string;
  readonly severity?: 'warning';
  /** The part of the line. Absent: the whole line. */
  readonly path?: readonly string[];
  /** Default: the value. */
  readonly at?: 'key' | 'value';
}

export interface LineRules {
  /** The most characters of a text. */
  readonly messageLength: number;
  /** The declared limits of meta arrays. */
  readonly metaArrays?: MetaArrayLimits | undefined;
  /** Whether the user is declared, or external by the policy. */
  isUser(id: string): boolean;
  /** Where `removed` lists the user, as it is printed. */
  removedAt?(id: string): string | undefined;
  readonly suggestions: Suggestions;
}

/** Reads the lines of one history file in order. */
export class LineReader {
  readonly #rules: LineRules;
  readonly #threads: boolean;
  /** The number of the last line of each sender. */
  readonly #senders = new Map<string, number>();
  #lines = 0;
  readonly #strangers = new Set<string>();
  /** Needs about twenty bytes for each dedup_id. */
  #ids: NameTable | undefined;
  /** By number of its dedup_id, where a line is, and whether it may be the first of a thread. */
  readonly #places = new FirstLines();
  #before: HistoryFileLine | undefined;
  /** How often each message occurred at the time of the last line. */
  #sameTime: Map<string, number> | undefined;

  /** `threads`: lines with a parent are sent as replies. */
  constructor(rules: LineRules, threads: boolean) {
    this.#rules = rules;
    this.#threads = threads;
  }

  get senders(): Pick<HistoryFile, 'senders' | 'lastLines'> {
    const senders = [...this.#senders.keys()].sort();
    return { senders, lastLines: senders.map((id) => this.#senders.get(id) ?? 0) };
  }

  /**
   * Returns the message, the number of equal messages before it, and its thread if it is a reply, or its problems. With a
   * warning, it returns all.
   */
  read(text: string): {
    readonly line?: HistoryFileLine;
    readonly repeat: number;
    readonly reply?: ThreadReply;
    readonly problems: readonly LineProblem[];
  } {
    const value = parsedJson(text);
    if (!isObject(value)) return wrong([notAMessage(text)]);
    const declared = lineFrom(value);
    if (declared.message_type === 'ADMM' && declared.parent !== undefined) return wrong([adminReply]);
    const problems = [
      ...checkFields(declared, this.#rules.suggestions),
      ...this.#length(declared),
      ...this.#metaArrays(declared),
    ];
    if (problems.length > 0) return wrong(problems);
    const thread = this.#thread(declared);
    const line = this.#threads ? declared : withoutThread(declared);
    const wrongs = [
      ...this.#sender(line),
      ...this.#reactors(line),
      ...this.#order(line),
      ...thread.problems,
      ...this.#id(declared),
    ];
    const remarks = text.includes('\\u') && holdsUnusable(line) ? [...wrongs, unusable] : wrongs;
    this.#lines++;
    const { user_id: id } = line;
    if (typeof id === 'string' && this.#senders.has(id)) this.#senders.set(id, this.#lines);
    const repeat = this.#repeat(line);
    this.#before = line;
    const reply = this.#threads ? thread.reply : undefined;
    const read = { line, repeat, ...(reply === undefined ? {} : { reply }) };
    if (repeat === 0 || line.dedup_id !== undefined || remarks.length > 0) return { ...read, problems: remarks };
    return { ...read, problems: [repeated] };
  }

  #length({ message: text }: HistoryFileLine): LineProblem[] {
    const { messageLength: most } = this.#rules;
    if (typeof text !== 'string' || text.length <= most || text.length > messageLengths.most) return [];
    const { length } = [...text];
    if (length <= most) return [];
    const detail = `message is ${length} characters long, but the application allows ${most}. Shorten it, or set application.limits.message_length if the vendor raised the limit.`;
    return [{ code: 'manifest.too-long', detail, path: ['message'] }];
  }

  /** Reports the first limit that is exceeded. */
  #metaArrays({ sorted_metaarray: arrays }: HistoryFileLine): LineProblem[] {
    const { metaArrays } = this.#rules;
    if (metaArrays === undefined || !isList(arrays)) return [];
    const exceeded = overLimits(arrays, metaArrays);
    if (exceeded === undefined) return [];
    const { what, count, limit } = exceeded;
    const detail = `${what}: ${count}, but the application allows ${metaArrays[limit] ?? 0} (application.limits.meta_arrays.${limit}). The platform would refuse the whole call of this message. Shorten it, or correct the limit.`;
    return [{ code: 'manifest.meta-arrays', detail, path: ['sorted_metaarray'] }];
  }

  #sender({ user_id: id }: HistoryFileLine): LineProblem[] {
    if (typeof id !== 'string' || this.#senders.has(id) || this.#strangers.has(id)) return [];
    if (this.#rules.isUser(id)) {
      this.#senders.set(id, 0);
      return [];
    }
    // Report each undeclared sender only once.
    this.#strangers.add(id);
    const removedAt = this.#rules.removedAt?.(id);
    const advice =
      removedAt === undefined
        ? 'Declare the user, or add a matching pattern to policy.external.users if it is managed elsewhere.'
        : `It is listed under removed at ${removedAt}. Remove the lines of the user from this file, or add a matching pattern to policy.external.users to keep them.`;
    const detail = `${quoted(id)} is the sender of this message, but no manifest declares user.${id}. ${advice}`;
    return [{ code: 'manifest.undeclared-user', detail, path: ['user_id'] }];
  }

  #reactors({ reactions }: HistoryFileLine): LineProblem[] {
    if (reactions === undefined) return [];
    const ids = new Set(Object.values(reactionsIn(reactions)).flat());
    return [...ids].flatMap((id): LineProblem[] => {
      if (this.#strangers.has(id) || this.#rules.isUser(id)) return [];
      this.#strangers.add(id);
      const detail = `${quoted(id)} reacted to this message, but no manifest declares user.${id}. Declare the user, or remove the reaction.`;
      return [{ code: 'manifest.undeclared-user', detail, path: ['reactions'], at: 'key' }];
    });
  }

  #order({ timestamp }: HistoryFileLine): LineProblem[] {
    const before = this.#before?.timestamp ?? 0;
    if (timestamp >= before) return [];
    const detail = `Its timestamp ${timestamp} is earlier than that of the line above, ${before}. Messages are sent in file order. Sort the history file by timestamp, for instance with jq -c -s 'sort_by(.timestamp)[]'.`;
    return [{ code: 'manifest.history-order', detail, path: ['timestamp'] }];
  }

  /** Finds the first line of a reply's thread (platform §6.2). */
  #thread({ parent, timestamp }: HistoryFileLine): {
    readonly reply?: ThreadReply;
    readonly problems: readonly LineProblem[];
  } {
    if (typeof parent !== 'string') return { problems: none };
    const number = this.#ids?.find(parent);
    const first = number === undefined ? undefined : this.#places.at(number);
    if (first === undefined) {
      const detail = `No earlier line has the dedup_id ${quoted(parent)}. The first message of a thread stands before its replies in the same history file. Add its line, or remove parent to send this message outside of a thread.`;
      return { problems: [{ code: 'manifest.history-thread', detail, path: ['parent'] }] };
    }
    if (first.type === 'message') return { reply: [first.line, first.time, timestamp], problems: none };
    const detail =
      first.type === 'notice'
        ? `The message with the dedup_id ${quoted(parent)} is an admin message, which has no replies. Remove parent to send this message outside of a thread.`
        : `The message with the dedup_id ${quoted(parent)} is a reply, and a reply has no replies. Name the first message of the thread as the parent.`;
    return { problems: [{ code: 'manifest.history-thread', detail, path: ['parent'] }] };
  }

  #id({ dedup_id: id, message_type: type, timestamp, parent }: HistoryFileLine): LineProblem[] {
    if (typeof id !== 'string') return [];
    this.#ids ??= new NameTable();
    const { size } = this.#ids;
    if (this.#ids.add(id) === size) {
      const place = type === 'ADMM' ? 'notice' : parent === undefined ? 'message' : 'reply';
      this.#places.push({ line: this.#lines, time: timestamp, type: place });
      return [];
    }
    const detail = `The dedup_id ${quoted(id)} is also on an earlier line, so the platform would drop this message. Remove one of the two lines, or give this message its own dedup_id.`;
    return [{ code: 'manifest.history-repeated', detail, path: ['dedup_id'] }];
  }

  #repeat(line: HistoryFileLine): number {
    if (this.#before?.timestamp !== line.timestamp) {
      this.#sameTime = undefined;
      return 0;
    }
    this.#sameTime ??= new Map([[threadLikeness(this.#before), 1]]);
    const likeness = threadLikeness(line);
    const count = this.#sameTime.get(likeness) ?? 0;
    this.#sameTime.set(likeness, count + 1);
    return count;
  }
}

interface ExceededLimit {
  readonly what: string;
  readonly count: number;
  readonly limit: keyof MetaArrayLimits;
}

function overLimits(arrays: readonly JsonValue[], limits: MetaArrayLimits): ExceededLimit | undefined {
  const counts: ExceededLimit[] = [{ what: 'Keys of the meta arrays', count: arrays.length, limit: 'keys' }];
  for (const item of arrays) {
    const { key, value } = isObject(item) ? item : {};
    const [name, values] = [String(key), isList(value) ? value.map(String) : []];
    const largest = values.reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 0);
    counts.push(
      { what: `Values of ${quoted(name)}`, count: values.length, limit: 'values' },
      { what: `Bytes of the key ${quoted(name)}`, count: Buffer.byteLength(name), limit: 'key_bytes' },
      { what: `Bytes of a value of ${quoted(name)}`, count: largest, limit: 'value_bytes' },
    );
  }
  return counts.find(({ count, limit }) => count > (limits[limit] ?? Number.POSITIVE_INFINITY));
}

const none: readonly LineProblem[] = [];

const repeated: LineProblem = {
  code: 'manifest.history-repeated',
  detail:
    'An earlier line has the same time, sender and content. Both are sent. If the message was written only once, remove one of the two lines.',
  severity: 'warning',
};

const adminReply: LineProblem = {
  code: 'manifest.history-thread',
  detail: 'An admin message cannot be a reply in a thread. Remove parent.',
  path: ['parent'],
};

const unusable: LineProblem = {
  code: 'manifest.bad-character',
  detail:
    'The message contains a NUL character or half of a surrogate pair. The platform may refuse the whole call that carries the message. Remove the character, or write \\ufffd in its place.',
  severity: 'warning',
};

function holdsUnusable(value: JsonValue): boolean {
  if (typeof value === 'string') return isUnusableText(value);
  if (isList(value)) return value.some(holdsUnusable);
  return isObject(value) && Object.entries(value).some(([key, inner]) => isUnusableText(key) || holdsUnusable(inner));
}

function wrong(problems: readonly LineProblem[]) {
  return { repeat: 0, problems };
}

function notAMessage(text: string): LineProblem {
  const what = text.trim() === '' ? 'The line is empty' : 'The line is not a JSON object';
  const detail = `${what}. A history file has one message on each line: {"message_type": "MESG", "user_id": …, "message": …, "timestamp": …}.`;
  return { code: 'manifest.history-line', detail };
}

function isType(value: JsonValue | undefined): value is MessageType {
  return typeof value === 'string' && Object.hasOwn(lineChecks, value);
}

function checkFields(value: JsonObject, suggestions: Suggestions): readonly LineProblem[] {
  const { message_type: type = null } = value;
  if (!isType(type)) {
    const printedType = typeof type === 'string' ? quoted(type) : describeValue(type, undefined);
    const detail = `message_type is ${printedType}. Write ${oneOf(messageTypes)}.`;
    return [{ code: 'manifest.history-line', detail, path: ['message_type'] }];
  }
  const check = lineChecks[type];
  if (check.fits(value)) return none;
  return complaintsOf(value, {
    check,
    title: `a message of type ${type}`,
    textAt: () => undefined,
    isSecret: () => false,
    suggestions,
  });
}
