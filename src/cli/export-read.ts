// How does a whole application come onto this machine? Every list side by side, onto disk when it is long, then in order.
import { checksFor } from '../manifest/validate.ts';
import { compareText } from '../model/json.ts';
import type { Collect, Series } from '../model/series.ts';
import { hiddenBy, type Listed, listAll, withHidden } from '../refresh/listing.ts';
import type { Reader } from '../refresh/send.ts';
import type { KindDefinition } from '../resources/define.ts';
import { registry } from '../resources/index.ts';
import { plural } from '../view/words.ts';
import type { World } from './world.ts';

/** All objects of one kind, each once, sorted by key. */
export interface Inventory extends Series<Listed> {
  readonly kind: KindDefinition;
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
  world: World,
): Promise<readonly Inventory[]> {
  const inventories = await Promise.all(
    kinds.filter(({ live }) => live !== undefined).map((kind) => readKind(kind, reader, collect, world)),
  );
  return inventories;
}

async function readKind(kind: KindDefinition, reader: Reader, collect: Collect, world: World): Promise<Inventory> {
  const keys: string[] = [];
  const found = collect<Listed>();
  let pages = 0;
  for await (const page of listAll(kind, reader)) {
    for (const listed of page) {
      keys.push(listed.key);
      found.push(listed);
    }
    pages += 1;
    if (pages % pagesBetweenWords === 0) world.stderr.write(`Read ${plural(keys.length, kind.title)} so far.\n`);
  }
  return sorted(kind, keys, found.end());
}

/** Of an object that came twice the later answer counts. */
function sorted(kind: KindDefinition, keys: readonly string[], found: Series<Listed>): Inventory {
  const places = Uint32Array.from(keys.keys()).sort(
    (left, right) => compareText(keys[left] ?? '', keys[right] ?? '') || left - right,
  );
  const last = places.filter((place, at) => keys[place] !== keys[places[at + 1] ?? -1]);
  const at = (index: number): Listed | undefined => {
    const place = last[index];
    return place === undefined ? undefined : found.at(place);
  };
  return { kind, length: last.length, at, [Symbol.iterator]: () => each(last.length, at) };
}

function* each(length: number, at: (index: number) => Listed | undefined): Generator<Listed> {
  for (let index = 0; index < length; index += 1) {
    const listed = at(index);
    if (listed !== undefined) yield listed;
  }
}

/** The channels with what their members have hidden: one request for every active user, told before. */
export async function withHiddenStatus(
  inventories: readonly Inventory[],
  reader: Reader,
  world: World,
): Promise<readonly Inventory[]> {
  const users = inventories.find(({ kind }) => kind.kind === 'user');
  if (users === undefined) return inventories;
  world.stderr.write(`Who has hidden which channel: ${plural(users.length, 'request')} at most.\n`);
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
  return inventories.map((inventory) => {
    const at = (index: number): Listed | undefined => {
      const listed = inventory.at(index);
      const statuses = listed === undefined ? undefined : byChannel.get(listed.key);
      return listed === undefined || statuses === undefined ? listed : withHidden(listed, statuses);
    };
    return { kind: inventory.kind, length: inventory.length, at, [Symbol.iterator]: () => each(inventory.length, at) };
  });
}
