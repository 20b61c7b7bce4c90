// The registry of kinds.

import { InternalError } from '../../lib/errors.ts';
import { namesOf } from '../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { type Address, kindOf } from '../model/address.ts';
import { bot } from './bot/bot.ts';
import { customType } from './custom-type/custom-type.ts';
import { groupChannel } from './group-channel/group-channel.ts';
import { messages } from './messages/messages.ts';
import { openChannel } from './open-channel/open-channel.ts';
import { settings } from './settings/settings.ts';
import { user } from './user/user.ts';

/** Kinds precede the kinds that refer to them. */
export const registry: readonly KindDefinition[] = checkedRegistry([
  user,
  bot,
  openChannel,
  groupChannel,
  messages,
  customType,
  settings,
]);

const definitions = new Map(registry.map((kind) => [kind.name, kind]));

/** Returns the kind of an address, or undefined if this version does not have it. */
export function findKind(address: Address): KindDefinition | undefined {
  return definitions.get(kindOf(address));
}

/** Attributes whose texts --redact does not hide. */
export const impersonalAttributes: ReadonlySet<string> = new Set(
  registry.flatMap(({ attributes }) => namesOf(attributes, ({ personal }) => personal === false)),
);

/** Checks that kinds and sections are unique and that names contain no dot, so that addresses can be parsed. */
export function checkedRegistry(kinds: readonly KindDefinition[]): readonly KindDefinition[] {
  for (const [place, { name: kind, section }] of kinds.entries()) {
    const before = kinds.slice(0, place);
    if (!/^[a-z_]+$/u.test(kind)) throw new InternalError(`a kind cannot be named ${kind}`);
    if (before.some((other) => other.name === kind)) throw new InternalError(`two kinds are named ${kind}`);
    if (before.some((other) => other.section === section)) {
      throw new InternalError(`two kinds have the section ${section}`);
    }
  }
  return kinds;
}
