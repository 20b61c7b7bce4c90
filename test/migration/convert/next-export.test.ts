// Tests later exports: without the messages of a channel, with messages of people who left, or of a millisecond that was sent.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectDistinctNames } from '../../support/distinct-names.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { succeeded } from '../../support/run-cli.ts';
import { tableSample } from './sources/table/sample.ts';
import { decided, expectRefused, Series } from './support/series.ts';
import { ann, bob, type Files, room, said, slackFiles } from './support/small-exports.ts';

const messagesOf = (texts: readonly string[], user = (_place: number) => 'U000001') =>
  texts.map((text, place) => ({ ...said, user: user(place), text, ts: `170000000${place}.000100` }));

/** Two rooms. Without texts, a room has no day. */
const exportOf = (first: readonly string[], second: readonly string[]) =>
  slackFiles({
    users: [ann],
    channels: ['room', 'hall'].map((name, place) => ({ ...room, id: `C00000${place + 1}`, name })),
    'room/2023-11-14': messagesOf(first),
    'hall/2023-11-14': messagesOf(second),
  });
const both = exportOf(['one', 'two'], ['three']);
const oneLeft = exportOf([], ['three']);
const all = ['--covers', 'all'];

const policy = (series: Series, messages: string): Promise<void> =>
  series.write({
    'application.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator" }
policy: { messages: { ${messages} }, acknowledge: [{ effect: messages.erase, count: 2 }] }
`,
  });

async function applied(): Promise<Series> {
  const series = await Series.of('slack');
  await series.converted(both, ...all);
  await series.arrives();
  return series;
}

describe('a channel whose messages are gone', () => {
  test('loses them or refuses to with their number, and gets them back from a later export', async () => {
    const series = await applied();
    expect(await series.converted(oneLeft, ...all)).toContain('1 message ');
    expect(await series.chat('validate')).toMatchObject({ exit: 0, stderr: '' });
    expectRefused(await series.chat('plan'), 65, '2 sent lines that are gone');
    await policy(series, 'deleted: delete, late: insert');
    await series.arrives();
    // Once gone, they stay declared as gone.
    await series.converted(oneLeft, ...all);
    expect(await series.chat('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
    await series.converted(both, ...all);
    await series.arrives();
  });

  test('has no history file if it is left out', async () => {
    const series = await Series.of('slack');
    await series.converted(both, ...all);
    await series.write({ 'conversion/decisions.yaml': decided('left_out: { channels: { C000001: gone } }') });
    expect(await series.converted(oneLeft, ...all)).toContain('1 channel ');
    expect(await readdir(join(series.cwd, 'chat/history'))).toEqual(['slack_C000002.ndjson']);
  });
});

test('applies later exports with new messages of people who were deactivated', async () => {
  const series = await Series.of('slack');
  // The third person is in no list of the export.
  const sender = (place: number) => `U00000${(place % 3) + 1}`;
  for (const count of [3, 6, 9]) {
    const texts = Array.from({ length: count }, (_none, place) => String(place));
    await series.converted(
      slackFiles({ users: [ann, { ...bob, deleted: true }], 'room/2023-11-14': messagesOf(texts, sender) }),
    );
    await series.arrives();
  }
});

test('sends and verifies a late message whose millisecond is already taken', async () => {
  const series = await Series.of('slack');
  await policy(series, 'late: insert');
  const [first, late, last] = ['first', 'late', 'last'].map((text, place) => ({
    ...said,
    text,
    ts: `1452800000.00000${place + 2}`,
  }));
  for (const messages of [
    [first, last],
    [first, late, last],
  ]) {
    await series.converted(slackFiles({ 'room/2023-11-14': messages }));
    await series.arrives();
  }
  expect((await series.chat('verify', '--all')).stdout).toContain('in order of arrival');
});

test('deactivates nobody and removes no member for an export of changed rows', async () => {
  const series = await Series.of('table');
  await writeFiles(series.cwd, { 'mapping.yaml': tableSample.mapping(false) });
  const users = Array.from({ length: 20 }, (_none, number) => `U${number}`);
  const tables = tableSample.list;
  const hall = { id: 'hall', members: users, operators: ['U0'] };
  await series.converted(tables({ users, rooms: [hall], messages: [] }), '--mapping', 'mapping.yaml');
  await series.arrives();
  const rooms = [
    { ...hall, members: ['new'], operators: [] },
    { id: 'new-room', members: users, operators: [] },
  ];
  const messages = users.map((user, number) => ({ room: 'new-room', user, number }));
  await series.converted(tables({ users: ['new'], rooms, messages }), '--mapping', 'mapping.yaml', '--strict');
  const { stdout } = await succeeded(series.chat('plan'));
  expect(stdout).toContain('2 to create, 1 to gain members, 1 to receive messages');
  expect(stdout).not.toMatch(/deactivate|leave|freeze|lose/u);
  expect(await series.read('conversion/report.md')).toContain('20 users');
  await series.arrives();
});

test('keeps a public channel to its members unless the decisions open it', async () => {
  const series = await Series.of('slack');
  await series.converted(both);
  expect(await series.read('group_channels.yaml')).not.toContain('is_public');
  const decisions = await series.read('conversion/decisions.yaml');
  await series.write({ 'conversion/decisions.yaml': decisions.replace('public: members', 'public: everybody') });
  await series.converted(both);
  expect(await series.read('group_channels.yaml')).toContain('is_public: true');
});

test('rooms whose ids differ only in case have history files that no file system mixes, with the same names in each conversion', async () => {
  const series = await Series.of('table');
  await policy(series, 'deleted: delete, late: insert');
  await writeFiles(series.cwd, { 'own.yaml': tableSample.mapping(true) });
  const listed = (...rooms: readonly string[]) => ({
    users: ['ann'],
    rooms: rooms.map((id) => ({ id, members: ['ann'], operators: [] })),
    messages: rooms.map((room, number) => ({ room, user: 'ann', number })),
  });
  const convert = (...rooms: readonly string[]) =>
    series.converted(tableSample.list(listed(...rooms)), ...all, '--mapping', 'own.yaml');
  const historyFiles = async () => {
    const files = await contentOf(join(series.cwd, 'chat/history'));
    const names = Object.keys(files).filter((name) => files[name] !== 'folder');
    expectDistinctNames(names);
    return names.sort();
  };
  await convert('room-a', 'Room-a');
  const [first = '', second = ''] = await historyFiles();
  await series.arrives();
  await convert('ROOM-A', 'Room-a', 'room-a');
  const three = await historyFiles();
  expect(three).toHaveLength(3);
  expect(three).toEqual(expect.arrayContaining([first, second]));
  await series.arrives();
  await convert('other', 'Room-a');
  expect(await historyFiles()).toEqual(expect.arrayContaining([first, second]));
  expect(await series.chat('validate')).toMatchObject({ exit: 0, stderr: '' });
});

test('counts what a later conversion changed, data alone apart, and applies texts without data', async () => {
  const blocks = (count: number) => [{ type: 'section', count }];
  const of = (texts: readonly string[], count: number) =>
    slackFiles({
      users: [ann],
      channels: [room],
      'room/2023-11-14': messagesOf(texts).map((message) => ({ ...message, blocks: blocks(count) })),
    });
  const series = await Series.of('slack');
  expect(await series.converted(of(['one', 'two', 'three'], 1))).not.toContain('since the last conversion');
  await series.arrives();
  const stdout = await series.converted(of(['one', 'TWO', 'three', 'four'], 2));
  expect(stdout).toContain('Messages since the last conversion: 1 new, 3 changed (2 in data alone), 0 missing.');
  await policy(series, 'edited: { text: update, data: keep }');
  expect((await series.chat('plan')).stdout).toContain('edited: {text: update, data: keep}');
  const { stdout: applied } = await succeeded(series.chat('apply', '--auto-approve'));
  expect(applied).toContain('1 message is edited');
  await succeeded(series.chat('plan', '--detailed-exitcode'));
  // The data of two messages stay as they were sent, which verify counts.
  const verified = await succeeded(series.chat('verify', '--all'));
  expect(verified.stdout).toContain('data of 2 messages (different, and kept as policy.messages.edited says)');
  await policy(series, 'edited: update');
  expectRefused(await series.chat('verify', '--all'), 4);
  await series.arrives();
});

/** What `cutover` prints about the move. */
async function moved(series: Series): Promise<string> {
  const { stdout } = await series.chat('cutover');
  return stdout.slice(stdout.indexOf('The move:'), stdout.indexOf('The last window'));
}

describe('compares the lines of a later export with the sent ones, not their numbers, for', () => {
  const filling = 'fills channels side by side';
  const ofRoom = (...indexes: readonly number[]) =>
    slackFiles({
      users: [ann],
      channels: [room],
      'room/2023-11-14': messagesOf(['one', 'two', 'three', 'four']).filter((_message, place) =>
        indexes.includes(place),
      ),
    });
  const edited = slackFiles({
    users: [ann],
    channels: [room],
    'room/2023-11-14': messagesOf(['one', 'TWO', 'three']),
  });
  const corrected = ['3 of 3 messages sent (100 %)', '0 complete, 0 being filled, 0 not begun, 1 to correct'];
  test.for<readonly [what: string, later: Files, words: string, says: readonly string[], without: readonly string[]]>([
    [
      'one message gone and one new',
      ofRoom(0, 2, 3),
      'deleted: delete',
      [
        '2 of 3 messages sent (66 %)',
        'Sent messages that differ from the history files: 0 edited, 1 removed.',
        '0 complete, 1 being filled, 0 not begun.',
        'slack_C000001 (room): 2 of 3, 0 edited, 1 removed',
        'Left: 2 steps with 3 requests',
        filling,
      ],
      ['no plan'],
    ],
    [
      'the same without a decision',
      ofRoom(0, 2, 3),
      '',
      [
        '2 of 3 messages sent',
        'Left: no plan is possible. The manifests',
        'The sent part of a history file has changed.',
      ],
      [filling, 'Left: 2'],
    ],
    [
      'one message gone',
      ofRoom(0, 2),
      'deleted: delete',
      ['2 of 2 messages sent (100 %)', '0 edited, 1 removed', '1 to correct', 'Left: 1 step with 2 requests'],
      [filling, 'its history grows'],
    ],
    ['one message gone that stays', ofRoom(0, 2), 'deleted: keep', ['1 complete'], ['removed', 'to correct', filling]],
    ['an edited message', edited, 'edited: update', [...corrected, '1 edited, 0 removed', 'Left: 1 step'], [filling]],
    ['an edited message without a decision', edited, '', [...corrected, 'no plan is possible'], [filling]],
    ['an edited message that stays', edited, 'edited: keep', ['1 complete'], ['edited', 'to correct', filling]],
    ['no difference', ofRoom(0, 1, 2), '', ['3 of 3 messages sent (100 %)', '1 complete'], ['Left:', filling]],
    ['new messages', ofRoom(0, 1, 2, 3), '', ['3 of 4 messages sent (75 %)', '1 being filled', filling], ['removed']],
  ])('%s', async ([, later, words, says, without]) => {
    const series = await Series.of('slack');
    await series.converted(ofRoom(0, 1, 2), ...all);
    await series.arrives();
    await series.converted(later, ...all);
    if (words !== '') await policy(series, words);
    const text = await moved(series);
    for (const said of says) expect(text).toContain(said);
    for (const unsaid of without) expect(text).not.toContain(unsaid);
  });

  test('a late message and its insertion', async () => {
    const series = await Series.of('slack');
    await series.converted(ofRoom(0, 2), ...all);
    await series.arrives();
    await series.converted(ofRoom(0, 1, 2), ...all);
    await policy(series, 'late: insert');
    expect(await moved(series)).toContain('2 of 3 messages sent (66 %)');
    await series.arrives();
    expect(await moved(series)).toContain('3 of 3 messages sent (100 %)');
  });
});

test('says how far a move is, before it, in the middle and after it', async () => {
  const series = await Series.of('slack');
  await series.converted(both, ...all);
  const before = await moved(series);
  for (const text of [
    'The move: 0 of 3 messages sent (0 %).',
    'Channels: 0 complete, 0 being filled, 2 not begun.',
    'slack_C000001 (room): 0 of 2',
    'Left: 5 steps with 5 requests.',
    "chatform apply . --verify --stage 'group_channel.PATTERN'",
    'Unread counters:',
    'Disk: history files',
    'Memory: reading and planning all of it took this command',
  ])
    expect(before).toContain(text);
  const targets = ['user', 'group_channel', 'messages'].flatMap((kind) => [
    ...['--target', kind === 'user' ? 'user.*' : `${kind}.slack_C000001`],
  ]);
  await succeeded(series.chat('apply', '--auto-approve', ...targets));
  const middle = await moved(series);
  expect(middle).toContain('The move: 2 of 3 messages sent (66 %).');
  expect(middle).toContain('Channels: 1 complete, 0 being filled, 1 not begun.');
  await succeeded(series.chat('apply', '--auto-approve'));
  const after = await moved(series);
  expect(after).toContain('The move: 3 of 3 messages sent (100 %).');
  expect(after).not.toContain('Left:');
  const { move } = JSON.parse((await series.chat('cutover', '--format', 'json')).stdout) as {
    readonly move: { readonly channels: readonly object[] };
  };
  expect(move.channels).toEqual([
    { channel_url: 'slack_C000001', name: 'room', messages: 2, sent: 2, edited: 0, removed: 0 },
    { channel_url: 'slack_C000002', name: 'hall', messages: 1, sent: 1, edited: 0, removed: 0 },
  ]);
});
