// Says who may stand behind a user_id: everybody whom channels and messages can name.
import type { Address } from '../model/address.ts';
import { addressesOf, type Reference } from './define.ts';

/** The kinds whose keys are user_ids. A new one is a word here; in the registry it stands before the channels. */
export const userKinds: readonly string[] = ['user'];

export function userReference(key: string, role: string, path: readonly string[]): Reference {
  return { kinds: userKinds, key, role, path };
}

/** Every address under which one of these user_ids may be declared. */
export function userAddresses(ids: readonly string[]): Address[] {
  return ids.flatMap((key) => addressesOf({ kinds: userKinds, key }));
}
