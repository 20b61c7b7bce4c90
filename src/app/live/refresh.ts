// Reads live objects: says first what it costs, then reads over a connection of its own.
import type { LoadedManifest } from '../../manifest/load.ts';
import { kindOf } from '../../model/address.ts';
import type { LiveObject } from '../../model/live.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { objectRecords } from '../../model/run-metadata.ts';
import type { PlanInput } from '../../planner/plan.ts';
import { limitsOf } from '../../platform/limits.ts';
import { EachReads, type UnreadCounts } from '../../refresh/each-reads.ts';
import { readLive } from '../../refresh/refresh.ts';
import { batchesOf, costOf, type ReadSubject, type RefreshSubject, refreshSubjects } from '../../refresh/subjects.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { registry } from '../../resources/index.ts';
import { scopeFor } from '../manifests/plan-manifests.ts';
import type { Application } from '../session/application.ts';
import { connectToRead, type ReadPorts } from '../session/connect.ts';
import { StoredObservations } from './observations.ts';

/** What a plan knows of the platform. */
export type Live = NonNullable<PlanInput['live']>;

export interface RefreshOptions {
  /** As --target gives them. Empty: everything. */
  readonly targets?: readonly string[] | undefined;
  /** Reads what state knows, and not what is only declared. */
  readonly onlyKnown?: boolean;
}

/** Refused (3) without a good token, and (1) when the platform cannot be read. */
export async function refresh(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  options: RefreshOptions,
  ports: ReadPorts,
): Promise<Live> {
  const pairs = subjectsToRefresh(manifest, state, options);
  const observations = new StoredObservations();
  let objects = 0;
  const { read_each: mostEach } = manifest.policy;
  const { requests, unread } = await readSubjects(pairs, { application, mostEach }, ports, (kind, pair, live) => {
    objects += 1;
    observations.take(kind, pair, live);
  });
  return { observations, refreshed: { objects, requests }, unread };
}

/** What a refresh reads. May be called more than once. */
export function subjectsToRefresh(
  manifest: LoadedManifest,
  state: StateSnapshot,
  { targets = [], onlyKnown = false }: RefreshOptions,
): () => Generator<RefreshSubject> {
  const scope = scopeFor(targets, manifest, state);
  // What an earlier run has begun may be its own doing, and is found out when its step is sent again.
  const begun = new Set(state.pending.map(({ address }) => address));
  const isWanted = ({ address, isKnown }: RefreshSubject): boolean =>
    (isKnown || (!onlyKnown && !begun.has(address))) && scope?.has(address) !== false;
  return function* () {
    for (const pair of refreshSubjects(manifest.resources, objectRecords(state.records()))) {
      if (isWanted(pair)) yield pair;
    }
  };
}

/** `refresh` for one object: what it is like, and what a plan makes of that. */
export async function refreshOne(
  { resource, record }: Pick<RefreshSubject, 'resource' | 'record'>,
  application: Application,
  ports: ReadPorts,
): Promise<{ readonly live: Live; readonly object: LiveObject | undefined }> {
  const observations = new StoredObservations();
  let object: LiveObject | undefined;
  const pairs = () => refreshSubjects(resource === undefined ? [] : [resource], record === undefined ? [] : [record]);
  const mostEach = Number.POSITIVE_INFINITY;
  const { requests } = await readSubjects(pairs, { application, mostEach }, ports, (kind, pair, live) => {
    object = live;
    observations.take(kind, pair, live);
  });
  return { live: { observations, refreshed: { objects: 1, requests } }, object };
}

interface ReadScope {
  readonly application: Application;
  /** More reads of one request for each object are not made: `read_each` of the policy. */
  readonly mostEach: number;
}

interface ReadCounts {
  readonly requests: number;
  readonly unread: UnreadCounts;
}

/** Reads every subject. Goes through the subjects twice: for the cost, and to read. */
export async function readSubjects<S extends ReadSubject>(
  subjects: () => Iterable<S>,
  { application, mostEach }: ReadScope,
  ports: ReadPorts,
  take: (kind: KindDefinition, subject: S, live: LiveObject) => void,
): Promise<ReadCounts> {
  const each = new EachReads(registry, mostEach);
  const batches = batchesOf(each.counted(subjects()), registry);
  const { kinds, lower_bound_s: atLeastS } = costOf(batches, limitsOf(application.rates));
  const { unread } = each;
  if (kinds.length === 0) return { requests: 0, unread };
  ports.notify({ type: 'refresh-cost', kinds, atLeastS, each: each.areMade ? each.total : 0 });
  const { reader, close } = await connectToRead(application, ports);
  try {
    const byName = new Map(registry.map((kind) => [kind.kind, kind]));
    for await (const { subject, live } of readLive(each.allowed(subjects()), registry, reader)) {
      const kind = byName.get(kindOf(subject.address));
      if (kind !== undefined) take(kind, subject, live);
    }
    return { requests: reader.requests, unread };
  } finally {
    await close();
  }
}
