// Which kinds are there? THE registry: one line a kind.
import type { KindDefinition } from './define.ts';
import { groupChannel } from './group-channel/group-channel.ts';
import { openChannel } from './open-channel/open-channel.ts';
import { user } from './user/user.ts';

export const registry: readonly KindDefinition[] = [user, openChannel, groupChannel];
