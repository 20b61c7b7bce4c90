// Suggests the known name that the author probably meant: the nearest by edits, when it is near enough, or else the only one
// that ends with the name, as bot_nickname does with nickname.

/** Upper bound of comparisons in one load: there may be a million user ids, and a suggestion is not worth a second. */
const maxComparisons = 1_000_000;

export class Suggestions {
  #left = maxComparisons;

  /** ` Did you mean "alice"?`, or nothing. */
  sentence(name: string, candidates: Iterable<string>): string {
    const nearest = this.#nearest(name, candidates);
    return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
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

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment); `limit` for that or more. */
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
