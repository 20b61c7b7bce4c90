// How does a command come to a plan? Manifests and state in, plan out: the same for `plan` and for `apply`.

import type { Environment } from '../cli/environment.ts';
import type { CommandInput } from '../cli/flags/command.ts';
import { Restrictions } from '../manifest/checks/restrictions.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import { acknowledgedAddress, loadedAddress, objectRecords } from '../model/run-metadata.ts';
import { makePlan, type PlanInput, type PlanResult } from '../planner/plan.ts';
import { refuseShrunkInput } from '../planner/safety/shrink-guard.ts';
import { type Scope, scopeOf } from '../planner/targets.ts';
import { limitsOf } from '../platform/limits.ts';
import { registry } from '../resources/index.ts';
import { planSpool } from './plan-spool.ts';
import { refusedBySafety } from './refusals.ts';
import type { Application } from './session/application.ts';
import { demandMatched, readTarget } from './targets.ts';

/** The day in UTC, as `2026-12-01`. A command asks once, so that a run which began in time may finish. */
export function todayOf(world: Environment): string {
  return world.clock.date().toISOString().slice(0, 10);
}

/**
 * Refused when a --target means nothing (64), or when a part of the files seems to be missing (5); not of manifests that
 * are only compared with.
 */
export function planManifests(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  input: CommandInput,
  world: Environment,
  today = todayOf(world),
  isComparison = false,
  live?: PlanInput['live'],
): PlanResult {
  // Those of chatform itself are among them, and of no kind.
  const records = state.records();
  const scope = scopeFor(input, manifest, state);
  const before = state.get(loadedAddress);
  if (scope === undefined && !isComparison) demandWhole(manifest, before, records, today);
  if (scope !== undefined && !isComparison) demandMatched(scope.unmatched, '--target', [manifest.resources, records]);
  const acknowledged = state.get(acknowledgedAddress);
  const lineage = state.header?.lineage;
  const planned = makePlan({
    kinds: registry,
    resources: manifest.resources,
    removed: manifest.removed,
    records,
    policy: manifest.policy,
    application: application.identity,
    settings: application.settings,
    ...(lineage === undefined ? {} : { lineage }),
    limitsOf: limitsOf(application.rates),
    today,
    ...(scope === undefined ? { loaded: { now: manifest.files, before } } : { scope }),
    ...(acknowledged === undefined ? {} : { acknowledged }),
    ...(live === undefined ? {} : { live }),
    collect: planSpool().collect,
    isToBeSaved: input.text('out') !== undefined,
  });
  const restricted = new Restrictions(manifest.policy.restrictions ?? [], registry).refusals(planned.plan.changes);
  return { ...planned, refusals: [...planned.refusals, ...restricted] };
}

/** What --target names and needs; undefined when everything is meant. */
export function scopeFor(input: CommandInput, manifest: LoadedManifest, state: StateSnapshot): Scope | undefined {
  const targets = input.list('target').map((text) => readTarget(text, '--target'));
  if (targets.length === 0) return undefined;
  return scopeOf(targets, manifest.resources, objectRecords(state.records()), registry);
}

/** Looked at before anything is compared: half an estate looks like a wish to remove the other half. */
function demandWhole(
  { files, empty, removed, policy }: LoadedManifest,
  before: StateRecord | undefined,
  records: Iterable<StateRecord>,
  today: string,
): void {
  const loaded = { files, empty };
  const shrunk = refuseShrunkInput({ kinds: registry, loaded, before, removed, records, policy, today });
  if (shrunk.length > 0) throw refusedBySafety(shrunk);
}
