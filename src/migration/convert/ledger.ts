// The ledger of a conversion: one line for every object and message of the source, in source order.

import { type JsonObject, jsonString, type PositiveCount } from '../../lib/json.ts';
import type { NewFiles } from '../../lib/new-files.ts';
import type { Turns } from '../../lib/turns.ts';
import { plural } from '../../lib/words.ts';
import { conflictingLine, supersededLine } from './copies.ts';
import { linesOfFile } from './export/lines.ts';
import { type ReasonCode, reasonCodes, reasons } from './export/reasons.ts';
import { safeId } from './export/urls.ts';

export type LedgerOutcome = 'carried' | 'changed' | 'left_out';

export interface LedgerEntry {
  /** The place in the export: general/2016-01-14.json#3 is the third entry. Of a field: message.own_field. */
  readonly at: string;
  /** source:id, source:channel:message. */
  readonly id: string;
  /** The most serious reason first; empty if the line was carried unchanged. */
  readonly reasons: readonly ReasonCode[];
  /** The address that it became: user.U1, messages.slack_C1. */
  readonly to?: string;
  /** Its first line in the history file. */
  readonly line?: PositiveCount;
  /**
   * How many lines of the history file it became.
   * @minimum 2
   */
  readonly lines?: PositiveCount;
  /** How many rows have the field, in a line about a field; how many rows there are, in one about a table. */
  readonly rows?: PositiveCount;
}

/** A line of the ledger (schema/ledger.schema.json). */
export interface LedgerLine extends Omit<LedgerEntry, 'reasons'> {
  readonly outcome: LedgerOutcome;
  /** Why it was changed or left out. */
  readonly reason?: ReasonCode;
  /** Further reasons. */
  readonly also?: readonly ReasonCode[];
}

/** The maximum number of examples per reason. */
const maxExamples = 3;

/** The totals of a ledger. */
export class LedgerTally {
  readonly #outcomes: Record<LedgerOutcome, number> = { carried: 0, changed: 0, left_out: 0 };
  readonly #reasons = new Map<ReasonCode, { count: number; readonly examples: string[] }>();

  add({ at: place, reasons: codes, rows }: LedgerEntry, by: 1 | -1 = 1): void {
    const at = rows === undefined ? place : `${place} (${plural(rows, 'row')})`;
    this.#outcomes[outcomeOf(codes)] += by;
    for (const code of codes) {
      const known = this.#reasons.get(code);
      if (known === undefined) this.#reasons.set(code, { count: by, examples: by === 1 ? [at] : [] });
      else {
        known.count += by;
        const isNew = by === 1 && known.examples.length < maxExamples && !known.examples.includes(at);
        if (isNew) known.examples.push(at);
      }
    }
  }

  get lines(): number {
    return this.#outcomes.carried + this.#outcomes.changed + this.#outcomes.left_out;
  }

  get outcomes(): Readonly<Record<LedgerOutcome, number>> {
    return this.#outcomes;
  }

  /** In the order of `reasons`. */
  get reasons(): readonly {
    readonly code: ReasonCode;
    readonly count: number;
    readonly examples: readonly string[];
  }[] {
    return reasonCodes.flatMap((code) => {
      const { count = 0, examples = [] } = this.#reasons.get(code) ?? {};
      return count === 0 ? [] : [{ code, count, examples }];
    });
  }
}

function outcomeOf(codes: readonly ReasonCode[]): LedgerOutcome {
  const [first] = codes;
  return first === undefined ? 'carried' : reasons[first].outcome;
}

/** Relative to the manifest folder. */
const ledgerFile = 'conversion/ledger.ndjson';

export class Ledger {
  readonly tally = new LedgerTally();
  readonly #files: NewFiles;
  readonly #corrections = new Map<number, LedgerEntry>();
  #length = 0;
  #dropped: ReadonlySet<string> = new Set();

  constructor(files: NewFiles) {
    this.#files = files;
  }

  /** Returns the number of the entry, for `correct`. */
  add(entry: LedgerEntry): number {
    this.tally.add(entry);
    this.#files.append(ledgerFile, printed(entry));
    return this.#length++;
  }

  /** Replaces an entry whose outcome becomes known later. */
  correct(number: number, before: LedgerEntry, after: LedgerEntry): void {
    this.tally.add(before, -1);
    this.tally.add(after);
    this.#corrections.set(number, after);
  }

  /**
   * `moved` has, by address, the new number of each line of a changed archive: 0 if the line was a repetition or its history file was
   * `dropped`, `supersededLine` if a later export does not have it.
   */
  async end(moved: ReadonlyMap<string, Int32Array>, dropped: ReadonlySet<string>, turns: Turns): Promise<void> {
    this.#dropped = dropped;
    if (this.#length === 0) this.#files.append(ledgerFile, '');
    if (this.#corrections.size > 0 || moved.size > 0)
      await this.#files.rewrite(ledgerFile, this.#corrected(moved), turns);
  }

  *#corrected(moved: ReadonlyMap<string, Int32Array>): Generator<string> {
    for (const { line, text = '' } of linesOfFile(this.#files.pathOf(ledgerFile))) {
      const correction = this.#corrections.get(line - 1);
      yield correction === undefined ? this.#moved(text, moved) : printed(correction);
    }
  }

  #moved(text: string, moved: ReadonlyMap<string, Int32Array>): string {
    if (moved.size === 0) return `${text}\n`;
    const { at, id, reason: main, also, to, line, lines } = JSON.parse(text) as JsonObject;
    const places = typeof to === 'string' ? moved.get(to) : undefined;
    if (places === undefined || typeof line !== 'number') return `${text}\n`;
    const codes = [main, ...((also as ReasonCode[] | undefined) ?? [])].filter((code) => code !== undefined);
    const before = { at: String(at), id: String(id), reasons: codes as ReasonCode[], to: String(to), line };
    const place = places[line] ?? 0;
    const isMany = typeof lines === 'number' ? { lines } : {};
    if (place > 0) return printed({ ...before, ...isMany, line: place });
    const reason = this.#dropped.has(before.to) ? 'message.channel-left-out' : reasonOf(place);
    const removed: LedgerEntry = { at: before.at, id: before.id, reasons: [reason] };
    this.tally.add(before, -1);
    this.tally.add(removed);
    return printed(removed);
  }
}

/** Why a line is gone, by its place. */
function reasonOf(place: number): ReasonCode {
  if (place === supersededLine) return 'message.superseded';
  return place === conflictingLine ? 'message.conflict' : 'message.repeated';
}

function printed({ at, id, reasons: codes, to, line, lines, rows }: LedgerEntry): string {
  const [reason] = codes;
  let text = `{"at":${jsonString(at)},"id":${jsonString(safeId(id))},"outcome":"${outcomeOf(codes)}"`;
  if (reason !== undefined) text += `,"reason":"${reason}"`;
  if (codes.length > 1) text += `,"also":${JSON.stringify(codes.slice(1))}`;
  if (to !== undefined) text += `,"to":${jsonString(to)}`;
  if (line !== undefined) text += `,"line":${line}`;
  if (lines !== undefined && lines > 1) text += `,"lines":${lines}`;
  if (rows !== undefined) text += `,"rows":${rows}`;
  return `${text}}\n`;
}
