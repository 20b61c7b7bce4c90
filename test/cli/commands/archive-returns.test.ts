// Tests that a history is never sent twice when its `messages` line is removed and restored, or when state was lost.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../../support/folders.ts';
import { connected } from '../../support/place.ts';
import { type CliEnd, expectEnd } from '../../support/run-cli.ts';

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

interface There {
  readonly cwd: string;
  run(...args: readonly string[]): Promise<CliEnd>;
  /** Writes the manifest, applies it and expects the exit code. */
  apply(manifest: string, exit?: number): Promise<CliEnd>;
}

async function applied(): Promise<There> {
  const { at } = await connected({ 'room.ndjson': archive, 'lobby.ndjson': archive });

  const run = (...args: readonly string[]) => at.run(args);
  const apply: There['apply'] = async (manifest, exit = 0) => {
    await at.write({ 'chat.yaml': manifest });
    const ended = await run('apply', '--auto-approve', '--settle-time', '0s');
    expect(ended, `${ended.stdout}${ended.stderr}`).toMatchObject({ exit });
    return ended;
  };
  await apply(declared);
  return { cwd: at.cwd, run, apply };
}

async function expectEachOnce({ run }: There): Promise<void> {
  const verified = await run('verify', '--all', '--format', 'json');
  expect(JSON.parse(verified.stdout)).toMatchObject({
    channels: [
      { there: 5, doubled: 0, missing: 0 },
      { there: 5, doubled: 0, missing: 0 },
    ],
  });
}

/** The lines of the first call. */
const says = 'the channel already shows 2 of the 2 messages of this call';

test('sends nothing for a line that was removed and restored', async () => {
  const there = await applied();
  await there.apply(removed);
  await there.apply(declared);
  await expectEachOnce(there);
  expect(await there.run('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
});

test('reports a conflict with counts for a forgotten archive, which adopt resolves', async () => {
  const there = await applied();
  await there.apply(forgotten);
  expect((await there.apply(declared, 4)).stderr).toContain(says);
  await expectEachOnce(there);
  const grown = `${archive}${JSON.stringify({ message_type: 'ADMM', message: 'new', timestamp: 1_600_000_001_000 })}\n`;
  await writeFiles(there.cwd, { 'room.ndjson': grown });
  expect(await there.run('adopt', 'messages.room')).toMatchObject({ exit: 0 });
  const sent = await there.apply(declared);
  expect(sent.stdout).toContain('1 message in 1 call');
  expect((await there.run('verify', '--all')).exit).toBe(0);
});

test('reports the same conflict for a saved plan', async () => {
  const there = await applied();
  await there.apply(forgotten);
  await writeFiles(there.cwd, { 'chat.yaml': declared });
  expect(await there.run('plan', '--out', 'plan.chatform')).toMatchObject({ exit: 0 });
  await expectEnd(there.run('apply', 'plan.chatform', '--auto-approve'), 4, says);
  await expectEachOnce(there);
});

test('does not send it again after a rebuild without the line', async () => {
  const there = await applied();
  await there.apply(removed);
  await rm(join(there.cwd, '.chatform'), { recursive: true });
  expect(await there.run('state', 'rebuild')).toMatchObject({ exit: 0 });
  expect((await there.apply(declared, 4)).stderr).toContain(says);
  await expectEachOnce(there);
});

test('does not send it again when the policy adopts the objects of a lost state', async () => {
  const there = await applied();
  await rm(join(there.cwd, '.chatform'), { recursive: true });
  expect((await there.apply(`${declared}policy: { existing: adopt }\n`, 4)).stderr).toContain(says);
  await expectEachOnce(there);
});

test('sends a new archive although others wrote in the channel', async () => {
  const there = await applied();
  await there.apply(forgotten);
  const others = lines.map((line) => `${line.replace('"message":"', '"message":"other ')}\n`).join('');
  await writeFiles(there.cwd, { 'room.ndjson': others });
  await there.apply(declared);
  const verified = await there.run('verify', '--all', '--format', 'json');
  expect(JSON.parse(verified.stdout)).toMatchObject({
    channels: [{ there: 5 }, { there: 10, missing: 0, doubled: 0 }],
  });
});

test('meta arrays of edited lines are changed, and verify finds them as declared', async () => {
  const { cwd, run, apply } = await applied();
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
    await writeFiles(cwd, { 'room.ndjson': `${edited.join('\n')}\n` });
    await apply(allowed);
    expect(await run('verify', '--all')).toMatchObject({ exit: 0 });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  }
});
