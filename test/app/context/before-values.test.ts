// Tests the values from before a run: when they are written, and how many runs are kept.
import { expect, test } from 'vitest';
import { keepBefore, keptRuns } from '../../../src/app/context/before-values.ts';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { beginTrail } from '../../../src/app/context/trail.ts';
import { planChanges } from '../../../src/app/plan.ts';
import { runPlan } from '../../../src/app/run/run-plan.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { defaultUndoPolicy, type UndoPolicy } from '../../../src/model/policy.ts';
import type { StateWriter } from '../../../src/model/ports.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, Processes } from '../../support/state/fixtures.ts';
import { Disk } from '../../support/state/simulated-disk.ts';
import { estate, paths, testPorts } from '../support/ports.ts';

const planned = async () => (await planChanges({ paths }, await testPorts({ 'chat.yaml': estate }))).plan;

async function openOn(disk: Disk): Promise<StateWriter> {
  const backend = stateBackend(folderAddress('file:s', '/s', disk.mount()), new Processes().start());
  return backend.open({ application, lockTimeoutMs: 0 });
}

function keep(state: StateWriter, plan: Plan, run: number, policy: Partial<UndoPolicy>) {
  const at = `2026-01-0${run}T00:00:00.000Z`;
  return keepBefore(state, plan, { run, at, clock: nodeClock }, { ...defaultUndoPolicy, ...policy });
}

test('share one flush with the trail and the bookkeeping of the plan', async () => {
  const disk = new Disk();
  const [state, plan] = [await openOn(disk), await planned()];
  const begun = { command: 'apply', by: { user: 'ann', host: 'here' }, started_at: '2026-01-01T00:00:00.000Z' };
  // This run is cut off, so that the next one also enters its end.
  await beginTrail(state, begun);
  const before = await keep(state, plan, 2, {});
  const { sync: syncsBefore = 0 } = disk.counts;
  const unused = () => {
    throw new Error('a call was sent');
  };
  const result = await runPlan(
    plan,
    { platform: { send: unused }, pacer: { take: unused } as never, state, clock: nodeClock, emit: () => {} },
    {
      random: Math.random,
      existing: 'refuse',
      readList: unused,
      signal: AbortSignal.abort(),
      keepGoing: false,
      written: Promise.all([beginTrail(state, begun), before.write()]),
    },
  );
  expect(result.report.outcome).toBe('interrupted');
  expect((disk.counts.sync ?? 0) - syncsBefore).toBe(1);
  expect(
    state
      .records()
      .slice()
      .map(({ address }) => address),
  ).toEqual([
    'chatform.before-00000002-00000',
    'chatform.loaded',
    'chatform.run',
    'chatform.trail',
    'chatform.trail-00000001',
  ]);
});

test.each<[Partial<UndoPolicy>, readonly number[], boolean]>([
  [{ runs: 2 }, [3, 4], false],
  [{ days: 2 }, [2, 3, 4], false],
  [{ days: 0 }, [4], false],
  [{ megabytes: 0 }, [], true],
  [{ runs: 0 }, [], false],
])('are kept within the policy: %j', async (policy, runs, isTooLarge) => {
  const [state, plan] = [await openOn(new Disk()), await planned()];
  for (let run = 1; run <= 4; run += 1) {
    const before = await keep(state, plan, run, run < 4 ? {} : policy);
    await before.write();
    if (run === 4) expect(before.isTooLarge).toBe(isTooLarge);
  }
  expect(keptRuns(state).map(({ run }) => run)).toEqual(runs);
});
