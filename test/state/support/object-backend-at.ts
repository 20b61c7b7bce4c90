// A backend at an address as --state names it, with the settings that tests change.
import { azureAddress, azureStore } from '../../../src/state/objects/azure.ts';
import { type ObjectOptions, objectBackend } from '../../../src/state/objects/objects.ts';
import { s3Address, s3Store } from '../../../src/state/objects/s3.ts';
import type { UpkeepBackend } from '../../../src/state/upkeep.ts';

export function objectBackendAt(
  spec: string,
  env: Readonly<Record<string, string | undefined>>,
  options: ObjectOptions,
): UpkeepBackend {
  const variable = (name: string): string | undefined => env[name];
  const isAzure = spec.startsWith('azblob:');
  const address = isAzure ? azureAddress(spec) : s3Address(spec);
  const connect = () => (isAzure ? azureStore(address, variable) : s3Store(address, variable));
  return objectBackend(address.name, connect, options);
}
