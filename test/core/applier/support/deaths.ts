// Support: runs that are killed at any moment, any number of times, and the check that every effect exists once and state is right.
import fc from 'fast-check';
import { expect } from 'vitest';
import { applyPlan } from '../../../../src/core/applier/apply.ts';
import type { LimitsOf } from '../../../../src/core/model/limits.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { seededRandom } from '../../../../src/emulator/random.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { Life } from '../../../promise/support/life.ts';
import { bucket, FakePacer } from './fake-pacer.ts';
import { FakePlatform, type Fault, keyOf, type Thing } from './fake-platform.ts';
import { Disk, FakeState } from './fake-state.ts';
import { create, patch, stateOnly, update } from './steps.ts';

/** The world, which survives the runs. */
interface World {
  readonly steps: readonly Step[];
  readonly disk: Disk;
  readonly things: Map<string, Thing>;
  readonly random: () => number;
  /** Share of calls that go wrong, 0 for a calm platform. */
  readonly faults: number;
  /** How long a write to state takes. While it is slow, begins are written before their slots. */
  readonly syncMs: number;
  /** A platform that does not check keys creates a thing twice if it receives two requests. */
  readonly refusals: ApiRequest[];
}

export function worldOf(steps: readonly Step[], random: () => number, faults: number, syncMs = quickMs): World {
  return { steps, disk: new Disk(), things: new Map(), random, faults, syncMs, refusals: [] };
}

export const quickMs = 2;
export const slowMs = 60;
/** Steps wait for slots, so their begins are written in advance if state is slow. */
const limits: LimitsOf = ({ method }) => [bucket('all', 40), bucket(method, 20)];

/** One process, which runs the remaining steps until it ends or is killed. Undefined if it was killed. */
export async function process(world: World, moments: number): Promise<ApplyReport | undefined> {
  const life = new Life(moments);
  const clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
  const { disk, things, random } = world;
  const steps = world.steps.filter(({ id }) => !disk.done.has(id));
  const platform = new FakePlatform({
    clock,
    life,
    things,
    latencyMs: () => 5 + 100 * random(),
    fault: (_request, nth) => (random() < world.faults && nth < 2 ? faultOf(random()) : undefined),
    onCall: (request) => checkNeeds(world, request),
  });
  const state = new FakeState(clock, { disk, life, syncMs: world.syncMs });
  const isSlow = world.syncMs === slowMs;
  const pacer = isSlow ? new FakePacer(clock, limits) : new FakePacer(clock);
  const ports = { platform, pacer, state, clock, emit: () => {} };
  const options = isSlow ? { random, limits } : { random, maxInFlight: 4 };
  const work = applyPlan({ steps, duration: { lower_bound_s: 0 } }, ports, options);
  const end = await clock.run(Promise.race([work, life.death]));
  return end?.report;
}

function faultOf(chance: number): Fault {
  if (chance < 0.3) return 'lost after';
  if (chance < 0.6) return 'lost before';
  if (chance < 0.8) return { type: 'limited', retryAfterS: 1 };
  return { type: 'unsent', message: 'connection refused' };
}

/** When a step's request arrives, its needs are durable. */
function checkNeeds(world: World, request: ApiRequest): void {
  if (request.method === 'GET') return;
  const step = world.steps.find((one) => one.request === request);
  for (const need of step?.needs ?? []) if (!world.disk.done.has(need)) world.refusals.push(request);
}

export function checkEnd(world: World, report: ApplyReport): void {
  expect(report).toMatchObject({ outcome: 'done', exit_code: 0 });
  expect(world.refusals).toEqual([]);
  expect([...world.disk.pending.keys()]).toEqual([]);
  expect([...world.disk.done].toSorted()).toEqual(world.steps.map(({ id }) => id).toSorted());
  for (const step of world.steps) {
    if (step.request === undefined) continue;
    const key = keyOf(step.request);
    if (step.begin) expect([key, world.things.get(key)?.made]).toEqual([key, 1]);
    else expect(world.things.get(key)?.value).toMatchObject(step.request.body ?? {});
    expect(world.disk.records.get(step.address)?.attributes).toMatchObject(stateOf(step));
  }
}

function stateOf(step: Step): object {
  return step.entry.type === 'patch'
    ? { [`field${step.id.split('#')[1]}`]: true }
    : { name: keyOf(step.request ?? { method: 'GET', route: '' }) };
}

/** Two platforms: one refuses a key that is taken, the other creates the thing again. */
const route = fc.constantFrom('/things', '/notes');

/** A creation, its changes, and its needs among earlier things. */
const plans = fc
  .array(
    fc.record({ route, changes: fc.nat(2), needs: fc.array(fc.nat(20), { maxLength: 3 }), record: fc.boolean() }),
    { minLength: 1, maxLength: 6 },
  )
  .map((things) =>
    things.flatMap((thing, place): Step[] => {
      const key = `k${place}`;
      const first = `thing.${key}#0`;
      const needs = place === 0 ? [] : thing.needs.map((need) => `thing.k${need % place}#0`);
      const made = create(key, { needs });
      const request: ApiRequest = { method: 'POST', route: thing.route, body: { key, name: key } };
      const changes = Array.from({ length: thing.changes }, (_, change) => update(key, change + 1, { needs: [first] }));
      const record = stateOnly(key, 9, { needs: [first], entry: patch(key, 9) });
      return [{ ...made, request }, ...changes, ...(thing.record ? [record] : [])];
    }),
  );

export async function untilDone(world: World, deaths: readonly number[]): Promise<ApplyReport> {
  for (const moments of deaths) await process(world, moments);
  const report = await process(world, Number.POSITIVE_INFINITY);
  if (report === undefined) throw new Error('a run that cannot die has died');
  return report;
}

/** Plays any plan with any faults and kills, runs again until it is done, and checks that every effect exists once. */
export async function survives(numRuns: number): Promise<void> {
  const deaths = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      plans,
      deaths,
      fc.integer(),
      fc.constantFrom(0, 0.2, 0.6),
      fc.constantFrom(quickMs, slowMs),
      async (steps, dying, seed, faults, syncMs) => {
        const world = worldOf(steps, seededRandom(seed), faults, syncMs);
        checkEnd(world, await untilDone(world, dying));
      },
    ),
    { numRuns },
  );
}
