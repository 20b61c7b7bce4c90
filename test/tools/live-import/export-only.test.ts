// Tests where the blocks of selected objects go, what stays as it is, and what is refused with nothing written.
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { connected, type Place } from '../../support/place.ts';

const chat = `version: 1
# Ours since 2024.
users: { lead: { nickname: Lead } }   # one line

group_channels:
    team:
        name: Team      # the name on the door
        custom_type: team
        members: { lead: }
`;
const vip = `version: 1

group_channels:
  vip-0:
    name: VIP
    custom_type: vip
    members:
      lead:
`;

/** An application that is declared in part, and whose other channels and users were made by hand. */
async function grown(files: Readonly<Record<string, string>> = { 'team/chat.yaml': chat, 'team/vip.yaml': vip }) {
  const project = await connected(files);
  const { transit, url, close } = await startAltering(project.running.url);
  onTestFinished(close);
  const at = project.at.with({ env: reaching({ url, token: project.running.token }) });
  await at.does('apply team --auto-approve');
  const { call } = project;
  for (const id of ['ann', 'bob', 'eve']) await call('POST', '/users', { user_id: id, nickname: id, profile_url: '' });
  const channels = { 'support-1': 'team', 'support-2': 'vip', 'other-1': 'x' };
  for (const [channel_url, custom_type] of Object.entries(channels))
    await call('POST', '/group_channels', {
      ...{ channel_url, custom_type, name: channel_url, cover_url: 'https://example.com/c.png' },
      user_ids: ['ann', 'lead'],
    });
  transit.methods.clear();
  return { ...project, at, transit };
}

const support = ['export', '--out-dir', 'team', '--only', 'group_channel.support-*'];
const withUsers = [...support, '--with', 'users'];

test('adds blocks beside those of the same custom type, and keeps every byte of what was there', async () => {
  const { at, transit } = await grown();
  const { stdout } = await at.does(withUsers);
  expect(stdout).toContain('1 user and 2 group channels');
  const block = (url: string, type: string, indent: string) =>
    [
      `${url}:`,
      ...[
        `name: ${url}`,
        'cover_url: https://example.com/c.png',
        `custom_type: ${type}`,
        'members:',
        '  ann:',
        '  lead:',
      ].map((line) => `  ${line}`),
    ]
      .map((line) => `${indent}${line}\n`)
      .join('');
  expect(await at.content('team')).toEqual({
    'chat.yaml': `${chat}${block('support-1', 'team', '    ')}`,
    'vip.yaml': `${vip}${block('support-2', 'vip', '  ')}`,
    'users.yaml': 'version: 1\n\nusers:\n  ann:\n    nickname: ann\n',
  });
  for (const flags of [[], ['--refresh']]) await at.does(['plan', 'team', '--detailed-exitcode', ...flags]);
  expect([...transit.methods]).toEqual(['GET']);
});

test('reads only the objects that are selected, and the users that they need', async () => {
  const { at, call } = await grown();
  for (let user = 0; user < 300; user += 1)
    await call('POST', '/users', { user_id: `other-${user}`, nickname: '', profile_url: '' });
  expect(await at.json(withUsers)).toMatchObject({ requests: 2 });
});

test('leaves out what --exclude selects, also of the users that are needed', async () => {
  const { at } = await grown();
  const { objects } = await at.json([...support, '--with', 'users', '--exclude', 'custom_type=vip']);
  expect(objects).toMatchObject({ users: 1, group_channels: 1 });
  const missing = [...support, '--exclude', 'user.eve'];
  await at.ends(missing, 64, '--exclude "user.eve" matches nothing that --only selects.');
  const whole = ['export', '--out-dir', 'whole', '--without-state', '--messages'];
  await at.does([...whole, '--exclude', 'user.ann', '--exclude', 'group_channel.other-*']);
  const files = Object.values(await at.content('whole')).join('\n');
  expect(files).toContain('support-2:');
  expect(files).not.toContain('other-1:');
  expect(files).toContain('external: { users: [');
  await at.does('validate whole');
  const none = await at.run([...whole.with(2, 'none'), '--exclude', 'user', 'group_channel']);
  expect(none.stdout).toContain('--exclude leaves out every object');
  await at.ends([...whole.with(2, 'others'), '--exclude', 'user.nobody'], 64, 'matches nothing on the platform.');
});

test('takes nothing twice, and does nothing when everything is managed', async () => {
  const { at } = await grown();
  const overlapping = ['--only', 'custom_type=vip', '--only', 'group_channels'];
  const first = await at.json([...support, ...overlapping, '--with', 'users']);
  expect(first).toMatchObject({ objects: { users: 1, group_channels: 3 }, selected: { adopted: 0, managed: 2 } });
  const before = await at.content('team');
  const second = await at.json([...support, ...overlapping]);
  expect(second).toMatchObject({ files: [], objects: { group_channels: 0 }, selected: { adopted: 0, managed: 5 } });
  expect(await at.content('team')).toEqual(before);
});

test('takes a declared object into state if it equals the platform, and names it otherwise', async () => {
  const { at } = await grown();
  await at.write({ 'team/users.yaml': 'version: 1\nusers: { ann: { nickname: ann }, bob: { nickname: Robert } }\n' });
  const { selected, left_out: leftOut } = await at.json('export --out-dir team --only user.ann --only user.bob');
  expect(selected).toEqual({ adopted: 1, managed: 0 });
  expect(leftOut).toEqual([
    expect.stringContaining('user.bob: left out. It is declared but not in state, and differs'),
  ]);
  const { changes } = await at.json('plan team');
  expect(changes.map(({ address }: { address: string }) => address)).toEqual(['user.bob']);
});

test('leaves an object alone that is in state but not declared any more', async () => {
  const { at } = await grown();
  await at.write({ 'team/vip.yaml': 'version: 1\ngroup_channels: {}\n' });
  const { left_out: leftOut } = await at.json('export --out-dir team --only group_channel.vip-0');
  expect(leftOut).toEqual([expect.stringContaining('group_channel.vip-0: left out. It is in state but not declared')]);
});

test('keeps a comment that is added while the platform is read', async () => {
  const { at, transit } = await grown();
  transit.change = (answer, path) => {
    if (path.includes('/group_channels?')) writeFileSync(at.path('team/vip.yaml'), `# Edited.\n${vip}`);
    return answer;
  };
  await at.does(withUsers);
  expect(await at.read('team/vip.yaml')).toContain(`# Edited.\n${vip}`);
});

test('begins a new folder, whose policy names the users that others manage', async () => {
  const { at } = await grown();
  const { files } = await at.json('export --out-dir new --only group_channel.support-1 --state file:new-state');
  expect(files).toEqual(['application.yaml', 'group_channels.yaml']);
  expect(await at.read('new/application.yaml')).toContain('external: { users: ["^ann$", "^lead$"] }');
  await at.does('plan new --state file:new-state --detailed-exitcode --refresh');
});

test.for([
  [
    'defaults of the section',
    'version: 1\ndefaults: { group_channels: { data: ours } }\n',
    '  team: { members: { lead: } }\n',
  ],
  ['an anchor', 'version: 1\n', '  team: &team { members: { lead: } }\n'],
  ['brackets', 'version: 1\n', undefined],
])('writes a file of its own beside a file with %s', async ([, head, block]) => {
  const section =
    block === undefined ? 'group_channels: { team: { members: { lead: } } }\n' : `group_channels:\n${block}`;
  const text = `${head}users: { lead: { nickname: Lead } }\n${section}`;
  const { at } = await grown({ 'team/chat.yaml': text });
  await at.does(withUsers);
  const after = await at.content('team');
  if (!text.includes('&team')) expect(after['chat.yaml']).toBe(text);
  await at.does('plan team --detailed-exitcode --refresh');
});

describe('writes nothing when', () => {
  test.for<readonly [string, readonly string[], number, readonly string[]]>([
    [
      'a pattern matches nothing',
      [...support, '--only', 'user.alise'],
      64,
      ['--only "user.alise" matches nothing on the platform'],
    ],
    ['a pattern is not one', ['export', '--out-dir', 'team', '--only', 'support'], 64, ['is not an address']],
    [
      'objects name users that nobody declares',
      support,
      65,
      ['export.needs', '"ann"', 'Add --with users', 'users: ["^ann$"]'],
    ],
    ['histories are wanted, too', [...support, '--messages'], 64, ['--messages cannot be combined with --only']],
    [
      'threads are wanted without messages',
      ['export', '--out-dir', 'x', '--threads'],
      64,
      ['--threads needs --messages', 'export --out-dir estate --messages --threads'],
    ],
    [
      'several parts of messages are wanted without messages',
      ['export', '--out-dir', 'x', '--overlap', '3h', '--since', 'y', '--threads', '--reactions'],
      64,
      ['--reactions needs', '--messages --reactions --threads --since monday --overlap 12h'],
    ],
    ['--with stands alone', ['export', '--out-dir', 'x', '--with', 'users'], 64, ['--with needs --only']],
  ])('%s', async ([, command, exit, says]) => {
    const { at } = await grown();
    const before = await contentOf(at);
    await at.ends(command, exit, ...says);
    expect(await contentOf(at)).toEqual(before);
  });

  test('the manifests are not valid', async () => {
    const { at } = await grown();
    await at.write({ 'team/bad.yaml': 'version: 1\nusers: 3\n' });
    const before = await contentOf(at);
    await at.ends(withUsers, 65, 'The manifests are not valid');
    expect(await contentOf(at)).toEqual(before);
  });

  test('the manifests would not be valid', async () => {
    const { at, call } = await grown();
    await call('POST', '/users', { user_id: 'eva@example.com', nickname: '', profile_url: '' });
    const before = await contentOf(at);
    await at.ends('export --out-dir team --only user.eva*', 65, 'export.invalid', 'personal_data');
    expect(await contentOf(at)).toEqual(before);
  });

  test('a file is edited while the platform is read, so that it declares something else', async () => {
    const { at, transit } = await grown();
    transit.change = (answer, path) => {
      if (path.includes('/group_channels?')) writeFileSync(at.path('team/vip.yaml'), vip.replace('VIP', 'Vip'));
      return answer;
    };
    const before = await contentOf(at);
    await at.ends(withUsers, 6, 'team was changed while the application was read', 'No file was written');
    expect(await contentOf(at)).toEqual({ ...before, 'vip.yaml': vip.replace('VIP', 'Vip') });
  });

  test('a list ends early', async () => {
    const { at, transit } = await grown();
    transit.change = (answer, path) => (path.includes('/group_channels?') ? {} : answer);
    const before = await contentOf(at);
    await at.ends(withUsers, 1, 'was answered without channels');
    expect(await contentOf(at)).toEqual(before);
  });

  test('the command is interrupted while it reads', async () => {
    const { at, transit } = await grown();
    const stop = new AbortController();
    transit.change = (answer) => {
      stop.abort();
      return answer;
    };
    const before = await contentOf(at);
    expect(await at.with({ interrupt: stop.signal }).run(withUsers)).toMatchObject({ exit: 8 });
    expect(await contentOf(at)).toEqual(before);
  });
});

/** The manifests, and what is in state. */
async function contentOf(at: Place): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await at.does('state list');
  return { ...(await at.content('team')), state: stdout };
}
