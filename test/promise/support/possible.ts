// Support: in how short a time can a plan be applied at all? The busiest bucket is not the whole truth, since a lane has
// nothing to do before the users are there whom its first steps need, and something left to do after the last of them.
import type { Bucket, LimitsOf } from '../../../src/model/limits.ts';
import { routeName } from '../../../src/model/request.ts';
import type { Series } from '../../../src/model/series.ts';
import type { Step } from '../../../src/model/step.ts';

const users = 'POST /users';

interface Node {
  readonly route: string;
  readonly needs: readonly number[];
  readonly neededBy: number[];
}

/**
 * Seconds, whatever the order. Of all bounds the largest:
 *
 * - Of the steps of a route, those that need at least n users (by themselves or by what they wait for) begin when n users
 *   have been made, and then each takes its turn; for every n.
 * - Some user is the last. Then what needs him is left to do; it is taken to be the one whom the fewest steps need.
 */
export function possibleS(steps: Series<Step>, limits: LimitsOf, latencyS: number): number {
  const rates = new Map<string, number>();
  const nodes = graphOf(steps, limits, rates);
  const userRate = rates.get(users) ?? Number.POSITIVE_INFINITY;
  const needed = new Map<string, number[]>();
  let total = 0;
  let afterLastS = Number.POSITIVE_INFINITY;
  for (const [index, { route }] of nodes.entries()) {
    const above = countsFrom(nodes, index, ({ needs }) => needs);
    if (route !== '') needed.set(route, [...(needed.get(route) ?? []), above.get(users) ?? 0]);
    if (route !== users) continue;
    total++;
    const below = countsFrom(nodes, index, ({ neededBy }) => neededBy);
    const loads = [...below].map(([of, count]) => (of === '' ? 0 : (count - 1) / (rates.get(of) ?? 1) + latencyS));
    afterLastS = Math.min(afterLastS, Math.max(0, ...loads));
  }
  const atTheEndS = total === 0 ? 0 : (total - 1) / userRate + latencyS + afterLastS;
  const byRoute = [...needed].map(([route, counts]) => {
    const rate = rates.get(route) ?? 1;
    const sorted = counts.toSorted((left, right) => left - right);
    const bounds = sorted.map((count, place) => {
      const beginS = count === 0 ? 0 : (count - 1) / userRate + latencyS;
      return beginS + (sorted.length - place - 1) / rate + latencyS;
    });
    return bounds.reduce((longest, one) => Math.max(longest, one), 0);
  });
  return Math.max(atTheEndS, ...byRoute);
}

function graphOf(steps: Series<Step>, limits: LimitsOf, rates: Map<string, number>): Node[] {
  const numbers = new Map<string, number>();
  for (const { id } of steps) numbers.set(id, numbers.size);
  const nodes = Array.from(steps, ({ request, needs, after = [] }): Node => {
    const route = request === undefined ? '' : routeName(request);
    if (request !== undefined) rates.set(route, Math.max(...limits(request).map(perSecond)));
    const known = [...needs, ...after].map((id) => numbers.get(id)).filter((number) => number !== undefined);
    return { route, needs: known, neededBy: [] };
  });
  for (const [index, { needs }] of nodes.entries()) for (const one of needs) nodes[one]?.neededBy.push(index);
  return nodes;
}

/** By route, how many steps lie behind this one, in one direction. */
function countsFrom(
  nodes: readonly Node[],
  from: number,
  next: (node: Node) => readonly number[],
): Map<string, number> {
  const counts = new Map<string, number>();
  const seen = new Set([from]);
  for (const index of seen) {
    const node = nodes[index];
    if (node === undefined) continue;
    if (index !== from) counts.set(node.route, (counts.get(node.route) ?? 0) + 1);
    for (const one of next(node)) seen.add(one);
  }
  return counts;
}

function perSecond({ calls, windowS, share }: Bucket): number {
  return (calls / windowS) * share;
}
