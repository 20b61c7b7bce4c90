// The estates that are measured, made by formula, so that every run measures the same.

import type { JsonObject } from '../../src/lib/json.ts';
import { compareAddresses } from '../../src/model/address.ts';
import type { Resource } from '../../src/model/resource.ts';

export interface EstateSize {
  readonly users: number;
  readonly openChannels: number;
  readonly groupChannels: number;
  readonly membersEach: number;
  /** Every n-th channel is frozen and every n-th user deactivated. */
  readonly closedEvery: number;
}

export function estate(size: EstateSize): Resource[] {
  const closed = (index: number, attribute: string): JsonObject =>
    index % size.closedEvery === size.closedEvery - 1 ? { [attribute]: true } : {};
  const userId = (index: number) => `user-${String(index % size.users).padStart(7, '0')}`;
  return [
    ...Array.from({ length: size.users }, (_unused, index) =>
      resource(`user.${userId(index)}`, { nickname: `User ${index}`, ...closed(index, 'deactivated') }),
    ),
    ...Array.from({ length: size.openChannels }, (_unused, index) =>
      resource(`open_channel.open-${index}`, { name: `Open ${index}`, ...closed(index, 'frozen') }),
    ),
    ...Array.from({ length: size.groupChannels }, (_unused, index) =>
      resource(`group_channel.group-${index}`, {
        name: `Group ${index}`,
        members: Object.fromEntries(
          Array.from({ length: size.membersEach }, (_none, member) => [userId(index * size.membersEach + member), {}]),
        ),
        ...closed(index, 'frozen'),
      }),
    ),
  ].sort((left, right) => compareAddresses(left.address, right.address));
}

function resource(address: Resource['address'], attributes: JsonObject): Resource {
  return { address, attributes, lifecycle: {}, source: { file: 'bench', line: 1, column: 1 } };
}

/** The lines of users of a manifest. */
export function usersText(count: number): string {
  return Array.from({ length: count }, (_none, at) => `  user-${at}: { nickname: User ${at} }\n`).join('');
}

/** A manifest in which one object in eleven is a channel. */
export function manifestText(size: number): string {
  const channels = size / 11;
  const room = (at: number) => `  room-${at}: { members: { user-${at}: }, name: Room ${at} }\n`;
  const rooms = Array.from({ length: channels }, (_none, at) => room(at));
  return `version: 1
application: { base_url: "emulator:data", rate_plan: 100k_mau }
users:\n${usersText(size - channels)}group_channels:\n${rooms.join('')}`;
}
