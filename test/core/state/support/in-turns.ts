// Support: stores whose processes differ in speed, because each call waits for its turn.
import type { ObjectStore, StoreAddress } from '../../../../src/core/state/engine/store.ts';

type Turn = (store: ObjectStore) => Promise<unknown>;

const calls = new Set<unknown>(['get', 'create', 'replace', 'list', 'remove', 'showSnapshot']);

/** The same place, as a process sees it that awaits `turn` before each call of the store. */
export function inTurns(address: StoreAddress, turn: Turn): StoreAddress {
  return {
    ...address,
    connect: async (application) => {
      const store = await address.connect(application);
      return new Proxy(store, {
        get: (_target, name) => {
          const value: unknown = Reflect.get(store, name, store);
          if (typeof value !== 'function') return value;
          return async (...given: readonly unknown[]) => {
            if (calls.has(name)) await turn(store);
            return value.apply(store, given);
          };
        },
      });
    },
  };
}

/** The same place, as a process sees it that reads this many more times before each call. */
export function slowed(address: StoreAddress, reads = 0): StoreAddress {
  if (reads === 0) return address;
  return inTurns(address, async (store) => {
    for (let read = 0; read < reads; read += 1) await store.get('head/0000000000');
  });
}
