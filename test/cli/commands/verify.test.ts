// Tests `chatform verify`: it finds lost, duplicate and reordered messages, and reports them to people and machines.
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { historyFileText } from '../../support/history-files.ts';
import { type Connected, connected } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';

const manifest = `version: 1
application: { rate_plan: 100k_mau, limits: { 'POST /migration/{channel_url}': 200 } }
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
const historyFiles = (room: readonly JsonObject[]) => ({
  'history/room-1.ndjson': historyFileText(room),
  'history/lobby-1.ndjson': historyFileText([{ message_type: 'ADMM', message: 'Welcome', timestamp: time }]),
});

let there: Connected;

/** 60 messages were migrated. */
beforeEach(async () => {
  there = await connected(
    { 'm.yaml': manifest, ...historyFiles(lines(60)) },
    {
      rateLimits: true,
      ratePlan: '100k_mau',
      raisedLimits: { rates: { 'POST /migration/{channel_url}': 200 } },
      behaviours: { dedup: 'ignore' },
    },
  );
  await there.at.does('apply --auto-approve');
});

async function verify(flags = '', exit = 0) {
  const report = await there.at.json(`verify${flags}`, exit);
  expect(publishedSchema('migration')(report)).toEqual([]);
  return report;
}

const migrate = (messages: readonly (JsonObject | undefined)[]) =>
  there.call('POST', '/migration/room-1', { messages });

/** `place` is the position among messages of that time. */
async function deleteAt(timestamp: number, place: number): Promise<void> {
  const path = '/group_channels/room-1/messages';
  const page = await there.call('GET', `${path}?message_ts=${timestamp}&prev_limit=0&next_limit=0`);
  const message = (page.messages as JsonObject[]).at(place);
  await there.call('DELETE', `${path}/${message?.message_id}`);
}

const room = (report: { channels: JsonObject[] }) =>
  report.channels.find(({ channel_url }) => channel_url === 'room-1');

test('names each channel as people know it, and who verified', async () => {
  const report = await verify(' --report signed.html');
  expect(room(report)).toMatchObject({ name: 'Room 1' });
  expect(report.channels.find((one: JsonObject) => one.channel_url === 'lobby-1')).not.toHaveProperty('name');
  expect(report.by).toMatchObject({ user: expect.any(String), host: expect.any(String) });
  expect(await there.at.read('signed.html')).toContain('<strong>Room 1</strong><br><code>room-<wbr>1</code>');
  await there.at.write({ 'report.json': JSON.stringify(report, null, 2) });
  const { stdout } = await there.at.run('show report.json --format html --redact');
  expect(stdout).not.toContain('Room 1');
  expect(stdout).not.toContain(report.by.host);
});

test('compares a sample, or all of it with --all', async () => {
  // More messages than a sample of six calls.
  await there.at.write(historyFiles(lines(1200)));
  await there.at.does('apply --auto-approve');
  const { totals } = await verify();
  expect(totals).toMatchObject({ channels: 2, matched: 2, declared: 1201 });
  expect(totals.compared).toBeLessThan(700);
  expect(totals.compared).toBeGreaterThan(500);
  expect((await verify(' --all')).totals.compared).toBe(1201);
});

const all = lines(60);
const oneMore = all.toSpliced(30, 0, { ...all[30], message: 'lost' });
const swappedPair = all.with(10, all[11] ?? {}).with(11, all[10] ?? {});
const at30 = { timestamp: time + 15_000, sender: 'alice' };

test.for<{
  title: string;
  declared?: readonly JsonObject[];
  edit?: () => Promise<unknown>;
  flags?: string;
  exit?: number;
  found: object;
}>([
  {
    title: 'a message that is missing',
    declared: oneMore,
    found: {
      outcome: 'mismatched',
      declared: 61,
      there: 60,
      missing: 1,
      doubled: 0,
      findings: [{ what: 'missing', ...at30 }],
    },
  },
  {
    title: 'a message that was deleted on the platform',
    edit: () => deleteAt(time + 15_000, 0),
    found: {
      outcome: 'mismatched',
      declared: 60,
      there: 59,
      missing: 0,
      deleted: 1,
      findings: [{ what: 'deleted', ...at30 }],
    },
  },
  { title: 'a duplicate', edit: () => migrate([all[30]]), found: { there: 61, missing: 0, doubled: 1 } },
  {
    title: 'nothing where one of two duplicates was deleted',
    edit: () => migrate([all[30]]).then(() => deleteAt(time + 15_000, -1)),
    flags: ' --all',
    exit: 0,
    found: { deleted: 0, doubled: 0, missing: 0 },
  },
  {
    title: 'messages of one time in another order, without failing, because no call can change it',
    declared: swappedPair,
    flags: ' --all',
    exit: 0,
    found: { out_of_order: 1, outcome: 'matched' },
  },
  {
    title: 'messages in another order, also among those of one time',
    declared: swappedPair.with(30, { ...all[30], message: 'text 40' }).with(40, { ...all[40], message: 'text 30' }),
    flags: ' --all',
    found: { missing: 0, moved: 2, out_of_order: 1, others: 0 },
  },
  {
    title: 'changed data, and does not count messages by others',
    declared: all.with(3, { ...all[3], data: 'other' }),
    edit: () => migrate([{ message_type: 'ADMM', message: 'by others', timestamp: time + 5 }]),
    found: { altered: 1, missing: 0, others: 1 },
  },
  {
    title: 'a loss and a duplicate that cancel out in the count',
    declared: oneMore,
    edit: () => migrate([all[50]]),
    flags: ' --all',
    found: { missing: 1, doubled: 1 },
  },
])('finds $title', async ({ declared = all, edit, flags, exit = 4, found }) => {
  await there.at.write(historyFiles(declared));
  await edit?.();
  expect(room(await verify(flags, exit))).toMatchObject(found);
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
  await there.at.write(historyFiles([...all, file, mention]));
  await there.at.does('apply --auto-approve');
  const uncompared = [{ field: 'thumbnails', why: 'not_shown', messages: 1 }];
  expect((await verify(' --report sent.md')).totals).toMatchObject({ altered: 0, not_compared: uncompared });
  expect(await there.at.read('sent.md')).toContain(
    '| `thumbnails` | 1 | declared, but the platform does not show it |',
  );
  await there.at.write(
    historyFiles([...all, { ...file, file_name: 'b.pdf' }, { ...mention, mentioned_user_ids: ['bob'] }]),
  );
  expect(room(await verify('', 4))).toMatchObject({
    outcome: 'mismatched',
    altered: 2,
    altered_fields: { file_name: 1, mentioned_user_ids: 1 },
    not_compared: uncompared,
    findings: [
      { what: 'altered', timestamp: file.timestamp, sender: 'alice', fields: ['file_name'] },
      { what: 'altered', timestamp: mention.timestamp, sender: 'bob', fields: ['mentioned_user_ids'] },
    ],
  });
  const { stdout } = await there.at.ends('verify', 4);
  expect(stdout).toContain('room-1 (Room 1): of 62 messages, 2 altered in file_name and mentioned_user_ids');
  expect(stdout).toContain('Not compared: thumbnails of 1 message (declared, but the platform does not show it).');
});

test('prints its findings for people, and writes a report to sign', async () => {
  await there.at.write(historyFiles(lines(61)));
  const { stdout } = await there.at.ends('verify --report mine.md --report mine.json', 4);
  expect(stdout).toContain('room-1 (Room 1): of 61 messages, 1 missing');
  const markdown = await there.at.read('mine.md');
  expect(markdown).toContain('| `room-1` | `Room 1` | mismatched | 61 | 60 |');
  expect(markdown).toContain('**Some channels do not match their history files.**');
  expect((await there.at.readJson('mine.json')).exit_code).toBe(4);
  expect(await there.at.ends('verify --report mine.txt', 64)).toMatchObject({ stdout: '' });
});

test('verifies after an apply with --verify', async () => {
  await there.at.write(historyFiles(lines(80)));
  const apply = 'apply --auto-approve --verify';
  await there.at.ends(`${apply} --migration-report m.md`, 0, '2 of 2 channels matched: 81 declared messages');
  expect(await there.at.read('m.md')).toContain('**Every message arrived');
  await migrate(lines(1));
  await there.at.ends(apply, 4);
});

test('ends with 4 if messages cannot be listed', async () => {
  const other = await connected(
    { 'm.yaml': manifest, ...historyFiles(all) },
    { behaviours: { messageRetrieval: 'off' } },
  );
  expect((await other.at.ends('verify', 4)).stdout).toContain('could not be read');
});

test('finds every message once in a channel that was deleted and made again', async () => {
  const { at, call } = there;
  await call('DELETE', '/group_channels/room-1');
  const drift = await at.run('drift');
  expect(drift.stdout).toContain(
    'gone from the platform with group_channel.room-1: an apply with --refresh sends it again',
  );
  await at.does('apply --refresh --auto-approve');
  expect((await verify(' --all')).totals).toMatchObject({ matched: 2, missing: 0, doubled: 0 });
  await at.does('plan --refresh --detailed-exitcode');
});
