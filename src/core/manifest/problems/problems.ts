// Collects the problems of one load, each at a spot of a text, at most one for each position, errors before warnings.

import { lastWhere } from '../../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { compareDiagnostics } from '../../model/sorted-diagnostics.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import { type ManifestCode, summaries } from './codes.ts';

/** A position in a manifest. */
export interface Spot {
  readonly source: ProblemSource;
  readonly offset: number;
  readonly address?: Address;
  /** Whether the line may contain a secret, so that it is not shown. */
  readonly secret?: boolean;
}

/** The maximum number of shown problems of one code in one file, because a file may have a million wrong rows. */
export const maxShown = 100;

const adviceForOthers = 'If the file belongs to another program, name it in .chatformignore.';

/** The problems of one code in one file. */
interface ProblemGroup {
  shown: number;
  hidden: number;
  /** The first problem that is not shown. */
  next?: Diagnostic;
}

export class Problems {
  readonly #bySpot = new Map<string, Diagnostic>();
  readonly #elsewhere: Diagnostic[] = [];
  #errors = 0;
  readonly #groups = new Map<string, ProblemGroup>();
  /** Lines that may contain a secret. No problem shows them, even if it concerns another part of the line. */
  readonly #secretLines = new Set<string>();
  /** Files that may belong to another program. */
  readonly #doubtful = new Set<string>();

  add(code: ManifestCode, detail: string, spot?: Spot, severity: Severity = 'error'): void {
    this.put({ severity, code, summary: summaries[code], detail }, spot);
  }

  /** Advises, in each error of the file, what to do if the file belongs to another program. */
  doubt(file: string): void {
    this.#doubtful.add(file);
  }

  /** The number of errors, including those not shown. */
  get errors(): number {
    return this.#errors;
  }

  /** Adds a problem with any code, such as those of kinds. */
  put(problem: Pick<Diagnostic, 'severity' | 'code' | 'summary' | 'detail'>, spot?: Spot): void {
    const { severity, code, summary, detail } = problem;
    if (severity === 'error') this.#errors += 1;
    if (spot === undefined) {
      this.#elsewhere.push({ severity, code, summary, detail });
      return;
    }
    const source = spot.source.position(spot.offset);
    if (spot.secret === true) this.#secretLines.add(lineName(source));
    // The first problem of a position often causes the others, which vanish with it or show in the next run.
    const place = printPosition(source);
    const earlier = this.#bySpot.get(place);
    if (earlier !== undefined && (earlier.severity === 'error' || severity !== 'error')) return;
    const group = this.#groupOf(severity, code, source.file);
    if (group.shown >= maxShown) {
      group.hidden += 1;
      group.next ??= { severity, code, summary, detail, source };
      return;
    }
    group.shown += 1;
    const excerpt = spot.source.excerpt(spot.offset);
    this.#bySpot.set(place, {
      severity,
      code,
      summary,
      detail,
      ...(spot.address === undefined ? {} : { address: spot.address }),
      source,
      ...(excerpt === undefined || excerpt === '' ? {} : { excerpt }),
    });
  }

  #groupOf(severity: Severity, code: string, file: string): ProblemGroup {
    const name = `${severity} ${code} ${file}`;
    const group = this.#groups.get(name) ?? { shown: 0, hidden: 0 };
    this.#groups.set(name, group);
    return group;
  }

  get count(): number {
    return this.#elsewhere.length + this.#bySpot.size;
  }

  sorted(): Diagnostic[] {
    const advised = Array.from(this.#bySpot.values(), (diagnostic) =>
      this.#withAdvice(this.#withoutSecret(diagnostic)),
    );
    return [...this.#elsewhere, ...advised, ...this.#remainders()].sort(compareDiagnostics);
  }

  #remainders(): Diagnostic[] {
    return Array.from(this.#groups.values()).flatMap(({ shown, hidden, next }) => {
      if (next === undefined) return [];
      const all = (shown + hidden).toLocaleString('en');
      const more = hidden.toLocaleString('en');
      const detail = `… and ${more} more problems of this kind after this line, ${all} in the file. Fix the listed ones first, because the others probably have the same cause.`;
      return [{ ...next, detail, count: hidden }];
    });
  }

  #withAdvice(diagnostic: Diagnostic): Diagnostic {
    const { severity, source, detail } = diagnostic;
    if (severity !== 'error' || source === undefined || !this.#doubtful.has(source.file)) return diagnostic;
    return { ...diagnostic, detail: `${detail} ${adviceForOthers}` };
  }

  #withoutSecret(diagnostic: Diagnostic): Diagnostic {
    if (diagnostic.source === undefined || !this.#secretLines.has(lineName(diagnostic.source))) return diagnostic;
    const { excerpt: _line, ...others } = diagnostic;
    return others;
  }
}

function lineName({ file, line }: SourcePosition): string {
  return `${file}:${line}`;
}

/** Takes problems, and nothing else. */
export type ProblemReporter = Pick<Problems, 'add'>;

/** The maximum length of an excerpt. Longer lines are not shown. */
export const maxExcerpt = 240;

/** A text that problems point into. */
export interface ProblemSource {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  position(offset: number): SourcePosition;
  /** Returns the whole line without its end, or undefined if it is too long. */
  excerpt(offset: number): string | undefined;
}

export class SourceText implements ProblemSource {
  readonly file: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  position(offset: number): SourcePosition {
    const line = this.#lineOf(offset);
    return { file: this.file, line: line + 1, column: offset - this.#startOf(line) + 1 };
  }

  excerpt(offset: number): string | undefined {
    const line = this.#lineOf(offset);
    const end = line + 1 < this.#starts().length ? this.#startOf(line + 1) - 1 : this.text.length;
    if (end - this.#startOf(line) > maxExcerpt) return undefined;
    return this.text.slice(this.#startOf(line), end).replace(/\r$/u, '');
  }

  #lineOf(offset: number): number {
    const starts = this.#starts();
    return lastWhere(starts.length, (line) => (starts[line] ?? 0) <= offset);
  }

  #startOf(line: number): number {
    return this.#starts()[line] ?? 0;
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}
