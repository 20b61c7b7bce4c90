// Checks that each message of a history file arrived once and in order. Both sides must be sorted by time.
import { isList, type JsonObject, type JsonValue } from '../../lib/json.ts';
import {
  type MessageFinding,
  sortedUncompared,
  sumsOf,
  type Uncompared,
  uncomparedReasons,
} from '../model/migration-report.ts';
import { differingFields, isAlike } from './comparing/compared-fields.ts';
import { likenessOfMessage, parentOfMessage } from './comparing/shown-message.ts';
import { dataFields, type HistoryFileLine, likenessOfLine } from './lines/line.ts';
import { reactionsIn } from './lines/marked-lines.ts';

/** The maximum number of findings that are listed. */
const maxFindings = 5;
/** The maximum number of unmatched messages kept for pairing. A message missing at one time and extra at another has moved. */
const maxStrays = 10_000;

/** A line and a message of one likeness. */
interface Met {
  readonly line: HistoryFileLine;
  readonly message: JsonObject;
}

interface Stray {
  readonly finding: Omit<MessageFinding, 'what'>;
}

/** How much of a history file has arrived, in lines from the first. */
export interface ArrivedLines {
  readonly whole: number;
  readonly some: number;
}

/** Keeps in memory the messages of one timestamp and a bounded number of unmatched ones. */
export class Comparison {
  readonly #findings: MessageFinding[] = [];
  readonly #lost = new Map<string, Stray[]>();
  readonly #strange = new Map<string, Stray[]>();
  #strays = 0;
  #compared = 0;
  #firstMissing: number | undefined;
  #lastThere = 0;
  /** The number of messages by reason and field. */
  readonly #uncompared = {
    not_shown: new Map<string, number>(),
    not_declared: new Map<string, number>(),
    kept: new Map<string, number>(),
  };
  readonly #keepsData: boolean;
  readonly #alteredFields = new Map<string, number>();
  readonly #threads: ReadonlySet<number> | undefined;
  /** By dedup_id of a line, the message_id of the first message of a thread. */
  readonly #firsts = new Map<string, JsonValue>();
  #counts = { missing: 0, deleted: 0, doubled: 0, moved: 0, altered: 0, out_of_order: 0, others: 0 };

  /**
   * `threads`: the times of the first messages of threads. Without it, replies are not told from other messages. `keepsData`: data
   * that differ are as the policy wants them.
   */
  constructor({
    threads,
    keepsData = false,
  }: { readonly threads?: ReadonlySet<number> | undefined; readonly keepsData?: boolean | undefined } = {}) {
    this.#threads = threads;
    this.#keepsData = keepsData;
  }

  /** Compares both sides of one timestamp, each in its own order. */
  instant(lines: readonly HistoryFileLine[], there: readonly JsonObject[]): void {
    const [line, message] = [lines[0], there[0]];
    // Nearly every time has one line and its message, for which nothing needs to be searched.
    if (lines.length === 1 && there.length === 1 && line !== undefined && isFound(line, message)) {
      this.#compared += 1;
      this.#lastThere = this.#compared;
      this.#compareFields({ line, message });
    } else this.#search(lines, there);
  }

  #search(lines: readonly HistoryFileLine[], there: readonly JsonObject[]): void {
    const before = this.#compared;
    this.#compared += lines.length;
    const wanted = lines.map(likenessOfLine);
    const found = there.map(likenessOfMessage);
    const unclaimed = new Map<string, number[]>();
    for (const place of liveFirst(there)) {
      const likeness = found[place] ?? '';
      const places = unclaimed.get(likeness);
      if (places === undefined) unclaimed.set(likeness, [place]);
      else places.push(place);
    }
    const met: number[] = [];
    const alike = new Map<string, Met[]>();
    for (const [place, likeness] of wanted.entries()) {
      const line = lines[place];
      const at = unclaimed.get(likeness)?.shift();
      if (line === undefined) continue;
      if (at === undefined) this.#firstMissing ??= before + place;
      else this.#lastThere = before + place + 1;
      if (at === undefined) this.#stray(this.#lost, stray(line.timestamp, line.user_id), contentOf(likeness));
      else if (isDeleted(there[at])) this.#tell('deleted', stray(line.timestamp, line.user_id));
      else {
        met.push(at);
        const pair = { line, message: there[at] ?? {} };
        const others = alike.get(likeness);
        if (others === undefined) alike.set(likeness, [pair]);
        else others.push(pair);
      }
    }
    for (const pairs of alike.values()) for (const pair of pairedByFields(pairs)) this.#compareFields(pair);
    for (const [place, at] of met.entries()) {
      if (place > 0 && at < (met[place - 1] ?? 0))
        this.#tell('out_of_order', stray(lines[0]?.timestamp ?? 0, undefined));
    }
    const known = new Set(wanted);
    for (const [likeness, places] of unclaimed) {
      for (const place of places) {
        if (isDeleted(there[place])) continue;
        const { created_at: time } = there[place] ?? {};
        const finding = stray(typeof time === 'number' ? time : 0, senderOf(likeness));
        if (known.has(likeness)) this.#tell('doubled', finding);
        else this.#stray(this.#strange, finding, contentOf(likeness));
      }
    }
  }

  /** `whole` counts the lines before the first missing one, `some` those up to the last that arrived. */
  get reach(): ArrivedLines {
    return { whole: this.#firstMissing ?? this.#compared, some: this.#lastThere };
  }

  /** Returns the figures. Valid when both streams have ended. */
  end() {
    for (const [content, lost] of this.#lost) {
      const strange = this.#strange.get(content) ?? [];
      for (const line of lost) this.#tell(strange.shift() === undefined ? 'missing' : 'moved', line.finding);
    }
    this.#counts.others += [...this.#strange.values()].reduce((sum, { length }) => sum + length, 0);
    return {
      compared: this.#compared,
      ...this.#counts,
      findings: this.#findings,
      altered_fields: sumsOf([Object.fromEntries(this.#alteredFields)]),
      not_compared: sortedUncompared(
        uncomparedReasons.flatMap((why) =>
          [...this.#uncompared[why]].map(([field, messages]): Uncompared => ({ field, why, messages })),
        ),
      ),
    };
  }

  #compareFields({ line, message }: Met): void {
    const differing = differingFields(line, message, this.#onUncompared);
    const altered = this.#keepsData ? differing.filter((field) => !dataFields.has(field)) : differing;
    for (const field of differing) if (!altered.includes(field)) this.#onUncompared(field, 'kept');
    const fields = [...altered, ...(this.#isInItsThread(line, message) ? [] : ['parent'])];
    for (const field of fields) addOne(this.#alteredFields, field);
    if (fields.length > 0) this.#tell('altered', { ...stray(line.timestamp, line.user_id), fields });
  }

  /** The first message of a thread comes before its replies. In a sample it may not be known. */
  #isInItsThread({ dedup_id: id, parent, timestamp }: HistoryFileLine, message: JsonObject): boolean {
    if (this.#threads === undefined) return true;
    if (typeof id === 'string' && this.#threads.has(timestamp)) this.#firsts.set(id, message.message_id ?? null);
    const parentId = parentOfMessage(message);
    if (typeof parent !== 'string' || parentId === undefined) return parent === parentId;
    const first = this.#firsts.get(parent);
    return first === undefined || first === parentId;
  }

  readonly #onUncompared = (field: string, why: Uncompared['why']): void => addOne(this.#uncompared[why], field);

  /** Keeps an unmatched message for pairing, up to the limit. */
  #stray(side: Map<string, Stray[]>, finding: Stray['finding'], content: string): void {
    if (this.#strays >= maxStrays) {
      if (side === this.#lost) this.#tell('missing', finding);
      else this.#counts.others++;
      return;
    }
    this.#strays++;
    const known = side.get(content);
    if (known === undefined) side.set(content, [{ finding }]);
    else known.push({ finding });
  }

  #tell(what: MessageFinding['what'], finding: Stray['finding']): void {
    this.#counts[what]++;
    if (this.#findings.length < maxFindings) this.#findings.push({ what, ...finding });
  }
}

/**
 * Pairs lines of one likeness with messages that are equal in the other fields, because the order of such messages need not
 * be that of their lines. Lines with more reactions come first, because others may have added some to a message.
 */
function pairedByFields(alike: readonly Met[]): readonly Met[] {
  if (alike.length === 1) return alike;
  const messages = alike.map(({ message }) => message);
  const pairs: Met[] = [];
  let open = alike.map(({ line }) => line).sort((left, right) => countOfMarks(right) - countOfMarks(left));
  const isEqual = (line: HistoryFileLine, message: JsonObject): boolean =>
    differingFields(line, message, () => {}).length === 0;
  for (const fits of [isEqual, () => true]) {
    open = open.filter((line) => {
      const at = messages.findIndex((message) => fits(line, message));
      const [message] = at < 0 ? [] : messages.splice(at, 1);
      if (message !== undefined) pairs.push({ line, message });
      return message === undefined;
    });
  }
  return pairs;
}

function countOfMarks({ reactions, pinned }: HistoryFileLine): number {
  return Object.values(reactionsIn(reactions)).flat().length + (pinned === true ? 1 : 0);
}

/** Sorts existing messages before deleted ones, so that the existing copy of a doubled message counts. */
function liveFirst(there: readonly JsonObject[]): readonly number[] {
  const places = [...there.keys()];
  if (!there.some(isDeleted)) return places;
  return [...places.filter((place) => !isDeleted(there[place])), ...places.filter((place) => isDeleted(there[place]))];
}

/** Whether the message is there and that of the line. */
function isFound(line: HistoryFileLine, message: JsonObject | undefined): message is JsonObject {
  return message !== undefined && !isDeleted(message) && isAlike(line, message);
}

function isDeleted(message: JsonObject | undefined): boolean {
  return message?.is_removed === true;
}

function stray(timestamp: number, sender: JsonValue | undefined): Stray['finding'] {
  return { timestamp, ...(typeof sender === 'string' ? { sender } : {}) };
}

/** Returns the likeness without the time. */
function contentOf(likeness: string): string {
  const [, ...rest] = JSON.parse(likeness) as JsonValue[];
  return JSON.stringify(rest);
}

function senderOf(likeness: string): JsonValue | undefined {
  const parts = JSON.parse(likeness) as JsonValue;
  return isList(parts) ? parts[1] : undefined;
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
