// How does a command look at the live objects? Cost told first, then read over a connection of its own, then let go.

import type { Environment } from '../cli/environment.ts';
import type { CommandInput } from '../cli/flags/command.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import { kindOf } from '../model/address.ts';
import type { LiveObject } from '../model/live.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { objectRecords } from '../model/run-metadata.ts';
import type { PlanInput } from '../planner/plan.ts';
import { limitsOf } from '../platform/limits.ts';
import { costOf } from '../refresh/cost.ts';
import { readLive } from '../refresh/refresh.ts';
import { batchesOf, type Pair, pairsOf, type Subject } from '../refresh/subjects.ts';
import type { KindDefinition } from '../resources/define.ts';
import { registry } from '../resources/index.ts';
import { plural, printDuration } from '../view/words.ts';
import { StoredObservations } from './observations.ts';
import { scopeFor } from './plan-manifests.ts';
import type { Application } from './session/application.ts';
import { connectToRead } from './session/connect.ts';

/** What a plan knows of the platform. */
export type Live = NonNullable<PlanInput['live']>;

/**
 * Reads what state knows and what is declared, or, with `onlyKnown`, what state knows alone. Refused (3) without a good
 * token, and (1) when the platform cannot be read.
 */
export async function refresh(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  input: CommandInput,
  world: Environment,
  onlyKnown = false,
): Promise<Live> {
  const scope = scopeFor(input, manifest, state);
  // What a run before this one has begun may be its own doing, and is found out when its step is sent again.
  const begun = new Set(state.pending.map(({ address }) => address));
  const isWanted = ({ address, isKnown }: Pair): boolean =>
    (isKnown || (!onlyKnown && !begun.has(address))) && scope?.has(address) !== false;
  const pairs = function* (): Generator<Pair> {
    for (const pair of pairsOf(manifest.resources, objectRecords(state.records()))) if (isWanted(pair)) yield pair;
  };
  const observations = new StoredObservations();
  let objects = 0;
  const requests = await read(pairs, application, input, world, (kind, pair, live) => {
    objects += 1;
    observations.take(kind, pair, live);
  });
  return { observations, refreshed: { objects, requests } };
}

/** The same of one object alone: what it is like, and what a plan makes of that. */
export async function lookAt(
  { resource, record }: Pick<Pair, 'resource' | 'record'>,
  application: Application,
  input: CommandInput,
  world: Environment,
): Promise<{ readonly live: Live; readonly object: LiveObject | undefined }> {
  const observations = new StoredObservations();
  let object: LiveObject | undefined;
  const pairs = () => pairsOf(resource === undefined ? [] : [resource], record === undefined ? [] : [record]);
  const requests = await read(pairs, application, input, world, (kind, pair, live) => {
    object = live;
    observations.take(kind, pair, live);
  });
  return { live: { observations, refreshed: { objects: 1, requests } }, object };
}

/** Reads every subject, which are gone through twice: to tell the cost, and to read. Gives the number of requests. */
export async function read<S extends Subject>(
  subjects: () => Iterable<S>,
  application: Application,
  input: CommandInput,
  world: Environment,
  take: (kind: KindDefinition, subject: S, live: LiveObject) => void,
): Promise<number> {
  const limits = limitsOf(application.rates);
  const { kinds, lower_bound_s } = costOf(batchesOf(subjects(), registry), limits);
  if (kinds.length === 0) return 0;
  const costs = kinds.map(
    ({ title, objects, requests }) =>
      `${plural(objects, title)} ${objects === 1 ? 'costs' : 'cost'} ${plural(requests, 'request')}`,
  );
  const takes = lower_bound_s < 0.1 ? '' : `, ${printDuration(lower_bound_s)} at least`;
  world.stderr.write(`Refresh: ${costs.join(', ')}${takes}.\n`);
  const { reader, close } = await connectToRead(input, world, application);
  try {
    const byName = new Map(registry.map((kind) => [kind.kind, kind]));
    for await (const { subject, live } of readLive(subjects(), registry, reader)) {
      const kind = byName.get(kindOf(subject.address));
      if (kind !== undefined) take(kind, subject, live);
    }
    return reader.requests;
  } finally {
    await close();
  }
}
