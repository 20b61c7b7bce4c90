// Tests what policy.adopt takes into state, what it refuses, and what a reviewer sees of it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of manifests
import { describe, expect, test } from 'vitest';
import { connected } from '../../../support/place.ts';

const manifest = (adopt: string) => `version: 1
policy: { adopt: ${adopt} }
users:
  ann: { nickname: Ann }
  bob: { nickname: Bob }
`;

/** Ann exists as declared, and Bob under another name. */
async function declared(adopt: string) {
  const project = await connected({ 'chat.yaml': manifest(adopt) });
  const { call } = project;
  await call('POST', '/users', { user_id: 'ann', nickname: 'Ann', profile_url: '' });
  await call('POST', '/users', { user_id: 'bob', nickname: 'Robert', profile_url: '' });
  return project;
}

test('takes an equal object into state without a write, and the plan that is saved says so', async () => {
  const { at, running } = await declared('[user.a*]');
  await at.write({ 'chat.yaml': manifest('[user.a*]').replace('  bob: { nickname: Bob }\n', '') });
  const { stdout } = await at.does('plan --out plan.chatform');
  expect(stdout).toContain('exists already as declared (policy: {adopt})');
  const sent = () => [...running.stats.requests.keys()].filter((route) => !route.startsWith('GET'));
  const before = sent();
  await at.does('apply plan.chatform --auto-approve');
  expect(sent()).toEqual(before);
  await at.does('plan --detailed-exitcode --refresh');
});

test('reads the platform before an apply, without --refresh', async () => {
  const { at } = await declared('[user.ann]');
  await at.write({ 'chat.yaml': manifest('[user.ann]').replace('  bob: { nickname: Bob }\n', '') });
  await at.does('apply --auto-approve');
  expect((await at.does('state list')).stdout).toContain('user.ann');
});

test('reads only what it names and state lacks, and plans the rest as without a refresh', async () => {
  const { at, call, running } = await declared('[user.ann, open_channel.hall]');
  const text = `${manifest('[user.ann, open_channel.hall]').replace('  bob: { nickname: Bob }\n', '')}open_channels: { hall: {}, lobby: {} }\n`;
  await at.write({ 'chat.yaml': text });
  await at.does('apply --auto-approve --target open_channel.lobby');
  await call('POST', '/open_channels', { channel_url: 'hall' });
  await call('PUT', '/open_channels/lobby', { name: 'Renamed' });
  const reads = () => [...running.stats.requests].filter(([route]) => route.startsWith('GET'));
  const before = new Map(reads());
  await at.does('plan --out some.plan');
  const read = reads().flatMap(([route, count]) => (count === before.get(route) ? [] : [route]));
  expect(read).toHaveLength(2);
  const some = JSON.parse((await at.does('show some.plan --format json')).stdout);
  expect(some).toMatchObject({ summary: { adopt: 2 }, refreshed: { objects: 2, requests: 2 } });
  expect(some).not.toHaveProperty('drift');
  await at.does('plan --refresh --out all.plan');
  const all = JSON.parse((await at.does('show all.plan --format json')).stdout);
  expect(all).toMatchObject({ refreshed: { objects: 3 }, drift: [], hash: some.hash });
  await at.does('apply some.plan');
  const applied = new Map(reads());
  expect((await at.does('apply --auto-approve')).stdout).toContain('The platform was not read');
  expect(new Map(reads())).toEqual(applied);
});

test('reads nothing that --no-refresh excludes', async () => {
  const { at, running } = await declared('[user.*]');
  const { stdout } = await at.does('plan --no-refresh --out plan.chatform');
  expect(stdout).toContain('Plan: 2 to create.');
  expect([...running.stats.requests.keys()].filter((route) => route.startsWith('GET'))).toEqual([]);
});

test('prints the lines of an object that differs, which pasted let it be taken', async () => {
  const { at, call } = await connected({ 'chat.yaml': manifest('[user.bob]') });
  await call('POST', '/users', { user_id: 'ann', nickname: 'Ann', profile_url: '' });
  await call('POST', '/users', { user_id: 'bob', nickname: 'Robert', profile_url: '', metadata: { 'a b': '1: "2"' } });
  const block = 'version: 1\nusers:\n  bob:\n';
  await at.write({
    'chat.yaml': `${block}    nickname: Bob\n    metadata: { "a b": "3" }\npolicy: { adopt: [user.bob] }\n`,
  });
  const { stdout } = await at.does('plan --refresh');
  const [, pasted = ''] = /to paste over the declared lines:\n((?: {6}.*\n)+)/u.exec(stdout) ?? [];
  await at.write({ 'chat.yaml': `${block}${pasted}policy: { adopt: [user.bob] }\n` });
  expect((await at.does('plan --refresh')).stdout).toContain('exists already as declared (policy: {adopt})');
});

test('prints lines that mean each text on the platform, and starts commands as it was started', async () => {
  const { at, call } = await connected({ 'chat.yaml': manifest('[user.bob]') });
  const texts = [
    'hi ${var.region}',
    '$${var.region}',
    'a\u200fb',
    'a\u0085b',
    'a\u2028b',
    '\ufeffa',
    'a\u200bb',
    '\u3164',
  ];
  texts.push(
    '::set-output x',
    'a ##[group]',
    '"',
    "it's",
    'a: b',
    '# x',
    'null',
    '*a',
    '- a',
    ' a ',
    'a\nb',
    'x\u0301\u0301\u0301\u0301\u0301',
  );
  const head = 'version: 1\nvariables: { region: { default: EU } }\npolicy: { adopt: [user.*] }\nusers:\n';
  const declare = (lines: (at: number) => string): string =>
    head + ids.map((id, at) => `  ${id}:\n${lines(at)}`).join('');
  const ids = ['u0', 'u1', 'u2', 'u3'];
  for (const [index, id] of ids.entries()) {
    const keys = texts.slice(5 * index, 5 * index + 5).map((text, key) => [`k${key} ${text.slice(0, 12)}`, text]);
    const metadata = Object.fromEntries(keys);
    await call('POST', '/users', { user_id: id, nickname: texts[index], profile_url: '', metadata });
  }
  await at.write({ 'chat.yaml': declare(() => '    nickname: n\n    metadata: { a: b }\n') });
  const started = at.with({ env: { npm_config_user_agent: 'npm/10.8.2 node/v20' } });
  const { stdout } = await started.does('plan --refresh');
  expect(stdout).toContain('with npx --no-install chatform adopt user.u0 to');
  expect(JSON.stringify((await started.json('plan --refresh')).warnings)).toContain('with chatform adopt user.u0 to');
  const pasted = Array.from(
    stdout.matchAll(/to paste over the declared lines:\n((?: {6}.*\n)+)/gu),
    ([, lines]) => lines,
  );
  await at.write({ 'chat.yaml': declare((index) => pasted[index] ?? '') });
  expect((await at.json('plan --refresh')).summary).toEqual({ adopt: ids.length });
});

test('names the values that it does not print, and prints no lines of redacted ones', async () => {
  const { at, call } = await connected({
    'chat.yaml':
      'version: 1\npolicy: { adopt: [user.*] }\nusers:\n  bob: { nickname: Bob, metadata: { password: other, a: b } }\n',
  });
  const metadata = { password: 'correct horse battery' };
  await call('POST', '/users', { user_id: 'bob', nickname: 'Robert', profile_url: '', metadata });
  const { stdout } = await at.does('plan --refresh');
  expect(stdout).toContain('      # metadata.password: not shown, because it may be a secret\n');
  expect(stdout).toContain('      nickname: Robert\n');
  const redacted = await at.does('plan --refresh --redact');
  expect(redacted.stdout).not.toContain('to paste over the declared lines:');
  expect(redacted.stdout).toContain('without --redact, the plan shows lines to paste');
});

test('shows both values of an object that differs, and does not take it', async () => {
  const { at } = await declared('["user.*"]');
  const { stdout } = await at.does('plan --refresh');
  expect(stdout).toMatch(/nickname +"Robert" → "Bob"/u);
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
    'It matches policy.adopt, but differs from the declaration in nickname',
  );
  const { changes } = await at.json('plan --refresh');
  expect(changes).toMatchObject([
    { address: 'user.ann', reason: { code: 'exists_and_matches_adopt' } },
    { address: 'user.bob', attributes: [{ path: 'nickname', before: 'Robert', after: 'Bob' }] },
  ]);
});

test('counts an object that it cannot take as a conflict, whose members gain nothing', async () => {
  const { at, call } = await declared('[group_channel.lobby]');
  const lobby = (name: string) =>
    `${manifest('["*.*"]').replace('Bob }', 'Robert }')}group_channels: { lobby: { name: ${name}, members: { ann: , bob: } } }\n`;
  await call('POST', '/group_channels', { channel_url: 'lobby', name: 'Lobby', user_ids: ['ann'] });
  await at.write({ 'chat.yaml': lobby('Hall') });
  const { summary, changes, people } = await at.json('plan --refresh');
  expect({ summary, people }).toEqual({ summary: { adopt: 2, conflict: 1 }, people: undefined });
  expect(changes).toMatchObject([{ actions: ['conflict'] }, { actions: ['adopt'] }, { actions: ['adopt'] }]);
  expect((await at.does('plan --refresh')).stdout).toContain('Plan: 2 to adopt, 1 in conflict.');
  expect((await at.does('plan --refresh --format markdown')).stdout).toContain('1 group channel in conflict');
  await at.ends('apply --auto-approve --refresh', 4, 'group_channel.lobby');
});

test('leaves other objects to policy.existing', async () => {
  const { at } = await declared('[user.ann]');
  const { stdout } = await at.does('plan --refresh');
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('The policy is existing: refuse');
});

describe('reports', () => {
  test('an entry that matches nothing declared', async () => {
    const { at } = await declared('[user.carl]');
    const { diagnostics } = await at.json('validate');
    expect(diagnostics).toMatchObject([{ code: 'policy.adopt-nothing', source: { line: 2 } }]);
  });

  test.for(['[users]', '["user.[z-a]"]'])('an entry that is not a pattern of addresses: %s', async (adopt) => {
    const { at } = await declared(adopt);
    const { diagnostics } = await at.json('validate', 65);
    expect(diagnostics).toMatchObject([{ code: 'manifest.bad-pattern', source: { line: 2 } }]);
  });
});
