// Tests oddities of real exports: broken bytes, deep values, strangers, webhooks, credentials, several parts.
import { chmod, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { convertFiles, convertInto } from './support/converted.ts';
import { decided } from './support/series.ts';
import {
  ann,
  bob,
  discordFile,
  discordMessage,
  type Files,
  jsonl,
  mattermost,
  mattermostExport,
  room,
  said,
  sendbirdFile,
  sendbirdMessage,
  slackFiles,
} from './support/small-exports.ts';
import { zipOf } from './support/zip.ts';

const day = (...messages: readonly object[]) => slackFiles({ 'room/2023-11-14': messages });
const declaredIn = (folder: string, name: string) => readFile(join(folder, `${name}.yaml`), 'utf8');
const textsOf = (lines: readonly { readonly message?: unknown }[] = []) => lines.map(({ message }) => message);

test.for<readonly [source: string, files: Files, lost: readonly string[], kept: string]>([
  [
    'slack',
    slackFiles({ 'room/2023-11-15': [{ ...said, text: 'grün' }] }),
    ['room/2023-11-15.json file.broken-json'],
    'hello',
  ],
  [
    'mattermost',
    {
      'e.jsonl': mattermostExport(
        mattermost.direct({ message: 'grün' }),
        mattermost.direct({ message: 'ok ESCAPED' }),
      ).replace('ESCAPED', String.raw`\ufffd`),
    },
    ['e.jsonl#1 object.not-carried', 'e.jsonl#2 object.broken'],
    'ok \uFFFD',
  ],
  [
    'discord',
    { 'room.json': discordFile(['hello', 'grün', 'hello'].map((content, at) => discordMessage(`${at}`, { content }))) },
    ['room.json#2 file.broken-json'],
    'hello',
  ],
])('gives bytes of %s that are not UTF-8 a line, and replaces none', async ([source, files, lost, kept]) => {
  // In Latin-1, ü is a byte that is not UTF-8.
  const inLatin1 = Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'latin1')]);
  const { ledger, facts } = await convertFiles(source, Object.fromEntries(inLatin1));
  const left = ledger.filter(({ outcome }) => outcome === 'left_out');
  expect(left.map(({ at, reason }) => `${at} ${reason}`)).toEqual(lost);
  expect(facts.map(({ text }) => text)).toEqual([kept]);
});

const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
/** Each `0` of a field `deep` becomes the nested value. */
const withDeep = (text: string): string => text.replaceAll('"deep":0', `"deep":${nested}`);

describe('values that are nested 100,000 deep', () => {
  test('make a broken line, and the other lines are kept', async () => {
    const { 'room/2023-11-14.json': messages = '', ...lists } = day(said, {
      ...said,
      ts: '1700000001.000100',
      deep: 0,
    });
    const { historyFiles, ledger } = await convertFiles('slack', {
      ...lists,
      'room/2023-11-14.json': withDeep(messages),
    });
    expect(historyFiles.slack_C000001).toHaveLength(1);
    expect(ledger.at(-1)).toMatchObject({ at: 'room/2023-11-14.json#2', reason: 'object.broken' });
    const rows = jsonl({ type: 'user', item: { id: 'u2' } }, { type: 'user', item: { id: 'u1', deep: 0 } });
    const stream = await convertFiles('stream', { 'e.jsonl': withDeep(rows) });
    expect(stream.ledger[1]).toMatchObject({ reason: 'object.broken' });
  });

  test.for<readonly [string, string, Files]>([
    ['slack', 'a user', slackFiles({ users: [{ ...ann, deep: 0 }] })],
    ['slack', 'a channel', slackFiles({ channels: [{ ...room, topic: { deep: 0 } }] })],
    ['mattermost', 'a post', { 'e.jsonl': jsonl(mattermost.version, { type: 'post', post: { deep: 0 } }) }],
    [
      'discord',
      'the head and a message',
      {
        'e.json': discordFile([discordMessage('1', { embeds: [{ deep: 0 }] })], {}, { guild: { id: '1', deep: 0 } }),
        'f.json': discordFile([], { id: '8' }),
      },
    ],
    ['sendbird', 'a message', { 'e.json': sendbirdFile([sendbirdMessage(1, { deep: 0 })]) }],
  ])('%s: in %s, have a line or change nothing', async ([source, , files]) => {
    const deep = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withDeep(text)]));
    const { ledger } = await convertFiles(source, deep);
    // Lines about fields name no file.
    const inFiles = ledger.filter(({ reason }) => reason !== 'field.unknown');
    expect(new Set(inFiles.map(({ at: place }) => place.split(/[#/]/u)[0]))).toEqual(
      new Set(Object.keys(files).map((name) => name.split('/')[0])),
    );
  });
});

test('declares the unknown sender of a message as deactivated, or leaves the message out', async () => {
  const files = day({ ...said, user: 'U999999', user_profile: { display_name: 'Zoe' } });
  const { folder } = await convertFiles('slack', files);
  expect(await declaredIn(folder, 'users')).toContain('U999999:\n    nickname: Zoe\n    deactivated: true');
  const without = await convertFiles('slack', files, decided('users: { unknown: leave_out }'));
  expect(without.ledger.at(-1)).toMatchObject({ outcome: 'left_out', reason: 'message.sender-left-out' });
  expect(without.result.undecided).toEqual([]);
});

test('gives the folder of two channels with one name to the channel that decisions.yaml names', async () => {
  const twice = slackFiles({ groups: [{ id: 'G000001', name: 'room', members: ['U000002'] }] });
  const { ledger, result } = await convertFiles('slack', twice);
  expect(ledger.at(-1)).toMatchObject({ outcome: 'left_out', reason: 'message.unknown-channel' });
  expect(result.undecided).toEqual([{ code: 'message.unknown-channel', count: 1 }]);
  const again = await convertFiles('slack', twice, decided('folders: { room: G000001 }'));
  expect(again.ledger.at(-1)).toMatchObject({ outcome: 'carried', to: 'messages.slack_G000001' });
});

test('opens a public channel with too many members, and leaves a private one out until somebody decides', async () => {
  const members = Array.from({ length: 2_001 }, (_none, number) => `U1${String(number).padStart(6, '0')}`);
  const lists = {
    users: [ann, ...members.map((id) => ({ id, name: id }))],
    channels: [{ ...room, members }],
    groups: [{ id: 'G000001', name: 'secret', members }],
  };
  const { ledger, folder, result } = await convertFiles('slack', slackFiles(lists));
  const entryOf = (id: string) => ledger.find((entry) => entry.id === `slack:${id}`);
  expect(entryOf('C000001')).toMatchObject({ reason: 'channel.open', to: 'open_channel.slack_C000001' });
  expect(entryOf('G000001')).toMatchObject({ outcome: 'left_out', reason: 'channel.too-many-members' });
  expect(result.undecided.map(({ code }) => code)).toEqual(['channel.too-many-members']);
  expect(await declaredIn(folder, 'conversion/decisions')).toContain('channel.too-many-members: no');
});

test.for([
  ['too long', `https://example.com/${'x'.repeat(2048)}`],
  ['of no web address', 'data:image/png;base64,AAAA'],
] as const)('does not declare a picture that is %s', async ([, image_512]) => {
  const files = slackFiles({ users: [{ ...ann, profile: { image_512 } }] });
  const lost = await convertFiles('slack', files);
  expect(lost.ledger[0]).toMatchObject({ id: 'slack:U000001', outcome: 'changed', reason: 'user.profile-fields' });
  const omitted = await convertFiles('slack', files, decided('users: { pictures: omit }'));
  expect(omitted.ledger[0]).toMatchObject({ id: 'slack:U000001', outcome: 'carried' });
});

test('writes tokens and passwords of no place, and texts as people wrote them', async () => {
  const url = 'https://files.slack.com/f.png?t=xoxe-123-456&x=1';
  const message = {
    ...said,
    text: 'see <https://example.com/x?own=1>.',
    files: [{ id: 'F1', name: 'f.png', url_private: url, thumb_64: url }],
    attachments: [{ image_url: url, author_link: 'https://ann:secret@example.com/x', footer: 'xapp-1-A0-abc' }],
  };
  const { folder, ledger, historyFiles } = await convertFiles('slack', day(message));
  expect([ledger.at(-1)?.reason, ...(ledger.at(-1)?.also ?? [])]).toContain('token.removed');
  expect(historyFiles.slack_C000001?.[0]?.message).toBe('see https://example.com/x?own=1.');
  expect(Object.values(await contentOf(folder)).join('\n')).not.toMatch(/xoxe|xapp|secret/u);
});

test("shows the text of the attachments of a webhook's post", async () => {
  const props = { attachments: [{ title: 'Build 7', text: 'is green' }, { fallback: 'see the log' }] };
  const post = mattermost.post({ type: 'slack_attachment', message: '', props });
  const files = { 'e.jsonl': mattermostExport(mattermost.room, mattermost.user('ann'), post) };
  const { historyFiles } = await convertFiles('mattermost', files);
  expect(textsOf(historyFiles.mattermost_team_room)).toEqual(['Build 7\nis green\nsee the log']);
});

test.for([
  ['with all deleted users', 'users: { deleted: leave_out }'],
  ['by name', 'left_out: { users: { U000002: asked } }'],
] as const)(
  'names no creator who is left out %s, and nobody in the purpose of a conversation',
  async ([, decisions]) => {
    const group = {
      id: 'G000001',
      name: 'mpdm-ann--bob-1',
      members: ['U000001'],
      purpose: { value: 'with: @ann @bob' },
    };
    const files = slackFiles({
      users: [ann, { ...bob, deleted: true }],
      channels: [{ ...room, creator: 'U000002' }],
      mpims: [group],
    });
    const { folder } = await convertFiles('slack', files, decided(decisions));
    expect(await declaredIn(folder, 'group_channels')).not.toMatch(/U000002|@bob/u);
  },
);

describe('an export in several parts', () => {
  const { version, room: channel, user, post } = mattermost;
  const workspace = (text: string, date: string, name: string) =>
    slackFiles({
      users: [{ ...ann, name }],
      'room/2023-11-14': [],
      [`room/${date}`]: [{ ...said, text, ts: `${Date.parse(`${date}T08:00:00Z`) / 1000}.000100` }],
    });

  test('is read past JSONL files that people attached', async () => {
    const { historyFiles, ledger } = await convertFiles('mattermost', {
      'data/2024/log.jsonl': jsonl({ level: 'info' }),
      'a-log.jsonl': jsonl({ level: 'warn' }),
      'export-1.jsonl': jsonl(version, channel, user('ann'), post({ message: 'one' })),
      'export-2.jsonl': jsonl(post({ message: 'two', create_at: 1_700_000_001_000 })),
      'export-10.jsonl': jsonl(post({ message: 'three', create_at: 1_700_000_002_000 })),
    });
    expect(textsOf(historyFiles.mattermost_team_room)).toEqual(['one', 'two', 'three']);
    const unknown = ledger.filter(({ reason }) => reason === 'file.unknown');
    expect(unknown.map(({ at }) => at)).toEqual(['a-log.jsonl', 'data/2024/log.jsonl']);
  });

  test('takes people from the latest Slack export', async () => {
    const february = Object.entries(workspace('two', '2024-02-01', 'ann now'));
    const { folder, historyFiles, ledger } = await convertFiles('slack', {
      ...Object.fromEntries(february.map(([name, text]) => [`february/${name}`, text])),
      'january.zip': zipOf(workspace('one', '2024-01-01', 'ann')),
    });
    expect(textsOf(historyFiles.slack_C000001)).toEqual(['one', 'two']);
    expect(ledger.map(({ at }) => at)).toContain('january.zip/room/2024-01-01.json#1');
    expect((await runCli(['explain', 'user.U000001'], { cwd: folder })).stdout).toContain('ann now');
  });

  test('has the workspaces of an organisation below teams', async () => {
    const { 'users.json': users = '', 'channels.json': channels = '', ...days } = slackFiles();
    const inTeams = Object.entries(days).map(([name, text]) => [`teams/Sales/${name}`, text]);
    const files = { 'org_users.json': users, 'channels.json': channels, ...Object.fromEntries(inTeams) };
    expect(textsOf((await convertFiles('slack', files)).historyFiles.slack_C000001)).toEqual(['hello']);
  });

  test.for(['основной-канал', 'Räume'])(
    'finds the channel %s by its folder in a zip and on a disk of macOS',
    async (name) => {
      const files = slackFiles({ channels: [{ ...room, name }], [`${name}/2023-11-14`]: [said] });
      const { 'room/2023-11-14.json': _other, ...only } = files;
      const unflagged = Object.entries(only).map(([path, content]) => ({ name: path, content, isUnflagged: true }));
      const decomposed = Object.fromEntries(Object.entries(only).map(([path, text]) => [path.normalize('NFD'), text]));
      for (const exported of [{ 'export.zip': zipOf(unflagged) }, decomposed])
        expect(textsOf((await convertFiles('slack', exported)).historyFiles.slack_C000001)).toEqual(['hello']);
    },
  );

  test('finds the file of a message whose name a disk of macOS decomposed', async () => {
    const { result } = await convertFiles('mattermost', {
      'e.jsonl': jsonl(
        version,
        channel,
        user('ann'),
        post({ message: 'see', attachments: [{ path: 'Übersicht.txt' }] }),
      ),
      [`data/${'Übersicht.txt'.normalize('NFD')}`]: 'x',
    });
    expect(result.attachments).toMatchObject({ exported: 1, missing: 0 });
  });

  test('is refused if a history file among them is truncated', async () => {
    const whole = zipOf(slackFiles());
    const files = { 'january.zip': whole, 'february.zip': whole.subarray(0, -40) };
    await expect(convertFiles('slack', files)).rejects.toMatchObject({ code: 'convert.cut' });
  });

  test('is refused if a file cannot be read, and a link in it has a line', async () => {
    const folder = await temporaryFolder();
    const exported = join(folder, 'export.jsonl');
    await writeFiles(exported, { 'export.jsonl': jsonl(channel, user('ann')) });
    await symlink('/etc/hosts', join(exported, 'more.jsonl'));
    const { ledger } = await convertInto('mattermost', exported, join(folder, 'out'));
    expect(ledger.at(-1)).toMatchObject({ at: 'more.jsonl', reason: 'file.link' });
    if (process.getuid?.() === 0) return;
    await chmod(join(exported, 'export.jsonl'), 0);
    const refused = convertInto('mattermost', exported, join(folder, 'out'));
    await expect(refused).rejects.toMatchObject({ code: 'convert.unreadable' });
  });
});
