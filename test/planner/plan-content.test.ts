// Tests that a plan is the same whether it is kept in memory or on disk, and however much of it is finished on the way.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { collectInMemory } from '../../src/lib/series.ts';
import { Spool } from '../../src/lib/spool.ts';
import type { Plan } from '../../src/model/plan.ts';
import { OrderedGroups } from '../../src/planner/order/groups.ts';
import { hashPlan } from '../../src/planner/plan-file/hash.ts';
import { printPlanFile } from '../../src/planner/plan-file/print.ts';
import { PlanFileReader } from '../../src/planner/plan-file/reader.ts';
import { registry } from '../../src/resources/index.ts';
import { estate, possible } from '../support/planning/arbitrary-estates.ts';
import { planFor, resource, resources, stateAfter, stateOf } from '../support/planning/planning.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** All of it, as values that compare. */
function whole(plan: Plan): unknown {
  return JSON.parse(
    JSON.stringify({
      ...plan,
      changes: [...plan.changes],
      steps: [...plan.steps],
      preconditions: [...plan.preconditions],
      // How a plan is kept, not what it says.
      templates: undefined,
      ...(plan.needed === undefined ? {} : { needed: [...plan.needed] }),
    }),
  );
}

test('any plan: on disk as in memory, and with every object ordered among all the others', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 2 });
  onTestFinished(() => spool.close());
  fc.assert(
    fc.property(estate, estate, (first, second) => {
      const before = stateOf(first);
      const desired = possible(second, before);
      const { plan } = planFor(desired, before);
      const spooled = planFor(desired, before, { collect: spool.collect }).plan;
      expect(whole(spooled)).toEqual(whole(plan));
      expect(hashPlan(plan.application, spooled.steps)).toBe(plan.hash);
      expect(Array.from(spooled.steps, (_step, place) => spooled.steps.at(place))).toEqual([...plan.steps]);
      // Who is named comes last then, so that nobody is finished before him.
      const turned = planFor(desired, before, { kinds: [...registry].reverse() }).plan;
      expect(whole(turned)).toEqual(whole(plan));
      expect(stateAfter(before, spooled.steps)).toEqual(stateAfter(before, plan.steps));
    }),
    { numRuns: 60 },
  );
});

test('a plan that is kept on disk is saved and read back', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 0 });
  onTestFinished(() => spool.close());
  const desired = resources({
    user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } },
    group_channel: { room: { members: { alice: {}, bob: {} } } },
  });
  const { plan } = planFor(desired, new Map(), { collect: spool.collect });
  const kept = planFor(desired).plan;
  const reader = new PlanFileReader('plan.json', spool.collect);
  for (const piece of printPlanFile(plan)) reader.add(piece);
  const read = reader.end();
  expect(Array.isArray(read.steps)).toBe(false);
  expect(whole(read)).toEqual(whole(kept));
});

test('of thousands of creations over a state, the later ones are finished on the way', () => {
  const known = resource('user', 'a', { nickname: 'A' });
  const users = Array.from({ length: 2_100 }, (_none, place) => resource('user', `u${place}`, { nickname: 'N' }));
  const members: JsonObject = { a: {}, u0: {}, u2099: {} };
  const { plan } = planFor([known, ...users, resource('group_channel', 'room', { members })], stateOf([known]));
  const last = plan.steps.at(plan.steps.length - 1);
  expect([last?.id, last?.needs]).toEqual(['group_channel.room#1', ['user.u0#1', 'user.u2099#1']]);
  const addresses = Array.from(plan.changes, ({ address }) => address);
  expect(addresses).toEqual([...addresses].sort());
  expect(addresses).toHaveLength(2_101);
  expect(hashPlan(plan.application, plan.steps)).toBe(plan.hash);
});

test('values of several kinds, pushed early and late, come out sorted by address', () => {
  const lots = new OrderedGroups<string>(collectInMemory, (value) => value as `${string}.${string}`);
  for (const value of ['user.b', 'user.d']) lots.of('user').push(value, false);
  for (const value of ['user.a', 'user.c', 'user.e']) lots.of('user').push(value, true);
  lots.of('group_channel').push('group_channel.z', true);
  expect([...lots.end()]).toEqual(['group_channel.z', 'user.a', 'user.b', 'user.c', 'user.d', 'user.e']);
});
