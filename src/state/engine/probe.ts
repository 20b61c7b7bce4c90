// Tests whether a store can be trusted with a state: whether it honours the conditions of writes and reads its own writes.
import { canonicalJson } from '../../lib/json.ts';
import { probeKey } from './layout.ts';
import { untrustworthy } from './refusals.ts';
import type { ObjectStore } from './store.ts';

/** The number of simultaneous writes, of which one may succeed. */
const rivals = 6;

/** Throws `state.store-unsafe` with what the store did. `id` must be unique. */
export async function probe(store: ObjectStore, state: string, id: string): Promise<void> {
  const key = probeKey(id);
  const raced = `${key}.race`;
  try {
    await probeConditions(store, state, key);
    await probeRaces(store, state, raced);
  } catch (error) {
    // A later holder removes an object that remains.
    await store.remove([key, raced]).catch(() => undefined);
    throw error;
  }
  await store.remove([key, raced]);
  if ((await store.get(key)) !== undefined) throw untrustworthy(state, 'still read an object that it had just removed');
}

async function probeConditions(store: ObjectStore, state: string, key: string): Promise<void> {
  const demand = (holds: boolean, did: string): void => {
    if (!holds) throw untrustworthy(state, did);
  };
  const reads = async (bytes: Buffer, tag: string): Promise<boolean> => {
    const found = await store.get(key);
    return found?.tag === tag && found.bytes.equals(bytes);
  };
  demand((await store.get(key)) === undefined, 'read an object that nobody had written');
  demand(
    (await store.replace(key, text('none'), 'none')) === undefined,
    'accepted a write under If-Match where no object was',
  );
  const first = await store.create(key, text('first'));
  demand(first !== undefined, 'refused the first write under If-None-Match, where no object was');
  // Read before any other call, so that a delayed read has not caught up.
  demand(await reads(text('first'), first ?? ''), 'did not read what it had just written');
  demand((await store.list(key)).includes(key), 'did not list what it had just written');
  demand(
    (await store.create(key, text('second'))) === undefined,
    'accepted a second write under If-None-Match, over an object that was there',
  );
  demand(await reads(text('first'), first ?? ''), 'changed an object although it had refused the write');
  const next = await store.replace(key, text('next'), first ?? '');
  demand(next !== undefined, 'refused a write under If-Match, although the object was as named');
  demand(next !== first, 'gave another content of an object the same version');
  demand(await reads(text('next'), next ?? ''), 'read an old version after it had accepted a new one');
  demand(
    (await store.replace(key, text('late'), first ?? '')) === undefined,
    'accepted a write under If-Match with a version that was gone',
  );
  demand(await reads(text('next'), next ?? ''), 'changed an object although it had refused the write');
}

async function probeRaces(store: ObjectStore, state: string, key: string): Promise<void> {
  const created = await race((name) => store.create(key, text(name)));
  if (created.length !== 1)
    throw untrustworthy(state, `accepted ${created.length} of ${rivals} writes under If-None-Match at the same moment`);
}

/** Returns the tags of the accepted writes. */
async function race(write: (name: string) => Promise<string | undefined>): Promise<string[]> {
  const tags = await Promise.all(Array.from({ length: rivals }, (_, index) => write(`rival ${index}`)));
  return tags.filter((tag) => tag !== undefined);
}

function text(content: string): Buffer {
  return Buffer.from(`${canonicalJson({ probe: content })}\n`);
}
