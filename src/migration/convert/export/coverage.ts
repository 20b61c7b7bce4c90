// The times that an export covers. A message outside these times is not in the export, but may still exist at the source.
/** Unix milliseconds, both included. Undefined means no limit. */
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

/** A time as people write it: a day of UTC, or a time with its zone. */
export function parseTime(text: string): number | undefined {
  const time = timeIn(text, 0);
  return Number.isNaN(time) ? undefined : time;
}

const dayMs = 86_400_000;

function timeIn(text: string, ofDay: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/u.test(text);
  return isDay ? Date.parse(`${text}T00:00:00Z`) + ofDay : isTime ? Date.parse(text) : Number.NaN;
}

/** Times that an export covers. */
export interface CoveredRange extends TimeRange {
  /** Times just outside the covered ones, of which the export may have only some messages. */
  readonly edges: readonly number[];
}

/** The times that an export states for itself or for one of its files. */
export interface ExportWindow {
  /** Source ids of the channels that the times apply to. Undefined means all. */
  readonly channels?: ReadonlySet<string>;
  /** Unix milliseconds. Infinite without a limit, undefined if not stated. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The time of the export, in Unix milliseconds. */
  readonly takenAt?: number | undefined;
}

/** The export of a message, if several are converted together. */
export interface ExportOrigin {
  /** The name of the window. */
  readonly window: string;
  /** Unix milliseconds. Undefined if the export does not say. */
  readonly takenAt: number | undefined;
}

/** When an export was taken, in Unix milliseconds. */
export interface Taken {
  /** Undefined if neither the export nor the user states it. */
  readonly at: number | undefined;
  /** The time of its newest message or edit. The export was taken then or later: newer messages may have been deleted. */
  readonly newest: number;
  /** Missing edits show that it was taken before this time. Undefined if they show nothing. */
  readonly before: number | undefined;
}

/** First and last time of messages. */
interface Extent {
  first: number;
  last: number;
}

interface CoverageInput {
  /** The times stated by the user, which take precedence. */
  readonly declared: TimeRange | undefined;
  /** When the export was taken, as stated by the user. */
  readonly takenAt: number | undefined;
  /** Whether all channels of a window have the same range, as in a workspace. */
  readonly isWhole: boolean;
  /** Whether the export has only new and changed messages, so that it covers no time. */
  readonly isPartial: boolean;
  /** By name. */
  readonly windows: ReadonlyMap<string, ExportWindow>;
}

/** The messages of one window: one of several exports in a folder, or one file of a channel. */
class Measured {
  readonly channels = new Map<string, Extent>();
  all: Extent | undefined;
  newest = Number.NEGATIVE_INFINITY;
  /** The time of the oldest edit that is missing. */
  before = Number.POSITIVE_INFINITY;
  /** Whether a part cannot be read, so that messages may be missing. */
  isBroken = false;
}

/**
 * Whether an export would contain messages before its first or after its last one is unknown. A limit that neither the export
 * nor the user states is therefore just inside these messages.
 */
export class Coverage {
  readonly #input: CoverageInput;
  readonly #windows = new Map<string, Measured>();
  #name = '';
  #current: Measured | undefined;
  /** The same object until another window is entered. */
  #origin: ExportOrigin | undefined;

  constructor(input: CoverageInput) {
    this.#input = input;
    for (const name of input.windows.keys()) this.#windows.set(name, new Measured());
  }

  /** Call before recording the messages of a window. Windows may alternate. */
  enter(window: string): void {
    if (window === this.#name) return;
    this.#name = window;
    this.#current = undefined;
    this.#origin = undefined;
  }

  /** The window that was entered last. */
  get origin(): ExportOrigin {
    this.#origin ??= { window: this.#name, takenAt: this.#input.windows.get(this.#name)?.takenAt };
    return this.#origin;
  }

  /** Whether a window that was taken later than the given one covers that time of the channel, whatever the user stated. */
  hasLater(channel: string, { takenAt, window: name }: ExportOrigin, time: number): boolean {
    if (takenAt === undefined) return false;
    for (const [window, measured] of this.#windows) {
      const stated = this.#input.windows.get(window);
      if (window === name || stated?.channels?.has(channel) === false || (stated?.takenAt ?? takenAt) <= takenAt)
        continue;
      if (isWithin(this.#rangesIn(stated, measured, channel), time)) return true;
    }
    return false;
  }

  /** Records a message of the export, even if it is left out. `channel` is the source id. */
  note(channel: string, time: number, edited: number | undefined): void {
    const current = this.#measured();
    const { channels } = current;
    const known = channels.get(channel);
    if (known === undefined) channels.set(channel, { first: time, last: time });
    else widen(known, time);
    if (current.all === undefined) current.all = { first: time, last: time };
    else widen(current.all, time);
    current.newest = Math.max(current.newest, time, edited ?? time);
  }

  /** Records that a part of the current window cannot be read. */
  noteBroken(): void {
    this.#measured().isBroken = true;
  }

  /** Notes that messages of the channel lack an edit of that time (Unix milliseconds), so they were exported before. */
  noteMissingEdit(channel: string, time: number): void {
    for (const [, measured] of this.#of(channel)) measured.before = Math.min(measured.before, time);
  }

  /** First and last time of all messages; undefined when there are none. */
  get extent(): Readonly<Extent> | undefined {
    const extents = [...this.#windows.values()].flatMap(({ all }) => all ?? []);
    if (extents.length === 0) return undefined;
    const first = extents.reduce((least, extent) => Math.min(least, extent.first), Number.POSITIVE_INFINITY);
    return { first, last: extents.reduce((most, extent) => Math.max(most, extent.last), Number.NEGATIVE_INFINITY) };
  }

  get isDeclared(): boolean {
    return this.#input.declared !== undefined;
  }

  /** Whether the user stated that the export covers everything up to now. */
  get isOpenEnded(): boolean {
    const { declared } = this.#input;
    return declared !== undefined && declared.to === undefined;
  }

  /** The ranges of a listed channel. Empty if no time is covered. */
  rangesOf(channel: string): readonly CoveredRange[] {
    const { declared, isPartial } = this.#input;
    if (isPartial) return [];
    if (declared !== undefined) return [{ ...declared, edges: [] }];
    return [...this.#of(channel)].flatMap(([stated, measured]) => this.#rangesIn(stated, measured, channel));
  }

  #rangesIn(stated: ExportWindow | undefined, { channels, all, isBroken }: Measured, channel: string): CoveredRange[] {
    if (isBroken) return [];
    const { first, last } = (this.#input.isWhole ? all : channels.get(channel)) ?? {};
    const from = least(stated?.from, first === undefined ? undefined : first + 1);
    const to = most(stated?.to, last === undefined ? undefined : last - 1);
    if (from === undefined || to === undefined) return [];
    const edges = [first ?? [], last ?? []].flat().filter((time) => time < from || time > to);
    return [{ from: Number.isFinite(from) ? from : undefined, to: Number.isFinite(to) ? to : undefined, edges }];
  }

  /** Without `channel`, the ranges of the whole export. */
  takenOf(channel: string | undefined): Taken {
    const windows = channel === undefined ? [...this.#all()] : [...this.#of(channel)];
    const times = windows.map(([stated]) => stated?.takenAt);
    const { declared, takenAt } = this.#input;
    const isKnown = times.length > 0 && times.every((time) => time !== undefined);
    const newest = windows.reduce((last, [, measured]) => Math.max(last, measured.newest), Number.NEGATIVE_INFINITY);
    const before = windows.flatMap(([, measured]) => provenLimit(measured) ?? []);
    return {
      at: takenAt ?? (isKnown ? Math.min(...times.map((time) => time ?? 0)) : undefined),
      newest: Math.max(newest, declared?.to ?? newest),
      before: before.length === 0 ? undefined : Math.min(...before),
    };
  }

  #measured(): Measured {
    if (this.#current !== undefined) return this.#current;
    const known = this.#windows.get(this.#name) ?? new Measured();
    this.#windows.set(this.#name, known);
    this.#current = known;
    return known;
  }

  *#of(channel: string): Generator<readonly [ExportWindow | undefined, Measured]> {
    for (const [stated, measured] of this.#all())
      if (stated?.channels?.has(channel) !== false) yield [stated, measured];
  }

  *#all(): Generator<readonly [ExportWindow | undefined, Measured]> {
    for (const [name, measured] of this.#windows) yield [this.#input.windows.get(name), measured];
  }
}

/** Undefined if no edit is missing, or if the window has newer messages, which contradict it. */
function provenLimit({ before, newest }: Measured): number | undefined {
  return newest < before && Number.isFinite(before) ? before : undefined;
}

function least(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

function most(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right);
}

function widen(extent: Extent, time: number): void {
  if (time < extent.first) extent.first = time;
  if (time > extent.last) extent.last = time;
}

export function isWithin(ranges: readonly TimeRange[], time: number): boolean {
  return ranges.some(
    ({ from, to }) => time >= (from ?? Number.NEGATIVE_INFINITY) && time <= (to ?? Number.POSITIVE_INFINITY),
  );
}

/** For people and files. null means no limit. */
export function printedRange({ from, to }: TimeRange): { readonly from: string | null; readonly to: string | null } {
  const text = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
  return { from: text(from), to: text(to) };
}
