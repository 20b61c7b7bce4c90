// Tests that a history is never sent twice when its `messages` line is removed and restored, or when state was lost.

import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected } from '../../support/place.ts';

const lines = Array.from({ length: 5 }, (_, place) =>
  JSON.stringify({ message_type: 'MESG', user_id: 'alice', message: `${place}`, timestamp: 1_600_000_000_000 + place }),
);
const historyFile = `${lines.join('\n')}\n`;
const estate = (room: string, more = '') => `version: 1
application: { base_url: 'emulator:x', limits: { messages_per_migration: 2, 'POST /migration/{channel_url}': 100 } }
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
open_channels:
  lobby: { name: Lobby, messages: { file: lobby.ndjson } }
  room: { name: Room${room} }
${more}`;
const declared = estate(', messages: { file: room.ndjson }');
const removed = estate('');
const forgotten = estate('', 'removed: [{ address: messages.room, on_remove: forget }]\n');

async function applied() {
  const { at } = await connected({ 'room.ndjson': historyFile, 'lobby.ndjson': historyFile });
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

test('reports a conflict with counts for a forgotten history file, which adopt resolves', async () => {
  const there = await applied();
  await there.apply(forgotten);
  expect((await there.apply(declared, 4)).stderr).toContain(says);
  await expectEachOnce(there);
  const grown = `${historyFile}${JSON.stringify({ message_type: 'ADMM', message: 'new', timestamp: 1_600_000_001_000 })}\n`;
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

test('sends a new history file although others wrote in the channel', async () => {
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

/** The state after three lines, while the platform has all five: as a copy, or as the folder itself. */
const olderStates = [
  { how: 'a pushed copy', apply: 'apply --auto-approve', isCopy: true },
  { how: 'a pushed copy, with a refresh', apply: 'apply --auto-approve --refresh', isCopy: true },
  { how: 'a folder from a backup, with a refresh', apply: 'apply --auto-approve --refresh', isCopy: false },
] as const;

test.for(olderStates.flatMap((older) => (['ignore', 'refuse', 'skip'] as const).map((dedup) => ({ ...older, dedup }))))(
  'sends nothing twice after $how (dedup $dedup)',
  async ({ apply, isCopy, dedup }) => {
    const part = (count: number): string => `${lines.slice(0, count).join('\n')}\n`;
    const files = { 'room.ndjson': part(3), 'lobby.ndjson': part(3), 'chat.yaml': declared };
    const { at } = await connected(files, { behaviours: { dedup } });
    await at.does('apply --auto-approve');
    await at.does('state pull copy.ndjson');
    await cp(at.path('.chatform/state'), at.path('older'), { recursive: true });
    await at.write({ 'room.ndjson': part(4), 'lobby.ndjson': part(5) });
    await at.does('apply --auto-approve');
    await rm(at.path('.chatform/state'), { recursive: true });
    if (isCopy) await at.does('state push copy.ndjson');
    else await rename(at.path('older'), at.path('.chatform/state'));
    await at.write({ 'room.ndjson': part(5) });

    const listing = { method: 'GET', route: '/open_channels/{channel_url}/messages', count: 2 };
    const asked = apply.includes('--refresh') ? 'plan --refresh' : 'plan';
    expect((await at.json(asked)).requests).toContainEqual(listing);
    await at.ends(apply, 4, 'the channel already shows 1 of the 1 messages of this call', 'adopt messages.room');
    await at.does('adopt messages.room messages.lobby');
    await at.does('apply --auto-approve');
    const once = { there: 5, doubled: 0, missing: 0 };
    expect(await at.json('verify --all')).toMatchObject({ channels: [once, once] });
    await at.does('plan --detailed-exitcode --refresh');
    // Everything is known again, so nothing is looked for.
    await at.write({ 'room.ndjson': `${part(5)}${lines[4]?.replace('"4"', '"5"').replace('004', '005')}\n` });
    expect((await at.json('plan')).requests).toEqual([{ method: 'POST', route: '/migration/{channel_url}', count: 1 }]);
  },
);

test('a pushed copy counts as there when it is pushed again', async () => {
  const { at } = await applied();
  await at.does('state pull copy.ndjson');
  await rm(at.path('.chatform/state'), { recursive: true });
  await at.does('state push copy.ndjson');
  expect(await at.json('state push copy.ndjson')).toMatchObject({ was_there: true });
});

test('a refresh sends new lines where messages cannot be listed, a pushed copy does not', async () => {
  const files = { 'room.ndjson': historyFile, 'lobby.ndjson': historyFile, 'chat.yaml': declared };
  const { at } = await connected(files, { behaviours: { messageRetrieval: 'off' } });
  await at.does('apply --auto-approve');
  const added = (count: number): string =>
    `${JSON.stringify({ message_type: 'ADMM', message: `${count}`, timestamp: 1_600_000_001_000 + count })}\n`;
  await at.write({ 'room.ndjson': historyFile + added(1) });
  await at.does('apply --auto-approve --refresh');
  await at.does('state pull copy.ndjson');
  await rm(at.path('.chatform/state'), { recursive: true });
  await at.does('state push copy.ndjson');
  await at.write({ 'room.ndjson': historyFile + added(1) + added(2) });
  await at.ends('apply --auto-approve', 4, 'are already in the channel', 'it sent nothing');
});
