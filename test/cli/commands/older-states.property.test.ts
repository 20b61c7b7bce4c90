// Tests that a state which was put back from a copy doubles no message, on a platform that knows no dedup_id, wherever the
// copy was made and however the history files grew before and after it.
import { rename, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Chance } from '../../promise/support/chance.ts';
import { connected } from '../../support/place.ts';
import { inSuite, seedOfRun } from '../../support/suite.ts';

const rooms = ['room-1', 'room-2'] as const;
const cases = inSuite(1, 20);

test(`a copy put back doubles nothing, in ${cases} histories`, async () => {
  const first = seedOfRun();
  // Each waits for its rate limits most of the time.
  await Promise.all(Array.from({ length: cases }, (_, place) => playOne(first + place)));
});

async function playOne(seed: number): Promise<void> {
  const chance = new Chance(seed);
  const perCall = chance.int(1, 4);
  const manifest = `version: 1
application: { base_url: 'emulator:x', limits: { messages_per_migration: ${perCall} } }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
open_channels:
${rooms.map((room) => `  ${room}: { name: Room, messages: { file: ${room}.ndjson } }\n`).join('')}`;
  const historyFiles = rooms.map(() => linesOf(chance, 24));
  const lengths = rooms.map(() => chance.int(1, 6));
  const { at } = await connected({ 'chat.yaml': manifest }, { behaviours: { dedup: 'ignore' } });
  const grow = async (): Promise<void> => {
    for (const [place, room] of rooms.entries()) {
      if (chance.is(0.75)) lengths[place] = Math.min(24, (lengths[place] ?? 0) + chance.int(0, 7));
      await at.write({ [`${room}.ndjson`]: historyFiles[place]?.slice(0, lengths[place]).join('') ?? '' });
    }
  };
  const applies = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await grow();
      await at.does('apply --auto-approve');
    }
  };

  await applies(chance.int(1, 2));
  await at.does('state pull copy.ndjson');
  await applies(chance.int(0, 2));
  await rename(at.path('.chatform/state'), at.path('away'));
  await at.does('state push copy.ndjson');
  await rm(at.path('away'), { recursive: true });
  await grow();
  const apply = `apply --auto-approve${chance.is(0.5) ? ' --refresh' : ''}`;
  const end = await at.run(apply);
  expect([0, 4], `seed ${seed}: ${end.stdout}${end.stderr}`).toContain(end.exit);
  if (end.exit === 4) {
    expect(end.stderr, `seed ${seed}`).toContain('the channel already shows');
    await at.does('adopt messages.*');
    await at.does('apply --auto-approve');
  }
  const once = rooms.map((_room, place) => ({ there: lengths[place], doubled: 0, missing: 0 }));
  expect(await at.json('verify --all'), `seed ${seed}`).toMatchObject({ channels: once });
  await at.does('plan --detailed-exitcode');
}

/** Several lines of a millisecond, and few texts, so that lines are alike. */
function linesOf(chance: Chance, count: number): string[] {
  let timestamp = 1_600_000_000_000;
  return Array.from({ length: count }, () => {
    timestamp += chance.one([0, 0, 1, 1000]);
    const line = {
      message_type: 'MESG',
      user_id: chance.one(['alice', 'bob']),
      message: chance.one(['a', 'b']),
      timestamp,
    };
    return `${JSON.stringify(line)}\n`;
  });
}
