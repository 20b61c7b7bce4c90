// Tests that a history is never sent twice when its `messages` line is removed and restored, or when state was lost.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected } from '../../support/place.ts';

const lines = Array.from({ length: 5 }, (_, place) =>
  JSON.stringify({ message_type: 'MESG', user_id: 'alice', message: `${place}`, timestamp: 1_600_000_000_000 + place }),
);
const archive = `${lines.join('\n')}\n`;
const estate = (room: string, more = '') => `version: 1
application: { base_url: 'emulator:x', limits: { messages_per_migration: 2 } }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
open_channels:
  lobby: { name: Lobby, messages: { file: lobby.ndjson } }
  room: { name: Room${room} }
${more}`;
const declared = estate(', messages: { file: room.ndjson }');
const removed = estate('');
const forgotten = estate('', 'removed: [{ address: messages.room, on_remove: forget }]\n');

async function applied() {
  const { at } = await connected({ 'room.ndjson': archive, 'lobby.ndjson': archive });
  /** Writes the manifest, applies it and expects the exit code. */
  const apply = async (manifest: string, exit = 0) => {
    await at.write({ 'chat.yaml': manifest });
    return at.ends('apply --auto-approve --settle-time 0s', exit);
  };
  await apply(declared);
  return { at, apply };
}

async function expectEachOnce({ at }: Awaited<ReturnType<typeof applied>>): Promise<void> {
  const once = { there: 5, doubled: 0, missing: 0 };
  expect(await at.json('verify --all')).toMatchObject({ channels: [once, once] });
}

/** The lines of the first call. */
const says = 'the channel already shows 2 of the 2 messages of this call';

test('sends nothing for a line that was removed and restored', async () => {
  const there = await applied();
  await there.apply(removed);
  await there.apply(declared);
  await expectEachOnce(there);
  await there.at.does('plan --detailed-exitcode');
});

test('reports a conflict with counts for a forgotten archive, which adopt resolves', async () => {
  const there = await applied();
  await there.apply(forgotten);
  expect((await there.apply(declared, 4)).stderr).toContain(says);
  await expectEachOnce(there);
  const grown = `${archive}${JSON.stringify({ message_type: 'ADMM', message: 'new', timestamp: 1_600_000_001_000 })}\n`;
  await there.at.write({ 'room.ndjson': grown });
  await there.at.does('adopt messages.room');
  const sent = await there.apply(declared);
  expect(sent.stdout).toContain('1 message in 1 call');
  await there.at.does('verify --all');
});

test('reports the same conflict for a saved plan', async () => {
  const there = await applied();
  await there.apply(forgotten);
  await there.at.write({ 'chat.yaml': declared });
  await there.at.does('plan --out plan.chatform');
  await there.at.ends('apply plan.chatform --auto-approve', 4, says);
  await expectEachOnce(there);
});

test('does not send it again after a rebuild without the line', async () => {
  const there = await applied();
  await there.apply(removed);
  await rm(join(there.at.cwd, '.chatform'), { recursive: true });
  await there.at.does('state rebuild');
  expect((await there.apply(declared, 4)).stderr).toContain(says);
  await expectEachOnce(there);
});

test('does not send it again when the policy adopts the objects of a lost state', async () => {
  const there = await applied();
  await rm(join(there.at.cwd, '.chatform'), { recursive: true });
  expect((await there.apply(`${declared}policy: { existing: adopt }\n`, 4)).stderr).toContain(says);
  await expectEachOnce(there);
});

test('sends a new archive although others wrote in the channel', async () => {
  const there = await applied();
  await there.apply(forgotten);
  const others = lines.map((line) => `${line.replace('"message":"', '"message":"other ')}\n`).join('');
  await there.at.write({ 'room.ndjson': others });
  await there.apply(declared);
  expect(await there.at.json('verify --all')).toMatchObject({
    channels: [{ there: 5 }, { there: 10, missing: 0, doubled: 0 }],
  });
});

test('meta arrays of edited lines are changed, and verify finds them as declared', async () => {
  const { at, apply } = await applied();
  const allowed = `${declared}policy: { messages: { edited: update } }\n`;
  const [a, b] = [
    { key: 'a', value: ['1', '2'] },
    { key: 'b', value: [] },
  ];
  for (const arrays of [{ 0: [a], 1: [b] }, { 0: [b, a], 2: [a] }, { 2: [{ ...a, value: ['2'] }] }]) {
    const edited = lines.map((line, place) => {
      const sorted_metaarray = Object.entries(arrays).find(([at]) => Number(at) === place)?.[1];
      return JSON.stringify({ ...JSON.parse(line), sorted_metaarray });
    });
    await at.write({ 'room.ndjson': `${edited.join('\n')}\n` });
    await apply(allowed);
    await at.does('verify --all');
    await at.does('plan --detailed-exitcode');
  }
});
