// Says who may stand behind a user_id: everybody whom channels and messages can name.
import { type Address, addressOf } from '../../model/address.ts';
import { addressesOf, type KindChange, type Reference } from '../definition/kind.ts';

/** The kinds whose keys are user_ids. A new one is a word here; in the registry it stands before the channels. */
export const userKinds: readonly string[] = ['user', 'bot'];

/** Those of them who use an app: only they moderate channels, and hide some from themselves. */
export const personKinds: readonly string[] = ['user'];

export function userReference(key: string, role: string, path: readonly string[]): Reference {
  return { kinds: userKinds, key, role, path };
}

export function personReference(key: string, role: string, path: readonly string[]): Reference {
  return { kinds: personKinds, key, role, path };
}

/** Bots leave channels by a call of their own (platform §9.2). */
export function isBot(id: string, { isKnown }: Pick<KindChange, 'isKnown'>): boolean {
  const [person = ''] = personKinds;
  return isKnown?.(addressOf('bot', id)) === true && isKnown(addressOf(person, id)) !== true;
}

/** Every address under which one of these user_ids may be declared. */
export function userAddresses(ids: readonly string[]): Address[] {
  return ids.flatMap((key) => addressesOf({ kinds: userKinds, key }));
}
