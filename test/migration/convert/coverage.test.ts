// Tests partial exports: nothing outside their times is deleted, and renames do not change what was already shown.
import { beforeEach, describe, expect, test } from 'vitest';
import { parseTimeRange } from '../../../src/migration/convert/export/coverage.ts';
import { writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { expectRefused, Series } from './support/series.ts';
import { ann, bob, discordFile, discordMessage, room, said, slackFiles } from './support/small-exports.ts';

/** The day, the text, and further fields of a message. */
type Said = readonly [day: string, text: string, more?: Readonly<Record<string, unknown>>];

function exportOf(messages: readonly Said[], users: readonly object[] = [ann, bob]) {
  const days: Record<string, object[]> = { 'room/2023-11-14': [] };
  for (const [day, text, more] of messages) {
    const others = days[`room/${day}`] ?? [];
    const ts = `${Date.parse(`${day}T08:00:00Z`) / 1000 + others.length}.000100`;
    days[`room/${day}`] = [...others, { ...said, text, ts, ...more }];
  }
  return slackFiles({ users, channels: [{ ...room, members: ['U000001', 'U000002'] }], ...days });
}

let series: Series;
beforeEach(async () => {
  series = await Series.of('slack');
});

/** Standard output of the conversion of these messages and users. */
const convert = (messages: readonly Said[], users?: readonly object[], ...flags: readonly string[]) =>
  series.converted(exportOf(messages, users), ...flags);
const textsIn = () => series.texts('slack_C000001');
const coverageOf = async (): Promise<unknown> => JSON.parse(await series.read('conversion/coverage.json'));

const january: readonly Said[] = [
  ['2024-01-01', 'one'],
  ['2024-01-15', 'two'],
];
const february: readonly Said[] = [
  ['2024-02-01', 'three'],
  ['2024-02-10', 'four'],
  ['2024-02-20', 'five'],
];
const both = [...january, ...february];
const robert = [ann, { ...bob, name: 'robert' }];

test('keeps January after an export of February, even if the policy deletes missing messages', async () => {
  await convert(january);
  const application = await series.read('application.yaml');
  await series.write({ 'application.yaml': `${application}  messages: { deleted: delete }\n` });
  await series.arrives();
  const stdout = await convert(february);
  expect(stdout).toContain('Wrote 2 users, 1 channel and 5 messages');
  expect(stdout).toContain('Kept 2 messages of earlier exports');
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect((await series.chat('plan')).stdout).not.toContain('erase');
  await series.arrives();
  const report = await series.read('conversion/report.md');
  for (const part of [
    '## No longer in this export',
    '| slack_C000001 | 2 | 0 |',
    '| slack_C000001 | room | 5 |',
    '| people | 2 |',
  ])
    expect(report).toContain(part);
});

test('removes messages that are missing between the first and the last message of the export', async () => {
  await convert(both);
  expect(await convert(february.filter(([, text]) => text !== 'four'))).toContain(
    '! Missing in this export: 1 message of earlier exports. policy.messages.deleted decides what happens to them.',
  );
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'five']);
});

test('extends the covered times with --covers', async () => {
  await convert(both);
  const stdout = await convert(february.slice(1), undefined, '--covers', '2024-02-01..2024-02-29');
  expect(stdout).toContain('Kept 2 messages');
  expect(await textsIn()).toEqual(['one', 'two', 'four', 'five']);
  expect(await coverageOf()).toMatchObject({
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
  expectRefused(await series.convert(undefined, '--covers', 'yesterday'), 64, '--covers 2024-01-01..2024-03-31');
});

test('keeps a sender of kept messages as deactivated', async () => {
  await convert([['2024-01-01', 'mine', { user: 'U000002' }], ...february]);
  await convert(february, [ann]);
  expect(await textsIn()).toContain('mine');
  expect(await series.read('users.yaml')).toMatch(/U000002:\n {4}nickname: bob\n {4}deactivated: true/u);
  expect(await series.chat('validate')).toMatchObject({ exit: 0, stderr: '' });
});

test('keeps names in mentions as first converted', async () => {
  await convert([...january, ['2024-01-10', 'hello <@U000002>']]);
  await convert([...both, ['2024-01-10', 'hello <@U000002>']], robert);
  expect(await textsIn()).toContain('hello @bob');
  expect(await series.read('users.yaml')).toContain('nickname: robert');
  await convert([...both, ['2024-01-10', 'bye <@U000002>']], robert);
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
  const beep = { user: undefined, subtype: 'bot_message', bot_id: 'B000009' };
  await convert([['2024-01-01', 'beep', beep], ...january.slice(1)]);
  for (const _again of [1, 2]) await convert(february);
  expect(await series.read('users.yaml')).toContain('B000009');
  expect(await series.read('users.yaml')).not.toContain('deactivated');
});

describe('exports of which one was taken earlier', () => {
  const change = { edited: { user: 'U000001', ts: `${Date.parse('2024-02-15') / 1000}.000000` } };
  const edited: readonly Said[] = [...january, ['2024-02-01', 'three, edited', change], ...february.slice(1)];
  /** Without the edit. */
  const older: readonly Said[] = [...january, ['2024-01-20', 'deleted since'], ...february.slice(0, 2)];

  test('an older export changes nothing that a newer, already converted one covers', async () => {
    await convert(edited, robert);
    const stdout = await convert(older);
    expect(stdout).toContain('! This export is older than one that was converted already');
    expect(stdout).toContain('(2 messages differ)');
    expect(await textsIn()).toEqual(['one', 'two', 'three, edited', 'four', 'five']);
    expect(await series.read('users.yaml')).toContain('nickname: robert');
    expect(await series.read('conversion/ledger.ndjson')).toContain('"reason":"message.superseded"');
    expect(await series.read('conversion/report.md')).toContain('## An older export');
    expect(await convert(older, undefined, '--taken', '2024-03-01')).not.toContain('older than one');
    expect(await textsIn()).toEqual(['one', 'two', 'deleted since', 'three', 'four', 'five']);
    await expectEnd(series.convert(undefined, '--taken', 'lately'), 64);
  });

  test('an older export declares people who left since only if they sent messages, as deactivated', async () => {
    const noMembers = { 'channels.json': JSON.stringify([{ ...room, members: [] }]) };
    const convertWith = (messages: readonly Said[], users: readonly object[], taken: string) =>
      series.converted({ ...exportOf(messages, users), ...noMembers }, '--taken', taken);
    await convertWith(february, [ann], '2024-03-01');
    const silent = { id: 'U000003', name: 'carl' };
    await convertWith([...january, ['2024-01-20', 'bye', { user: 'U000002' }]], [ann, bob, silent], '2024-02-01');
    const users = await series.read('users.yaml');
    expect(users).toMatch(/U000002:\n {4}nickname: bob\n {4}deactivated: true/u);
    expect(users).not.toContain('U000003');
  });

  test('an older export removes no message that a newer one has', async () => {
    await convert(both, undefined, '--taken', '2024-03-01');
    const stdout = await convert(january, undefined, '--covers', '2024-01-01..2024-02-15', '--taken', '2024-02-01');
    expect(stdout).not.toContain('Missing in this export');
    expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  test('counts the last conversion as the latest after the newest message was deleted', async () => {
    // Its sender, who is not listed, counts as a user.
    const placeholder: Said = ['2024-02-01', 'deleted', { user: 'USLACKBOT', subtype: 'tombstone' }];
    await convert(edited);
    const stdout = await convert([...january, placeholder, ['2024-02-10', 'four, changed']], robert);
    expect(stdout).not.toContain('older than one');
    expect(stdout).toContain('since it was converted last: it adds, changes or removes 2 messages and 2 users.');
    expect(await textsIn()).toEqual(['one', 'two', 'deleted', 'four, changed', 'five']);
    expect(await series.read('conversion/report.md')).toContain('## Which export is later');
    expect(await convert(edited)).not.toContain('taken later');
    expect(await textsIn()).toEqual(['one', 'two', 'three, edited', 'four', 'five']);
  });

  test('reports users that an export of unknown order changes, even if its messages are the same', async () => {
    await convert(both, robert);
    expect(await convert(january)).toContain(
      'it adds, changes or removes 1 user. If it was taken first, convert the other one again.',
    );
    expect(await series.read('users.yaml')).toContain('nickname: bob');
  });

  test('keeps a later edit when the rest of the export is newer, until --taken says otherwise', async () => {
    const contradictory: readonly Said[] = [...older, ['2024-02-16', 'six']];
    await convert(edited);
    expect(await convert(contradictory)).toContain(
      '! This export lacks edits of 1 message that an earlier conversion has. These edits stay.',
    );
    expect(await textsIn()).toEqual(['one', 'two', 'deleted since', 'three, edited', 'four', 'six', 'five']);
    await convert(contradictory, undefined, '--taken', '2024-03-01');
    expect(await textsIn()).toContain('three');
  });
});

/** The export in a folder of that name. */
const inFolder = (name: string, messages: readonly Said[]) =>
  Object.fromEntries(Object.entries(exportOf(messages)).map(([file, text]) => [`${name}/${file}`, text]));

test('gives each export in a folder its own range, so messages between the ranges are kept', async () => {
  await convert(both);
  const parts = { ...inFolder('1', january), ...inFolder('2', february.slice(1)) };
  expect(await series.converted(parts)).toContain('Kept 1 message of earlier exports');
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('uses the last day in the name of a Slack export, and ignores the first', async () => {
  const name = 'Acme Slack export Jan 1 2024 - Feb 22 2024';
  await convert(both);
  await writeFiles(series.cwd, inFolder(name, [...january.slice(1), ...february.slice(0, 2)]));
  const flags = ['--out-dir', 'chat', '--taken', '2024-02-23'];
  await expectEnd(runCli(['convert', 'slack', name, ...flags], { cwd: series.cwd }), 0);
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four']);
});

test('keeps messages that may be in an unreadable file', async () => {
  await convert(both);
  const broken = { ...exportOf(both), 'room/2024-02-10.json': '[{"type": "mess' };
  expect(await series.converted(broken)).not.toContain('Missing in this export');
  expect(await textsIn()).toEqual(['one', 'two', 'three', 'four', 'five']);
});

describe('Discord', () => {
  const day = (number: number, hour = '00'): string => `2024-01-${String(number).padStart(2, '0')}T${hour}:00:00+00:00`;
  const whole = { after: null, before: null };
  let exports: Series;
  beforeEach(async () => {
    exports = await Series.of('discord');
  });

  /** The texts after an export with messages of these days, which says that it was made on a day. */
  const discord = async (days: readonly number[], exported: number, dateRange: object = whole, name = 'room') => {
    const messages = days.map((at) => discordMessage(String(at), { content: `day ${at}`, timestamp: day(at, '10') }));
    const file = discordFile(messages, {}, { dateRange, exportedAt: day(exported) });
    await exports.converted({ [`${name}.json`]: file });
    return exports.texts('discord_700000000000000000');
  };

  test('an export covers the range that it states', async () => {
    await discord([1, 5, 9, 20], 21);
    expect(await discord([9], 22, { after: '2024-01-04', before: '2024-01-10' })).toHaveLength(4);
    expect(await discord([9], 22, { after: day(4), before: day(10) })).toEqual(['day 1', 'day 9', 'day 20']);
    // The range ends at the time of the export.
    expect(await discord([9], 23)).toEqual(['day 9']);
  });

  test('one part of an export covers its own messages', async () => {
    await discord([1, 5, 9, 20], 21);
    expect(await discord([9, 20], 22, whole, 'room [part 2]')).toHaveLength(4);
  });

  test('of two exports, the one that says that it was taken later counts', async () => {
    await discord([1, 9], 21);
    expect(await discord([1, 5, 9, 12], 20)).toEqual(['day 1', 'day 9']);
  });
});
