// Support: two saved plans of one estate, made one after the other and applied one after the other.

import { blockedObjects } from '../../../src/core/app/plans/needed-objects.ts';
import { planConflict, remainingWork } from '../../../src/core/app/plans/remaining-work.ts';
import type { Action } from '../../../src/core/model/action.ts';
import type { Address } from '../../../src/core/model/address.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { StateSnapshot } from '../../../src/core/model/ports.ts';
import type { Removal } from '../../../src/core/model/resource.ts';
import { collectInMemory } from '../../../src/lib/series.ts';
import { Chance } from './chance.ts';
import { type Estate, estatesOf, withoutStrangers } from './estates.ts';
import { type HistoryFileDraft, historyFileFaults, historyFileTexts } from './history-files.ts';
import { withKept } from './kept.ts';
import { desiredOf } from './play.ts';
import { returningScenarioOf } from './returns.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { isDone, removalsOf, World } from './world.ts';

/** Repeats undisturbed runs until one is done, because calls may fail. */
const maxRuns = 12;

export interface PlayedPlans {
  readonly broken: readonly string[];
  readonly isRefused: boolean;
  readonly story: readonly string[];
}

/** Applies the first estate, saves a plan of each following one, then applies the plans in turn. */
export async function playSavedPlans(scenario: Scenario): Promise<PlayedPlans> {
  const world = new World(scenario);
  const broken: string[] = [];
  let isRefused = false;
  await world.clock.run(
    (async () => {
      const [first, ...others] = scenario.stages;
      if (first === undefined) return;
      world.historyFiles = historyFileTexts(first.estate);
      world.onRemove = removalsOf(scenario, first);
      await world.run(desiredOf(first.estate));
      const records = [...(await world.state()).records()];
      const saved = others.flatMap((stage) => {
        world.onRemove = removalsOf(scenario, stage);
        const { plan, why } = world.planFor(desiredOf(stage.estate), records, true);
        return why === undefined ? [{ stage, plan }] : [];
      });
      for (const { stage, plan } of saved) {
        const desired = desiredOf(stage.estate);
        world.historyFiles = historyFileTexts(stage.estate);
        world.onRemove = removalsOf(scenario, stage);
        const end = await world.run(desired, { saved: (state) => leftOf(plan, state) });
        if (end.type === 'refused') {
          isRefused = true;
          continue;
        }
        if (!isDone(end)) broken.push('the plan was applied in part');
        const state = await world.state();
        const touched = new Set<Address>(Array.from(plan.preconditions, ([address]) => address));
        const { steps } = world.planFor(desired, state.records()).plan;
        // An object is reopened for work of other objects, which the first plan may have changed.
        const left = Array.from(steps).filter(({ address, action }) => touched.has(address) && !isEnd(action));
        broken.push(...left.map(({ id, action }) => `the plan was applied, and ${id} ${action} is left`));
      }
    })(),
  );
  return { broken: [...world.faultsFound, ...broken], isRefused, story: world.story };
}

/**
 * Exports a chat twice, saves the plan from the first export to the second, and applies it under kills until it is done.
 */
export async function playSavedCorrections(scenario: Scenario): Promise<PlayedPlans & { readonly kills: number }> {
  const world = new World(scenario);
  const broken: string[] = [];
  let isRefused = false;
  let kills = 0;
  await world.clock.run(
    (async () => {
      const [first, second] = scenario.stages;
      if (first === undefined || second === undefined) return;
      const desired = desiredOf(second.estate);
      world.historyFiles = historyFileTexts(first.estate);
      await world.runUntilDone(maxRuns, desiredOf(first.estate));
      const { plan } = world.planFor(desired, (await world.state()).records(), true);
      world.historyFiles = historyFileTexts(second.estate);
      const saved = (state: StateSnapshot) => leftOf(plan, state);
      const chance = new Chance(scenario.seed + 0x5a7e);
      for (let count = chance.int(1, 4); count > 0; count--) {
        const { type } = await world.runUntil(chance.int(1, 60), desired, { saved, savedSteps: plan.steps });
        if (type === 'killed') kills++;
        await world.clock.sleep(chance.one([0, 1_000, 90_000]));
      }
      let end = await world.run(desired, { saved, savedSteps: plan.steps });
      for (let count = 1; count < maxRuns && !isDone(end) && end.type !== 'refused'; count++)
        end = await world.run(desired, { saved, savedSteps: plan.steps });
      isRefused = end.type === 'refused';
      // If the plan has conflicts, make a new one.
      if (!isDone(end)) end = await world.runUntilDone(maxRuns, desired);
      if (!isDone(end)) broken.push('it does not come to its end');
      const { steps } = world.planFor(desired, (await world.state()).records()).plan;
      broken.push(...historyFileFaults(world.emulator, second.estate));
      broken.push(...Array.from(steps, ({ id, action }) => `${id} ${action} is left`));
    })(),
  );
  return { broken: [...world.faultsFound, ...broken], isRefused, kills, story: world.story };
}

function isEnd(action: Action): boolean {
  return ['freeze', 'unfreeze', 'deactivate', 'reactivate'].includes(action);
}

export function leftOf(plan: Plan, state: StateSnapshot): Plan {
  const { steps, conflicts } = remainingWork(plan, state, collectInMemory);
  const blocked = blockedObjects(steps, plan, state);
  if (conflicts.length + blocked.length > 0) throw planConflict(conflicts, blocked, []);
  return { ...plan, steps };
}

/** An estate, and others that differ from it in a few objects each, without faults. */
export function plansOf(seed: number): Scenario {
  const chance = new Chance(seed + 0x91a5);
  const isReturning = chance.is(0.4);
  const whole = isReturning ? returningScenarioOf(seed) : scenarioOf(seed);
  const estates = isReturning
    ? whole.stages.map(({ estate }) => estate)
    : withKept(new Chance(seed + 0xb07), estatesOf(chance, 3));
  const share = chance.one([0.1, 0.3, 0.6]);
  const [first, ...others] = estates.slice(0, 3);
  const edited = first === undefined ? [] : [first, ...others.map((other) => mixed(chance, share, first, other))];
  // A deleted user leaves every channel, even a frozen one.
  const onRemove = {
    user: chance.one<Removal>(['deactivate', 'delete']),
    ...channelsTo(chance.one(['freeze', 'delete'])),
  };
  return {
    ...whole,
    stages: edited.map((estate) => ({ estate, disturbances: [], onRemove })),
    faults: [],
    behaviours: isReturning ? whole.behaviours : {},
    latencyMs: [20, 60],
  };
}

function channelsTo(removal: Removal): Record<'open_channel' | 'group_channel', Removal> {
  return { open_channel: removal, group_channel: removal };
}

/** The first estate with some objects taken from the other: edited, removed or new. */
function mixed(chance: Chance, share: number, first: Estate, other: Estate): Estate {
  const messages: Record<string, HistoryFileDraft> = {};
  const section = (name: 'user' | 'open_channel' | 'group_channel') => {
    const keys = [...new Set([...Object.keys(first[name]), ...Object.keys(other[name])])].sort();
    return Object.fromEntries(
      keys.flatMap((key) => {
        const from = chance.is(share) ? other : first;
        if (!Object.hasOwn(from[name], key)) return [];
        const historyFile = from.messages?.[key] ?? first.messages?.[key];
        if (historyFile !== undefined && name !== 'user') messages[key] = historyFile;
        return [[key, from[name][key] ?? {}]];
      }),
    );
  };
  const [user, open_channel, group_channel] = [section('user'), section('open_channel'), section('group_channel')];
  return withoutStrangers({ user, open_channel, group_channel, messages });
}
