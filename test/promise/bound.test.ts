// Tests how long whole estates take, over the real pacer and the emulator's limits, against the shortest possible time.
import { describe, expect, test } from 'vitest';
import type { WindowKind } from '../../src/emulator/windows.ts';
import type { JsonValue } from '../../src/model/json.ts';
import { Chance } from './support/chance.ts';
import { crowd, type Estate } from './support/estates.ts';
import { desiredOf } from './support/play.ts';
import { possibleS } from './support/possible.ts';
import type { Scenario } from './support/scenario.ts';
import { World } from './support/world.ts';

interface Size {
  readonly name: string;
  readonly users: number;
  readonly open: number;
  readonly group: number;
  readonly supergroups: number;
  /** Members are drawn from so many users beside each other. */
  readonly near: number;
  readonly most?: number;
}

const latencyMs = 120;
/** What a bound leaves out: the longest chain (user, channel, freeze) with its flushes, and the pacer's first calls. */
const startS = 5 * (latencyMs / 1000) + 0.5;
/** A run may take so much more than the shortest possible one. */
const most = 1.02;

const sizes: readonly Size[] = [
  { name: 'users decide', users: 2_000, open: 200, group: 600, supergroups: 0, near: 2_000, most: 1.015 },
  { name: 'channels decide', users: 900, open: 200, group: 2_000, supergroups: 0, near: 40 },
  { name: 'strangers in one channel', users: 1_500, open: 0, group: 3_500, supergroups: 0, near: 1_500 },
  { name: 'freezes and channels', users: 300, open: 0, group: 1_500, supergroups: 0, near: 300, most: 1.01 },
  // 1.07 of the busiest bucket at least: whoever is the last user, some eighty supergroups wait for him.
  { name: 'supergroups of a community', users: 1_200, open: 20, group: 100, supergroups: 900, near: 120 },
  // 1.18 of it at least: the first invitation waits for its channel of a hundred users and for a hundred others. That all
  // the others can follow at once is more than is possible.
  { name: 'invitations decide', users: 600, open: 0, group: 100, supergroups: 500, near: 350, most: 1.05 },
];

function estate({ users, open, group, supergroups, near }: Size): Estate {
  const chance = new Chance(users + group);
  const ids = crowd(users);
  const member = (from: number) => ids[(from + chance.int(0, near)) % users] ?? '';
  const members = (count: number): JsonValue => {
    const from = chance.int(0, users);
    return Object.fromEntries(Array.from({ length: count }, (): [string, JsonValue] => [member(from), {}]));
  };
  const from = (count: number, name: string, make: (place: number) => Estate['user'][string]) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`${name}-${place}`, make(place)]));
  return {
    user: Object.fromEntries(
      ids.map((id, place) => [id, { nickname: id, ...(place % 20 === 0 ? { deactivated: true } : {}) }]),
    ),
    open_channel: from(open, 'open', (place) => ({ frozen: place % 2 === 0, operators: [member(place)] })),
    group_channel: {
      ...from(group, 'group', (place) => ({ frozen: place % 3 > 0, members: members(2 + (place % 9)) })),
      ...from(supergroups, 'super', () => ({ is_super: true, members: members(600) })),
    },
  };
}

async function measure(size: Size, window: WindowKind, maxSyncMs: number) {
  const scenario: Scenario = {
    seed: 1,
    stages: [],
    deletes: false,
    storage: 'memory',
    readings: {},
    faults: [],
    window,
    latencyMs: [latencyMs, latencyMs],
  };
  const world = new World(scenario, maxSyncMs);
  const desired = desiredOf(estate(size));
  const possible = possibleS(world.planFor(desired, []).plan.steps, world.limits, latencyMs / 1000);
  const end = await world.clock.run(world.run(desired));
  if (end.type !== 'report') throw new Error(`the run ended as ${end.type}`);
  const { outcome, duration_s, lower_bound_s } = end.report;
  return { outcome, limited: world.stats.limited, duration_s, lower_bound_s, possible };
}

describe('a whole estate', () => {
  test.for(sizes)('$name', async (size) => {
    for (const maxSyncMs of size === sizes[0] ? [0, 20] : [2]) {
      const { outcome, limited, duration_s, lower_bound_s, possible } = await measure(size, 'sliding', maxSyncMs);
      process.stdout.write(
        `${size.name} (flushes of up to ${maxSyncMs} ms): ${duration_s.toFixed(1)} s, of the busiest bucket's ${lower_bound_s} s ${(duration_s / lower_bound_s).toFixed(4)}, of the shortest possible ${possible.toFixed(1)} s ${(duration_s / possible).toFixed(4)}\n`,
      );
      expect({ outcome, limited }).toEqual({ outcome: 'done', limited: 0 });
      expect(possible).toBeGreaterThanOrEqual(lower_bound_s);
      expect(duration_s).toBeGreaterThanOrEqual(possible);
      expect(duration_s - startS).toBeLessThan((size.most ?? most) * possible);
    }
  });
});
