// Support: plays a scenario to its end and returns how the promise was broken.

import { idsOf } from '../../../src/core/kinds/definition/values.ts';
import { type Address, keyOf, kindOf } from '../../../src/core/model/address.ts';
import type { Lifecycle, Removal, Resource } from '../../../src/core/model/resource.ts';
import type { EmulatedPlatform as Emulator } from '../../../src/emulator/platform.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { token } from '../../../src/tools/rehearsal/simulation/simulation.ts';
import { resources } from '../../support/planning/planning.ts';
import { objectDifferences, type Read } from '../../support/platform-differences.ts';
import type { Block, Estate, Section, SectionName } from './estates.ts';
import { historyFileFaults, historyFileResources, historyFileTexts, reappearing } from './history-files.ts';
import { Life } from './life.ts';
import type { Disturbance, Scenario, Stage } from './scenario.ts';
import type { MakeStorage } from './storage.ts';
import { isDone, isForGood, type RunEnd, removalsOf, World } from './world.ts';

export interface Played {
  /** The violations of the promise. Empty if it was kept. */
  readonly broken: readonly string[];
  readonly story: readonly string[];
  readonly runs: number;
  readonly limited: number;
  /** Whether the scenario declares something that the platform cannot create. */
  readonly impossible: boolean;
}

/** The number of undisturbed runs after the last disturbance. The last of them have no faults either. */
const maxRuns = 12;
const faultyRuns = 8;

/** Far longer than calls wait, so that many machines are suspended with a call in their queue. */
const queueMs = 100;

/** `storage` replaces the one of the scenario. */
export async function play(scenario: Scenario, storage?: MakeStorage): Promise<Played> {
  const world = new World(scenario, undefined, storage);
  let impossible = false;
  const broken: string[] = [];
  try {
    await world.clock.run(
      (async () => {
        for (const [place, { estate, disturbances, isAbandoned }] of scenario.stages.entries()) {
          await world.clock.sleep(scenario.restMs ?? 0);
          world.onRemove = removalsOf(scenario, scenario.stages[place]);
          const desired = desiredOf(estate);
          world.historyFiles = historyFileTexts(estate);
          for (const one of disturbances) {
            await disturbed(world, desired, one);
            await world.clock.sleep(one.pauseMs);
          }
          if (isAbandoned === true) {
            await world.everythingArrived();
            continue;
          }
          const end = await settle(world, desired);
          if (end.type === 'impossible') {
            impossible = true;
            // A member that an abandoned estate would have removed is still in the channel and cannot be invited again.
            if (scenario.stages.slice(0, place).some((earlier) => earlier.isAbandoned)) return;
            broken.push(`the scenario is impossible: ${end.why}`);
            return;
          }
          broken.push(...(await check(world, scenario, place, end)));
          if (broken.length > 0) return;
          if (Object.values(world.onRemove).some(isForGood)) await world.everythingArrived();
          world.faults.replace({ seed: scenario.seed + place, rules: scenario.faults });
        }
      })(),
    );
  } catch (error) {
    broken.push(`an error: ${error instanceof Error ? error.stack : String(error)}`);
  }
  return {
    broken: [...new Set([...world.faultsFound, ...broken])],
    story: world.story,
    runs: world.runs,
    limited: world.stats.limited,
    impossible,
  };
}

export function desiredOf(estate: Estate): Resource[] {
  const { messages: _history_files, others, ...blocks } = estate;
  const objects = resources({ ...blocks, ...others } as unknown as Record<string, Record<string, JsonObject>>);
  return [...objects, ...historyFileResources(estate)];
}

async function disturbed(world: World, desired: readonly Resource[], disturbance: Disturbance): Promise<void> {
  const { clock } = world;
  switch (disturbance.type) {
    case 'kill':
      await world.runUntil(disturbance.atMoment, desired);
      await world.quiet();
      return;
    case 'stop': {
      const stop = new AbortController();
      await Promise.all([
        world.run(desired, { signal: stop.signal }),
        clock.sleep(disturbance.atMs).then(() => stop.abort()),
      ]);
      return;
    }
    case 'time':
      await world.run(desired, { maxDurationMs: disturbance.maxMs });
      return;
    case 'rival':
      await Promise.all([
        world.run(desired),
        clock.sleep(disturbance.atMs).then(() => world.run(desired, { lockTimeoutMs: disturbance.waitMs })),
      ]);
      return;
    case 'takeover': {
      const life = new Life(Number.POSITIVE_INFINITY, queueMs);
      await Promise.all([
        world.run(desired, { life }),
        (async () => {
          await clock.sleep(disturbance.atMs);
          life.freeze();
          await world.quiet();
          const second = world.run(desired, { lockTimeoutMs: world.storage.silent() });
          await clock.sleep(disturbance.pauseMs);
          life.thaw();
          await second;
        })(),
      ]);
      return;
    }
    case 'clock':
      await Promise.all([
        world.run(desired),
        clock.sleep(disturbance.atMs).then(() => clock.shiftDate(disturbance.byMs)),
      ]);
  }
}

/** Repeats the run until it is done. */
async function settle(world: World, desired: readonly Resource[]): Promise<RunEnd> {
  let end: RunEnd = { type: 'killed' };
  for (let count = 0; count < maxRuns; count++) {
    if (count === faultyRuns) world.faults.replace({ rules: [] });
    end = await world.run(desired);
    if (end.type === 'impossible' || isDone(end)) return end;
  }
  return end;
}

async function check(world: World, scenario: Scenario, place: number, end: RunEnd): Promise<string[]> {
  const { estate } = scenario.stages[place] ?? { estate: undefined };
  if (estate === undefined) return [];
  if (!isDone(end)) return [`stage ${place} does not come to its end`];
  const desired = desiredOf(estate);
  const declared = new Set(desired.map(({ address }) => address));
  const state = await world.state();
  const records = [...state.records()];
  const retired = records.map(({ address }) => address).filter((address) => !declared.has(address));
  const next = world.planFor(desired, records).plan.steps;
  const loose = reappearing(scenario.stages.slice(0, place + 1));
  const forgotten = forgottenAddresses(scenario.stages.slice(0, place + 1));
  const exceptions = { retired, tokens: world.tokens, loose, forgotten };
  const found = await objectDifferences(readerOf(world.emulator), desired, exceptions);
  return [
    ...found.map((fault) => `stage ${place}: ${fault}`),
    ...historyFileFaults(world.emulator, estate).map((fault) => `stage ${place}: ${fault}`),
    ...retired
      .filter((address) => isDeletedFor(scenario, place, address))
      .map((address) => `stage ${place}: ${address} was to be deleted`),
    ...[...next].map(({ id, action }) => `stage ${place}: the next plan has the step ${id} ${action}`),
    // The first call of a history file that is no longer declared is not checked.
    ...state.pending
      .filter(({ planned }) => planned?.search === undefined || declared.has(planned.address))
      .map(({ step }) => `stage ${place}: the begin of ${step} is left in the journal`),
    ...world.createdTooOften((key) => timesDeclared(scenario, place, key)),
  ];
}

/** The addresses of allowlists that were declared before the settings were not. */
function forgottenAddresses(stages: Scenario['stages']): Set<string> {
  const last = stages.findLastIndex(({ estate }) => estate.settings?.application === undefined);
  return new Set(
    stages
      .slice(0, Math.max(0, last))
      .flatMap(({ estate }) => idsOf(estate.settings?.application ?? {}, 'ip_whitelist')),
  );
}

/** Without limits and faults. */
function readerOf(emulator: Emulator): Read {
  return async (path, query) => {
    const { status, body } = emulator.handle(
      {
        method: 'GET',
        path: `/v3${path}`,
        query: new URLSearchParams(query).toString(),
        headers: { 'api-token': token },
        body: { type: 'none' },
      },
      0,
    );
    if (status === 200 && isObject(body as JsonValue)) return body as JsonObject;
    throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`);
  };
}

/** By stage, whether any of its objects is deleted when it is removed, by its own lifecycle. */
const withOwnDeletes = new WeakMap<Stage, boolean>();

function ownDeletes(stage: Stage): boolean {
  const known = withOwnDeletes.get(stage) ?? JSON.stringify(stage.estate).includes('"on_remove":"delete"');
  withOwnDeletes.set(stage, known);
  return known;
}

/** How often an object may be created: once, plus once for each deletion in between. */
function timesDeclared(scenario: Scenario, place: number, key: string): number {
  let times = 0;
  let isDeleted = true;
  let mayDelete = false;
  for (const stage of scenario.stages.slice(0, place + 1)) {
    const isThere = Object.values(stage.estate).some((section) => Object.hasOwn(section as object, key));
    if (isThere && isDeleted) times++;
    if (isThere) isDeleted = false;
    else
      isDeleted ||= key.startsWith('bot-') || mayDelete || Object.values(removalsOf(scenario, stage)).some(isForGood);
    mayDelete ||= ownDeletes(stage);
  }
  return times;
}

/** Kinds that cannot be disabled. */
const defaultRemovals: Readonly<Partial<Record<SectionName, Removal>>> = { bot: 'delete' };

function own(section: Section | undefined, key: string): Block | undefined {
  return section !== undefined && Object.hasOwn(section, key) ? section[key] : undefined;
}

/** Whether a removed object is deleted in every case, whichever of the stages since its declaration were applied. */
function isDeletedFor(scenario: Scenario, place: number, address: Address): boolean {
  const stages = scenario.stages.slice(0, place + 1);
  const section = kindOf(address) as SectionName;
  const key = keyOf(address);
  const blocks = stages.map(({ estate }) => own(estate[section], key));
  const lifecycles = blocks.map((block) => (block?.lifecycle as Lifecycle | undefined)?.on_remove);
  // A retirement counts until the object was certainly declared again.
  const last = blocks.findLastIndex((block, index) => block !== undefined && stages[index]?.isAbandoned !== true);
  const policies = stages
    .slice(last + 1)
    .map((stage) => removalsOf(scenario, stage)[section] ?? defaultRemovals[section]);
  return lifecycles.every((removal) => removal === undefined || isForGood(removal)) && policies.every(isForGood);
}
