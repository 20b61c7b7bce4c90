// The times that an export covers. A message outside of them is not in the export, which does not mean that it was deleted.
/** Unix milliseconds, both included. Undefined: without a limit. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A range as people write it: `2024-01-01..2024-03-31`, `2024-01-01..`, `all`. Days are those of UTC, the last one included. */
export function parseTimeRange(text: string): TimeRange | undefined {
  if (text === 'all') return {};
  const found = /^(?<from>[^.]\S*?)?\.\.(?<to>\S+)?$/u.exec(text)?.groups;
  if (found === undefined) return undefined;
  const from = found.from === undefined ? undefined : timeIn(found.from, 0);
  const to = found.to === undefined ? undefined : timeIn(found.to, dayMs - 1);
  const isWrong = [from, to].some(Number.isNaN) || (from ?? 0) > (to ?? Number.POSITIVE_INFINITY);
  return isWrong || (found.from === undefined && found.to === undefined) ? undefined : { from, to };
}

const dayMs = 86_400_000;

function timeIn(text: string, ofDay: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/u.test(text);
  return isDay ? Date.parse(`${text}T00:00:00Z`) + ofDay : isTime ? Date.parse(text) : Number.NaN;
}

/** First and last time of messages. */
interface Extent {
  first: number;
  last: number;
}

interface CoverageInput {
  /** What somebody says of this export; it counts before everything else. */
  readonly declared: TimeRange | undefined;
  /** All channels of the export have one range, as those of a workspace. */
  readonly isWhole: boolean;
}

/**
 * Nobody knows what an export would contain before its first message and behind its last one, so a limit that is not
 * declared is just inside of these.
 */
export class Coverage {
  readonly #input: CoverageInput;
  /** By channel, and of all. */
  readonly #channels = new Map<string, Extent>();
  #all: Extent | undefined;

  constructor(input: CoverageInput) {
    this.#input = input;
  }

  /** Notes a message of the export, also one that is left out. `channel`: by its source id. */
  note(channel: string, time: number): void {
    const known = this.#channels.get(channel);
    if (known === undefined) this.#channels.set(channel, { first: time, last: time });
    else widen(known, time);
    if (this.#all === undefined) this.#all = { first: time, last: time };
    else widen(this.#all, time);
  }

  /** First and last time of all messages; undefined when there are none. */
  get extent(): Readonly<Extent> | undefined {
    return this.#all;
  }

  get isDeclared(): boolean {
    return this.#input.declared !== undefined;
  }

  /** Of a channel that the export lists. Undefined: no time is covered. */
  rangeOf(channel: string): TimeRange | undefined {
    const { declared, isWhole } = this.#input;
    if (declared !== undefined) return declared;
    const measured = isWhole ? this.#all : this.#channels.get(channel);
    return measured === undefined ? undefined : { from: measured.first + 1, to: measured.last - 1 };
  }
}

function widen(extent: Extent, time: number): void {
  if (time < extent.first) extent.first = time;
  if (time > extent.last) extent.last = time;
}

export function isWithin(range: TimeRange | undefined, time: number): boolean {
  if (range === undefined) return false;
  return time >= (range.from ?? Number.NEGATIVE_INFINITY) && time <= (range.to ?? Number.POSITIVE_INFINITY);
}

/** For people and files: null is without a limit. */
export function printedRange({ from, to }: TimeRange): { readonly from: string | null; readonly to: string | null } {
  const text = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
  return { from: text(from), to: text(to) };
}
