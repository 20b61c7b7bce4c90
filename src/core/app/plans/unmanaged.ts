// Counts what an application has and nobody declares. The lists are read page by page, sorted on disk, and merged with the
// declared objects and those in state, so that memory does not grow with the application.

import { type LinearPattern, linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { Collect } from '../../../lib/series.ts';
import { Sorter } from '../../../lib/sorter.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import { objectRecords } from '../../model/addressed-series.ts';
import type { Unmanaged, UnmanagedKind, UnmanagedType } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { limitsOf } from '../../platform/limits.ts';
import { isUnavailable, listAnswers, listedKey } from '../../refresh/listing.ts';
import type { LiveReader } from '../../refresh/send.ts';
import { refreshSubjects } from '../../refresh/subjects.ts';
import { registry } from '../../resources/index.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import { temporarySpool } from '../context/this-process.ts';
import { listPrice } from './list-price.ts';

/** The custom types of each kind that are named. The others are counted together. */
const maxTypes = 10;
/** Pages between two notices of progress. */
const pagesBetweenNotices = 100;

/** One object of a list, reduced to what is counted. */
interface CountedObject {
  readonly address: Address;
  /** Empty for an object without a custom type. Absent: its kind has no custom types. */
  readonly type?: string;
  /** Unix milliseconds. */
  readonly activeAt?: number;
}

interface DeclaredObjects extends Pick<LoadedManifest, 'resources'> {
  readonly policy: Pick<Policy, 'external'>;
}

interface Managed {
  readonly address: Address;
}

const listedKinds = registry.filter(({ live }) => live?.list !== undefined);

function managedObjects(
  { resources }: Pick<DeclaredObjects, 'resources'>,
  state: Pick<StateSnapshot, 'records'>,
): Iterable<Managed> {
  return refreshSubjects(resources, objectRecords(state.records()));
}

/** Reports the price of `countUnmanaged`. Call it before the connection is opened. */
export function offerUnmanaged(
  declared: Pick<DeclaredObjects, 'resources'>,
  { rates }: Application,
  state: Pick<StateSnapshot, 'records'>,
  { notify }: Pick<Ports, 'notify'>,
): void {
  const price = listPrice(listedKinds, managedObjects(declared, state), limitsOf(rates));
  notify({ type: 'unmanaged-price', ...price });
}

/** Lists every object of every kind that has a list. Refused (1) when a list cannot be read to its end, and (8) after an interrupt. */
export async function countUnmanaged(
  declared: DeclaredObjects,
  state: Pick<StateSnapshot, 'records'>,
  reader: LiveReader,
  ports: Pick<Ports, 'clock' | 'notify'>,
): Promise<Unmanaged> {
  const spool = temporarySpool();
  try {
    const listed = new Sorter<CountedObject>(spool.collect, ({ address }) => address);
    const complete = await Promise.all(listedKinds.map((kind) => listKind(kind, reader, listed, ports)));
    reader.demandUninterrupted();
    const counts = countsOf(listed.end(), managedObjects(declared, state), declared.policy, spool.collect);
    const notListed = listedKinds.flatMap(({ section }, place) => (complete[place] === true ? [] : [section]));
    const counted = listedKinds.flatMap((kind, place) => (complete[place] === true ? [counts(kind)] : []));
    return {
      objects: counted.reduce((sum, { unmanaged }) => sum + unmanaged, 0),
      requests: reader.requests,
      kinds: counted,
      ...(notListed.length === 0 ? {} : { not_listed: notListed }),
    };
  } finally {
    spool.close();
  }
}

/** Returns false if the platform does not offer the list. */
async function listKind(
  kind: KindDefinition,
  reader: LiveReader,
  listed: Sorter<CountedObject>,
  { clock, notify }: Pick<Ports, 'clock' | 'notify'>,
): Promise<boolean> {
  const hasTypes = kind.attributes.custom_type !== undefined;
  let [objects, pages] = [0, 0];
  try {
    for await (const page of listAnswers(kind, reader)) {
      for (const answer of page) {
        const key = listedKey(kind, answer);
        if (typeof key !== 'string') continue;
        const { custom_type: type } = answer;
        const activeAt = kind.live?.lastActivity?.(answer, clock.date().getTime());
        // If an object was listed twice, the later answer counts.
        listed.push({
          address: addressOf(kind.name, key),
          ...(hasTypes ? { type: typeof type === 'string' ? type : '' } : {}),
          ...(activeAt === undefined ? {} : { activeAt }),
        });
      }
      objects += page.length;
      pages += 1;
      if (pages % pagesBetweenNotices === 0) notify({ type: 'export-progress', title: kind.title, objects });
    }
    return true;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return false;
  }
}

/** Merges two inputs that are sorted by address. Returns the counts of a kind. */
function countsOf(
  listed: Iterable<CountedObject>,
  managed: Iterable<Managed>,
  { external }: DeclaredObjects['policy'],
  collect: Collect,
): (kind: KindDefinition) => UnmanagedKind {
  const tallies = new Map<string, KindTally>();
  const tallyOf = (kind: string): KindTally => {
    const section = registry.find(({ name }) => name === kind)?.section ?? '';
    const tally = tallies.get(kind) ?? new KindTally((external[section] ?? []).map(linearPattern), collect);
    tallies.set(kind, tally);
    return tally;
  };
  const unread = managed[Symbol.iterator]();
  let next = unread.next();
  for (const object of listed) {
    while (next.done !== true && next.value.address < object.address) next = unread.next();
    tallyOf(kindOf(object.address)).add(object, next.done !== true && next.value.address === object.address);
  }
  return ({ name: kind, title }) => ({ kind, title, ...tallyOf(kind).end() });
}

/** The counts of one kind. */
class KindTally {
  readonly #external: readonly LinearPattern[];
  readonly #types: Sorter<CountedObject>;
  #listed = 0;
  #managed = 0;
  #externals = 0;
  #activeAt: number | undefined;

  constructor(external: readonly LinearPattern[], collect: Collect) {
    this.#external = external;
    // The text of a custom type in JSON ends with its only bare quote, so that equal types are sorted side by side.
    this.#types = new Sorter(collect, ({ address, type = '' }) => `${JSON.stringify(type)}${address}`);
  }

  add(object: CountedObject, isManaged: boolean): void {
    this.#listed += 1;
    if (isManaged) this.#managed += 1;
    else if (this.#external.some((pattern) => pattern.test(keyOf(object.address)))) this.#externals += 1;
    else {
      this.#activeAt = later(this.#activeAt, object.activeAt);
      if (object.type !== undefined) this.#types.push(object);
    }
  }

  end(): Omit<UnmanagedKind, 'kind' | 'title'> {
    return {
      listed: this.#listed,
      managed: this.#managed,
      external: this.#externals,
      unmanaged: this.#listed - this.#managed - this.#externals,
      ...lastActivity(this.#activeAt),
      ...largestTypes(this.#types.end()),
    };
  }
}

/** `objects` are sorted by custom type. Only the largest types are in memory. */
function largestTypes(objects: Iterable<CountedObject>): Pick<UnmanagedKind, 'custom_types' | 'other_custom_types'> {
  const largest: UnmanagedType[] = [];
  let [otherTypes, otherObjects] = [0, 0];
  for (const type of typesAmong(objects)) {
    const place = largest.findIndex((other) => other.objects < type.objects);
    largest.splice(place < 0 ? largest.length : place, 0, type);
    if (largest.length <= maxTypes) continue;
    otherTypes += 1;
    otherObjects += largest.pop()?.objects ?? 0;
  }
  if (largest.length === 0) return {};
  const others = { other_custom_types: { custom_types: otherTypes, objects: otherObjects } };
  return { custom_types: largest, ...(otherTypes === 0 ? {} : others) };
}

function* typesAmong(objects: Iterable<CountedObject>): Generator<UnmanagedType> {
  let type: string | undefined;
  let count = 0;
  let activeAt: number | undefined;
  const counted = () => ({ custom_type: type ?? '', objects: count, ...lastActivity(activeAt) });
  for (const object of objects) {
    if (object.type !== type) {
      if (count > 0) yield counted();
      type = object.type;
      count = 0;
      activeAt = undefined;
    }
    count += 1;
    activeAt = later(activeAt, object.activeAt);
  }
  if (count > 0) yield counted();
}

function later(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right);
}

function lastActivity(at: number | undefined): { readonly last_activity?: string } {
  return at === undefined ? {} : { last_activity: new Date(at).toISOString() };
}
