// Tests that a plan is the same whether it is kept in memory or on disk.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { Spool } from '../../src/lib/spool.ts';
import type { Plan } from '../../src/model/plan.ts';
import { printPlanFile } from '../../src/planner/plan-file/print.ts';
import { hashPlan, PlanFileReader } from '../../src/planner/plan-file/reader.ts';
import { estate, possible } from '../support/planning/arbitrary-estates.ts';
import { planFor, resource, resources, stateAfter, stateOf } from '../support/planning/planning.ts';
import { fastTest, inSuite } from '../support/suite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The whole plan as comparable values. */
function whole(plan: Plan): unknown {
  return JSON.parse(
    JSON.stringify({
      ...plan,
      changes: [...plan.changes],
      steps: [...plan.steps],
      preconditions: [...plan.preconditions],
      ...(plan.needed === undefined ? {} : { needed: [...plan.needed] }),
    }),
  );
}

test('builds the same plan on disk as in memory', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 300 });
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
      expect(stateAfter(before, spooled.steps)).toEqual(stateAfter(before, plan.steps));
    }),
    { numRuns: inSuite(6, 20) },
  );
});

fastTest('saves a plan from disk and reads it back', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 0 });
  onTestFinished(() => spool.close());
  const desired = resources({
    user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } },
    group_channel: { room: { members: { alice: {}, bob: {} } } },
  });
  const { plan } = planFor(desired, new Map(), { collect: spool.collect });
  const kept = planFor(desired).plan;
  const reader = new PlanFileReader('plan.chatform', spool.collect);
  for (const piece of printPlanFile(plan)) reader.add(piece);
  const read = reader.end();
  expect(Array.isArray(read.steps)).toBe(false);
  expect(whole(read)).toEqual(whole(kept));
});

fastTest('orders thousands of creations, with a channel after its members', () => {
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
