// How does a whole application come onto this machine? Every list side by side, onto disk when it is long, then in order.

import type { Environment } from '../../cli/environment.ts';
import type { Collect } from '../../lib/series.ts';
import { Sorter } from '../../lib/sorter.ts';
import { checksFor } from '../../manifest/schema/validate.ts';
import { hiddenBy, type Listed, listAll, withHidden } from '../../refresh/listing.ts';
import type { Reader } from '../../refresh/send.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { registry } from '../../resources/index.ts';
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
  const users = inventories.find(({ kind }) => kind.kind === 'user');
  if (users === undefined) return inventories;
  world.stderr.write(`Who has hidden which channel: ${plural(users.atMost, 'request')} at most.\n`);
  const { key: keyCheck } = checksFor(registry).of(users.kind);
  const byChannel = new Map<string, Map<string, string>>();
  const waiting = users[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const { key, attributes } = next.value;
      // What a deactivated user sees cannot be asked, nor what somebody does whose id can stand in no address.
      if (attributes.deactivated === true || !keyCheck.fits(key)) continue;
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
        yield statuses === undefined ? listed : withHidden(listed, statuses);
      }
    },
  }));
}
