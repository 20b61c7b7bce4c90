// Tests the graph of a plan's steps: dependencies, order, and plans that cannot run.

import { expect, test } from 'vitest';
import { buildGraph } from '../../../src/applier/schedule/graph.ts';
import { atOnce, sliceLength } from '../../../src/lib/slices.ts';
import { routeName } from '../../../src/model/request.ts';
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

test('puts the longest chain first in a small plan', () => {
  const steps = [
    create('a'),
    create('b'),
    update('b', 1, { needs: ['thing.b#0'] }),
    create('c'),
    update('c', 1, { needs: ['thing.c#0'] }),
    update('c', 2, { needs: ['thing.c#1'] }),
  ];
  const { place } = atOnce(buildGraph(steps, onePerSecond));
  const creates = [0, 1, 3].toSorted((left, right) => (place[left] ?? 0) - (place[right] ?? 0));
  expect(creates).toEqual([3, 1, 0]);
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
