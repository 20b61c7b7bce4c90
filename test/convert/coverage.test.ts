// Tests partial exports: nothing outside their times is deleted, and renames do not change what was already shown.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseTimeRange } from '../../src/convert/export/coverage.ts';
import { writeFiles } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Said {
  readonly day: string;
  readonly text: string;
  readonly user?: string;
  /** The day of the last edit. */
  readonly edited?: string;
  readonly subtype?: string;
}

const ann = { id: 'U000001', name: 'ann' };
const bob = { id: 'U000002', name: 'bob' };

function exportOf(messages: readonly Said[], users: readonly object[]): Readonly<Record<string, string>> {
  const days = new Map<string, readonly Said[]>();
  for (const said of messages) days.set(said.day, [...(days.get(said.day) ?? []), said]);
  return {
    'export/users.json': JSON.stringify(users),
    'export/channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001', 'U000002'] }]),
    ...Object.fromEntries(
      [...days].map(([day, said]) => {
        const entries = said.map(({ text, user = 'U000001', edited, ...more }, number) => ({
          ...more,
          type: 'message',
          user,
          text,
          ...(edited === undefined ? {} : { edited: { user, ts: `${Date.parse(edited) / 1000}.000000` } }),
          ts: `${Date.parse(`${day}T08:00:00Z`) / 1000 + number}.000100`,
        }));
        return [`export/room/${day}.json`, JSON.stringify(entries)];
      }),
    ),
  };
}

let cwd = '';
const chat = (...args: string[]) => runCli(args, { cwd: join(cwd, 'chat') });
const read = (name: string): Promise<string> => readFile(join(cwd, 'chat', name), 'utf8');

async function convert(messages: readonly Said[], users: readonly object[] = [ann, bob], ...flags: string[]) {
  await rm(join(cwd, 'export'), { recursive: true, force: true });
  await writeFiles(cwd, exportOf(messages, users));
  return runCli(['convert', 'slack', 'export', '--out', 'chat', ...flags], { cwd });
}

async function textsIn(): Promise<readonly unknown[]> {
  const lines = (await read('history/slack_C000001.ndjson')).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly message: string }).message);
}

const january: readonly Said[] = [
  { day: '2024-01-01', text: 'one' },
  { day: '2024-01-15', text: 'two' },
];
const february: readonly Said[] = [
  { day: '2024-02-01', text: 'three' },
  { day: '2024-02-10', text: 'four' },
  { day: '2024-02-20', text: 'five' },
];

beforeEach(async () => {
  cwd = await temporaryFolder();
});

test('keeps January after an export of February, even if the policy deletes missing messages', async () => {
  expect((await convert(january)).exit).toBe(0);
  await writeFiles(join(cwd, 'chat'), {
    'application.yaml': `${await read('application.yaml')}  messages: { deleted: delete }\n`,
  });
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
  const { stdout } = await convert(february);
  expect(stdout).toContain('Wrote 2 users, 1 channel and 5 messages');
  expect(stdout).toContain('Kept 2 messages of earlier exports');
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
  const plan = await chat('plan');
  expect(plan.stdout).not.toContain('erase');
  expect((await chat('apply', '--auto-approve')).exit).toBe(0);
  expect(await chat('verify', '--all')).toMatchObject({ exit: 0 });
  const report = await read('conversion/report.md');
  expect(report).toContain('## No longer in this export');
  expect(report).toContain('| slack_C000001 | 2 | 0 |');
  expect(report).toContain('| slack_C000001 | room | 5 |');
  expect(report).toContain('| people | 2 |');
});

test('removes messages that are missing between the first and the last message of the export', async () => {
  await convert([...january, ...february]);
  const { stdout } = await convert(february.filter(({ text }) => text !== 'four'));
  expect(stdout).toContain(
    '! Missing in this export: 1 message of earlier exports. policy.messages.deleted decides what happens to them.',
  );
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'five']);
});

test('extends the covered times with --covers', async () => {
  await convert([...january, ...february]);
  const isLeft = ({ text }: Said): boolean => text !== 'three' && text !== 'two';
  const { stdout } = await convert(
    [...january, ...february].filter(isLeft).slice(1),
    [ann, bob],
    '--covers',
    '2024-02-01..2024-02-29',
  );
  expect(stdout).toContain('Kept 2 messages');
  expect(await textsIn()).toEqual(['one', 'two', 'four', 'five']);
  expect(JSON.parse(await read('conversion/coverage.json'))).toMatchObject({
    format_version: '1.0',
    exports: [
      {
        from: '2024-01-01T08:00:00.001Z',
        to: '2024-02-20T07:59:59.999Z',
        edges: ['2024-01-01T08:00:00.000Z', '2024-02-20T08:00:00.000Z'],
        declared: false,
        taken: null,
        newest: '2024-02-20T08:00:00.000Z',
      },
      { from: '2024-02-01T00:00:00.000Z', to: '2024-02-29T23:59:59.999Z', declared: true },
    ],
  });
  expect(await convert(january, [ann, bob], '--covers', 'yesterday')).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('--covers 2024-01-01..2024-03-31'),
  });
});

test('keeps a sender of kept messages as deactivated', async () => {
  await convert([{ day: '2024-01-01', text: 'mine', user: 'U000002' }, ...february]);
  await convert(february, [ann]);
  expect(await textsIn()).toContain('mine');
  expect(await read('users.yaml')).toMatch(/U000002:\n {4}nickname: bob\n {4}deactivated: true/u);
  expect(await chat('validate')).toMatchObject({ exit: 0, stderr: '' });
});

test('continues a series of an earlier version, which recorded no times', async () => {
  await convert(january);
  const index = JSON.parse(await read('conversion/generated.json')) as { files: Record<string, string> };
  delete index.files['conversion/coverage.json'];
  await writeFiles(join(cwd, 'chat'), { 'conversion/generated.json': JSON.stringify(index) });
  await rm(join(cwd, 'chat/conversion/coverage.json'));
  expect((await convert(february)).exit).toBe(0);
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('keeps names in mentions as first converted', async () => {
  const mention: Said = { day: '2024-01-10', text: 'hello <@U000002>' };
  await convert([...january, mention]);
  await convert([...january, mention, ...february], [ann, { ...bob, name: 'robert' }]);
  expect(await textsIn()).toContain('hello @bob');
  expect(await read('users.yaml')).toContain('nickname: robert');
  const edited = { ...mention, text: 'bye <@U000002>' };
  await convert([...january, edited, ...february], [ann, { ...bob, name: 'robert' }]);
  expect(await textsIn()).toContain('bye @robert');
});

test.for([
  ['2024-01-01..2024-01-31', { from: Date.parse('2024-01-01'), to: Date.parse('2024-02-01') - 1 }],
  ['2024-01-01T10:00Z..', { from: Date.parse('2024-01-01T10:00Z'), to: undefined }],
  ['..2024-01-31', { from: undefined, to: Date.parse('2024-02-01') - 1 }],
  ['all', {}],
  ['2024-02-01..2024-01-01', undefined],
  ['2024-01-01', undefined],
  ['..', undefined],
  ['1..2', undefined],
] as const)('reads %s as a range', ([text, range]) => {
  expect(parseTimeRange(text)).toEqual(range);
});

test('keeps a bot active that is in no list but has kept messages', async () => {
  const beep = { type: 'message', subtype: 'bot_message', bot_id: 'B000009', text: 'beep', ts: '1704096000.000100' };
  await writeFiles(cwd, {
    ...exportOf(january.slice(1), [ann, bob]),
    'export/room/2024-01-01.json': JSON.stringify([beep]),
  });
  expect((await runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd })).exit).toBe(0);
  for (const again of [1, 2]) expect([again, (await convert(february)).exit]).toEqual([again, 0]);
  expect(await read('users.yaml')).toContain('B000009');
  expect(await read('users.yaml')).not.toContain('deactivated');
});

const edited: readonly Said[] = [
  ...january,
  { day: '2024-02-01', text: 'three, edited', edited: '2024-02-15' },
  ...february.slice(1),
];
/** Without the edit. */
const older: readonly Said[] = [...january, { day: '2024-01-20', text: 'deleted since' }, ...february.slice(0, 2)];

test('an older export changes nothing that a newer, already converted one covers', async () => {
  await convert(edited, [ann, { ...bob, name: 'robert' }]);
  const { stdout } = await convert(older, [ann, bob]);
  expect(stdout).toContain('! This export is older than one that was converted already');
  expect(stdout).toContain('(2 messages differ)');
  expect(await textsIn()).toEqual(['one', 'two', 'three, edited', 'four', 'five']);
  expect(await read('users.yaml')).toContain('nickname: robert');
  expect(await read('conversion/ledger.ndjson')).toContain('"reason":"message.superseded"');
  expect(await read('conversion/report.md')).toContain('## An older export');
  expect((await convert(older, [ann, bob], '--taken', '2024-03-01')).stdout).not.toContain('older than one');
  expect(await textsIn()).toEqual(['one', 'two', 'deleted since', 'three', 'four', 'five']);
  expect(await convert(older, [ann, bob], '--taken', 'lately')).toMatchObject({ exit: 64 });
});

test('counts the last conversion as the latest after the newest message was deleted', async () => {
  // Its sender, who is not listed, counts as a user.
  const placeholder = { day: '2024-02-01', text: 'deleted', user: 'USLACKBOT', subtype: 'tombstone' };
  const next = [...january, placeholder, { day: '2024-02-10', text: 'four, changed' }];
  await convert(edited);
  const { exit, stdout } = await convert(next, [ann, { ...bob, name: 'robert' }]);
  expect(exit).toBe(0);
  expect(stdout).not.toContain('older than one');
  expect(stdout).toContain('since it was converted last: it adds, changes or removes 2 messages and 2 users.');
  expect(await textsIn()).toEqual(['one', 'two', 'deleted', 'four, changed', 'five']);
  expect(await read('conversion/report.md')).toContain('## Which export is later');
  const again = await convert(edited);
  expect(again.stdout).not.toContain('taken later');
  expect(await textsIn()).toEqual(['one', 'two', 'three, edited', 'four', 'five']);
});

test('reports users that an export of unknown order changes, even if its messages are the same', async () => {
  await convert([...january, ...february], [ann, { ...bob, name: 'robert' }]);
  const { stdout } = await convert(january, [ann, bob]);
  expect(stdout).toContain('it adds, changes or removes 1 user. If it was taken first, convert the other one again.');
  expect(await read('users.yaml')).toContain('nickname: bob');
});

test('keeps a later edit when the rest of the export is newer, until --taken says otherwise', async () => {
  const contradictory = [...older, { day: '2024-02-16', text: 'six' }];
  await convert(edited);
  const { exit, stdout } = await convert(contradictory);
  expect(exit).toBe(0);
  expect(stdout).toContain('! This export lacks edits of 1 message that an earlier conversion has. These edits stay.');
  expect(await textsIn()).toEqual(['one', 'two', 'deleted since', 'three, edited', 'four', 'six', 'five']);
  expect((await convert(contradictory, [ann, bob], '--taken', '2024-03-01')).exit).toBe(0);
  expect(await textsIn()).toContain('three');
});

test('gives each export in a folder its own range, so messages between the ranges are kept', async () => {
  await convert([...january, ...february]);
  await rm(join(cwd, 'export'), { recursive: true, force: true });
  const parts = [january, february.slice(1)].map((part) => exportOf(part, [ann, bob]));
  for (const [number, part] of parts.entries()) {
    const files = Object.entries(part).map(([name, text]) => [name.replace('export/', `export/${number}/`), text]);
    await writeFiles(cwd, Object.fromEntries(files));
  }
  const { stdout } = await runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd });
  expect(stdout).toContain('Kept 1 message of earlier exports');
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('uses the last day in the name of a Slack export, and ignores the first', async () => {
  const name = 'Acme Slack export Jan 1 2024 - Feb 22 2024';
  await convert([...january, ...february]);
  await rm(join(cwd, 'export'), { recursive: true, force: true });
  const files = Object.entries(exportOf([...january.slice(1), ...february.slice(0, 2)], [ann, bob]));
  await writeFiles(cwd, Object.fromEntries(files.map(([file, text]) => [file.replace('export/', `${name}/`), text])));
  expect((await runCli(['convert', 'slack', name, '--out', 'chat', '--taken', '2024-02-23'], { cwd })).exit).toBe(0);
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four']);
});

test('keeps messages that may be in an unreadable file', async () => {
  await convert([...january, ...february]);
  await writeFiles(cwd, { 'export/room/2024-02-10.json': '[{"type": "mess' });
  const { stdout } = await runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd });
  expect(stdout).not.toContain('Missing in this export');
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
});

describe('Discord', () => {
  const author = { id: '100000000000000001', name: 'ann' };
  const discord = async (name: string, days: readonly number[], more: object) => {
    const messages = days.map((day) => ({
      ...{ id: String(day), type: 'Default', content: `day ${day}`, author },
      timestamp: `2024-01-${String(day).padStart(2, '0')}T10:00:00+00:00`,
    }));
    const channel = { id: '700000000000000000', type: 'GuildTextChat', name: 'room' };
    const text = JSON.stringify({ guild: { id: '1', name: 'Guild' }, channel, ...more, messages });
    await rm(join(cwd, 'export'), { recursive: true, force: true });
    await writeFiles(cwd, { [`export/${name}`]: text });
    expect((await runCli(['convert', 'discord', 'export', '--out', 'chat'], { cwd })).exit).toBe(0);
    const lines = (await read('history/discord_700000000000000000.ndjson')).trimEnd().split('\n');
    return lines.map((line) => (JSON.parse(line) as { readonly message: string }).message);
  };
  const whole = { after: null, before: null };

  test('an export covers the range that it states', async () => {
    await discord('room.json', [1, 5, 9, 20], { dateRange: whole, exportedAt: '2024-01-21T00:00:00+00:00' });
    const ofDays = { dateRange: { after: '2024-01-04', before: '2024-01-10' } };
    const dated = { dateRange: { after: '2024-01-04T00:00:00+00:00', before: '2024-01-10T00:00:00+00:00' } };
    expect(await discord('room.json', [9], { ...ofDays, exportedAt: '2024-01-22T00:00:00Z' })).toHaveLength(4);
    expect(await discord('room.json', [9], { ...dated, exportedAt: '2024-01-22T00:00:00Z' })).toEqual([
      'day 1',
      'day 9',
      'day 20',
    ]);
    // The range ends at the time of the export.
    expect(await discord('room.json', [9], { dateRange: whole, exportedAt: '2024-01-23T00:00:00Z' })).toEqual([
      'day 9',
    ]);
  });

  test('one part of an export covers its own messages', async () => {
    const all = { dateRange: whole, exportedAt: '2024-01-21T00:00:00Z' };
    await discord('room.json', [1, 5, 9, 20], all);
    expect(await discord('room [part 2].json', [9, 20], { ...all, exportedAt: '2024-01-22T00:00:00Z' })).toHaveLength(
      4,
    );
  });

  test('of two exports, the one that says that it was taken later counts', async () => {
    await discord('room.json', [1, 9], { dateRange: whole, exportedAt: '2024-01-21T00:00:00Z' });
    const older = { dateRange: whole, exportedAt: '2024-01-20T00:00:00Z' };
    expect(await discord('room.json', [1, 5, 9, 12], older)).toEqual(['day 1', 'day 9']);
  });
});
