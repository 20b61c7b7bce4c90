// The estates that are measured, made by formula, so that every run measures the same.

import type { Resource } from '../../src/core/model/resource.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { resources } from '../support/planning/planning.ts';

export interface EstateSize {
  readonly users: number;
  readonly openChannels: number;
  readonly groupChannels: number;
  readonly membersEach: number;
  /** Every n-th channel is frozen and every n-th user deactivated. */
  readonly closedEvery: number;
}

export function estate({ users, openChannels, groupChannels, membersEach, closedEvery }: EstateSize): Resource[] {
  const userId = (index: number) => `user-${String(index % users).padStart(7, '0')}`;
  const many = (count: number, make: (index: number) => readonly [string, JsonObject], closed: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_none, index) => {
        const [key, block] = make(index);
        return [key, index % closedEvery === closedEvery - 1 ? { ...block, [closed]: true } : block];
      }),
    );
  const members = (index: number): JsonObject =>
    Object.fromEntries(Array.from({ length: membersEach }, (_none, at) => [userId(index * membersEach + at), {}]));
  return resources({
    user: many(users, (index) => [userId(index), { nickname: `User ${index}` }], 'deactivated'),
    open_channel: many(openChannels, (index) => [`open-${index}`, { name: `Open ${index}` }], 'frozen'),
    group_channel: many(
      groupChannels,
      (index) => [`group-${index}`, { name: `Group ${index}`, members: members(index) }],
      'frozen',
    ),
  });
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
