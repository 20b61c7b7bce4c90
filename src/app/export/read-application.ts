// How does a whole application come onto this machine? Every list side by side, onto disk when it is long, then in order.

import type { Environment } from '../../cli/environment.ts';
import type { Collect } from '../../lib/series.ts';
import { Sorter } from '../../lib/sorter.ts';
import { checksFor } from '../../manifest/schema/validate.ts';
import { hiddenBy, type Listed, listAll } from '../../refresh/listing.ts';
import type { Reader } from '../../refresh/send.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { withStatus } from '../../resources/group-channel/statuses.ts';
import { registry } from '../../resources/index.ts';
import { userKinds } from '../../resources/people.ts';
import { plural } from '../../view/words.ts';

/** All objects of one kind, each once, sorted by key. They may lie on a disk. */
export interface Inventory extends Iterable<Listed> {
  readonly kind: KindDefinition;
  /** As many as were listed: more than there are, when one came twice. */
  readonly atMost: number;
}

/** Users who are asked at a time what they have hidden. */
const askedAtOnce = 32;
/** Pages between two words about how far it is. */
const pagesBetweenWords = 100;

/** Kinds that have a list, in the order of the registry. Tells what it costs while it goes on. */
export async function readApplication(
  kinds: readonly KindDefinition[],
  reader: Reader,
  collect: Collect,
  world: Environment,
): Promise<readonly Inventory[]> {
  const inventories = await Promise.all(
    kinds.filter(({ live }) => live !== undefined).map((kind) => readKind(kind, reader, collect, world)),
  );
  return inventories;
}

async function readKind(
  kind: KindDefinition,
  reader: Reader,
  collect: Collect,
  world: Environment,
): Promise<Inventory> {
  // Of an object that came twice the later answer counts.
  const found = new Sorter<Listed>(collect);
  let pages = 0;
  for await (const page of listAll(kind, reader)) {
    for (const listed of page) found.push(listed);
    pages += 1;
    if (pages % pagesBetweenWords === 0) world.stderr.write(`Read ${plural(found.count, kind.title)} so far.\n`);
  }
  const objects = found.end();
  return { kind, atMost: found.count, [Symbol.iterator]: () => objects[Symbol.iterator]() };
}

/** The channels with what their members have hidden: one request for every active user, told before. */
export async function withHiddenStatus(
  inventories: readonly Inventory[],
  reader: Reader,
  world: Environment,
): Promise<readonly Inventory[]> {
  const people = inventories.filter(({ kind }) => userKinds.includes(kind.kind));
  if (people.length === 0) return inventories;
  const atMost = people.reduce((sum, inventory) => sum + inventory.atMost, 0);
  world.stderr.write(`Who has hidden which channel: ${plural(atMost, 'request')} at most.\n`);
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
  await Promise.all(Array.from({ length: askedAtOnce }, work));
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

/** A disabled user cannot be asked, nor one whose id cannot stand in an address. */
function* keysToAsk(people: readonly Inventory[]): Generator<string> {
  for (const inventory of people) {
    const { key: keyCheck } = checksFor(registry).of(inventory.kind);
    for (const { key, attributes } of inventory) {
      if (attributes[inventory.kind.disabledState.attribute] !== true && keyCheck.fits(key)) yield key;
    }
  }
}
