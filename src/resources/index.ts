// Which kinds are there? THE registry: one line a kind.
import { InternalError } from '../lib/errors.ts';
import type { KindDefinition } from './define.ts';
import { groupChannel } from './group-channel/group-channel.ts';
import { messages } from './messages/messages.ts';
import { openChannel } from './open-channel/open-channel.ts';
import { user } from './user/user.ts';

export const registry: readonly KindDefinition[] = checkedRegistry([user, openChannel, groupChannel, messages]);

/** Addresses and sections have to tell kinds apart; a name holds no dot, so that an address parses back. */
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
