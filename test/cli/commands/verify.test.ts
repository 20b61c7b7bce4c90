// Tests `chatform verify`: it finds lost, duplicate and reordered messages, and reports them to people and machines.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { archiveText } from '../../support/archives.ts';
import { reaching } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = `version: 1
users: { alice: { nickname: A, profile_url: '' }, bob: { nickname: B, profile_url: '' } }
open_channels: { lobby-1: { messages: { file: history/lobby-1.ndjson } } }
group_channels: { room-1: { name: Room 1, members: { alice: , bob: }, messages: { file: history/room-1.ndjson } } }
`;
const time = 1_600_000_000_000;
const lines = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, place) => ({
    message_type: 'MESG',
    user_id: place % 2 === 0 ? 'alice' : 'bob',
    message: `text ${place}`,
    timestamp: time + Math.floor(place / 2) * 1000,
  }));
const archives = (room: readonly JsonObject[]) => ({
  'history/room-1.ndjson': archiveText(room),
  'history/lobby-1.ndjson': archiveText([{ message_type: 'ADMM', message: 'Welcome', timestamp: time }]),
});

let emulator: RunningEmulator;
let cwd = '';
let env: Record<string, string> = {};

/** 60 messages were migrated. */
beforeEach(async () => {
  emulator = await startPlatform({
    rateLimits: true,
    ratePlan: '100k_mau',
    raisedLimits: { 'POST /migration/{channel_url}': 200 },
    readings: { dedup: 'ignore' },
  });
  cwd = await temporaryFolder({
    'm.yaml': `${manifest}application: { rate_plan: 100k_mau, limits: { 'POST /migration/{channel_url}': 200 } }\n`,
    ...archives(lines(60)),
  });
  env = reaching(emulator);
  await succeeded(runCli(['apply', '--auto-approve'], { cwd, env }));
});

async function verify(...args: string[]) {
  const ended = await runCli(['verify', '--format', 'json', ...args], { cwd, env });
  return { ...ended, report: JSON.parse(ended.stdout === '' ? 'null' : ended.stdout) };
}

const migrate = (messages: readonly JsonObject[]) => call(emulator, 'POST', '/migration/room-1', { messages });

/** `place` is the position among messages of that time. */
async function deleteAt(timestamp: number, place: number): Promise<void> {
  const path = '/group_channels/room-1/messages';
  const page = await call(emulator, 'GET', `${path}?message_ts=${timestamp}&prev_limit=0&next_limit=0`);
  const message = (page.messages as JsonObject[]).at(place);
  await call(emulator, 'DELETE', `${path}/${message?.message_id}`);
}

const room = (report: { channels: JsonObject[] }) =>
  report.channels.find(({ channel_url }) => channel_url === 'room-1');

describe('verify', () => {
  test('names each channel as people know it, and who verified', async () => {
    const { report } = await verify('--report', 'signed.html');
    expect(room(report)).toMatchObject({ name: 'Room 1' });
    expect(report.channels.find((one: JsonObject) => one.channel_url === 'lobby-1')).not.toHaveProperty('name');
    expect(report.by).toMatchObject({ user: expect.any(String), host: expect.any(String) });
    const page = await readFile(join(cwd, 'signed.html'), 'utf8');
    expect(page).toContain('<strong>Room 1</strong><br><code>room-<wbr>1</code>');
    await writeFiles(cwd, { 'report.json': JSON.stringify(report, null, 2) });
    const redacted = await runCli(['show', 'report.json', '--format', 'html', '--redact'], { cwd });
    expect(redacted.stdout).not.toContain('Room 1');
    expect(redacted.stdout).not.toContain(report.by.host);
  });

  test('compares a sample, or all of it with --all', async () => {
    // More messages than a sample of six calls.
    await writeFiles(cwd, archives(lines(1200)));
    await succeeded(runCli(['apply', '--auto-approve'], { cwd, env }));
    const sampled = await verify();
    expect(sampled).toMatchObject({ exit: 0, report: { totals: { channels: 2, matched: 2, declared: 1201 } } });
    expect(sampled.report.totals.compared).toBeLessThan(700);
    expect(sampled.report.totals.compared).toBeGreaterThan(500);
    expect((await verify('--all')).report.totals.compared).toBe(1201);
    expect(publishedSchema('migration')(sampled.report)).toEqual([]);
  });

  test('finds a message that is missing', async () => {
    const all = lines(60);
    await writeFiles(cwd, archives(all.toSpliced(30, 0, { ...all[30], message: 'lost' })));
    const { exit, report } = await verify();
    expect(exit).toBe(4);
    expect(room(report)).toMatchObject({ outcome: 'mismatched', declared: 61, there: 60, missing: 1, doubled: 0 });
    expect(room(report)?.findings).toEqual([{ what: 'missing', timestamp: time + 15_000, sender: 'alice' }]);
  });

  test('finds a message that was deleted on the platform', async () => {
    await deleteAt(time + 15_000, 0);
    const { exit, report } = await verify();
    expect(exit).toBe(4);
    expect(room(report)).toMatchObject({ outcome: 'mismatched', declared: 60, there: 59, missing: 0, deleted: 1 });
    expect(room(report)?.findings).toEqual([{ what: 'deleted', timestamp: time + 15_000, sender: 'alice' }]);
    expect(publishedSchema('migration')(report)).toEqual([]);
  });

  test('counts a duplicate once when one of the two was deleted', async () => {
    await migrate(lines(60).slice(30, 31));
    await deleteAt(time + 15_000, -1);
    expect(await verify('--all')).toMatchObject({
      exit: 0,
      report: { totals: { deleted: 0, doubled: 0, missing: 0 } },
    });
  });

  test('finds a duplicate', async () => {
    await migrate(lines(60).slice(30, 31));
    const { exit, report } = await verify();
    expect({ exit, room: room(report) }).toMatchObject({ exit: 4, room: { there: 61, missing: 0, doubled: 1 } });
  });

  test('reports another order among messages of one time without failing, because no call changes it', async () => {
    const all = lines(60);
    await writeFiles(cwd, archives(all.with(10, all[11] ?? {}).with(11, all[10] ?? {})));
    const { exit, report } = await verify('--all');
    expect({ exit, room: room(report) }).toMatchObject({ exit: 0, room: { out_of_order: 1, outcome: 'matched' } });
  });

  test('finds messages in another order, also among those of one time', async () => {
    const all = lines(60);
    const swapped = all
      .with(30, { ...all[30], message: 'text 40' })
      .with(40, { ...all[40], message: 'text 30' })
      .with(10, all[11] ?? {})
      .with(11, all[10] ?? {});
    await writeFiles(cwd, archives(swapped));
    const { exit, report } = await verify('--all');
    expect({ exit, room: room(report) }).toMatchObject({
      exit: 4,
      room: { missing: 0, moved: 2, out_of_order: 1, others: 0 },
    });
  });

  test('finds altered data, and reports what others wrote without calling it a fault', async () => {
    const all = lines(60);
    await writeFiles(cwd, archives(all.with(3, { ...all[3], data: 'other' })));
    await migrate([{ message_type: 'ADMM', message: 'by others', timestamp: time + 5 }]);
    const { exit, report } = await verify();
    expect({ exit, room: room(report) }).toMatchObject({ exit: 4, room: { altered: 1, missing: 0, others: 1 } });
  });

  test('finds a changed mention or file, and names a field that cannot be compared', async () => {
    const file = {
      message_type: 'FILE',
      user_id: 'alice',
      timestamp: time + 700_000,
      url: 'https://files.example/a.pdf',
      file_name: 'a.pdf',
      thumbnails: ['https://files.example/a.png'],
    };
    const mention = {
      message_type: 'MESG',
      user_id: 'bob',
      timestamp: time + 700_001,
      message: 'Look, alice',
      mentioned_user_ids: ['alice'],
    };
    await writeFiles(cwd, archives([...lines(60), file, mention]));
    expect(await runCli(['apply', '--auto-approve'], { cwd, env })).toMatchObject({ exit: 0 });
    const uncompared = [{ field: 'thumbnails', why: 'not_shown', messages: 1 }];
    expect(await verify('--report', 'sent.md')).toMatchObject({
      exit: 0,
      report: { totals: { altered: 0, not_compared: uncompared } },
    });
    expect(await readFile(join(cwd, 'sent.md'), 'utf8')).toContain(
      '| `thumbnails` | 1 | declared, but the platform does not show it |',
    );
    const edited = [...lines(60), { ...file, file_name: 'b.pdf' }, { ...mention, mentioned_user_ids: ['bob'] }];
    await writeFiles(cwd, archives(edited));
    const { exit, report } = await verify();
    expect(exit).toBe(4);
    expect(room(report)).toMatchObject({
      outcome: 'mismatched',
      altered: 2,
      altered_fields: { file_name: 1, mentioned_user_ids: 1 },
      not_compared: uncompared,
      findings: [
        { what: 'altered', timestamp: file.timestamp, sender: 'alice', fields: ['file_name'] },
        { what: 'altered', timestamp: mention.timestamp, sender: 'bob', fields: ['mentioned_user_ids'] },
      ],
    });
    expect(publishedSchema('migration')(report)).toEqual([]);
    const { stdout } = await runCli(['verify'], { cwd, env });
    expect(stdout).toContain('room-1 (Room 1): of 62 messages, 2 altered in file_name and mentioned_user_ids');
    expect(stdout).toContain('Not compared: thumbnails of 1 message (declared, but the platform does not show it).');
  });

  test('finds a loss and a duplicate that cancel out in the count', async () => {
    const all = lines(60);
    await migrate([all[50] ?? {}]);
    await writeFiles(cwd, archives(all.toSpliced(30, 0, { ...all[30], message: 'lost' })));
    expect((await verify('--all')).report.totals).toMatchObject({ missing: 1, doubled: 1 });
  });

  test('prints its findings for people, and writes a report to sign', async () => {
    await writeFiles(cwd, archives(lines(61)));
    const ended = await expectEnd(runCli(['verify', '--report', 'mine.md', '--report', 'mine.json'], { cwd, env }), 4);
    expect(ended.stdout).toContain('room-1 (Room 1): of 61 messages, 1 missing');
    const markdown = await readFile(join(cwd, 'mine.md'), 'utf8');
    expect(markdown).toContain('| `room-1` | `Room 1` | mismatched | 61 | 60 |');
    expect(markdown).toContain('**Some channels do not match their archives.**');
    expect(JSON.parse(await readFile(join(cwd, 'mine.json'), 'utf8')).exit_code).toBe(4);
  });

  test('refuses a report with an unknown ending before it reads anything', async () => {
    const ended = await runCli(['verify', '--report', 'mine.txt'], { cwd, env });
    expect(ended).toMatchObject({ exit: 64, stdout: '' });
  });

  test('verifies after an apply with --verify', async () => {
    await writeFiles(cwd, archives(lines(80)));
    const ended = await succeeded(
      runCli(['apply', '--auto-approve', '--verify', '--migration-report', 'm.md'], { cwd, env }),
    );
    expect(ended.stderr).toContain('2 of 2 channels matched: 81 declared messages');
    expect(await readFile(join(cwd, 'm.md'), 'utf8')).toContain('**Every message arrived');
    await migrate(lines(1));
    expect(await runCli(['apply', '--auto-approve', '--verify'], { cwd, env })).toMatchObject({ exit: 4 });
  });
});

test('ends with 4 if messages cannot be listed', async () => {
  const other = await startPlatform({ readings: { messageRetrieval: 'off' } });
  const ended = await expectEnd(runCli(['verify', '--rate-plan', '100k_mau'], { cwd, env: reaching(other) }), 4);
  expect(ended.stdout).toContain('could not be read');
});

test('finds every message once in a channel that was deleted and made again', async () => {
  await call(emulator, 'DELETE', '/group_channels/room-1');
  const drift = await runCli(['drift'], { cwd, env });
  expect(drift.stdout).toContain('gone from the platform with group_channel.room-1: an apply sends it again');
  await succeeded(runCli(['apply', '--refresh', '--auto-approve'], { cwd, env }));
  expect((await verify('--all')).report).toMatchObject({
    exit_code: 0,
    totals: { matched: 2, missing: 0, doubled: 0 },
  });
  expect(await runCli(['plan', '--refresh', '--detailed-exitcode'], { cwd, env })).toMatchObject({ exit: 0 });
});
