// Suggests the known name that the author probably meant: the nearest by edit distance if it is near enough, otherwise the
// only one that ends with the name, as bot_nickname ends with nickname. One edit is near in a name of up to five characters, two
// in one of up to eight, and three in a longer one. Equal words in front do not count: user.ann is not near user.bob.

import { lookOf, spelledOut } from './lookalikes.ts';

/** The maximum number of comparisons in one load, because there may be a million user ids. */
const maxComparisons = 1_000_000;

export class Suggestions {
  #left = maxComparisons;

  /** Returns ` Did you mean "alice"?` or an empty text. Names that look alike are escaped. */
  sentence(name: string, candidates: Iterable<string>): string {
    const nearest = this.nearest(name, candidates);
    if (nearest === undefined) return '';
    if (lookOf(nearest) !== lookOf(name)) return ` Did you mean ${JSON.stringify(nearest)}?`;
    return ` Did you mean "${spelledOut(nearest)}" instead of "${spelledOut(name)}", which looks the same?`;
  }

  /** Undefined if no candidate is near. */
  nearest(name: string, candidates: Iterable<string>): string | undefined {
    let best: string | undefined;
    const longer = new Set<string>();
    let bestDistance = maxEdits + 1;
    if (name.length > 100) return undefined;
    for (const candidate of candidates) {
      if (this.#left === 0) return undefined;
      this.#left -= 1;
      if (candidate === name) continue;
      if (candidate.endsWith(`_${name}`)) longer.add(candidate);
      if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
      const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
      if (distance < bestDistance && (distance <= maxEditsIn(name, candidate) || lookOf(name) === lookOf(candidate)))
        [best, bestDistance] = [candidate, distance];
    }
    return best ?? (longer.size === 1 ? [...longer][0] : undefined);
  }
}

const maxEdits = 3;

function maxEditsIn(name: string, candidate: string): number {
  return Math.max(1, Math.min(maxEdits, Math.floor((name.length - equalWords(name, candidate)) / 3)));
}

/** The length of the words, with their separators, that both names begin with. */
function equalWords(name: string, candidate: string): number {
  let words = 0;
  for (let at = 0; at < name.length && name[at] === candidate[at]; at += 1)
    if (/[._-]/u.test(name[at] ?? '')) words = at + 1;
  return words;
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
