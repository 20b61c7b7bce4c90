// The registry of kinds: a new kind is one line here.
import { InternalError } from '../lib/errors.ts';
import { namesOf } from './attribute-table.ts';
import { bot } from './bot/bot.ts';
import type { KindDefinition } from './define.ts';
import { groupChannel } from './group-channel/group-channel.ts';
import { messages } from './messages/messages.ts';
import { openChannel } from './open-channel/open-channel.ts';
import { settings } from './settings/settings.ts';
import { user } from './user/user.ts';

/** Kinds that others refer to come before those that refer to them. */
export const registry: readonly KindDefinition[] = checkedRegistry([
  user,
  bot,
  openChannel,
  groupChannel,
  messages,
  settings,
]);

/** Names of attributes whose texts are shown even where personal data are hidden. */
export const impersonalAttributes: ReadonlySet<string> = new Set(
  registry.flatMap(({ attributes }) => namesOf(attributes, ({ personal }) => personal === false)),
);

/** Kinds and sections are unique; the name of a kind holds no dot, so that an address can be parsed. */
export function checkedRegistry(kinds: readonly KindDefinition[]): readonly KindDefinition[] {
  for (const [place, { kind, section }] of kinds.entries()) {
    const before = kinds.slice(0, place);
    if (!/^[a-z_]+$/u.test(kind)) throw new InternalError(`a kind cannot be named ${kind}`);
    if (before.some((other) => other.kind === kind)) throw new InternalError(`two kinds are named ${kind}`);
    if (before.some((other) => other.section === section)) {
      throw new InternalError(`two kinds have the section ${section}`);
    }
  }
  return kinds;
}
