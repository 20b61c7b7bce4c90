// Tests how long whole estates take, over the real pacer and the emulator's limits, against the plan's lower bound.
import { describe, expect, test } from 'vitest';
import type { WindowKind } from '../../src/emulator/windows.ts';
import type { JsonValue } from '../../src/model/json.ts';
import { Chance } from './support/chance.ts';
import { crowd, type Estate } from './support/estates.ts';
import { desiredOf } from './support/play.ts';
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
  /** The run may take that much more than the bound. */
  readonly most: number;
}

const latencyMs = 120;
/** What the bound leaves out: the longest chain (user, channel, freeze) with its flushes, and the pacer's first calls. */
const startS = 5 * (latencyMs / 1000) + 0.5;

const sizes: readonly Size[] = [
  { name: 'users decide', users: 4_000, open: 400, group: 1_200, supergroups: 0, near: 4_000, most: 1.015 },
  { name: 'channels decide', users: 1_500, open: 200, group: 3_500, supergroups: 0, near: 40, most: 1.02 },
  // Channels whose members come from everywhere cannot begin before most users are there: the bound leaves that out.
  { name: 'strangers in one channel', users: 1_500, open: 0, group: 3_500, supergroups: 0, near: 1_500, most: 1.06 },
  { name: 'freezes and channels', users: 300, open: 0, group: 3_000, supergroups: 0, near: 300, most: 1.01 },
  { name: 'supergroups of a community', users: 1_200, open: 20, group: 100, supergroups: 900, near: 120, most: 1.4 },
  // Each supergroup names a third of all users, so that the first invitation waits for two hundred of them: 5 s, and the
  // following ones hardly less.
  { name: 'invitations decide', users: 600, open: 0, group: 100, supergroups: 1_000, near: 350, most: 1.16 },
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
  const end = await world.clock.run(world.run(desiredOf(estate(size))));
  if (end.type !== 'report') throw new Error(`the run ended as ${end.type}`);
  const { outcome, duration_s, lower_bound_s } = end.report;
  return { outcome, limited: world.stats.limited, duration_s, lower_bound_s };
}

describe('a whole estate', () => {
  test.for(sizes)('$name', async (size) => {
    for (const maxSyncMs of size === sizes[0] ? [0, 2, 20] : [2]) {
      const { outcome, limited, duration_s, lower_bound_s } = await measure(size, 'sliding', maxSyncMs);
      process.stdout.write(
        `${size.name} (flushes of up to ${maxSyncMs} ms): ${duration_s.toFixed(1)} s of at least ${lower_bound_s} s: ${(duration_s / lower_bound_s).toFixed(4)}\n`,
      );
      expect({ outcome, limited }).toEqual({ outcome: 'done', limited: 0 });
      expect(duration_s).toBeGreaterThanOrEqual(lower_bound_s);
      expect(duration_s - startS).toBeLessThan(size.most * lower_bound_s);
    }
  });
});
