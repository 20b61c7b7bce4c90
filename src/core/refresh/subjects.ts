// Determines the objects that a refresh reads (all in state and all declared), its requests, and their cost.

import { urlBatchesOf } from '../kinds/definition/batches.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import type { LiveReads } from '../kinds/definition/live-reads.ts';
import { type Address, compareAddresses, keyOf, kindOf } from '../model/address.ts';
import { lowerBoundOf, type RepeatedCall } from '../model/calls/loads.ts';
import type { UnlistedCost } from '../model/event.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import { pageSize } from './pages.ts';

export interface ReadSubject {
  readonly address: Address;
  /** Whether the object is in state. Then it counts as absent only after a separate read. */
  readonly isKnown: boolean;
  /** Whether the attribute is needed. Attributes with pages of their own are read only if they are needed. */
  wants(attribute: string): boolean;
  /** Whether the answer needs the query fields `more` of its list. */
  readonly wantsMore?: boolean;
}

export interface RefreshSubject extends ReadSubject {
  readonly record: StateRecord | undefined;
  readonly resource: Resource | undefined;
}

/** Merges two inputs that are sorted by address, by code unit, into a sorted result. */
export function* refreshSubjects(
  resources: Iterable<Resource>,
  records: Iterable<StateRecord>,
): Generator<RefreshSubject> {
  const left = resources[Symbol.iterator]();
  const right = records[Symbol.iterator]();
  let resource = left.next();
  let record = right.next();
  while (resource.done !== true || record.done !== true) {
    const side =
      resource.done === true
        ? 1
        : record.done === true
          ? -1
          : compareAddresses(resource.value.address, record.value.address);
    yield subjectOf(
      side <= 0 && resource.done !== true ? resource.value : undefined,
      side >= 0 && record.done !== true ? record.value : undefined,
    );
    if (side <= 0) resource = left.next();
    if (side >= 0) record = right.next();
  }
}

function subjectOf(resource: Resource | undefined, record: StateRecord | undefined): RefreshSubject {
  return {
    address: (resource ?? record)?.address ?? 'none.none',
    isKnown: record !== undefined,
    wants: (name) => resource?.attributes[name] !== undefined || record?.attributes[name] !== undefined,
    record,
    resource,
  };
}

/** The objects read by one request. */
export interface ReadBatch<S extends ReadSubject> {
  readonly kind: KindDefinition;
  readonly reads: LiveReads;
  readonly subjects: readonly S[];
  /** Whether the object is read separately, because its key contains a comma, or because it is the only one of a list without a filter. */
  readonly isAlone: boolean;
}

/** Yields batches in the order of the subjects, which are sorted by kind. Leaves out kinds without reads. */
export function* batchesOf<S extends ReadSubject>(
  subjects: Iterable<S>,
  kinds: readonly KindDefinition[],
): Generator<ReadBatch<S>> {
  for (const { kind, reads, run } of runsOf(subjects, kinds)) {
    // The whole list is read instead of many objects, as long as that costs fewer requests.
    if (reads.list !== undefined && reads.list.filter === undefined && run.length > 1) {
      yield { kind, reads, subjects: run, isAlone: false };
      continue;
    }
    const hasNoFilter = reads.list?.filter === undefined;
    const isAlone = (subject: S) => hasNoFilter || keyOf(subject.address).includes(',');
    const listed = run.filter((subject) => !isAlone(subject));
    for (const batch of urlBatchesOf(listed, ({ address }) => keyOf(address))) {
      yield { kind, reads, subjects: batch, isAlone: false };
    }
    for (const subject of run) if (isAlone(subject)) yield { kind, reads, subjects: [subject], isAlone: true };
  }
}

/** Yields runs of at most a thousand subjects of one kind, so that memory does not grow with the application. */
function* runsOf<S extends ReadSubject>(subjects: Iterable<S>, kinds: readonly KindDefinition[]) {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  let run: S[] = [];
  let current: KindDefinition | undefined;
  const runOf = () =>
    current?.live === undefined || run.length === 0 ? [] : [{ kind: current, reads: current.live, run }];
  for (const subject of subjects) {
    const kind = byName.get(kindOf(subject.address));
    if (kind !== current || run.length === maxRun) {
      yield* runOf();
      run = [];
      current = kind;
    }
    run.push(subject);
  }
  yield* runOf();
}

const maxRun = 1_000;

/** Returns the route whose limit applies to the reads. */
function routeOf({ list, parts: [part] }: LiveReads): string {
  return list?.route ?? part?.request('').route ?? '';
}

export interface RefreshCost {
  /** By kind, in reading order. `title` is the kind's name in messages. */
  readonly kinds: readonly { readonly title: string; readonly objects: number; readonly requests: number }[];
  /** The shortest time for the busiest list at its limit, without reads of truncated parts. */
  readonly lower_bound_s: number;
  /** Reads of parts that the lists may leave out, and the time for all reads then. Absent: none. */
  readonly unlisted?: UnlistedCost;
}

/** Counts one list or view, or the wanted parts of a kind without a list. */
function requestsFor({ list, parts }: LiveReads, subjects: readonly ReadSubject[]): number {
  if (list !== undefined) return Math.ceil(subjects.length / Number(pageSize));
  return subjects.reduce((sum, { wants }) => sum + parts.filter(({ attribute }) => wants(attribute)).length, 0);
}

/** Returns the requests that the reads need, and how long they take at the limits. */
export function costOf<S extends ReadSubject>(batches: Iterable<ReadBatch<S>>, limitsOf: LimitsOf): RefreshCost {
  const kinds = new Map<string, { title: string; objects: number; reads: RepeatedCall }>();
  const parts = new Map<string, { part: string; reads: RepeatedCall }>();
  for (const { kind, reads, subjects } of batches) {
    for (const { attribute: part, mayBeUnlisted, request } of reads.parts) {
      const more = mayBeUnlisted === true ? subjects.filter(({ wants }) => wants(part)).length : 0;
      if (more === 0) continue;
      const { route } = request('');
      parts.set(route, { part, reads: moreReads(route, more, parts.get(route)?.reads) });
    }
    const counted = kinds.get(kind.name);
    kinds.set(kind.name, {
      title: kind.title,
      objects: (counted?.objects ?? 0) + subjects.length,
      reads: moreReads(routeOf(reads), requestsFor(reads, subjects), counted?.reads),
    });
  }
  const lists = Array.from(kinds.values(), ({ reads }) => reads);
  const secondsOf = (reads: readonly RepeatedCall[]) => lowerBoundOf(reads, limitsOf);
  const unlisted = [...parts.values()].sort((left, right) => secondsOf([right.reads]) - secondsOf([left.reads]));
  const [slowest] = unlisted;
  const unlistedReads = unlisted.map(({ reads }) => reads);
  return {
    kinds: Array.from(kinds.values(), ({ title, objects, reads }) => ({ title, objects, requests: reads.calls })),
    lower_bound_s: secondsOf(lists),
    ...(slowest === undefined
      ? {}
      : {
          unlisted: {
            part: slowest.part,
            requests: unlistedReads.reduce((sum, { calls }) => sum + calls, 0),
            lower_bound_s: secondsOf([...lists, ...unlistedReads]),
          },
        }),
  };
}

function moreReads(route: string, more: number, before: RepeatedCall | undefined): RepeatedCall {
  return { method: 'GET', route, calls: (before?.calls ?? 0) + more };
}
