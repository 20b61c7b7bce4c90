// The kinds that have a user_id and can be named in channels and messages.
import { type Address, addressOf } from '../../model/address.ts';
import { type AttributeDefinition, addressesOf, type KindChange, type Reference } from '../definition/kind.ts';
import { pictureUrlSchema, textSchema } from '../definition/schemas.ts';

/** The kinds whose keys are user_ids. In the registry they must precede the channels. */
export const userKinds: readonly string[] = ['user', 'bot'];

/** The kinds of people, who can be operators and can hide channels. */
export const personKinds: readonly string[] = ['user'];

export function userReference(key: string, role: string, path: readonly string[]): Reference {
  return { kinds: userKinds, key, role, path };
}

export function personReference(key: string, role: string, path: readonly string[]): Reference {
  return { kinds: personKinds, key, role, path };
}

/** Whether the id belongs to a bot, which leaves channels by a separate call (platform §9.2). */
export function isBot(id: string, { isKnown }: Pick<KindChange, 'isKnown'>): boolean {
  const [person = ''] = personKinds;
  return isKnown?.(addressOf('bot', id)) === true && isKnown(addressOf(person, id)) !== true;
}

/** Returns every address under which one of these user_ids may be declared. */
export function userAddresses(ids: readonly string[]): Address[] {
  return ids.flatMap((key) => addressesOf({ kinds: userKinds, key }));
}

/** The name that users and bots have. */
export const nameAttribute = {
  schema: textSchema(80, 'The name that other people see. At most 80 characters.'),
  change: 'mutable',
  removed: { how: 'required' },
  shown: { as: 'compared' },
  people: [],
  isLabel: true,
} as const satisfies AttributeDefinition;

/** The picture that users and bots have. */
export const pictureAttribute = {
  schema: pictureUrlSchema('The http or https URL of the profile image, at most 2,048 characters. Empty: no image.'),
  change: 'mutable',
  removed: { how: 'reset', to: '' },
  shown: { as: 'compared' },
  people: [],
} as const satisfies AttributeDefinition;
