// Tests what is said about limits of the platform that a manifest or a plan may exceed (platform §5.7, §16, §18).
import { expect, onTestFinished, test } from 'vitest';
import { startAltering, unaltered } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { historyFileText } from '../../support/history-files.ts';
import { connected, place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';

const emulated = 'version: 1\napplication: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }\n';

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly source?: { readonly file: string; readonly line: number };
}

const named = (found: readonly Found[], code: string) => found.filter((one) => one.code === code);

/** An agent in so many channels with one customer. The channels are rows, which are read faster than YAML. */
function deskOf(channels: number): Readonly<Record<string, string>> {
  const cases = Array.from({ length: channels }, (_, at) => ({
    channel_url: `case-${at}`,
    members: { agent: {}, ann: {} },
  }));
  return {
    'chat.yaml': `${emulated}users:\n  agent: { nickname: Agent }\n  ann: { nickname: Ann }\nsources: [{ kind: group_channel, file: cases.ndjson }]\n`,
    'cases.ndjson': cases.map((row) => `${JSON.stringify(row)}\n`).join(''),
  };
}

test('names an agent who would be in too many channels, from 1,900 with place, and above 2,000 as a danger', async () => {
  const at = await place(deskOf(1899));
  expect(named((await at.json('validate')).diagnostics, 'user.many-channels')).toEqual([]);
  await at.write(deskOf(1900));
  expect(named((await at.json('validate')).diagnostics, 'user.many-channels')).toMatchObject([
    { severity: 'warning', source: { file: 'chat.yaml', line: 4 }, detail: expect.stringContaining('1,900') },
    { severity: 'warning', source: { file: 'chat.yaml', line: 5 } },
  ]);
  expect(named((await at.json('plan')).warnings, 'user.too-many-channels')).toEqual([]);
  await at.write(deskOf(2001));
  expect(named((await at.json('plan')).warnings, 'user.too-many-channels')).toMatchObject([
    {
      severity: 'warning',
      dangerous: true,
      detail: expect.stringContaining('agent (2,001 channels), ann (2,001 channels)'),
    },
  ]);
  const behaviours = {
    format_version: '1.0',
    application: 'emulator:.chatform/emulator',
    date: '2026-11-01T00:00:00Z',
    chatform: '0.3.0',
  };
  const joinLimit = { value: 'refused', evidence: 'asked support' };
  await at.write({ 'chatform-behaviours.json': JSON.stringify({ ...behaviours, behaviours: { joinLimit } }) });
  await at.ends('apply --auto-approve', 5, 'error[user.too-many-channels]', 'This application refuses');
});

/** Ann works in two channels, of which the second is new. Bob is managed elsewhere. Zoe is new. */
const countedDesk = (more: string) => `version: 1
application: { rate_plan: 100k_mau }
policy: { external: { users: [bob] }, read_each: 2 }
users: { ann: { nickname: Ann }, zoe: { nickname: Zoe } }
group_channels: { case-1: { members: { ann: } }${more} }
`;

test('counts channels that nobody declares when a plan reads the platform', async () => {
  const running = await startPlatform();
  const altering = await startAltering(running.url);
  onTestFinished(altering.close);
  const files = { 'chat.yaml': countedDesk('').replace(', zoe: { nickname: Zoe }', '') };
  const at = await place(files, reaching({ url: altering.url, token: running.token }));
  await call(running, 'POST', '/users', { user_id: 'bob', nickname: 'Bob', profile_url: '' });
  await at.does('apply --auto-approve');
  const more = ', case-2: { members: { ann: , bob: , zoe: } }';
  await at.write({ 'chat.yaml': countedDesk(more) });
  const asked: string[] = [];
  const warningsWith = async (counts: Readonly<Record<string, number>>) => {
    altering.transit.change = (answer, path) => {
      const [, id = ''] = /\/users\/(\w+)\/group_channel_count/u.exec(path) ?? [];
      if (id !== '') asked.push(id);
      return id === '' ? answer : { group_channel_count: counts[id] ?? 1 };
    };
    return (await at.json('plan --refresh')).warnings as Found[];
  };
  expect(await warningsWith({ ann: 1898 })).toEqual([]);
  expect(asked.sort()).toEqual(['ann', 'bob']);
  expect(await warningsWith({ ann: 1899, bob: 2000 })).toMatchObject([
    {
      code: 'user.many-channels',
      severity: 'warning',
      detail: expect.stringContaining('ann is in 1,900 group channels'),
    },
    {
      code: 'user.too-many-channels',
      dangerous: true,
      detail: expect.stringContaining('Affected: bob (2,001 channels, counted on the platform)'),
    },
  ]);
  altering.transit.change = unaltered;
  await at.write({ 'chat.yaml': countedDesk(more).replace('read_each: 2', 'read_each: 1') });
  expect((await at.json('plan --refresh')).warnings).toMatchObject([
    { code: 'plan.channels-not-counted', severity: 'note' },
  ]);
});

test('warns of a public supergroup with more than 100 members, and names the base document', async () => {
  const ids = Array.from({ length: 101 }, (_, at) => `u${at}`);
  const users = ids.map((id) => `  ${id}: { nickname: ${id} }`).join('\n');
  const members = ids.map((id) => `${id}: `).join(', ');
  const flags = 'is_public: true, is_super: true';
  const textWith = (who: string) =>
    `${emulated}users:\n${users}\ngroup_channels:\n  town: { ${flags}, members: { ${who} } }\n`;
  const at = await place({ 'chat.yaml': textWith(members) });
  expect(named((await at.json('validate')).diagnostics, 'group_channel.public-over-100')).toMatchObject([
    { severity: 'warning', source: { line: 106 }, detail: expect.stringContaining('The base document') },
  ]);
  await at.write({
    'chat.yaml': textWith(
      ids
        .slice(1)
        .map((id) => `${id}: `)
        .join(', '),
    ),
  });
  expect(named((await at.json('validate')).diagnostics, 'group_channel.public-over-100')).toEqual([]);
});

test.for([
  ['https://api-x.sendbird.com/v2', 'does not end in the version segment /v3'],
  ['https://api-x.sendbird.com', 'does not end in the version segment /v3'],
  ['https://api-x.sendbird.com/v3/?a=b', 'has a query or a fragment'],
  ['https://me:secret@api-x.sendbird.com/v3', 'contains a user name or a password'],
] as const)('validate refuses the base URL %s with its place', async ([url, says]) => {
  const at = await place({
    'chat.yaml': `version: 1\napplication:\n  base_url: ${url}\nusers: { ann: { nickname: Ann } }\n`,
  });
  const { diagnostics } = await at.json('validate', 65);
  expect(diagnostics).toMatchObject([
    { code: 'manifest.base-url', source: { file: 'chat.yaml', line: 3 }, detail: expect.stringContaining(says) },
  ]);
  expect(diagnostics[0].detail).not.toContain('secret');
});

const metaArrays = { sorted_metaarray: [{ key: 'k'.repeat(9), value: ['a', 'b', 'c'.repeat(9)] }] };
const historyFile = historyFileText([{ user_id: 'ann', message: 'Hi', timestamp: 1_700_000_000_000, ...metaArrays }]);

test.for([
  ['{ keys: 1, values: 3, key_bytes: 9, value_bytes: 9 }', undefined],
  ['{ keys: 0 }', 'Keys of the meta arrays: 1, but the application allows 0'],
  ['{ values: 2 }', 'Values of "kkkkkkkkk": 3'],
  ['{ key_bytes: 8 }', 'Bytes of the key "kkkkkkkkk": 9'],
  ['{ value_bytes: 8 }', 'Bytes of a value of "kkkkkkkkk": 9'],
] as const)('checks meta arrays by the declared limits %s before anything is sent', async ([limits, says]) => {
  const text = (declared: string) =>
    `version: 1\napplication: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau${declared} }
users: { ann: { nickname: Ann } }
open_channels: { hall-1: { messages: { file: hall.ndjson } } }
`;
  const at = await place({ 'chat.yaml': text(''), 'hall.ndjson': historyFile });
  await at.does('validate');
  // The same folder, so that a cached history file is not taken for one that was checked by the new limits.
  await at.write({ 'chat.yaml': text(`, limits: { meta_arrays: ${limits} }`) });
  const { diagnostics } = await at.json('validate', says === undefined ? 0 : 65);
  expect(diagnostics).toMatchObject(
    says === undefined
      ? []
      : [
          {
            code: 'manifest.meta-arrays',
            source: { file: 'hall.ndjson', line: 1 },
            detail: expect.stringContaining(says),
          },
        ],
  );
});

test('takes issue_session_token without an end for the seven days of the base document, and says that it is deprecated', async () => {
  const { at, running } = await connected({
    'chat.yaml': `version: 1\napplication: { rate_plan: 100k_mau }\nusers:\n  ann: { nickname: Ann, issue_session_token: true }\n`,
  });
  expect((await at.json('validate')).diagnostics).toMatchObject([
    { code: 'manifest.deprecated', severity: 'warning', source: { line: 4 } },
  ]);
  const before = Date.now();
  await at.does('apply --auto-approve --tokens-out tokens.ndjson');
  expect(running.stats.requests.get('POST /users/{user_id}/token')).toBe(1);
  expect(await at.read('tokens.ndjson')).toContain('"field":"token"');
  expect(Date.now()).toBeGreaterThanOrEqual(before);
  expect((await at.run('plan')).stdout).toContain('Nothing to do');
});

test('says that any member can rename a group channel, and how to leave names to them', async () => {
  const text = (more: string) => `version: 1
application: { rate_plan: 100k_mau }
users: { ann: { nickname: Ann } }
group_channels: { tea-room: { name: Tea, data: x, members: { ann: }${more} } }
open_channels: { hall-1: { name: Hall } }
`;
  const { at, call } = await connected({ 'chat.yaml': text('') });
  await at.does('apply --auto-approve');
  await call('PUT', '/group_channels/tea-room', { name: 'Coffee', data: 'y' });
  await call('PUT', '/open_channels/hall-1', { name: 'Room' });
  const notes = async () => (await at.json('plan --refresh')).drift.map(({ note }: { note: string }) => note);
  const [ofGroup, ofOpen] = await notes();
  expect(ofGroup).toContain('any member can change name from a client, so expect this');
  expect(ofGroup).toContain('lifecycle: {ignore_changes: [name, cover_url]}');
  expect(ofOpen).not.toContain('any member');
  await at.write({ 'chat.yaml': text(', lifecycle: { ignore_changes: [name, cover_url] }') });
  expect((await notes())[0]).not.toContain('any member');
});

test('says what update_read_ts does to receipts, and sends it only if it is asked for', async () => {
  const text = (more: string) =>
    `${emulated}users: { ann: { nickname: Ann } }\ngroup_channels: { tea-room: { members: { ann: }, messages: { file: tea.ndjson${more} } } }\n`;
  const at = await place({ 'chat.yaml': text(', mark_as_read: true'), 'tea.ndjson': historyFile });
  const says = 'receipts of all members that are later than the newest message of a call move back';
  const { changes } = await at.json('plan');
  const notes = changes.flatMap(({ notes }: { notes: string[] }) => notes).join(' ');
  expect(notes).toContain(says);
  await at.write({ 'chat.yaml': text('') });
  expect((await at.run('plan --format json')).stdout).not.toContain(says);
});
