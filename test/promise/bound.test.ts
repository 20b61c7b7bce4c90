// Tests the duration of whole applies, with the real pacer and the emulator's limits, against the shortest possible time.
// The fast suite plays only a small mixed estate.
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/lib/json.ts';
import { inSuite } from '../support/suite.ts';
import { Chance } from './support/chance.ts';
import { crowd, type Estate } from './support/estates.ts';
import { type HistoryFileDraft, historyFileTexts } from './support/history-files.ts';
import { desiredOf } from './support/play.ts';
import { possibleS } from './support/possible.ts';
import { calm } from './support/scenario.ts';
import { World } from './support/world.ts';

interface Size {
  readonly name: string;
  readonly users: number;
  readonly open: number;
  readonly group: number;
  readonly supergroups: number;
  /** Members are drawn from this many neighbouring users. */
  readonly near: number;
  /** The members of a supergroup, or all users if there are fewer. */
  readonly draws?: number;
  /** The number of group channels with messages. Half as many supergroups have some. */
  readonly historyFiles?: number;
  readonly most?: number;
  /** The same for the busiest bucket. */
  readonly mostOfBusiest?: number;
}

const latencyMs = 120;
/** The part that the bound ignores: the longest chain (user, channel, freeze) with its flushes, and the pacer's first calls. */
const startS = 5 * (latencyMs / 1000) + 0.5;
/** The permitted duration, as a factor of the shortest possible one. */
const most = 1.02;

const smallest = 'all kinds in a small one';

const sizes: readonly Size[] = [
  { name: 'users decide', users: 2_000, open: 200, group: 600, supergroups: 0, near: 2_000, most: 1.015 },
  { name: 'channels decide', users: 900, open: 200, group: 2_000, supergroups: 0, near: 40 },
  { name: 'strangers in one channel', users: 1_500, open: 0, group: 3_500, supergroups: 0, near: 1_500 },
  { name: 'freezes and channels', users: 300, open: 0, group: 1_500, supergroups: 0, near: 300, most: 1.01 },
  {
    name: 'all kinds in one',
    users: 900,
    open: 100,
    group: 500,
    supergroups: 60,
    near: 300,
    draws: 300,
    historyFiles: 40,
    most: 1.01,
    mostOfBusiest: 1.02,
  },
  {
    name: smallest,
    users: 450,
    open: 50,
    group: 250,
    supergroups: 30,
    near: 150,
    draws: 150,
    historyFiles: 20,
    most: 1.01,
    mostOfBusiest: 1.02,
  },
  // The messages of a supergroup wait for all its members, a quarter of all users, so others must be sent before.
  {
    name: 'messages to strangers',
    users: 1_000,
    open: 50,
    group: 700,
    supergroups: 60,
    near: 1_000,
    draws: 300,
    historyFiles: 40,
  },
  // At least 1.07 of the busiest bucket: whichever user is the last, some eighty supergroups wait for them.
  { name: 'supergroups of a community', users: 1_200, open: 20, group: 100, supergroups: 900, near: 120 },
  // At least 1.18 of it: the first invitation waits for its channel of a hundred users and for a hundred others. It is not
  // possible that all others follow at once.
  { name: 'invitations decide', users: 600, open: 0, group: 100, supergroups: 500, near: 350, most: 1.05 },
];

function estate({ users, open, group, supergroups, near, historyFiles = 0, draws = 600 }: Size): Estate {
  const chance = new Chance(users + group);
  const ids = crowd(users);
  const member = (from: number) => ids[(from + chance.int(0, near)) % users] ?? '';
  const members = (count: number): JsonObject => {
    const from = chance.int(0, users);
    return Object.fromEntries(Array.from({ length: count }, (): [string, JsonValue] => [member(from), {}]));
  };
  const from = <T>(count: number, name: string, make: (place: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`${name}-${place}`, make(place)]));
  const open_channel = from(open, 'open', (place) => ({ frozen: place % 2 === 0, operators: [member(place)] }));
  const group_channel: Record<string, { readonly members: JsonObject; readonly [name: string]: JsonValue }> = {
    ...from(group, 'group', (place) => ({ frozen: place % 3 > 0, members: members(2 + (place % 9)) })),
    ...from(supergroups, 'super', () => ({ is_super: true, members: members(draws) })),
  };
  const written = Object.entries(group_channel).filter(
    ([url]) => Number(url.split('-')[1]) * (url.startsWith('super') ? 2 : 1) < historyFiles,
  );
  const messages = written.map(([url, { members }], place): [string, HistoryFileDraft] => [
    url,
    { senders: Object.keys(members).slice(0, 3).sort(), count: 10 * (1 + (place % 4)), sameTime: 1 },
  ]);
  return {
    user: Object.fromEntries(
      ids.map((id, place) => [id, { nickname: id, ...(place % 20 === 0 ? { deactivated: true } : {}) }]),
    ),
    open_channel,
    group_channel,
    ...(historyFiles > 0 ? { messages: Object.fromEntries(messages) } : {}),
  };
}

async function measure(size: Size, maxSyncMs: number) {
  const world = new World({ ...calm, latencyMs: [latencyMs, latencyMs] }, maxSyncMs);
  const declared = estate(size);
  const desired = desiredOf(declared);
  world.historyFiles = historyFileTexts(declared);
  const { steps } = world.planFor(desired, []).plan;
  const possible = possibleS(steps, world.limits, latencyMs / 1000);
  const end = await world.clock.run(world.run(desired));
  if (end.type !== 'report') throw new Error(`the run ended as ${end.type}`);
  const { outcome, duration_s, lower_bound_s } = end.report;
  return { outcome, limited: world.stats.limited, duration_s, lower_bound_s, possible };
}

const played = inSuite(
  sizes.filter(({ name }) => name === smallest),
  sizes,
);

describe('an apply takes little more than the shortest possible time', () => {
  test.for(played)('$name', async (size) => {
    for (const maxSyncMs of size === sizes[0] ? [0, 60] : [2]) {
      const { outcome, limited, duration_s, lower_bound_s, possible } = await measure(size, maxSyncMs);
      process.stdout.write(
        `${size.name} (flushes of up to ${maxSyncMs} ms): ${duration_s.toFixed(1)} s, of the busiest bucket's ${lower_bound_s} s ${(duration_s / lower_bound_s).toFixed(4)}, of the shortest possible ${possible.toFixed(1)} s ${(duration_s / possible).toFixed(4)}\n`,
      );
      expect({ outcome, limited }).toEqual({ outcome: 'done', limited: 0 });
      expect(possible).toBeGreaterThanOrEqual(lower_bound_s);
      expect(duration_s).toBeGreaterThanOrEqual(possible);
      expect(duration_s - startS).toBeLessThan((size.most ?? most) * possible);
      if (size.mostOfBusiest !== undefined)
        expect(duration_s - startS).toBeLessThan(size.mostOfBusiest * lower_bound_s);
    }
  });
});
