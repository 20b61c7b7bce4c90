// Suggests the known name that the author probably meant: the nearest by edit distance if it is near enough, otherwise the
// only one that ends with the name, as bot_nickname ends with nickname.

import { lookOf, spelledOut } from '../../lib/lookalikes.ts';

/** The maximum number of comparisons in one load, because there may be a million user ids. */
const maxComparisons = 1_000_000;

export class Suggestions {
  #left = maxComparisons;

  /** Returns ` Did you mean "alice"?` or an empty text. Names that look alike are escaped. */
  sentence(name: string, candidates: Iterable<string>): string {
    const nearest = this.#nearest(name, candidates);
    if (nearest === undefined) return '';
    if (lookOf(nearest) !== lookOf(name)) return ` Did you mean ${JSON.stringify(nearest)}?`;
    return ` Did you mean "${spelledOut(nearest)}" instead of "${spelledOut(name)}", which looks the same?`;
  }

  #nearest(name: string, candidates: Iterable<string>): string | undefined {
    let best: string | undefined;
    const longer = new Set<string>();
    let bestDistance = Math.min(3, Math.floor(name.length / 3) + 1) + 1;
    if (name.length > 100) return undefined;
    for (const candidate of candidates) {
      if (this.#left === 0) return undefined;
      this.#left -= 1;
      if (candidate === name) continue;
      if (candidate.endsWith(`_${name}`)) longer.add(candidate);
      if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
      const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
      if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    }
    return best ?? (longer.size === 1 ? [...longer][0] : undefined);
  }
}

/** Returns the optimal string alignment distance, or `limit` if it is at least that. */
function editDistance(left: string, right: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    if (Math.min(...current) >= limit) return limit;
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
