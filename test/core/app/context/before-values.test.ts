// Tests the values from before a run: when they are durable, and how many runs are kept.
import { expect, test } from 'vitest';
import { keepBefore, keptRuns } from '../../../../src/core/app/context/before-values.ts';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { beginTrail } from '../../../../src/core/app/context/trail.ts';
import { planChanges } from '../../../../src/core/app/plan.ts';
import { runPlan } from '../../../../src/core/app/run/run-plan.ts';
import type { ApplyResult } from '../../../../src/core/applier/options.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { defaultUndoPolicy, type UndoPolicy } from '../../../../src/core/model/policy.ts';
import type { Answer, StateBackend, StateSnapshot, StateWriter } from '../../../../src/core/model/ports.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';
import { createPacer } from '../../../../src/core/platform/rate-limiter.ts';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { folderAddress } from '../../../../src/core/state/stores/folder.ts';
import { application, now, Processes } from '../../../support/state/fixtures.ts';
import { Disk, type Mount } from '../../../support/state/simulated-disk.ts';
import { estate, paths, testPorts } from '../support/ports.ts';

const planned = async () => (await planChanges({ paths }, await testPorts({ 'chat.yaml': estate }))).plan;

function backendOn(mount: Mount): StateBackend {
  return stateBackend(folderAddress('file:s', '/s', mount), new Processes().start());
}

function openOn(disk: Disk, mount = disk.mount()): Promise<StateWriter> {
  return backendOn(mount).open(now);
}

function keep(state: StateWriter, plan: Plan, run: number, policy: Partial<UndoPolicy>) {
  const at = `2026-01-0${run}T00:00:00.000Z`;
  return keepBefore(state, plan, { run, at, clock: nodeClock }, { ...defaultUndoPolicy, ...policy });
}

const begun = { command: 'apply', by: { user: 'ann', host: 'here' }, started_at: '2026-01-01T00:00:00.000Z' };

/** What the second run of a state, after one that was cut off, writes for itself before its first call. */
const written = [
  'chatform.before-00000002-00000',
  'chatform.loaded',
  'chatform.run',
  'chatform.trail',
  'chatform.trail-00000001',
];

/** `sent` is called when the first call leaves, and ends the run. */
async function runOn(state: StateWriter, plan: Plan, sent: () => void): Promise<ApplyResult> {
  const before = await keep(state, plan, 2, {});
  const stop = new AbortController();
  const send = async (): Promise<Answer> => {
    sent();
    stop.abort();
    return { type: 'refused', status: 400, code: 400_111, message: 'no' };
  };
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const pacer = createPacer({ limitsOf: limits, clock: nodeClock });
  return runPlan(
    plan,
    { platform: { send }, pacer, state, clock: nodeClock, emit: () => {} },
    {
      random: Math.random,
      existing: 'refuse',
      readList: () => Promise.reject(new Error('a list was read')),
      limits,
      signal: stop.signal,
      keepGoing: false,
      prepare: () => Promise.all([before.write(), beginTrail(state, begun)]),
    },
  );
}

function addressesIn(state: StateSnapshot): readonly string[] {
  return Array.from(state.records(), ({ address }) => address);
}

test('share one flush with the trail, the bookkeeping of the plan and the first begins, before the first call', async () => {
  const disk = new Disk();
  const [state, plan] = [await openOn(disk), await planned()];
  // This run is cut off, so that the next one also enters its end.
  await beginTrail(state, begun);
  const { sync: syncsBefore = 0 } = disk.counts;
  let atFirstCall: readonly [syncs: number, addresses: readonly string[], begins: number] | undefined;
  const result = await runOn(state, plan, () => {
    atFirstCall ??= [(disk.counts.sync ?? 0) - syncsBefore, addressesIn(state), state.pending.length];
  });
  expect(result.report.steps.failed).toBe(1);
  expect(atFirstCall).toEqual([1, written, 1]);
});

test.each([
  ['all names', 0],
  ['only the flushed names', 0.999],
])(
  'are durable with the trail and a begin when a call leaves, and a power cut that leaves %s cannot part them',
  async (_, chance) => {
    const plan = await planned();
    let sent = 0;
    for (let operations = 0; sent === 0; operations += 1) {
      const disk = new Disk();
      const mount = disk.mount();
      const state = await openOn(disk, mount);
      await beginTrail(state, begun);
      mount.operationsLeft = operations;
      const ended = await runOn(state, plan, () => {
        sent += 1;
        mount.die();
      }).catch((error: unknown) => error);
      if (sent === 0) expect(ended).toMatchObject({ code: 'state.write-failed' });
      else expect(operations).toBeGreaterThan(4);
      disk.losePower(() => chance);
      const found = await backendOn(disk.mount()).read(application);
      const isWhole = sent > 0 || found.pending.length > 0;
      expect(addressesIn(found)).toEqual(isWhole ? written : ['chatform.run']);
      expect(found.pending.length).toBe(isWhole ? 1 : 0);
    }
  },
);

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
