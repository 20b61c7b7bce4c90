// Tests how long whole estates take, over the real pacer and the emulator's limits, against the plan's lower bound.
import { describe, expect, test } from 'vitest';
import type { WindowKind } from '../../src/emulator/windows.ts';
import type { JsonValue } from '../../src/model/json.ts';
import { Chance } from './support/chance.ts';
import { crowd, type Estate } from './support/estates.ts';
import { desiredOf } from './support/play.ts';
import { World } from './support/world.ts';

interface Size {
  readonly name: string;
  readonly users: number;
  readonly open: number;
  readonly group: number;
  readonly supergroups: number;
  /** The run may take that much more than the bound. */
  readonly most: number;
}

const latencyMs = 120;
/** What the bound leaves out: the longest chain (user, channel, freeze) with its flushes, and the pacer's first calls. */
const startS = 5 * (latencyMs / 1000) + 0.5;

const sizes: readonly Size[] = [
  { name: 'users decide', users: 4_000, open: 400, group: 1_200, supergroups: 0, most: 1.01 },
  { name: 'channels decide', users: 1_500, open: 200, group: 3_500, supergroups: 0, most: 1.01 },
  { name: 'freezes weigh as much as channels', users: 300, open: 0, group: 3_000, supergroups: 0, most: 1.01 },
  { name: 'invitations to supergroups decide', users: 900, open: 0, group: 100, supergroups: 300, most: 1.01 },
];

function estate({ users, open, group, supergroups }: Size): Estate {
  const chance = new Chance(users + group);
  const ids = crowd(users);
  const member = () => ids[chance.int(0, ids.length)] ?? '';
  const members = (count: number): JsonValue =>
    Object.fromEntries(Array.from({ length: count }, (): [string, JsonValue] => [member(), {}]));
  const from = (count: number, name: string, make: (place: number) => Estate['user'][string]) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`${name}-${place}`, make(place)]));
  return {
    user: Object.fromEntries(
      ids.map((id, place) => [id, { nickname: id, ...(place % 20 === 0 ? { deactivated: true } : {}) }]),
    ),
    open_channel: from(open, 'open', (place) => ({ frozen: place % 2 === 0, operators: [member()] })),
    group_channel: {
      ...from(group, 'group', (place) => ({ frozen: place % 3 > 0, members: members(2 + (place % 9)) })),
      ...from(supergroups, 'super', () => ({ is_super: true, members: members(600) })),
    },
  };
}

async function measure(size: Size, window: WindowKind) {
  const world = new World({
    seed: 1,
    stages: [],
    deletes: false,
    storage: 'memory',
    readings: {},
    faults: [],
    window,
    latencyMs: [latencyMs, latencyMs],
  });
  const end = await world.clock.run(world.run(desiredOf(estate(size))));
  if (end.type !== 'report') throw new Error(`the run ended as ${end.type}`);
  const { outcome, duration_s, lower_bound_s } = end.report;
  return { outcome, limited: world.stats.limited, duration_s, lower_bound_s };
}

describe('a whole estate', () => {
  test.for(sizes)('$name', async (size) => {
    for (const window of ['sliding', 'token_bucket'] as const) {
      const { outcome, limited, duration_s, lower_bound_s } = await measure(size, window);
      process.stdout.write(
        `${size.name} (${window}): ${duration_s.toFixed(1)} s of at least ${lower_bound_s} s: ${(duration_s / lower_bound_s).toFixed(4)}\n`,
      );
      expect({ outcome, limited }).toEqual({ outcome: 'done', limited: 0 });
      expect(duration_s).toBeGreaterThanOrEqual(lower_bound_s);
      expect(duration_s - startS).toBeLessThan(size.most * lower_bound_s);
    }
  });
});
