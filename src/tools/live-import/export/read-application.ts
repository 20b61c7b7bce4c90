// Lists every object of an application. All lists are read in parallel, long ones to disk, and then sorted.

import type { Ports } from '../../../core/app/context/ports.ts';
import type { KindDefinition } from '../../../core/kinds/definition/kind.ts';
import { personKinds } from '../../../core/kinds/parts/people.ts';
import { checksFor } from '../../../core/manifest/schema/validate.ts';
import { kindOf } from '../../../core/model/address.ts';
import { hiddenBy, isEssential, isUnavailable, type ListedObject, listAll } from '../../../core/refresh/listing.ts';
import type { LiveReader } from '../../../core/refresh/send.ts';
import { groupChannel } from '../../../core/resources/group-channel/group-channel.ts';
import { withStatus } from '../../../core/resources/group-channel/statuses.ts';
import { registry } from '../../../core/resources/index.ts';
import { equalJson, isObject, type JsonValue } from '../../../lib/json.ts';
import type { Collect } from '../../../lib/series.ts';
import { Sorter } from '../../../lib/sorter.ts';
import type { Exclusions } from '../selected/selectors.ts';

/** All objects of one kind, each once, sorted by key. They may be on disk. */
export interface Inventory extends Iterable<ListedObject> {
  readonly kind: KindDefinition;
  /** The number of listed objects, including duplicates. */
  readonly atMost: number;
}

/** The number of users whose hidden channels are read in parallel. */
const askedAtOnce = 32;
/** Pages between two notices of progress. */
const pagesBetweenNotices = 100;

interface ReadApplication {
  readonly collect: Collect;
  /** Whether to read values that cost one request per object. */
  readonly readEach: boolean;
  readonly exclusions: Exclusions;
  /** Called for each feature that the platform does not offer. */
  readonly onLacking: (what: string) => void;
}

/** Kinds that have a list, in the order of the registry. Refused (64) when an exclusion matches nothing. */
export async function readApplication(
  kinds: readonly KindDefinition[],
  reader: LiveReader,
  options: ReadApplication,
  ports: Pick<Ports, 'notify'>,
): Promise<readonly Inventory[]> {
  const live = kinds.filter((kind) => kind.live !== undefined);
  const inventories = await Promise.all(live.map((kind) => readKind(kind, reader, options, ports)));
  options.exclusions.demandMatched('on the platform');
  return inventories;
}

async function readKind(
  kind: KindDefinition,
  reader: LiveReader,
  { collect, readEach, exclusions, onLacking }: ReadApplication,
  { notify }: Pick<Ports, 'notify'>,
): Promise<Inventory> {
  // If an object was listed twice, the later response counts.
  const found = new Sorter<ListedObject>(collect, ({ key }) => key);
  let pages = 0;
  const lacking = new Set<string | undefined>();
  const mayLack = (attribute: string | undefined): boolean => {
    if (isEssential(kind, attribute)) return false;
    lacking.add(attribute);
    return true;
  };
  const isWanted = (key: string, { custom_type: type }: { readonly custom_type?: unknown }): boolean =>
    !exclusions.has(kind, key, type);
  for await (const page of listAll(kind, reader, { readEach, mayLack, isWanted })) {
    for (const listed of page) found.push(listed);
    pages += 1;
    if (pages % pagesBetweenNotices === 0) notify({ type: 'export-progress', title: kind.title, objects: found.count });
  }
  for (const name of lacking) onLacking(name === undefined ? kind.section : `${kind.section}.${name}`);
  const objects = found.end();
  return { kind, atMost: found.count, [Symbol.iterator]: () => objects[Symbol.iterator]() };
}

/** Of a part of an export that the platform does not offer. */
export const notOffered = 'It was not read, because the platform does not offer this read.';

/** The number of users whose hidden channels `withHiddenStatus` reads. */
export function countToAsk(inventories: readonly Inventory[]): number {
  return [...keysToAsk(peopleAmong(inventories))].length;
}

function peopleAmong(inventories: readonly Inventory[]): readonly Inventory[] {
  return inventories.filter(({ kind }) => personKinds.includes(kind.name));
}

/** The channels with the hidden status of their members. Costs one request per active user. */
export async function withHiddenStatus(
  inventories: readonly Inventory[],
  reader: LiveReader,
  onLacking: (what: string) => void,
): Promise<readonly Inventory[]> {
  const people = peopleAmong(inventories);
  const byChannel = new Map<string, Map<string, string>>();
  const waiting = keysToAsk(people);
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const key = next.value;
      for (const [url, status] of await hiddenBy(key, reader)) {
        const statuses = byChannel.get(url) ?? new Map<string, string>();
        byChannel.set(url, statuses.set(key, status));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: askedAtOnce }, work));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    // Some of the statuses would look like all of them.
    byChannel.clear();
    onLacking(`${groupChannel.section}.hidden_status`);
  }
  return inventories.map((inventory) => ({
    ...inventory,
    *[Symbol.iterator]() {
      for (const listed of inventory) {
        const statuses = byChannel.get(listed.key);
        const { attributes } = listed;
        yield statuses === undefined
          ? listed
          : { ...listed, attributes: withStatus(attributes, 'hidden_status', statuses) };
      }
    },
  }));
}

/** Skips users that the platform does not answer for: deactivated ones and those whose id does not fit an address. */
function* keysToAsk(people: readonly Inventory[]): Generator<string> {
  for (const inventory of people) {
    const { key: keyCheck } = checksFor(registry).of(inventory.kind);
    for (const { key, attributes } of inventory) {
      if (attributes[inventory.kind.disabledState.attribute] !== true && keyCheck.fits(key)) yield key;
    }
  }
}

/** By kind, the attributes whose initial value in this application differs from the documentation. */
export function otherInitials(
  kinds: readonly KindDefinition[],
  inventories: readonly Inventory[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    kinds.map(({ name: kind, attributes }) => {
      const names = Object.entries(attributes).flatMap(([name, { initial, initialFrom }]) => {
        if (initialFrom === undefined || initial === undefined) return [];
        const values = valuesOf(inventories, kindOf(initialFrom.of), initialFrom.path);
        return values.every((value) => equalJson(value, initial)) ? [] : [name];
      });
      return [kind, new Set(names)];
    }),
  );
}

function valuesOf(inventories: readonly Inventory[], kind: string, path: readonly string[]): JsonValue[] {
  return inventories
    .filter((inventory) => inventory.kind.name === kind)
    .flatMap((inventory) => [...inventory])
    .flatMap(({ attributes }) => {
      let value: JsonValue | undefined = attributes;
      for (const name of path) value = isObject(value) ? value[name] : undefined;
      return value === undefined ? [] : [value];
    });
}
