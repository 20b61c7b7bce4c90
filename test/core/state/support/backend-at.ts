// Support: backends at an address as in --state, as processes of another machine see them by the real clock.
import { randomUUID } from 'node:crypto';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { type StoreScheme, stores } from '../../../../src/core/model/stores/places.ts';
import { type BackendOptions, stateBackend } from '../../../../src/core/state/engine/backend.ts';
import type { StoreAddress } from '../../../../src/core/state/engine/store.ts';
import type { UpkeepBackend } from '../../../../src/core/state/engine/upkeep.ts';
import { demandStatePlace, loadStore } from '../../../../src/core/state/index.ts';

const schemes = Object.keys(stores) as StoreScheme[];
const connections = new Map(
  await Promise.all(schemes.map(async (scheme) => [scheme, await loadStore(scheme)] as const)),
);

export type Environment = Readonly<Record<string, string | undefined>>;

export function addressAt(spec: string, env: Environment = {}): StoreAddress {
  const connect = connections.get(demandStatePlace(spec));
  if (connect === undefined) throw new Error(`no store has the address ${spec}`);
  return connect(spec, (name) => env[name], '/');
}

/** No process on this machine can see that its owner is dead. */
export function backendAt(spec: string, options: Partial<BackendOptions> = {}, env?: Environment): UpkeepBackend {
  const owner = { user: 'ci', host: 'elsewhere', pid: process.pid };
  return stateBackend(addressAt(spec, env), { clock: nodeClock, owner, newId: randomUUID, ...options });
}
