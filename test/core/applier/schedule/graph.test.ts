// Tests the graph of a plan's steps: dependencies, the order in which steps start, simulated runs of it, and plans that cannot run.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildGraph } from '../../../../src/core/applier/schedule/graph.ts';
import { stepPlaces } from '../../../../src/core/applier/schedule/precedence.ts';
import { improveOrder, trialRun } from '../../../../src/core/applier/schedule/trial-run.ts';
import { routeName } from '../../../../src/core/model/request.ts';
import { atOnce, sliceLength } from '../../../../src/lib/slices.ts';
import { bucket } from '../support/fake-pacer.ts';
import { create, stateOnly, update } from '../support/steps.ts';

const onePerSecond = (request: Parameters<typeof routeName>[0]) => [bucket(routeName(request), 1)];

test('counts the needs of each step, and knows its dependents', () => {
  const graph = atOnce(
    buildGraph([create('a'), update('a', 1, { needs: ['thing.a#0'] }), stateOnly('b', 2, { after: ['thing.a#1'] })]),
  );
  expect([...graph.waits]).toEqual([0, 1, 1]);
  const seen: [number, number, boolean][] = [];
  for (const from of [0, 1, 2])
    graph.dependents(from, (dependent, mustSucceed) => seen.push([from, dependent, mustSucceed]));
  expect(seen).toEqual([
    [0, 1, true],
    [1, 2, false],
  ]);
  expect(Array.from(graph.routeOf, (route) => graph.routes[route])).toEqual(['POST /things', 'PUT /things/{key}', '']);
  expect([...graph.closers]).toEqual([['thing.b', 2]]);
});

test('accepts a step before its need, and a need outside the plan', () => {
  const graph = atOnce(buildGraph([update('a', 1, { needs: ['thing.a#0', 'user.gone#0'] }), create('a')]));
  expect([...graph.waits]).toEqual([1, 0]);
});

test('puts work on a reopened object before reopening others', () => {
  const steps = ['a', 'b'].flatMap((key) => [
    update(key, 0, { phase: 'open' }),
    update(key, 1, { needs: [`thing.${key}#0`] }),
    update(key, 2, { phase: 'deactivate', after: [`thing.${key}#1`] }),
  ]);
  const { place } = atOnce(buildGraph(steps, onePerSecond));
  expect(Math.max(...[1, 2, 4, 5].map((index) => place[index] ?? 0))).toBeLessThan(
    Math.min(...[0, 3].map((index) => place[index] ?? 0)),
  );
});

test('throws for a cycle and for a repeated id', () => {
  expect(() =>
    atOnce(buildGraph([create('a', { needs: ['thing.a#1'] }), update('a', 1, { needs: ['thing.a#0'] })])),
  ).toThrow('circle');
  expect(() => atOnce(buildGraph([create('a'), create('a')]))).toThrow('two steps');
});

test('orders many steps in slices, so that leases are renewed and progress is shown', () => {
  const keys = Array.from({ length: 5_000 }, (_none, place) => `k${place}`);
  const steps = [
    ...keys.map((key) => create(key)),
    ...keys.map((key, place) => update(key, 1, { needs: [`thing.${key}#0`, `thing.${keys[(place * 7) % 50]}#0`] })),
  ];
  const work = buildGraph(steps, onePerSecond);
  let slices = 1;
  while (work.next().done !== true) slices += 1;
  // Each of these passes goes through all steps: reading, sorting, measuring chains, weighing twice, peeling, three simulated runs.
  expect(slices).toBeGreaterThan((8 * steps.length) / sliceLength);
});

/** Returns the edges of a graph from the needs of each step. All steps have the same weight. */
function edgesOf(needs: readonly (readonly number[])[]) {
  const after: number[][] = needs.map(() => []);
  for (const [index, earlier] of needs.entries()) for (const one of earlier) after[one]?.push(index);
  return {
    size: needs.length,
    sorted: Int32Array.from(needs.keys()),
    before: (index: number, visit: (earlier: number) => void) => needs[index]?.forEach((one) => void visit(one)),
    after: (index: number, visit: (later: number) => void) => after[index]?.forEach((one) => void visit(one)),
    worth: new Float64Array(needs.length).fill(1),
  };
}

const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 40 })
  .map((raw) => raw.map((picks, index) => (index < 8 ? [] : picks.map((pick) => pick % index))));

describe('precedence', () => {
  test('gives each step its own place, after its needs', () => {
    fc.assert(
      fc.property(graphs, (needs) => {
        const place = atOnce(stepPlaces(edgesOf(needs)));
        expect([...place].toSorted((left, right) => left - right)).toEqual([...needs.keys()]);
        for (const [index, earlier] of needs.entries()) {
          for (const one of earlier) {
            if (needs[one]?.length === 0) expect(place[index]).toBeGreaterThan(place[one] ?? 0);
          }
        }
      }),
    );
  });

  test('puts steps without dependents last, in the order of the plan', () => {
    expect([...atOnce(stepPlaces(edgesOf([[], [], [], [1]])))]).toEqual([2, 0, 3, 1]);
  });

  test('puts users of many channels first, users of one channel last, and each channel as early as possible', () => {
    // Users 0 to 5. The channels 6 to 8 share 3, 4 and 5; channel 9 alone has 0, 1 and 2.
    const needs = [[], [], [], [], [], [], [3, 4], [4, 5], [3, 5], [0, 1, 2]];
    const place = atOnce(stepPlaces(edgesOf(needs)));
    const order = [...needs.keys()].toSorted((left, right) => (place[left] ?? 0) - (place[right] ?? 0));
    expect(new Set(order.slice(0, 6))).toEqual(new Set([3, 4, 5, 6, 7, 8]));
    expect(order.at(-1)).toBe(9);
  });
});

describe('a trial run', () => {
  test.for([
    { name: 'ten calls of one lane', lanes: Array.from({ length: 10 }, () => 0), needs: () => [], s: 9.1 },
    { name: 'two lanes side by side', lanes: [0, 0, 0, 1, 1], needs: () => [], s: 2.1 },
    {
      name: 'a chain through both',
      lanes: [1, 0, 1],
      needs: (index: number) => (index === 0 ? [] : [index - 1]),
      s: 0.6,
    },
    { name: 'nothing', lanes: [], needs: () => [], s: 0 },
  ])('$name', ({ lanes, needs, s }) => {
    const edges = edgesOf(lanes.map((_, index) => needs(index)));
    const trial = { ...edges, routeOf: Uint16Array.from(lanes), callS: Float64Array.from([1, 0.5]) };
    const { runS, started } = atOnce(trialRun(trial, Int32Array.from(lanes.keys())));
    expect(runS).toBeCloseTo(s, 6);
    expect([...started].toSorted((left, right) => left - right)).toEqual([...lanes.keys()]);
  });
});

describe('the quickest order', () => {
  const lanesOf = (raw: readonly (readonly number[])[], callS: readonly number[]) => {
    const edges = edgesOf(raw);
    return {
      ...edges,
      routeOf: Uint16Array.from(raw, (needs, index) => (needs.length === 0 ? 0 : 1 + (index % (callS.length - 1)))),
      callS: Float64Array.from(callS),
    };
  };

  test('contains all steps and takes no longer than any given order', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(graphs, keys, (raw, order) => {
        const trial = lanesOf(raw, [0.1, 0.3, 0.2]);
        const given = Int32Array.from(order.slice(0, raw.length));
        const { runS, started } = atOnce(trialRun(trial, atOnce(improveOrder(trial, given))));
        expect([...started].toSorted((left, right) => left - right)).toEqual([...raw.keys()]);
        expect(runS).toBeLessThanOrEqual(atOnce(trialRun(trial, given)).runS);
      }),
    );
  });

  test('a run simulated backwards groups the needs of a step', () => {
    // Each channel needs the first and the last of the remaining users. In the given order, none can begin before the sixth.
    const users = Array.from({ length: 10 }, () => []);
    const channels = Array.from({ length: 5 }, (_, place) => [place, 9 - place]);
    const trial = lanesOf([...users, ...channels], [0.5, 1]);
    const asWritten = Int32Array.from({ length: trial.size }, (_, index) => index);
    expect(atOnce(trialRun(trial, asWritten)).runS).toBeCloseTo(6.7, 6);
    expect(atOnce(trialRun(trial, atOnce(improveOrder(trial, asWritten)))).runS).toBeCloseTo(4.7, 6);
  });
});
