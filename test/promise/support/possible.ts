// Support: a lower bound for the time of a plan. It is more than the time of the busiest bucket: a lane is idle until the first
// objects that its steps need exist, and steps remain after the last call of the others.

import type { Bucket, LimitsOf } from '../../../src/core/model/limits.ts';
import { routeName } from '../../../src/core/model/request.ts';
import type { Step } from '../../../src/core/model/step.ts';
import type { Series } from '../../../src/lib/series.ts';

interface Node {
  readonly route: string;
  readonly needs: readonly number[];
  readonly neededBy: number[];
}

/** A lower bound of the time before a step begins and after it has begun, in seconds. */
interface Ends {
  readonly headS: number;
  readonly tailS: number;
}

/**
 * In seconds, for any order. A step begins after everything that it needs, directly or indirectly, and everything that needs
 * it begins after it, call by call on each route. So for every route and every n:
 *
 * - the last n steps of the route begin one after another, and the shortest of their remaining times follows;
 * - the same from the end: the first n steps of the route begin one after another, after the shortest of their earlier times.
 */
export function possibleS(steps: Series<Step>, limits: LimitsOf, latencyS: number): number {
  const paces = pacesOf(steps, limits);
  const nodes = graphOf(steps);
  const backwards = nodes.map(({ route, needs, neededBy }): Node => ({ route, needs: neededBy, neededBy: [...needs] }));
  const heads = endsOf(nodes, paces, latencyS);
  const tails = endsOf(backwards, paces, latencyS);
  const byRoute = new Map<string, Ends[]>();
  for (const [index, { route }] of nodes.entries()) {
    const ends = { headS: heads[index] ?? 0, tailS: tails[index] ?? 0 };
    byRoute.set(route, [...(byRoute.get(route) ?? []), ends]);
  }
  const bounds = Array.from(byRoute, ([route, ends]) => {
    const turned = ends.map(({ headS, tailS }) => ({ headS: tailS, tailS: headS }));
    return latencyS + Math.max(longestS(ends, paces.get(route) ?? 0), longestS(turned, paces.get(route) ?? 0));
  });
  return Math.max(0, ...bounds);
}

function longestS(ends: readonly Ends[], callS: number): number {
  let longest = 0;
  let shortestTail = Number.POSITIVE_INFINITY;
  for (const [place, { headS, tailS }] of ends.toSorted((left, right) => right.headS - left.headS).entries()) {
    shortestTail = Math.min(shortestTail, tailS);
    longest = Math.max(longest, headS + place * callS + shortestTail);
  }
  return longest;
}

/** By route, the seconds between two calls, from the buckets that all of them share. */
function pacesOf(steps: Series<Step>, limits: LimitsOf): Map<string, number> {
  const calls = new Map<string, number>();
  const buckets = new Map<string, { readonly bucket: Bucket; count: number }>();
  for (const { request } of steps) {
    if (request === undefined) continue;
    calls.set(routeName(request), (calls.get(routeName(request)) ?? 0) + 1);
    for (const bucket of limits(request)) {
      const name = `${routeName(request)}\n${bucket.name}`;
      const known = buckets.get(name) ?? { bucket, count: 0 };
      buckets.set(name, { bucket, count: known.count + 1 });
    }
  }
  const paces = new Map<string, number>();
  for (const [name, { bucket, count }] of buckets) {
    const [route = ''] = name.split('\n');
    const isShared = count === calls.get(route);
    if (isShared) paces.set(route, Math.max(paces.get(route) ?? 0, bucket.windowS / bucket.calls / bucket.share));
  }
  return paces;
}

/** In the order of the plan, where each step follows the steps it waits for. */
function graphOf(steps: Series<Step>): Node[] {
  const numbers = new Map<string, number>();
  for (const { id } of steps) numbers.set(id, numbers.size);
  const nodes = Array.from(steps, ({ request, needs, after = [] }): Node => {
    const known = [...needs, ...after].map((id) => numbers.get(id)).filter((number) => number !== undefined);
    return { route: request === undefined ? '' : routeName(request), needs: known, neededBy: [] };
  });
  for (const [index, { needs }] of nodes.entries()) for (const one of needs) nodes[one]?.neededBy.push(index);
  return nodes;
}

/** By node, the minimum seconds of all later nodes, on the slowest route. */
function endsOf(nodes: readonly Node[], paces: ReadonlyMap<string, number>, latencyS: number): number[] {
  const routes = [...new Set(nodes.map(({ route }) => route))];
  const routeOf = nodes.map(({ route }) => routes.indexOf(route));
  const words = (nodes.length >> 5) + 1;
  /** By node, a bit for each later node. */
  const behind: (Uint32Array | undefined)[] = nodes.map(() => undefined);
  const ends = nodes.map(() => 0);
  const visit = (index: number): Uint32Array => {
    const known = behind[index];
    if (known !== undefined) return known;
    const bits = new Uint32Array(words);
    behind[index] = bits;
    // Steps that only write to state take no time.
    const callS = nodes[index]?.route === '' ? 0 : latencyS;
    let end = 0;
    for (const one of nodes[index]?.needs ?? []) {
      const further = visit(one);
      for (let place = 0; place < words; place++) bits[place] = (bits[place] ?? 0) | (further[place] ?? 0);
      bits[one >> 5] = (bits[one >> 5] ?? 0) | (1 << (one & 31));
      end = Math.max(end, (ends[one] ?? 0) + (nodes[one]?.route === '' ? 0 : callS));
    }
    const counts = new Int32Array(routes.length);
    for (const [place, word] of bits.entries()) {
      for (let left = word; left !== 0; left &= left - 1) {
        const route = routeOf[(place << 5) + 31 - Math.clz32(left & -left)] ?? 0;
        counts[route] = (counts[route] ?? 0) + 1;
      }
    }
    for (const [route, count] of counts.entries()) {
      const name = routes[route] ?? '';
      if (count > 0 && name !== '') end = Math.max(end, (count - 1) * (paces.get(name) ?? 0) + callS);
    }
    ends[index] = end;
    return bits;
  };
  for (const index of nodes.keys()) visit(index);
  return ends;
}
