// The rows for which an expression of the mapping needs too much work. A few are left out. Many mean that the mapping is wrong.

import { CostlyValueError } from './expressions.ts';
import type { Mapping } from './mapping.ts';
import { unfitMapping } from './problems.ts';

const mostRows = 20;

export class CostlyRows {
  readonly #mapping: Mapping;
  readonly #found = new Set<string>();

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** `at` is the place of the row, and `label` that of the entry which reads it. */
  has(at: string, label: string): boolean {
    return this.#found.size > 0 && this.#found.has(`${at} ${label}`);
  }

  /**
   * Returns what an entry reads from a row, or undefined if that is too much work, now or in an earlier pass. Refused when there are many such
   * rows.
   */
  unless<Result>(at: string, label: string, read: () => Result): Result | undefined {
    if (this.has(at, label)) return undefined;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CostlyValueError)) throw error;
      this.#found.add(`${at} ${label}`);
      if (this.#found.size < mostRows) return undefined;
      const detail = `The expression needs too much work for ${mostRows} rows, the last at ${at}. Nest fewer macros, or build shorter strings and lists.`;
      throw unfitMapping(this.#mapping, [{ path: error.path, detail }]);
    }
  }
}
