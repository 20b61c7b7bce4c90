// Tests that a broken export is either refused with a code, leaving nothing behind, or accounted for in the ledger.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertExport } from '../../src/app/convert.ts';
import { contentOf, writeFiles } from '../support/folders.ts';
import { expectEnd, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Converted, convertInto } from './support/converted.ts';
import { type ZipEntry, zipOf } from './support/zip.ts';

const users = JSON.stringify([
  { id: 'U000001', name: 'ann' },
  { id: 'U000002', name: 'bob' },
]);
const channels = JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]);
const message = { type: 'message', user: 'U000001', text: 'hello', ts: '1700000000.000100' };
const small = { 'users.json': users, 'channels.json': channels, 'room/2023-11-14.json': JSON.stringify([message]) };

async function refusalOf(
  source: string,
  name: string,
  content: string | Buffer,
): Promise<{ code: string; exitCode: number; message: string }> {
  const folder = await temporaryFolder();
  const exported = join(folder, name);
  await writeFile(exported, content);
  const failure = await convertExport({ source, exported, out: join(folder, 'out') }).then(
    () => undefined,
    (error: unknown) => error as { code: string; exitCode: number; message: string },
  );
  expect(Object.keys(await contentOf(folder))).toEqual([name]);
  return { code: failure?.code ?? '', exitCode: failure?.exitCode ?? 0, message: failure?.message ?? '' };
}

function slack(
  files: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>> = {},
): Buffer {
  const merged = Object.entries({ ...files, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return zipOf(Object.fromEntries(merged));
}

describe('refuses with 65, and writes nothing for', () => {
  const shared: readonly ZipEntry[] = ['users.json', 'a.json', 'b.json', 'c.json', 'd.json'].map((name) => ({
    name,
    content: users.repeat(20),
    sharesFirst: true,
  }));
  test.for<readonly [what: string, content: string | Buffer, code: string, source?: string, file?: string]>([
    ['text that is no zip', 'hello', 'convert.not-an-export', 'slack', 'notes.txt'],
    ['a zip whose end is missing', slack(small).subarray(0, 300), 'convert.cut'],
    ['a zip with a path that leads out', slack(small, { '../evil.json': '[]' }), 'convert.bad-path'],
    [
      'a zip with one name twice',
      zipOf([
        { name: 'users.json', content: users },
        { name: 'users.json', content: '[]' },
      ]),
      'convert.bad-path',
    ],
    ['a zip with a password', zipOf([{ name: 'users.json', content: users, isEncrypted: true }]), 'convert.encrypted'],
    ['a zip whose entries share their bytes', zipOf(shared), 'convert.zip-bomb'],
    [
      'a zip that unpacks to a thousand times its size',
      zipOf([{ name: 'users.json', content: ' '.repeat(20_000_000) }]),
      'convert.zip-bomb',
    ],
    [
      'a zip that lies about sizes',
      zipOf([
        { name: 'users.json', content: users, claimedBytes: 3 },
        { name: 'channels.json', content: channels },
      ]),
      'convert.unreadable',
    ],
    ['a Slack export without users.json', slack(small, { 'users.json': undefined }), 'convert.missing-file'],
    ['a users.json that was cut', slack(small, { 'users.json': users.slice(0, 20) }), 'convert.broken-file'],
    ['a channels.json that is no list', slack(small, { 'channels.json': '{}' }), 'convert.broken-file'],
    [
      'a version line of another system',
      '{"type":"version","version":1}\n{"type":"team","team":{"name":"t"}}\n',
      'convert.wrong-export',
      'stream',
      'e.jsonl',
    ],
    ['another zip', slack({ 'readme.md': 'hello' }), 'convert.wrong-export'],
    ['a Slack export taken for one of Mattermost', slack(small), 'convert.wrong-export', 'mattermost'],
    [
      'a Stream file that was cut',
      '[{"type":"user","item":{"id":"u1"}},{"type":"us',
      'convert.broken-file',
      'stream',
      'e.json',
    ],
  ])('%s', async ([, content, code, source = 'slack', file = 'e.zip']) => {
    const found = await refusalOf(source, file, content);
    expect(found).toMatchObject({ code, exitCode: 65 });
    expect(found.message).not.toBe('');
  });

  test('a day that cannot be unpacked, even after days that were written', async () => {
    const bytes = slack(small);
    const at = bytes.indexOf('room/2023-11-14.json') + 'room/2023-11-14.json'.length;
    bytes.fill(0xff, at, at + 20);
    expect(await refusalOf('slack', 'e.zip', bytes)).toMatchObject({ code: 'convert.unreadable', exitCode: 65 });
  });
});

async function convertSmall(
  changes: Readonly<Record<string, string | undefined>>,
  decisions?: string,
): Promise<Converted> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'export.zip'), slack(small, changes));
  if (decisions !== undefined) await writeFiles(folder, { 'out/conversion/decisions.yaml': decisions });
  return convertInto('slack', join(folder, 'export.zip'), join(folder, 'out'));
}

const day = (messages: readonly object[]) => ({ 'room/2023-11-14.json': JSON.stringify(messages) });
const decided = (text: string): string => `format_version: 1\nsource: slack\n${text}`;

describe('accounts for', () => {
  test('broken JSON in one day, and keeps the other days', async () => {
    const { ledger } = await convertSmall({ 'room/2023-11-15.json': '[{"type": "mess' });
    expect(ledger.at(-1)).toEqual({
      at: 'room/2023-11-15.json',
      id: 'slack:room/2023-11-15.json',
      outcome: 'left_out',
      reason: 'file.broken-json',
    });
    expect(ledger.at(-2)).toMatchObject({ outcome: 'carried', to: 'messages.slack_C000001', line: 1 });
  });

  /** In Latin-1, so that ü is a byte that is not UTF-8. */
  const latin1: readonly (readonly [
    source: string,
    files: Readonly<Record<string, string>>,
    lost: readonly string[],
  ])[] = [
    [
      'slack',
      { ...small, 'room/2023-11-15.json': JSON.stringify([{ ...message, text: 'grün' }]) },
      ['room/2023-11-15.json file.broken-json'],
    ],
    [
      'mattermost',
      {
        'e.jsonl': ['', 'grün', 'ok \\ufffd']
          .map((text, at) =>
            at === 0
              ? '{"type":"version","version":1}'
              : `{"type":"direct_post","direct_post":{"channel_members":["ann","bob"],"user":"ann","message":"${text}","create_at":170000000000${at}}}`,
          )
          .join('\n'),
      },
      ['e.jsonl#1 object.not-carried', 'e.jsonl#2 object.broken'],
    ],
    [
      'discord',
      {
        'room.json': JSON.stringify({
          guild: { id: '1', name: 'Guild' },
          channel: { id: '7', type: 'GuildTextChat', name: 'room' },
          messages: ['hello', 'grün', 'hello'].map((content, at) => {
            const author = { id: '2', name: 'ann' };
            return { id: `${at}`, type: 'Default', timestamp: `2024-05-06T10:00:0${at}Z`, content, author };
          }),
        }),
      },
      ['room.json#2 file.broken-json'],
    ],
  ];
  test.for(latin1)(
    'bytes of %s that are not UTF-8 are lost with a word, and not replaced',
    async ([source, files, lost]) => {
      const folder = await temporaryFolder();
      const names = Object.keys(files);
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, 'export', name)), { recursive: true });
        await writeFile(join(folder, 'export', name), text, 'latin1');
      }
      const exported = join(folder, 'export', names.length === 1 ? (names[0] ?? '') : '');
      const { ledger, facts } = await convertInto(source, exported, join(folder, 'out'));
      const found = ledger.filter(({ outcome }) => outcome === 'left_out').map(({ at, reason }) => `${at} ${reason}`);
      expect(found).toEqual(lost);
      expect(facts.map(({ text }) => text)).toEqual([source === 'mattermost' ? 'ok \uFFFD' : 'hello']);
    },
  );

  test('a message of an unknown user, with a deactivated user or without the message', async () => {
    const unknown = { ...message, user: 'U999999', user_profile: { display_name: 'Zoe' } };
    const { ledger, folder } = await convertSmall(day([unknown]));
    expect(ledger.at(-1)).toMatchObject({ outcome: 'changed', reason: 'sender.unknown' });
    expect(await readFile(join(folder, 'users.yaml'), 'utf8')).toContain(
      'U999999:\n    nickname: Zoe\n    deactivated: true',
    );
    const without = await convertSmall(day([unknown]), decided('users: { unknown: leave_out }\n'));
    expect(without.ledger.at(-1)).toMatchObject({ outcome: 'left_out', reason: 'message.sender-left-out' });
    expect(without.result.undecided).toEqual([]);
  });

  test('two channels with one name, whose folder belongs to the one that decisions.yaml names', async () => {
    const twice = { 'groups.json': JSON.stringify([{ id: 'G000001', name: 'room', members: ['U000002'] }]) };
    const { ledger, result } = await convertSmall(twice);
    expect(ledger.at(-1)).toMatchObject({ outcome: 'left_out', reason: 'message.unknown-channel' });
    expect(result.undecided).toEqual([{ code: 'message.unknown-channel', count: 1 }]);
    const again = await convertSmall(twice, decided('folders: { room: G000001 }\n'));
    expect(again.ledger.at(-1)).toMatchObject({ outcome: 'carried', to: 'messages.slack_G000001' });
  });

  test('a text of 100 KB, which becomes several messages', async () => {
    const text = 'many words 😀 '.repeat(8_000);
    const { ledger, archives, facts } = await convertSmall(
      day([
        { ...message, text },
        { ...message, ts: '1700000000.000200' },
      ]),
    );
    expect(ledger.at(-2)).toMatchObject({ outcome: 'changed', reason: 'text.split', line: 1 });
    const lines = archives.slack_C000001 ?? [];
    expect(lines.length).toBe((ledger.at(-2)?.lines ?? 0) + 1);
    expect(
      lines
        .slice(0, -1)
        .map(({ message: part }) => part)
        .join(''),
    ).toBe(text);
    expect(ledger.at(-1)?.line).toBe(lines.length);
    expect(facts.map((found) => found.text)).toEqual([text, 'hello']);
  });

  test('times out of order, which it sorts', async () => {
    const at = (ts: string, text: string): object => ({ ...message, ts, text });
    const { ledger, archives } = await convertSmall(
      day([
        at('1700000005.000100', 'c'),
        at('1700000000.000200', 'a'),
        at('1700000000.000100', 'b'),
        at('1700000005.000100', 'c'),
      ]),
    );
    expect(archives.slack_C000001?.map(({ message: text }) => text)).toEqual(['a', 'b', 'c']);
    expect(ledger.slice(-4).map(({ line, reason }) => line ?? reason)).toEqual([3, 1, 2, 'message.repeated']);
  });

  test('channels with too many members: a public one becomes open, a private one is left out until somebody decides', async () => {
    const many = Array.from({ length: 2_001 }, (_none, number) => `U1${String(number).padStart(6, '0')}`);
    const lists = {
      'users.json': JSON.stringify([...JSON.parse(users), ...many.map((id) => ({ id, name: id }))]),
      'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: many }]),
      'groups.json': JSON.stringify([{ id: 'G000001', name: 'secret', members: many }]),
    };
    const { ledger, folder, result } = await convertSmall(lists);
    const entryOf = (id: string) => ledger.find((entry) => entry.id === `slack:${id}`);
    expect(entryOf('C000001')).toMatchObject({ reason: 'channel.open', to: 'open_channel.slack_C000001' });
    expect(entryOf('G000001')).toMatchObject({ outcome: 'left_out', reason: 'channel.too-many-members' });
    expect(result.undecided.map(({ code }) => code)).toEqual(['channel.too-many-members']);
    expect(await readFile(join(folder, 'conversion/decisions.yaml'), 'utf8')).toContain('channel.too-many-members: no');
  });

  test.for([
    ['too long', `https://example.com/${'x'.repeat(2048)}`],
    ['of no web address', 'data:image/png;base64,AAAA'],
  ] as const)('a picture that is %s, which is not declared', async ([, picture]) => {
    const people = JSON.stringify([{ id: 'U000001', name: 'ann', profile: { image_512: picture } }]);
    const lost = await convertSmall({ 'users.json': people });
    expect(lost.ledger[0]).toMatchObject({ id: 'slack:U000001', outcome: 'changed', reason: 'user.profile-fields' });
    const omitted = await convertSmall({ 'users.json': people }, decided('users: { pictures: omit }\n'));
    expect(omitted.ledger[0]).toMatchObject({ id: 'slack:U000001', outcome: 'carried' });
  });

  test('tokens, which it never writes', async () => {
    const url = 'https://files.slack.com/f.png?t=xoxe-123-456&x=1';
    const { folder, ledger } = await convertSmall(
      day([
        {
          ...message,
          text: `see <${url}>`,
          files: [{ id: 'F1', name: 'f.png', url_private: url, thumb_64: url }],
          attachments: [{ image_url: url }],
        },
      ]),
    );
    expect([ledger.at(-1)?.reason, ...(ledger.at(-1)?.also ?? [])]).toContain('token.removed');
    const written = Object.values(await contentOf(folder)).join('\n');
    expect(written).toContain('https://files.slack.com/f.png?x=1');
    expect(written).not.toContain('xoxe');
  });
});

describe('files that people edited', () => {
  test('refuses to replace a generated file that was edited', async () => {
    const folder = await temporaryFolder();
    const exported = join(folder, 'export.zip');
    const out = join(folder, 'out');
    await writeFile(exported, slack(small));
    await convertInto('slack', exported, out);
    await writeFiles(out, { 'policy.yaml': 'version: 1\n', 'users.yaml': 'version: 1\nusers: {}\n' });
    const before = await contentOf(out);
    await expect(convertInto('slack', exported, out)).rejects.toMatchObject({ code: 'convert.edited', exitCode: 5 });
    expect(await contentOf(out)).toEqual(before);
  });

  const outside = { 'precious.txt': createHash('sha256').update('precious').digest('hex') };
  test.for([
    ['generated.json', 'with marks of a merge', '<<<<<<< ours\n{}\n=======\n'],
    ['generated.json', 'without its files', '{"format_version": "1.0"}\n'],
    ['generated.json', 'cut', '{"format_version": "1.0", "files": {'],
    [
      'generated.json',
      'with a file elsewhere',
      JSON.stringify({ files: { '../precious.txt': outside['precious.txt'] } }),
    ],
    [
      '.commit.json',
      'with a file elsewhere',
      JSON.stringify({ index: { files: {} }, removed: ['a/../../precious.txt'] }),
    ],
    ['.commit.json', 'with a file of the system', JSON.stringify({ index: { files: {} }, removed: ['/etc/passwd'] })],
    ['.commit.json', 'of another form', '[]'],
  ] as const)('refuses a %s %s and changes nothing', async ([name, , broken]) => {
    const folder = await temporaryFolder();
    const exported = join(folder, 'export.zip');
    const out = join(folder, 'out');
    await writeFile(exported, slack(small));
    await convertInto('slack', exported, out);
    await writeFiles(folder, { 'precious.txt': 'precious', [`out/conversion/${name}`]: broken });
    const before = await contentOf(folder);
    await expect(convertInto('slack', exported, out)).rejects.toMatchObject({ code: 'convert.edited', exitCode: 5 });
    expect(await contentOf(folder)).toEqual(before);
  });

  test('keeps ids, comments and choices of decisions.yaml in the next conversion', async () => {
    const folder = await temporaryFolder();
    const exported = join(folder, 'export.zip');
    const out = join(folder, 'out');
    await writeFile(exported, slack(small));
    const mine = decided('# ours\nuser_ids:\n  U000001: ann-1 # she asked for it\nmessages: { joins: leave_out }\n');
    await writeFiles(out, { 'conversion/decisions.yaml': mine });
    await convertInto('slack', exported, out);
    const text = await readFile(join(out, 'conversion/decisions.yaml'), 'utf8');
    for (const kept of ['# ours', 'U000001: ann-1 # she asked for it', 'joins: leave_out', 'U000002: U000002']) {
      expect(text).toContain(kept);
    }
    const renamed = JSON.stringify([{ id: 'C000001', name: 'renamed', members: ['U000001'] }]);
    await writeFile(
      exported,
      slack(small, {
        'channels.json': renamed,
        'room/2023-11-14.json': undefined,
        'renamed/2023-11-14.json': JSON.stringify([message]),
      }),
    );
    const again = await convertInto('slack', exported, out);
    expect(again.ledger.at(-1)).toMatchObject({ to: 'messages.slack_C000001' });
    expect(again.archives.slack_C000001?.[0]).toMatchObject({ user_id: 'ann-1' });
    expect(await readFile(join(out, 'conversion/decisions.yaml'), 'utf8')).toBe(text);
  });

  test.for<readonly [string, string]>([
    ['source: stream\n', 'line 2: These decisions are for stream'],
    ['source: {}\n', 'line 2: source must be slack.'],
    ['source: slack\nusers: { guests: maybe }\n', 'line 3: users.guests is "maybe". Write declare or leave_out.'],
    ['source: slack\nuser_ids: { U1: ann@example.com }\n', 'is not an e-mail address'],
    ['source: slack\nuser_ids: { U1: constructor }\n', 'is not one of __proto__, constructor, prototype.'],
    ['source: slack\nchannel_urls: { C1: prototype }\n', 'is not one of __proto__, constructor, prototype.'],
    ['source: slack\nleft_out: { users: [U1] }\n', 'line 3: left_out.users must be a map'],
    ['source: slack\nleft_out: U1\n', 'line 3: left_out must be a map'],
    ['source: slack\nusers: leave_out\n', 'line 3: users must be a map'],
    ['source: slack\nfolders: { room: [C1, C2] }\n', 'line 3: Write the id of one channel.'],
    ['source: slack\nuser_ids: { U1: &id x }\naccepted: *id\n', 'line 4: accepted must be a map'],
    ['source: slack\nuser_ids: { U1: x, U2: x }\n', 'x is already given to U1.'],
    ['source: slack\naccepted: { text.markup: yes }\n', 'text.markup is not a reason for leaving something out.'],
    ['source: slack\nown: 1\n', 'own is unknown.'],
    ['source: slack\nusers: { constructor: declare }\n', 'users.constructor is unknown.'],
    ['source: [\n', 'line '],
  ])('refuses unusable decisions: %s', async ([text, detail]) => {
    const failure = convertSmall({}, `format_version: 1\n${text}`);
    await expect(failure).rejects.toMatchObject({
      code: 'convert.decisions',
      exitCode: 65,
      message: expect.stringContaining(detail),
    });
  });
});

test('refuses a folder with an interrupted conversion, even inside another folder, until it is converted again', async () => {
  const cwd = await temporaryFolder();
  await writeFiles(join(cwd, 'export'), small);
  const convert = () => runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd });
  expect((await convert()).exit).toBe(0);
  const index = await readFile(join(cwd, 'chat/conversion/generated.json'), 'utf8');
  await writeFiles(cwd, { 'chat/conversion/.commit.json': JSON.stringify({ index: JSON.parse(index), removed: [] }) });
  for (const path of ['chat', '.']) {
    await expectEnd(runCli(['validate', path], { cwd }), 65, 'convert.unfinished');
  }
  expect((await convert()).exit).toBe(0);
  expect((await runCli(['validate', 'chat'], { cwd })).exit).toBe(0);
});
