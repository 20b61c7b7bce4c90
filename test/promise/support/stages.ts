// Support: an apply in stages that is killed again and again, with gates that fail, pass and take time.
import { dividedPlan, type GateAnswer, type GateQuestion, type Staging } from '../../../src/core/app/run/stages.ts';
import type { Address } from '../../../src/core/model/address.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { StateSnapshot } from '../../../src/core/model/ports.ts';
import { digestOfRecord } from '../../../src/core/model/record.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { stagesAddress } from '../../../src/core/model/run-metadata.ts';
import type { StageSelection } from '../../../src/core/planner/stages.ts';
import { Chance } from './chance.ts';
import { historyFileFaults, historyFileTexts } from './history-files.ts';
import type { Life } from './life.ts';
import { desiredOf } from './play.ts';
import { leftOf } from './saved-plans.ts';
import type { Scenario } from './scenario.ts';
import { isDone, type RunEnd, removalsOf, World } from './world.ts';

const maxRuns = 40;

export interface PlayedStages {
  readonly broken: readonly string[];
  readonly story: readonly string[];
  /** Undefined if the plan cannot be divided in the way of this schedule. */
  readonly kills: number | undefined;
  /** How often gates were asked, and how often one was killed while it was asked. */
  readonly asked: number;
  readonly killedAtGate: number;
}

function selectionsOf(chance: Chance): readonly StageSelection[] {
  const share = (percent: number): StageSelection => ({ type: 'share', text: `${percent}%`, percent });
  const kind = (name: string): StageSelection => ({
    type: 'objects',
    text: name,
    matches: (address) => address.startsWith(`${name}.`),
  });
  return chance.one([
    () => [share(chance.int(1, 60))],
    () => [share(10), share(50)],
    () => [kind(chance.one(['user', 'open_channel', 'group_channel', 'messages']))],
    () => [kind('open_channel'), share(40)],
  ])();
}

/** Applies all but the last estate as a whole, and the last one in stages, from manifests or as a saved plan. */
export async function playStages(scenario: Scenario): Promise<PlayedStages> {
  const chance = new Chance(scenario.seed + 0x57a9);
  const world = new World(scenario);
  const broken: string[] = [];
  let kills: number | undefined;
  const counts = { asked: 0, killedAtGate: 0 };
  await world.clock.run(
    (async () => {
      const last = scenario.stages.at(-1);
      if (last === undefined) return;
      for (const stage of scenario.stages.slice(0, -1)) {
        world.historyFiles = historyFileTexts(stage.estate);
        world.onRemove = removalsOf(scenario, stage);
        await world.runUntilDone(maxRuns, desiredOf(stage.estate));
      }
      world.historyFiles = historyFileTexts(last.estate);
      world.onRemove = removalsOf(scenario, last);
      const desired = desiredOf(last.estate);
      const before = await world.state();
      const { plan } = world.planFor(desired, before.records(), true);
      const staging: Staging = { selections: selectionsOf(chance), request: 'declared', gate: { gate: 'x' } };
      const divided = partsOf(plan, before, staging);
      if (divided === undefined) return;
      kills = 0;
      const saved = chance.is(0.4)
        ? { saved: (state: StateSnapshot) => leftOf(plan, state), savedSteps: plan.steps }
        : {};
      const later = (stage: number): Address[] =>
        Array.from(new Set(Array.from(plan.steps, ({ address }) => address))).filter(
          (address) => divided.stageOfObject(address) >= stage,
        );
      const digests = new Map(later(0).map((address) => [address, digestOfRecord(before.get(address))]));
      let failures = chance.int(0, 3);
      const passed = new Set<number>();
      const ask = async ({ stage, signal }: GateQuestion, life: Life): Promise<GateAnswer> => {
        counts.asked += 1;
        const state = await world.state();
        if (passedIn(state)[stage - 1] !== null)
          broken.push(`the gate after stage ${stage} is asked although it had passed`);
        for (const address of later(stage)) {
          if (digests.get(address) !== digestOfRecord(state.get(address)))
            broken.push(`${address} was changed before the gate after stage ${stage} passed`);
        }
        await life.moment();
        await world.clock.sleep(chance.one([0, 10, 2_000, 40_000]), signal);
        await life.moment();
        if (signal.aborted) return { outcome: 'interrupted' };
        failures -= 1;
        if (failures >= 0) return { outcome: 'failed', why: 'not yet' };
        passed.add(stage);
        return { outcome: 'passed' };
      };
      let end: RunEnd = { type: 'killed' };
      for (let count = 0; count < maxRuns && !isDone(end); count++) {
        const atMoment = count < 6 && chance.is(0.8) ? chance.magnitude(150) : Number.POSITIVE_INFINITY;
        const askedBefore = counts.asked;
        end = await world.runUntil(atMoment, desired, { ...saved, staged: { staging, ask } });
        if (end.type === 'killed') {
          kills += 1;
          if (counts.asked > askedBefore) counts.killedAtGate += 1;
        }
        await world.clock.sleep(chance.one([0, 1_000, 90_000]));
      }
      if (!isDone(end)) broken.push(`it does not come to its end: ${JSON.stringify(end)}`);
      // An empty stage has no gate, nor has one after which nothing is left.
      for (const stage of divided.stages.keys())
        if (stage > 0 && divided.stages[stage - 1]?.no_gate !== true && !passed.has(stage))
          broken.push(`the gate after stage ${stage} never passed`);
      await checkEnd(world, desired, broken);
      broken.push(...historyFileFaults(world.emulator, last.estate));
    })(),
  );
  return { broken: [...new Set([...world.faultsFound, ...broken])], story: world.story, kills, ...counts };
}

function partsOf(plan: Plan, state: StateSnapshot, staging: Staging): ReturnType<typeof dividedPlan> | undefined {
  try {
    return dividedPlan(plan, state, staging);
  } catch {
    return undefined;
  }
}

function passedIn(state: StateSnapshot): readonly (string | null)[] {
  return (state.get(stagesAddress)?.attributes.passed ?? []) as readonly (string | null)[];
}

async function checkEnd(world: World, desired: readonly Resource[], broken: string[]): Promise<void> {
  const state = await world.state();
  // A run that is killed after its last step leaves the record, which the next apply in stages replaces.
  const { steps } = world.planFor(desired, state.records()).plan;
  for (const { id, action } of steps) broken.push(`${id} ${action} is left`);
}
