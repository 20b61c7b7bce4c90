// Tests that no command claims more of a comparison than the platform showed.
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { AttributeDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { isList, isObject, type JsonValue } from '../../../src/lib/json.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';

const chat = `version: 1
users: { al: { nickname: A, preferred_languages: [de] }, bo: { nickname: B } }
settings: { push_enabled: true, default_channel_invitation_preference: { auto_accept: true }, reactions: true }
custom_types: { loud: { image_moderation: { type: 1, check_urls: true } } }
open_channels: { hall: { name: Hall, banned: { bo: } } }
group_channels:
  club: { is_public: true, data: d, access_code: { env: CODE, revision: 1 }, members: { al: }, strict: true }
`;

/** The applied manifest, with a platform whose answers can be changed in transit. */
async function applied(text = chat, image?: Buffer) {
  let movedMs = 0;
  const running = await startPlatform({ clock: () => Date.now() + movedMs });
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const env = { ...reaching({ url, token: running.token }), CHATFORM_VAR_CODE: 'open-sesame' };
  const at = await place({ 'chat.yaml': text }, env);
  if (image !== undefined) writeFileSync(at.path('al.png'), image);
  await at.does('apply --auto-approve --tokens-out tokens.ndjson');
  const edit = (method: string, path: string, body?: object) => call(running, method, path, body);
  const passTime = (seconds: number) => {
    movedMs += seconds * 1_000;
  };
  return { at, transit, edit, passTime };
}

type Applied = Awaited<ReturnType<typeof applied>>;

const drifted = async ({ at }: Applied, flags = '') => {
  const { drift } = (await at.json(`drift${flags}`)) as { drift: { attributes: { path: string }[] }[] };
  return drift.flatMap(({ attributes }) => attributes.map(({ path }) => path));
};

const whys = async ({ at }: Applied, command: string) => {
  const { refreshed } = await at.json(command);
  const counts = refreshed.not_compared as { kind: string; attribute: string; why: string }[];
  return counts.map(({ kind, attribute, why }) => `${kind}.${attribute} ${why}`);
};

/** A value without the named field, at any depth. */
function without(field: string, value: JsonValue): JsonValue {
  if (isList(value)) return value.map((item) => without(field, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === field ? [] : [[name, without(field, inner)]])),
  );
}

const usual = ['group_channel.access_code in_part', 'group_channel.strict argument', 'settings.reactions no_answer'];

test('counts what it compared, and names what it did not, in each form of a drift and of a plan', async () => {
  const all = await applied();
  const { at } = all;
  const says =
    'Not compared: access_code (1, only whether one is set), strict (1, used by one request only), reactions (1, not shown by the platform).';
  for (const command of ['drift', 'drift --plain', 'drift --format markdown', 'plan --refresh']) {
    const { stdout } = await at.does(command);
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(says);
  }
  expect(await whys(all, 'drift')).toEqual(usual);
  expect(await whys(all, 'plan --refresh')).toEqual(usual);
  const { compared } = (await at.json('drift')).refreshed;
  expect((await at.does('drift')).stdout).toContain(`No drift in ${compared} declared values.`);
});

test('finds a public channel that lost its code, sends the code again, and leaves it in a repair', async () => {
  const all = await applied();
  const { at, edit } = all;
  for (const body of [{ access_code: '' }, { is_public: false }]) {
    await edit('PUT', '/group_channels/club', body);
    await at.ends('drift --detailed-exitcode', 2);
    expect(await drifted(all)).toContain('access_code');
    const repair = await at.json('drift --repair harmless --out repair.chatform');
    expect([repair.changes, repair.drift[0].note_codes]).toEqual([[], [{ code: 'not_repaired', why: 'access' }]]);
    await at.does('apply --refresh --auto-approve');
    expect(await edit('GET', '/group_channels/club')).toMatchObject({ is_public: true, is_access_code_required: true });
    expect(await drifted(all)).toEqual([]);
  }
});

test('adopts a public channel without its code as one that differs', async () => {
  const all = await applied();
  await all.edit('PUT', '/group_channels/club', { access_code: '' });
  const { stdout } = await all.at.does('adopt group_channel.club --state file:other');
  expect(stdout).toContain(
    'group_channel.club  differs in access_code. Not compared: access_code (1, only whether one is set)',
  );
});

test('names what policy.read_each left unread, also with --target', async () => {
  const all = await applied(chat.replace('version: 1', 'version: 1\npolicy: { read_each: 0 }'));
  await all.edit('DELETE', '/open_channels/hall/ban/bo');
  for (const command of ['drift', 'plan --refresh', 'drift --target open_channel.hall']) {
    expect(await whys(all, command)).toContain('open_channel.banned read_each');
    const { stdout } = await all.at.does(command);
    expect(stdout).toContain('banned (1, not read, see policy.read_each)');
    expect(stdout).toContain('plan.not-compared');
  }
});

test.for([
  ['is_public', 'group_channel.is_public', 'PUT', '/group_channels/club', { is_public: false }],
  ['is_access_code_required', 'group_channel.access_code', 'PUT', '/group_channels/club', { access_code: '' }],
  ['data', 'group_channel.data', 'PUT', '/group_channels/club', { data: 'x' }],
  ['preferred_languages', 'user.preferred_languages', 'PUT', '/users/al', { preferred_languages: ['fr'] }],
  ['check_urls', 'custom_type.image_moderation', '', '', {}],
] as const)('does not compare %s while the response leaves it out', async ([field, attribute, method, path, body]) => {
  const all = await applied();
  all.transit.change = (answer) => without(field, answer);
  if (method !== '') await all.edit(method, path, body);
  expect(await whys(all, 'drift')).toContain(`${attribute} omitted`);
  expect((await all.at.does('drift')).stdout.replaceAll(/\s+/gu, ' ')).toContain('left out of the response');
});

test.for(['', 'https://files.example.com/other.png'])(
  'finds an uploaded image that was replaced by "%s", and uploads it again',
  async (url) => {
    const images = `version: 1
users: { al: { nickname: A, profile_file: al.png } }
open_channels: { hall: { cover_file: al.png } }
`;
    const all = await applied(images, Buffer.from('89504e470d0a1a0a', 'hex'));
    expect(await drifted(all)).toEqual([]);
    await all.edit('PUT', '/users/al', { profile_url: url });
    await all.edit('PUT', '/open_channels/hall', { cover_url: 'https://files.example.com/other.png' });
    expect((await drifted(all)).sort()).toEqual(['cover_file', 'profile_file']);
    await all.at.does('apply --refresh --auto-approve');
    expect((await all.edit('GET', '/users/al')).profile_url).not.toBe(url);
    expect(await drifted(all)).toEqual([]);
  },
);

test('finds that somebody issued another access token, and issues none', async () => {
  const all = await applied('version: 1\nusers: { al: { nickname: A, issue_access_token: true } }\n');
  const { access_token: first } = await all.edit('GET', '/users/al');
  expect(await drifted(all)).toEqual([]);
  const { stdout: record } = await all.at.does('state show user.al --format json');
  expect([record.includes(String(first)), record.includes('"issue_access_token": "')]).toEqual([false, true]);
  await all.edit('PUT', '/users/al', { issue_access_token: true });
  expect(await drifted(all)).toEqual(['issue_access_token']);
  expect((await all.at.json('plan --refresh')).changes).toEqual([]);
  all.transit.change = (answer) => without('access_token', answer);
  expect(await whys(all, 'drift')).toEqual(['user.issue_access_token omitted']);
});

const team = `version: 1
users: { al: { nickname: A }, bo: { nickname: B }, cy: { nickname: C, auto_accept: false } }
group_channels: { team: { members: { al: , bo: , cy: } } }
`;

test('finds a member who left and was invited again, and neither invites nor accepts', async () => {
  const all = await applied(team);
  const { at, edit } = all;
  expect(await drifted(all)).toEqual([]);
  await edit('PUT', '/group_channels/team/leave', { user_ids: ['bo'] });
  await edit('POST', '/group_channels/team/invite', {
    user_ids: ['bo'],
    invitation_status: { bo: 'invited_by_non_friend' },
  });
  await at.ends('drift --detailed-exitcode', 2);
  const { drift } = await at.json('drift');
  expect(drift).toMatchObject([
    {
      attributes: [{ path: 'members.bo', after: { invitation_status: 'invited' } }],
      note_codes: [{ code: 'only_invited', ids: ['bo'] }],
    },
  ]);
  const plan = await at.json('plan --refresh');
  expect([plan.changes, plan.drift.length]).toEqual([[], 1]);
  await edit('PUT', '/group_channels/team/accept', { user_id: 'bo' });
  expect(await drifted(all)).toEqual([]);
});

test('knows a member who has not accepted since the channel was made', async () => {
  const all = await applied(team.replace(/group_channels.*/u, ''));
  writeFileSync(all.at.path('chat.yaml'), team);
  await all.at.does('apply --auto-approve');
  expect(await drifted(all)).toEqual([]);
  expect((await all.at.json('state show group_channel.team')).seen).toMatchObject({ members: { cy: 'invited' } });
  const { stdout } = await all.at.does('explain --access group_channel.team');
  expect(stdout).toContain('is invited, and no declaration says whether the invitation was accepted');
});

const people = `version: 1
users: { al: { nickname: A } }
open_channels: { hall: { name: Hall } }
group_channels: { team: { name: Team, members: { al: } } }
`;

test.for([
  ['user.al', '/users', '/users/al', { user_id: 'al', nickname: 'A', profile_url: '' }],
  ['open_channel.hall', '/open_channels', '/open_channels/hall', { channel_url: 'hall', name: 'Hall' }],
  [
    'group_channel.team',
    '/group_channels',
    '/group_channels/team',
    { channel_url: 'team', name: 'Team', user_ids: ['al'] },
  ],
] as const)(
  'finds that %s was made anew with the same values, and takes it over',
  async ([address, list, one, body]) => {
    const all = await applied(people);
    expect(await drifted(all)).toEqual([]);
    all.passTime(60);
    await all.edit('DELETE', one);
    await all.edit('POST', list, body);
    await all.at.ends('drift --detailed-exitcode', 2);
    const anew = async () => {
      const { drift } = await all.at.json('drift');
      return drift.filter(({ type }: { readonly type: string }) => type === 'made_anew');
    };
    expect(await anew()).toMatchObject([{ address, attributes: [], note_codes: [{ code: 'made_anew' }] }]);
    const repair = await all.at.json('drift --repair harmless --out repair.chatform');
    expect(repair.changes).toEqual([]);
    const plan = await all.at.json('plan --refresh');
    expect(plan.changes).toMatchObject([{ address, reason: { code: 'live_values_taken' } }]);
    await all.at.does('apply --refresh --auto-approve');
    expect(await anew()).toEqual([]);
  },
);

test('ends a detailed drift with 4 if a refused read may hide drift, and with 0 above policy.read_each', async () => {
  const text = `version: 1
policy: { read_each: 0 }
users: { al: { nickname: A, auto_accept: true } }
`;
  const all = await applied(text);
  expect(await whys(all, 'drift')).toEqual(['user.auto_accept read_each']);
  await all.at.ends('drift --detailed-exitcode', 0);
  all.transit.change = (answer, path) => {
    if (/^\/v3\/users\/al\?/u.test(path) || path === '/v3/users/al')
      return { error: true, code: 400300, message: 'deactivated' };
    return isObject(answer) && isList(answer.users) ? { ...answer, users: [] } : answer;
  };
  expect(await whys(all, 'drift')).toContain('user.nickname refused');
  await all.at.ends('drift --detailed-exitcode', 4);
  await all.at.ends('drift', 0);
});

test('notes what others set and nobody declares, in each form of a drift and of a plan', async () => {
  const all = await applied(`version: 1
users: { al: { nickname: A }, bo: { nickname: B } }
open_channels:
  hall: { name: Hall, operators: [al] }
  sole: { name: Sole, operators: [al], operators_mode: exclusive }
group_channels: { team: { name: Team, members: { al: , bo: } } }
`);
  const { at, edit } = all;
  const noted = async (command: string) => {
    const { warnings } = (await at.json(command)) as { warnings: { code: string; detail: string }[] };
    return warnings.filter(({ code }) => code === 'plan.undeclared').map(({ detail }) => detail.split(' on ')[0]);
  };
  expect([await noted('drift'), await noted('plan --refresh')]).toEqual([[], []]);
  await edit('PUT', '/users/bo', { is_active: false, leave_all_when_deactivated: false });
  await edit('PUT', '/open_channels/hall', { custom_type: 'loud' });
  await edit('POST', '/open_channels/hall/operators', { operator_ids: ['bo'] });
  await edit('PUT', '/group_channels/team', { is_public: true });
  await edit('PUT', '/group_channels/team/freeze', { freeze: true });
  const found = [
    'frozen of 1 group channel has a value',
    'is_public of 1 group channel has a value',
    'custom_type of 1 open channel has a value',
    'operators of 1 open channel has entries',
    'deactivated of 1 user has a value',
  ];
  for (const command of ['drift', 'plan --refresh', 'drift --repair harmless --out repair.chatform'])
    expect((await noted(command)).sort()).toEqual(found.sort());
  for (const command of ['drift', 'drift --plain', 'drift --format markdown', 'plan --refresh', 'drift --format html'])
    expect((await at.does(command)).stdout).toContain('is not declared');
  expect([await drifted(all), (await at.json('plan --refresh')).changes]).toEqual([[], []]);
  // An apply removes what others added to an exclusive list.
  await edit('POST', '/open_channels/sole/operators', { operator_ids: ['bo'] });
  for (const command of ['drift', 'plan --refresh']) expect((await noted(command)).sort()).toEqual(found.sort());
  expect((await at.json('plan --refresh')).changes).toHaveLength(1);
});

test('notes hidden statuses that users ended, at one read for each user, and changes none', async () => {
  const hiding = `version: 1
users: { al: { nickname: A }, bo: { nickname: B } }
group_channels: { team: { members: { al: { hidden_status: hidden_prevent_auto_unhide }, bo: } } }
`;
  const all = await applied(hiding);
  const unhidden = async (command: string) => {
    const { warnings } = (await all.at.json(command)) as { warnings: { code: string; detail: string }[] };
    return warnings.flatMap(({ code, detail }) => (code === 'plan.unhidden' ? [detail.split(':')[1]] : []));
  };
  expect([await unhidden('drift'), await whys(all, 'drift')]).toEqual([[], []]);
  await all.edit('DELETE', '/group_channels/team/hide?user_id=al');
  for (const command of ['drift', 'plan --refresh', 'drift --target group_channel.team'])
    expect(await unhidden(command)).toEqual([expect.stringContaining('al in team')]);
  expect((await all.at.json('plan --refresh')).changes).toEqual([]);
  writeFileSync(all.at.path('chat.yaml'), hiding.replace('version: 1', 'version: 1\npolicy: { read_each: 0 }'));
  expect(await unhidden('drift')).toEqual([]);
  expect(await whys(all, 'drift')).toEqual(['group_channel.members.*.hidden_status each_user']);
  expect((await all.at.does('drift')).stdout).toContain('members.*.hidden_status of 1 object was not read');
});

test('has a case for every value that the platform shows in part', () => {
  const inPart = registry.flatMap(({ name: kind, attributes }) =>
    Object.entries<AttributeDefinition>(attributes).flatMap(([name, { shown, parts = {} }]) =>
      [
        [name, shown] as const,
        ...Object.entries(parts).map(([part, { shown }]) => [`${name}.${part}`, shown] as const),
      ].flatMap(([path, by]) => (by.as === 'in_part' ? [`${kind}.${path} ${by.proves}`] : [])),
    ),
  );
  expect(inPart.sort()).toEqual([
    'group_channel.access_code is_set',
    'group_channel.cover_file same_upload',
    'group_channel.members.*.invitation_status joined',
    'open_channel.cover_file same_upload',
    // Its case is in test/cli/apply/fcm-key.test.ts.
    'settings.fcm_key.env key_id',
    'user.issue_access_token same_token',
    'user.profile_file same_upload',
  ]);
});
