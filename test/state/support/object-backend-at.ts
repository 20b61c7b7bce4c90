// A backend at an address as --state names it, with the settings that tests change.
import { azureAddress, azureStore } from '../../../src/state/objects/azure.ts';
import { googleAddress, googleStore } from '../../../src/state/objects/google.ts';
import { type ObjectOptions, objectBackend } from '../../../src/state/objects/objects.ts';
import { s3Address, s3Store } from '../../../src/state/objects/s3.ts';
import type { UpkeepBackend } from '../../../src/state/upkeep.ts';

type Transport = readonly [typeof s3Address, typeof s3Store];

const s3: Transport = [s3Address, s3Store];
const kinds: Readonly<Record<string, Transport>> & { readonly s3: Transport } = {
  s3,
  azblob: [azureAddress, azureStore],
  gs: [googleAddress, googleStore],
};

export function objectBackendAt(
  spec: string,
  env: Readonly<Record<string, string | undefined>>,
  options: ObjectOptions,
): UpkeepBackend {
  const variable = (name: string): string | undefined => env[name];
  const [address, connect] = kinds[spec.slice(0, spec.indexOf(':'))] ?? kinds.s3;
  const place = address(spec);
  return objectBackend(place.name, () => connect(place, variable), options);
}
