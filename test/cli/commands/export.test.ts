import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import { FolderLock } from '../../../src/lib/staging/folder-lock.ts';
import { expectDistinctNames } from '../../support/distinct-names.ts';
import { contentOf, copyFolder } from '../../support/folders.ts';
import { fill, type PlatformCall } from '../../support/odd-content.ts';
import { type Connected, connected, Place } from '../../support/place.ts';
import { fastTest, longTest } from '../../support/suite.ts';

async function holding(
  calls: readonly PlatformCall[],
  files: Readonly<Record<string, string>> = {},
  behaviours: Partial<Behaviours> = {},
): Promise<Connected> {
  const there = await connected(files, { rateLimits: false, behaviours });
  fill(there.running, calls);
  return there;
}

const user = (user_id: string, more: object = {}): PlatformCall => ({
  method: 'POST',
  path: '/users',
  body: { user_id, nickname: user_id, profile_url: '', ...more },
});
const room = (channel_url: string, user_ids: readonly string[], more: object = {}): PlatformCall => ({
  method: 'POST',
  path: '/group_channels',
  body: { channel_url, user_ids, name: channel_url, cover_url: 'https://example.com/c.png', ...more },
});
const put = (path: string, body: object): PlatformCall => ({ method: 'PUT', path, body });

const clicked: readonly PlatformCall[] = [
  user('alice', { metadata: { team: 'support', note: 'knows: all #1' }, issue_access_token: true }),
  user('bob'),
  user('carol', { nickname: 'Carol  O’Hara', profile_url: 'https://example.com/carol.png' }),
  user('00123', { nickname: 'yes' }),
  put('/users/bob/channel_invitation_preference', { auto_accept: false }),
  {
    method: 'POST',
    path: '/open_channels',
    body: { channel_url: 'lobby', name: 'Lobby', cover_url: 'https://example.com/l.png', operator_ids: ['alice'] },
  },
  room('support-1', ['alice', 'carol'], { custom_type: 'support', operator_ids: ['alice'] }),
  room('sales-1', ['alice'], { custom_type: 'Sales & more', is_public: true, access_code: 'geheim' }),
  room('plain', ['alice', '00123'], { is_distinct: true, data: 'two\nlines' }),
  put('/group_channels/support-1/hide', { user_id: 'carol', allow_auto_unhide: false }),
  { method: 'POST', path: '/group_channels/support-1/invite', body: { user_ids: ['bob'] } },
  {
    method: 'POST',
    path: '/migration/support-1',
    body: {
      messages: [
        { message_type: 'MESG', user_id: 'alice', message: 'Hello', timestamp: 1_600_000_000_000, data: '{}' },
        { message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_001, is_silent: true },
        {
          message_type: 'FILE',
          user_id: 'carol',
          url: 'https://example.com/a.png',
          file_name: 'a.png',
          file_type: 'image/png',
          file_size: 12,
          timestamp: 1_600_000_000_002,
        },
      ],
    },
  },
  put('/open_channels/lobby/freeze', { freeze: true }),
  put('/users/bob', { is_active: false, leave_all_when_deactivated: false }),
];

fastTest('writes a whole application as a person would, with history and hidden channels', async () => {
  const { at } = await holding(clicked);
  const ended = await at.does('export --out-dir estate --messages --hidden-status');
  expect(ended.stdout).toContain('4 users, 1 open channel, 3 group channels and 3 messages');
  const files = await contentOf(at.path('estate'));
  const page = Object.keys(files)
    .sort()
    .filter((name) => files[name] !== 'folder')
    .map((name) => `=== ${name}\n${files[name]?.replace(/http:\/\/127\.0\.0\.1:\d+/u, 'http://127.0.0.1:PORT')}`)
    .join('\n');
  await expect(page).toMatchFileSnapshot('goldens/export.txt');
  expect(JSON.parse((await at.does('state show messages.support-1')).stdout)).toMatchObject({
    attributes: { history: { messages: 3 } },
  });
});

fastTest('writes neither tokens nor access codes', async () => {
  const { at, call } = await holding(clicked);
  const ended = await at.run('export --out-dir estate --format json');
  const all = JSON.stringify([ended, await at.content()]);
  expect(all).not.toContain('geheim');
  const { access_token: issued } = await call('GET', '/users/alice');
  expect(issued).not.toBe('');
  expect(all).not.toContain(issued);
});

fastTest('prints counts, files and what was left out as JSON', async () => {
  const { at } = await holding([
    ...clicked,
    user('x@example.com'),
    user('constructor'),
    room('room-x', ['alice', 'constructor']),
  ]);
  expect(await at.json('export --out-dir estate --without-state')).toMatchObject({
    format_version: '1.0',
    objects: { users: 5, open_channels: 1, group_channels: 4 },
    messages: 0,
    left_out: [
      expect.stringContaining('user.constructor: left out.'),
      // Files are written in the order of their names: sales before untyped.
      expect.stringContaining('group_channel.sales-1: access_code is left out.'),
      expect.stringContaining('group_channel.room-x: members.constructor is left out.'),
    ],
  });
  expect(await at.run('state list')).toMatchObject({ stdout: '' });
});

fastTest('leaves out a group channel without members, which no copy could create', async () => {
  const { at } = await holding([
    user('alice'),
    room('left', ['alice']),
    room('kept', ['alice']),
    put('/group_channels/left/leave', { user_ids: ['alice'] }),
  ]);
  expect(await at.json('export --out-dir estate')).toMatchObject({
    objects: { group_channels: 1 },
    left_out: [expect.stringContaining('group_channel.left: left out. It has no members')],
  });
  await at.does('validate estate');
  await at.does('plan estate --base-url emulator:copy --state file:copy-state');
});

fastTest('declares users as external if they are named but cannot be declared', async () => {
  const half = 'half a character: \ud800';
  const { at } = await holding([
    user('alice'),
    user('a.b(c)', { nickname: half }),
    room('room-1', ['alice', 'a.b(c)']),
  ]);
  await at.does('export --out-dir estate');
  const files = await contentOf(at.path('estate'));
  expect(files['application.yaml']).toContain('external: { users: ["^a\\\\.b\\\\(c\\\\)$"] }');
  expect(files['left-out.txt']).toContain('user.a.b(c): nickname is left out.');
  await at.does('validate estate');
});

fastTest('writes nothing but the name of an empty application', async () => {
  const { at } = await holding([]);
  const ended = await at.run('export --out-dir estate');
  expect(ended.stdout).toContain('the application is empty');
  expect(Object.keys(await contentOf(at.path('estate')))).toEqual(['application.yaml']);
  await at.does('plan estate --detailed-exitcode');
});

longTest('writes more than ten thousand users as rows of a source', async () => {
  const crowd = Array.from({ length: 10_001 }, (_none, place) => user(`u${place}`));
  const { at } = await holding([...crowd, room('room-1', ['u7'])]);
  const ended = await at.does('export --out-dir estate');
  expect(ended.stderr).toContain('Read 10,000 users so far.');
  const files = await contentOf(at.path('estate'));
  expect(Object.keys(files).sort()).toEqual(['application.yaml', 'data', 'data/users.ndjson', 'group_channels.yaml']);
  const rows = (files['data/users.ndjson'] ?? '').split('\n');
  expect(rows).toHaveLength(10_002);
  expect(rows.slice(0, -1)).toEqual(rows.slice(0, -1).sort());
  await at.does('plan estate --detailed-exitcode');
});

longTest('writes files of a thousand users and of five hundred channels', async () => {
  const crowd = Array.from({ length: 1001 }, (_none, place) => user(`u${String(place).padStart(4, '0')}`));
  const rooms = Array.from({ length: 501 }, (_none, place) => room(`room-${place}`, ['u0000'], { custom_type: 'Big' }));
  const { at } = await holding([...crowd, ...rooms, room('small', ['u0001'])]);
  await at.does('export --out-dir estate');
  const files = Object.entries(await contentOf(at.path('estate'))).filter(([, text]) => text !== 'folder');
  expect(files.map(([name]) => name).sort()).toEqual([
    'application.yaml',
    'group_channels/big.001.yaml',
    'group_channels/big.002.yaml',
    'group_channels/untyped.yaml',
    'users/001.yaml',
    'users/002.yaml',
  ]);
});

fastTest.for([
  { name: 'a folder that holds something', files: { 'estate/mine.yaml': 'version: 1\n' }, out: 'estate', code: 6 },
  { name: 'a file in its place', files: { estate: '' }, out: 'estate', code: 6 },
  { name: 'no folder', files: {}, out: '', code: 64 },
] as const)('refuses $name', async ({ files, out, code }) => {
  const { at, running } = await holding(clicked, files);
  const before = await at.content();
  await at.ends(['export', ...(out === '' ? [] : ['--out-dir', out])], code);
  expect(await at.content()).toEqual(before);
  expect(running.stats.requests.size).toBe(0);
});

fastTest('refuses a state with objects, and writes nothing', async () => {
  const { at } = await holding(clicked);
  await at.does('export --out-dir estate');
  await at.ends('export --out-dir again', 6, 'state.occupied');
  expect(Object.keys(await at.content()).filter((name) => name.startsWith('again'))).toEqual([]);
});

fastTest('refuses a folder into which another export writes', async () => {
  const { at } = await holding(clicked);
  const lock = await FolderLock.take(join(at.cwd, 'estate'), '');
  await at.ends('export --out-dir estate', 7, 'export.locked');
  await lock.release();
  await at.does('export --out-dir estate');
});

fastTest(
  'writes into the current folder beside .git and .chatform, and finds the application of a manifest',
  async () => {
    const { at, running } = await holding(clicked);
    await at.write({ '.git/HEAD': 'ref: refs/heads/main\n', '.chatform/x': '' });
    await at.does('export --out-dir .');
    const env = { CHATFORM_API_TOKEN: running.token };
    await new Place(at.cwd, { env }).does('export --out-dir copy --without-state');
    const files = await at.content();
    expect(files['copy/users.yaml']).toBe(files['users.yaml']);
    expect(files['copy/application.yaml']).toBe(files['application.yaml']);
  },
);

fastTest('keeps the metadata of a state without objects, and releases its lock', async () => {
  const { at } = await holding([user('alice')], {
    'eve.yaml': 'version: 1\nusers: { eve: { nickname: Eve } }\n',
  });
  await at.does('apply eve.yaml --auto-approve');
  await at.does('state forget user.eve --auto-approve');
  const own = async () =>
    ((await at.content())['.chatform/state/state.ndjson'] ?? '')
      .split('\n')
      .filter((line) => line.includes('chatform.'));
  const before = await own();
  // The loaded files, what undo needs of the apply, and the trail: its end, the apply, the forget.
  expect(before).toHaveLength(5);
  await at.does('export --out-dir estate');
  // The export adds its own entry, which the end of the trail names.
  const isEnd = (line: string) => line.includes('"chatform.trail"');
  const after = (await own()).filter((line) => !isEnd(line));
  expect(after.slice(0, -1)).toEqual(before.filter((line) => !isEnd(line)));
  expect(after.at(-1)).toContain('"command":"export"');
  expect(await at.run('state list')).toMatchObject({ stdout: 'user.alice\nuser.eve\n' });
  expect(await at.json('state lock-status')).toMatchObject({ locked: false });
});

/** The message exists twice, because it was sent again without a `dedup_id`. */
const said: PlatformCall = {
  method: 'POST',
  path: '/migration/room',
  body: {
    messages: [
      { message_type: 'MESG', user_id: 'alice', message: 'Hello', timestamp: 1_600_000_000_000 },
      { message_type: 'MESG', user_id: 'bob', message: 'Hello', timestamp: 1_600_000_000_000 },
      { message_type: 'FILE', user_id: 'bob', url: 'https://example.com/a.png', timestamp: 1_600_000_000_000 },
    ],
  },
};

interface Case {
  readonly name: string;
  readonly calls: readonly PlatformCall[];
  readonly messages?: number;
  /** The message in the exported history file. */
  readonly held?: string;
  readonly behaviours?: Partial<Behaviours>;
}

const withData: PlatformCall = {
  method: 'POST',
  path: '/migration/room',
  body: {
    messages: [1, 2].map((at) => ({
      message_type: 'FILE',
      user_id: 'bob',
      url: `https://example.com/${at}.png`,
      custom_field: `page ${at}`,
      timestamp: 1_600_000_000_000 + at,
    })),
  },
};

fastTest.for<Case>([
  {
    name: 'data of files, repeated messages, empty names and covers',
    calls: [
      withData,
      ...[said, said, said],
      put('/group_channels/room', { name: '', cover_url: '' }),
      { method: 'POST', path: '/open_channels', body: { channel_url: 'hall', name: '', cover_url: '' } },
      put('/open_channels/hall', { name: '', cover_url: '' }),
    ],
    messages: 11,
    held: '"custom_field":"page 2"',
  },
  {
    name: 'data of files that only the file shows',
    calls: [withData],
    messages: 2,
    held: '"custom_field":"page 2"',
    behaviours: { customFieldOfFile: 'file' },
  },
])(
  'applies an export to an empty application and exports the same again: $name',
  async ({ calls, messages = 0, held = '', behaviours }) => {
    const { at: one } = await holding(
      [user('alice'), user('bob'), room('room', ['alice', 'bob']), ...calls],
      {},
      behaviours,
    );
    const { at: other, running } = await holding([], {}, behaviours);
    await one.does('export --out-dir estate --messages');
    await copyFolder(one.path('estate'), other.path('estate'));
    // The manifests name the application that was exported.
    const { url } = running;
    await other.does(`apply estate --auto-approve --verify --base-url ${url}`);
    await other.does(`export --out-dir again --messages --state file:again-state --base-url ${url}`);
    const content = await other.content();
    const filesOf = (folder: string) =>
      Object.entries(content).flatMap(([name, text]) =>
        name.startsWith(`${folder}/`) && !/application|left-out/u.test(name) ? [[name.slice(folder.length), text]] : [],
      );
    expect(filesOf('again')).toEqual(filesOf('estate'));
    const exported = content['estate/history/room.ndjson'] ?? '';
    expect(exported.split('\n').length - 1).toBe(messages);
    expect(exported).toContain(held);
    // State is lost.
    await other.does(`state rebuild estate --state file:rebuilt --base-url ${url}`);
    const plan = `plan estate --detailed-exitcode --state file:rebuilt --base-url ${url}`;
    for (const command of [plan, `${plan} --refresh`, `verify estate --all --base-url ${url}`])
      await other.does(command);
  },
);

fastTest('keeps an event of a webhook that no document lists, with a warning', async () => {
  const events = { enabled: true, url: 'https://hooks.acme.example', enabled_events: ['user:ban', 'user:sing'] };
  const { at, call } = await holding(
    [put('/applications/settings/webhook', events)],
    {},
    { unknownWebhookEvent: 'kept' },
  );
  await at.does('export --out-dir estate');
  const files = await contentOf(at.path('estate'));
  expect(files['settings.yaml']).toContain('user:sing');
  for (const args of [[], ['--refresh']]) {
    const { stderr } = await at.does(['plan', 'estate', '--detailed-exitcode', ...args]);
    expect(stderr).toContain('warning[settings.unknown-event]');
  }
  expect(await call('GET', '/applications/settings/webhook')).toMatchObject({
    webhook: { enabled_events: ['user:ban', 'user:sing'] },
  });
});

fastTest('prints a command that names the state and is quoted for a shell', async () => {
  const { at } = await holding([user('alice')]);
  const ended = await at.does(['export', '--out-dir', 'my copy', '--state', 'file:other']);
  expect(ended.stdout).toContain("chatform plan 'my copy' --state file:other\n");
});

fastTest('writes channels that differ only in case to files that no file system mixes', async () => {
  const history = (channel_url: string, count: number): PlatformCall => ({
    method: 'POST',
    path: `/migration/${channel_url}`,
    body: {
      messages: Array.from({ length: count }, (_, place) => ({
        message_type: 'MESG',
        user_id: 'alice',
        message: `${channel_url} ${place}`,
        timestamp: 1_600_000_000_000 + place,
      })),
    },
  });
  const urls = ['room-a', 'Room-a', 'ROOM-A', 'silent', 'Silent'];
  const { at, running, call } = await holding([user('alice'), ...urls.map((url) => room(url, ['alice']))]);
  fill(running, [history('room-a', 2), history('Room-a', 3), history('ROOM-A', 1), history('Silent', 1)]);
  await at.does('export --out-dir monday --messages --state file:monday-state');
  const files = await contentOf(at.path('monday'));
  const historyFiles = Object.keys(files).filter((name) => name.endsWith('.ndjson'));
  expect(historyFiles).toHaveLength(4);
  expectDistinctNames(Object.keys(files));
  for (const name of historyFiles) {
    const texts = (files[name] ?? '').trimEnd().split('\n');
    expect(texts.every((line) => JSON.parse(line).message.startsWith(`${basename(name, '.ndjson')} `))).toBe(true);
  }
  await at.does('plan monday --refresh --state file:monday-state --detailed-exitcode');

  // The names stay in a later export, although a channel is gone and another one is new.
  await call('DELETE', '/group_channels/Room-a');
  fill(running, [room('RooM-a', ['alice']), history('RooM-a', 1)]);
  await at.does('export --out-dir tuesday --messages --since monday --state file:tuesday-state');
  const later = await contentOf(at.path('tuesday'));
  for (const name of historyFiles) {
    if (basename(name) === 'Room-a.ndjson') expect(later[name]).toBeUndefined();
    else expect(later[name]).toBe(files[name]);
  }
  expectDistinctNames(Object.keys(later));
  expect(Object.keys(later).filter((name) => name.endsWith('/RooM-a.ndjson'))).toHaveLength(1);
  await at.does('plan tuesday --refresh --state file:tuesday-state --detailed-exitcode');
});
