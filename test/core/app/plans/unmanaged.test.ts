// Tests what drift --unmanaged counts, says and costs.
import { expect, onTestFinished, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { startAltering } from '../../../support/altered-answers.ts';
import { reaching } from '../../../support/desk.ts';
import { connected, type Place, place } from '../../../support/place.ts';
import { call, startPlatform } from '../../../support/platform.ts';

const text = `version: 1
policy:
  external: { users: ['^ext-'] }
users:
  alice: { nickname: Alice }
group_channels:
  room: { name: Room, members: { alice: } }
`;

type Edit = (method: string, path: string, body?: object) => Promise<JsonObject>;

async function applied(files = { 'chat.yaml': text }) {
  const project = await connected(files);
  await project.at.does('apply --auto-approve');
  return project;
}

async function addUsers(edit: Edit, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await edit('POST', '/users', { user_id: id, nickname: id, profile_url: '' });
}

async function addChannels(edit: Edit, type: string, ...urls: readonly string[]): Promise<void> {
  for (const url of urls)
    await edit('POST', '/group_channels', { channel_url: url, user_ids: ['alice'], custom_type: type });
}

/** By kind, without the constant parts. */
async function counted(at: Place): Promise<Record<string, readonly number[]>> {
  const { unmanaged } = await at.json('drift --unmanaged');
  const kinds = unmanaged.kinds as {
    kind: string;
    listed: number;
    managed: number;
    external: number;
    unmanaged: number;
  }[];
  return Object.fromEntries(kinds.map(({ kind, ...of }) => [kind, [of.listed, of.managed, of.external, of.unmanaged]]));
}

test('counts by kind what is managed, external and neither', async () => {
  const { at, call } = await applied();
  await addUsers(call, 'bob', 'carol', 'ext-1');
  await call('PUT', '/users/carol', { is_active: false });
  await addChannels(call, 'support', 'support-1', 'support-2');
  await call('POST', '/open_channels', { channel_url: 'lobby' });
  expect(await counted(at)).toEqual({
    user: [4, 1, 1, 2],
    bot: [0, 0, 0, 0],
    open_channel: [1, 0, 0, 1],
    group_channel: [3, 1, 0, 2],
    custom_type: [0, 0, 0, 0],
  });
});

test('counts objects that are in state or declared as managed, also before their declaration is applied', async () => {
  const { at, call } = await applied();
  await addUsers(call, 'bob');
  await at.write({ 'chat.yaml': text.replace('  alice: {', '  bob: {').replace('{ alice: }', '{ bob: }') });
  const { user } = await counted(at);
  expect(user).toEqual([2, 2, 0, 0]);
});

test('names the largest custom types, and the last activity that the list shows', async () => {
  const { at, call } = await applied();
  await addChannels(call, '', 'plain');
  await addChannels(call, 'support', 'support-1', 'support-2', 'support-3');
  for (let type = 10; type < 21; type += 1) await addChannels(call, `type-${type}`, `a-${type}`, `b-${type}`);
  await call('POST', '/group_channels/support-2/messages', { message_type: 'MESG', user_id: 'alice', message: 'hi' });
  const { last_message: last } = await call('GET', '/group_channels/support-2');
  const time = new Date(isObject(last) ? Number(last.created_at) : 0).toISOString();
  const { unmanaged } = await at.json('drift --unmanaged');
  const channels = unmanaged.kinds.find(({ kind }: { kind: string }) => kind === 'group_channel');
  expect(channels).toMatchObject({
    unmanaged: 26,
    last_activity: time,
    other_custom_types: { custom_types: 3, objects: 5 },
  });
  expect(channels.custom_types[0]).toEqual({ custom_type: 'support', objects: 3, last_activity: time });
  expect(channels.custom_types).toHaveLength(10);
  const { stdout } = await at.does('drift --unmanaged');
  expect(stdout).toContain('3  custom type support, last activity');
  expect(stdout).toContain('5  3 other custom types');
  const { stdout: plain } = await at.does('drift --unmanaged --plain');
  expect(plain).toContain('  Of these, 3 with custom type support, last activity on 20');
  expect(plain).toContain('  Of these, 5 with 3 other custom types.');
});

test.for(['human', 'json', 'markdown', 'github'])(
  'keeps to --max-bytes as %s, whatever custom types there are',
  async (format) => {
    const { at, call: edit } = await applied();
    const long = '"'.repeat(120);
    for (let type = 10; type < 22; type += 1) await addChannels(edit, `${type}${long}`, `chan-${type}`);
    const { stdout } = await at.does(`drift --unmanaged --format ${format} --max-bytes 8192`);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(8_192);
    expect(stdout).toMatch(/12 group channels are not managed|"omitted": \{"custom_types":10\}/u);
  },
);

test('lists every page, tells the price before, and the number of requests after', async () => {
  const { at, call } = await applied();
  await addUsers(call, ...Array.from({ length: 230 }, (_none, number) => `u${number}`));
  const { stdout, stderr } = await at.does('drift --unmanaged');
  expect(stderr.replaceAll(/\s+/gu, ' ')).toContain(
    'Listing every user, bot, open channel, group channel and custom type, a hundred per request: at least 5 requests for 2 known objects',
  );
  expect(stdout).toContain('\n230 users are not managed.\n  230  users\n');
  expect(stdout).toContain('Listed 232 objects with 7 requests: 2 managed and 230 not managed.');
});

const formats = [
  ['drift --unmanaged', '1 user is not managed.\n  1  user\nListed 3 objects with 5 requests'],
  ['drift --unmanaged --plain', '1 user is not managed.\nNot managed: 1 user.\nListed 3 objects with 5 requests'],
  ['drift --unmanaged --format markdown', '**1 user is not managed.** Listed 3 objects with 5 requests'],
  ['drift --unmanaged --format html', '<h2 id="unmanaged">Not managed</h2><p>1 user is not managed.</p>'],
  ['drift --unmanaged --format github', '::notice title=chatform drift::1 user is not managed. Listed 3 objects'],
  ['drift --unmanaged --format json', '"unmanaged": {"objects":1,"requests":5,'],
] as const;

test.for(formats)('%s prints the count beside the drift', async ([command, says]) => {
  const { at, call } = await applied();
  await addUsers(call, 'bob');
  const { stdout } = await at.does(command);
  expect(stdout).toContain(says);
  expect(stdout).toContain(command.includes('json') ? '"drift": []' : 'No drift in 3 declared values.');
  // What is not managed is not drift.
  await at.does(`${command} --detailed-exitcode`);
});

test('escapes custom types, and hides addresses in them with --redact', async () => {
  const { at, call } = await applied();
  await addChannels(call, '\u001b[31m<b>`x`', 'room-1');
  await addChannels(call, 'a@example.com', 'room-2');
  for (const format of ['human', 'markdown', 'html', 'json', 'github']) {
    const { stdout } = await at.does(`drift --unmanaged --format ${format} --redact`);
    expect(stdout).not.toContain('\u001b[31m<b>');
    expect(stdout).not.toContain('a@example.com');
    if (format === 'html') expect(stdout).not.toContain('<b>`x`');
  }
});

test('says nothing about what is not managed where it was not looked at', async () => {
  const { at, call } = await applied();
  await addUsers(call, 'bob');
  for (const command of ['drift', 'plan --refresh', 'plan'])
    for (const format of ['human', 'markdown', 'html']) {
      const { stdout } = await at.does(`${command} --format ${format}`);
      expect(stdout).not.toMatch(/(?<!No )(?:not managed|unmanaged|platform is as declared)/iu);
    }
  expect(await at.json('drift')).not.toHaveProperty('unmanaged');
});

const refused = [
  ['drift --unmanaged --target user.alice', '--unmanaged and --target cannot be combined.'],
  ['drift --unmanaged --exclude user.alice', '--unmanaged and --exclude cannot be combined.'],
  ['drift --unmanaged --repair harmless', '--unmanaged and --repair cannot be combined.'],
] as const;

test.for(refused)('refuses %s', async ([command, says]) => {
  const { at } = await applied();
  await at.ends(command, 64, says);
});

test('counts an application for a project that declares nothing yet, and refuses a state that lacks declared objects', async () => {
  const { at, call } = await connected({ 'chat.yaml': 'version: 1\n' });
  await addUsers(call, 'bob');
  const { stdout } = await at.does('drift --unmanaged');
  expect(stdout).toContain('No drift, because no managed object was read.');
  expect(stdout).toContain('1 user is not managed.');
  await at.ends('drift', 66, 'error[state.empty]');
  await at.write({ 'chat.yaml': text });
  await at.ends('drift --unmanaged', 66, 'error[state.empty]');
});

/** An applied project that reaches the platform through a server that alters answers. */
async function altered() {
  const running = await startPlatform();
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const at = await place({ 'chat.yaml': text }, reaching({ url, token: running.token }));
  await at.does('apply --auto-approve');
  const edit: Edit = (method, path, body) => call(running, method, path, body);
  return { at, transit, edit };
}

const isUserList = (path: string): boolean => /\/users\?(?!.*user_ids)/u.test(path);
const refusal = (code: number) => ({ error: true, code, message: 'no' });

const troubles = [
  { name: 'a list without its field', change: () => ({ next: '' }), exit: 1, says: 'was answered without users' },
  {
    name: 'a page token that the platform does not know',
    change: (page: JsonValue) => (isObject(page) && page.error !== true ? { ...page, next: 'again' } : page),
    exit: 1,
    says: 'GET /users was refused with code 400111',
  },
  { name: 'a token that is refused meanwhile', change: () => refusal(400401), exit: 3, says: 'refuses the API token' },
] as const;

test.for(troubles)('prints no count for $name', async ({ change, exit, says }) => {
  const { at, transit } = await altered();
  transit.change = (answer, path) => (isUserList(path) ? change(answer) : answer);
  const { stdout } = await at.ends('drift --unmanaged', exit, says);
  expect(stdout).toBe('');
});

test('names a kind that the plan of the application does not include, and claims nothing of it', async () => {
  const { at, transit } = await altered();
  transit.change = (answer, path) => (path.includes('/bots') ? refusal(400108) : answer);
  const { stdout } = await at.does('drift --unmanaged');
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
    'Every listed object is managed or matches policy.external. Listed 2 objects with 5 requests: 2 managed and 0 not managed. Not listed, because the platform does not offer their lists: bots.',
  );
});

const activities = [
  ['was seen', 1_700_000_000_000, '2023-11-14T22:13:20.000Z'],
  ['was never seen', -1, undefined],
  ['is online', 0, expect.stringMatching(/^20\d\d-/u)],
  ['was seen at an impossible time', 1e300, undefined],
] as const;

test.for(activities)('takes the last activity of a user who %s', async ([, seenAt, expected]) => {
  const { at, transit, edit } = await altered();
  await addUsers(edit, 'bob');
  const seen = (user: JsonValue) => (isObject(user) ? { ...user, last_seen_at: seenAt } : user);
  transit.change = (answer, path) =>
    isUserList(path) && isObject(answer) && Array.isArray(answer.users)
      ? { ...answer, users: answer.users.map(seen) }
      : answer;
  const { unmanaged } = await at.json('drift --unmanaged');
  expect(unmanaged.kinds[0].last_activity).toEqual(expected);
});
