// Support: backends at an address as in --state, as processes of another machine see them by the real clock.
import { randomUUID } from 'node:crypto';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { type BackendOptions, stateBackend } from '../../../src/state/engine/backend.ts';
import type { StoreAddress } from '../../../src/state/engine/store.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { azureAddress } from '../../../src/state/stores/azure.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { googleAddress } from '../../../src/state/stores/google.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { s3Address } from '../../../src/state/stores/s3.ts';

type Variable = (name: string) => string | undefined;

const kinds: Readonly<Record<string, (spec: string, variable: Variable) => StoreAddress>> = {
  file: (spec) => folderAddress(spec, spec.slice('file:'.length)),
  s3: s3Address,
  azblob: azureAddress,
  gs: googleAddress,
  postgres: (spec, variable) => postgresAddress(spec, variable),
};

export type Environment = Readonly<Record<string, string | undefined>>;

export function addressAt(spec: string, env: Environment = {}): StoreAddress {
  const address = kinds[spec.slice(0, spec.indexOf(':'))];
  if (address === undefined) throw new Error(`no store has the address ${spec}`);
  return address(spec, (name) => env[name]);
}

/** No process on this machine can see that its owner is dead. */
export function backendAt(spec: string, options: Partial<BackendOptions> = {}, env?: Environment): UpkeepBackend {
  const owner = { user: 'ci', host: 'elsewhere', pid: process.pid };
  return stateBackend(addressAt(spec, env), { clock: nodeClock, owner, newId: randomUUID, ...options });
}
