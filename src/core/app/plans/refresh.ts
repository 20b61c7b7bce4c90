// Reads live objects over a connection of its own, after it has reported the cost.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { textOf } from '../../kinds/definition/values.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import { objectRecords } from '../../model/addressed-series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type AnnouncedLimits, announcedInWords, type CrowdedUser } from '../../model/limits.ts';
import type { LiveObject } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { isAdopted } from '../../planner/diff/adopted.ts';
import type { PlanInput } from '../../planner/plan-input.ts';
import type { Selection } from '../../planner/targets.ts';
import { limitsOf } from '../../platform/limits.ts';
import { EachReads, type UnreadCounts } from '../../refresh/each-reads.ts';
import { type LackedReads, readLive } from '../../refresh/refresh.ts';
import type { LiveReader } from '../../refresh/send.ts';
import { batchesOf, costOf, type ReadSubject, type RefreshSubject, refreshSubjects } from '../../refresh/subjects.ts';
import { findKind, registry } from '../../resources/index.ts';
import type { Application } from '../context/application.ts';
import { connectToRead, type ReadingConnection } from '../context/connect.ts';
import type { Ports } from '../context/ports.ts';
import type { Ask } from '../visibility/visibility.ts';
import { type HidingUsers, hidingUsers, type ReadStatuses, readHidden } from './hidden-channels.ts';
import { refreshedHistory } from './history-dangers.ts';
import { countJoined, type JoinsOf } from './joined-channels.ts';
import { StoredObservations } from './observations.ts';
import { type RefreshReach, scopeFor } from './plan-manifests.ts';
import { SentHistories } from './sent-histories.ts';

/** Above this number of objects, counting the requests would need another slow pass over all manifests. */
const maxCounted = 50_000;

/** The result of a refresh. */
export type Live = NonNullable<PlanInput['live']>;

export type OpenConnection = Pick<ReadingConnection, 'reader' | 'date'>;

export interface RefreshOptions {
  /** Absent: everything. */
  readonly selection?: Selection | undefined;
  /** Whether to read only objects in state, not those that are only declared. */
  readonly onlyKnown?: boolean;
  /** Default: all. */
  readonly reach?: RefreshReach | undefined;
  /** Of the reach `changed`, the objects to read besides those that `policy.adopt` names. */
  readonly changed?: ReadonlySet<Address> | undefined;
  /** The connection to read over, which the caller closes. Default: a connection of its own. */
  readonly over?: OpenConnection | undefined;
}

/** By what a refresh judges what it reads. */
export interface RefreshRules {
  readonly manifest: LoadedManifest;
  readonly application: Application;
}

/** Refused (3) without a valid token, and (1) when the platform cannot be read. */
export async function refresh(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  options: RefreshOptions,
  ports: Ports,
): Promise<Live> {
  return (await refreshByBoth({ manifest, application }, undefined, state, options, ports)).live;
}

/** The same, and with the dangers by the rules of a request (`ownRules`). The platform is read once. */
export async function refreshByBoth(
  { manifest, application }: RefreshRules,
  ownRules: RefreshRules | undefined,
  state: StateSnapshot,
  options: RefreshOptions,
  ports: Ports,
): Promise<{ readonly live: Live; readonly ownLive: Live }> {
  const observations = new StoredObservations();
  const { read_each: mostEach } = manifest.policy;
  let remarks: readonly Diagnostic[] = [];
  let ownRemarks: readonly Diagnostic[] = [];
  let crowded: readonly CrowdedUser[] = [];
  const scope = scopeFor(options.selection, manifest, state);
  const isInReach = reachedBy(options, manifest.policy);
  const isWanted: JoinsOf['isWanted'] = (address) => scope?.has(address) !== false;
  const isPart = options.reach === 'adopted' || options.reach === 'changed';
  const isRead = (address: Address): boolean => isWanted(address) && isInReach(address, true);
  const subjects = subjectsToRefresh(manifest, state, options);
  const pairs = function* () {
    for (const pair of subjects()) yield { ...pair, wantsMore: histories.wantsReceipts(pair.address) };
  };
  const histories = new SentHistories(state, isRead);
  const hiding: HidingUsers = hidingUsers(state, isRead);
  let statuses: ReadStatuses = { compared: 0, notes: [] };
  const also = async (reader: LiveReader): Promise<void> => {
    statuses = await readHidden(hiding, mostEach, reader);
    if (isPart) remarks = ownRemarks = announcedRemarks(reader.announced);
    if (isPart || options.onlyKnown === true) return;
    const ask = askingOnce((request) => reader.send(request));
    const historyBy = (rules: RefreshRules) =>
      refreshedHistory({ ...rules, state: standing(state, observations), selection: options.selection }, ports, ask);
    const ofHistory = await historyBy({ manifest, application });
    const ofOwnHistory = ownRules === undefined ? ofHistory : await historyBy(ownRules);
    const counted = await countJoined({ resources: manifest.resources, state, isWanted }, mostEach, ask);
    const others = [...counted.remarks, ...announcedRemarks(reader.announced)];
    remarks = [...ofHistory, ...others];
    ownRemarks = [...ofOwnHistory, ...others];
    crowded = counted.crowded;
  };
  const alsoEach = hiding.size > mostEach ? 0 : hiding.size;
  const { requests, unread, lacked, hidden, now } = await readSubjects(
    pairs,
    { application, mostEach, alsoEach, also, over: options.over, mayLack: true },
    ports,
    (kind, pair, live) => {
      observations.take(kind, pair, live);
      histories.take(live.address, live.facts);
    },
    (kind, pair) => observations.skip(kind, pair),
  );
  const ofHistories = histories.end();
  const live: Live = {
    observations,
    now: now.toISOString(),
    ...(isPart ? { reads: (address) => isInReach(address, state.get(address) !== undefined) } : {}),
    refreshed: {
      ...(options.reach === 'changed' ? { only: 'changed' as const } : {}),
      ...observations.refreshed(requests, statuses.compared, ofHistories.proven),
    },
    undeclared: [...observations.undeclared(), ...statuses.notes, ...ofHistories.notes],
    unread,
    lacked,
    hidden,
    remarks,
    crowded,
  };
  return { live, ownLive: { ...live, remarks: ownRemarks } };
}

/** The state without the objects that are gone from the platform, whose histories are sent again. */
function standing(state: StateSnapshot, observations: StoredObservations): StateSnapshot {
  const isGone = (address: Address): boolean => {
    const channel =
      kindOf(address) === 'messages' ? textOf(state.get(address)?.attributes ?? {}, 'channel') : undefined;
    const holder = channel === undefined ? address : addressOf(channel, keyOf(address));
    return observations.get(holder)?.exists === false;
  };
  const { header, size, pending } = state;
  const records = () => state.records();
  return { header, size, pending, records, get: (address) => (isGone(address) ? undefined : state.get(address)) };
}

/** Asks for equal requests once. */
function askingOnce(ask: Ask): Ask {
  const answers = new Map<string, ReturnType<Ask>>();
  return (request) => {
    const key = JSON.stringify(request);
    const answer = answers.get(key) ?? ask(request);
    answers.set(key, answer);
    return answer;
  };
}

/** Whether an object is read. `isKnown`: it is in state. */
function reachedBy(
  { reach = 'all', changed }: Pick<RefreshOptions, 'reach' | 'changed'>,
  policy: Pick<Policy, 'adopt'>,
): (address: Address, isKnown: boolean) => boolean {
  return (address, isKnown) =>
    reach === 'all' || changed?.has(address) === true || (!isKnown && isAdopted(policy, address));
}

/** The objects that a refresh reads. Can be iterated several times. */
export function subjectsToRefresh(
  manifest: LoadedManifest,
  state: StateSnapshot,
  { selection, onlyKnown = false, reach = 'all', changed }: RefreshOptions,
): () => Generator<RefreshSubject> {
  const scope = scopeFor(selection, manifest, state);
  // Skips new objects that an earlier run began to create: whether they are its own is checked when the step is sent again.
  const begun = new Set(state.pending.map(({ address }) => address));
  const isReached = reachedBy({ reach, changed }, manifest.policy);
  const isWanted = (subject: RefreshSubject): boolean =>
    isReached(subject.address, subject.isKnown) &&
    (subject.isKnown || (!onlyKnown && !begun.has(subject.address))) &&
    scope?.has(subject.address) !== false;
  return function* () {
    for (const pair of refreshSubjects(manifest.resources, objectRecords(state.records()))) {
      if (isWanted(pair)) yield pair;
    }
  };
}

/** Reports the cost of a refresh if a token is set and the platform was not read. */
export function offerRefresh(
  manifest: LoadedManifest,
  { rates }: Application,
  state: StateSnapshot,
  options: RefreshOptions,
  { notify }: Pick<Ports, 'notify'>,
): void {
  const objects = Math.max(manifest.resources.length, state.size);
  if (objects > maxCounted) {
    notify({ type: 'refresh-offer-large', objects });
    return;
  }
  const subjects = subjectsToRefresh(manifest, state, options);
  const { kinds, lower_bound_s: atLeastS, unlisted } = costOf(batchesOf(subjects(), registry), limitsOf(rates));
  if (kinds.length > 0) notify({ type: 'refresh-offer', kinds, atLeastS, unlisted });
}

/** `refresh` for one object: its live value and the observation for the plan. */
export async function refreshOne(
  { resource, record }: Pick<RefreshSubject, 'resource' | 'record'>,
  application: Application,
  ports: Ports,
): Promise<{ readonly live: Live; readonly object: LiveObject | undefined }> {
  const observations = new StoredObservations();
  let object: LiveObject | undefined;
  const pairs = () => refreshSubjects(resource === undefined ? [] : [resource], record === undefined ? [] : [record]);
  const mostEach = Number.POSITIVE_INFINITY;
  const { requests, now } = await readSubjects(pairs, { application, mostEach }, ports, (kind, pair, live) => {
    object = live;
    observations.take(kind, pair, live);
  });
  return { live: { observations, now: now.toISOString(), refreshed: observations.refreshed(requests) }, object };
}

interface ReadScope {
  readonly application: Application;
  /** The maximum number of reads that need one request per object (policy `read_each`). */
  readonly mostEach: number;
  /** Whether to go on without reads that the platform does not offer. Absent: they end the command. */
  readonly mayLack?: true;
  /** What else to read over the same connection, after the subjects. */
  readonly also?: (reader: LiveReader) => Promise<void>;
  /** The number of reads that `also` makes for single objects. */
  readonly alsoEach?: number;
  /** See `RefreshOptions`. */
  readonly over?: OpenConnection | undefined;
}

interface ReadCounts {
  readonly requests: number;
  readonly unread: UnreadCounts;
  /** By `SECTION` or `SECTION.ATTRIBUTE`, the objects whose read the platform does not offer. */
  readonly lacked: UnreadCounts;
  /** Objects that the platform does not show. */
  readonly hidden: readonly Address[];
  /** The time on the platform's clock. Without a request, that of this machine. */
  readonly now: Date;
}

/**
 * Reads every subject. `take` also gets the time on the platform's clock. Skips those of kinds that no refresh reads, such as history files. Iterates over the subjects twice: for the
 * cost, and to read.
 */
export async function readSubjects<S extends ReadSubject>(
  subjects: () => Iterable<S>,
  { application, mostEach, mayLack, also, alsoEach = 0, over }: ReadScope,
  ports: Ports,
  take: (kind: KindDefinition, subject: S, live: LiveObject, now: Date) => void,
  skip: (kind: KindDefinition, subject: S) => void = () => {},
): Promise<ReadCounts> {
  const each = new EachReads(registry, mostEach);
  const batches = batchesOf(each.counted(subjects()), registry);
  const { kinds, lower_bound_s: atLeastS, unlisted } = costOf(batches, limitsOf(application.rates));
  const { unread } = each;
  if (kinds.length === 0) return { requests: 0, unread, lacked: {}, hidden: [], now: ports.clock.date() };
  ports.notify({ type: 'refresh-cost', kinds, atLeastS, unlisted, each: (each.areMade ? each.total : 0) + alsoEach });
  const { reader, date, close } =
    over === undefined ? await connectToRead(application, ports) : { ...over, close: async () => {} };
  const hidden: Address[] = [];
  const lacked: LackedReads | undefined = mayLack === true ? new Map() : undefined;
  try {
    const readable = function* () {
      for (const subject of each.allowed(subjects())) {
        const kind = findKind(subject.address);
        if (kind !== undefined && kind.live === undefined) skip(kind, subject);
        yield subject;
      }
    };
    for await (const { subject, live } of readLive(readable(), registry, reader, lacked)) {
      const kind = findKind(subject.address);
      if (kind !== undefined) take(kind, subject, live, date());
      if (live.isHidden === true) hidden.push(subject.address);
    }
    await also?.(reader);
    return { requests: reader.requests, unread, lacked: Object.fromEntries(lacked ?? []), hidden, now: date() };
  } finally {
    await close();
  }
}

/** The plan's durations follow from the declared limits. */
function announcedRemarks(announced: AnnouncedLimits | undefined): Diagnostic[] {
  if (announced === undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'plan.announced-limits',
      summary: 'The platform announces other limits than declared',
      detail: announcedInWords(announced),
    },
  ];
}
