// Where do all problems of one load come together? At most one for each spot, errors before warnings.
import type { Address } from '../model/address.ts';
import { compareDiagnostics, type Diagnostic, type Severity } from '../model/diagnostic.ts';
import type { SourcePosition } from '../model/source.ts';
import { type ManifestCode, summaries } from './codes.ts';
import type { SourceText } from './source-text.ts';

/** A place in a manifest. */
export interface Spot {
  readonly source: SourceText;
  readonly offset: number;
  readonly address?: Address;
  /** The line may hold a secret, so it is not repeated. */
  readonly secret?: boolean;
}

export class Problems {
  readonly #bySpot = new Map<string, Diagnostic>();
  readonly #elsewhere: Diagnostic[] = [];
  /** Lines that may hold a secret: no problem shows them, also none that stands beside it. */
  readonly #secretLines = new Set<string>();

  add(code: ManifestCode, detail: string, spot?: Spot, severity: Severity = 'error'): void {
    this.put({ severity, code, summary: summaries[code], detail }, spot);
  }

  /** For problems that bring their own code, as those of kinds do. */
  put(problem: Pick<Diagnostic, 'severity' | 'code' | 'summary' | 'detail'>, spot?: Spot): void {
    const { severity, code, summary, detail } = problem;
    if (spot === undefined) {
      this.#elsewhere.push({ severity, code, summary, detail });
      return;
    }
    const source = spot.source.position(spot.offset);
    if (spot.secret === true) this.#secretLines.add(lineName(source));
    // The first problem of a spot explains the others away: mend it, and they are gone or show in the next run.
    const place = `${spot.source.file}:${spot.offset}`;
    const known = this.#bySpot.get(place);
    if (known !== undefined && (known.severity === 'error' || severity !== 'error')) return;
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

  get count(): number {
    return this.#elsewhere.length + this.#bySpot.size;
  }

  sorted(): Diagnostic[] {
    const shown = Array.from(this.#bySpot.values(), (diagnostic) => this.#withoutSecret(diagnostic));
    return [...this.#elsewhere, ...shown].sort(compareDiagnostics);
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
