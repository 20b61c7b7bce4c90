// Tests bots, metadata, restrictions and settings as a user meets them: applied, edited by others, exported, lost.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { expectEnd, succeeded } from '../../support/run-cli.ts';
import { fastTest, longTest } from '../../support/suite.ts';

const manifest = `version: 1
policy: { acknowledge: [{ effect: bot.delete, count: 1 }, { effect: settings.lockout, count: 2 }] }
settings:
  default_channel_invitation_preference: { auto_accept: false }
  webhook: { enabled: true, url: https://hooks.acme.example/chat, enabled_events: ["*"] }
  auto_event_message: { user_join: { user_join: true } }
  all_channels: { max_message_length: 1000, domain_filter: { domains: [bad.example], type: 2 } }
  push_enabled: false
  push_templates: { alternative: { MESG: News, FILE: A file, ADMM: News } }
  ip_whitelist: [192.0.2.7, 198.51.100.0/24]
custom_types:
  support:
    profanity_filter: { keywords: [dummy, bad*], type: 1 }
    push_template: { MESG: "{sender_name} asks" }
    operators: [alice]
    banned: { mallory: { description: spam, until: 2100-01-01T00:00:00Z } }
    muted: { bob: }
users:
  alice: { nickname: Alice, auto_accept: true, discovery_keys: [b, a], preferred_languages: [de, en] }
  bob: { nickname: Bob }
  mallory: { nickname: Mallory }
bots:
  helper:
    bot_nickname: Helper
    bot_type: support
    bot_callback_url: https://bots.acme.example/helper
    metadata: { team: one }
open_channels:
  lobby:
    metadata: { topic: news }
    banned: { mallory: { until: 2100-01-01T00:00:00Z, description: spam } }
group_channels:
  support-1:
    members: { alice: , bob: , helper: }
    metadata: { queue: first }
    muted: { bob: }
    banned: { mallory: }
`;

/** With `first`, what is applied before the rest. */
async function application(first?: string) {
  const platform = await startPlatform();

  const at = await place({}, { CHATFORM_BASE_URL: platform.url, CHATFORM_API_TOKEN: platform.token });
  const declare = (text: string) => writeFile(at.path('chat.yaml'), text);
  const run = (...args: readonly string[]) => at.run(args);
  const api = (method: string, path: string, body?: object) => call(platform, method, path, body);
  await declare(manifest);
  if (first !== undefined) await succeeded(run('apply', 'chat.yaml', '--auto-approve', '--target', first));
  const applied = await succeeded(run('apply', 'chat.yaml', '--auto-approve', '--tokens-out', 'tokens'));
  return { cwd: at.cwd, declare, run, api, applied };
}

const isEmpty = ['--detailed-exitcode'];

fastTest('is as declared after one apply, and the token of a bot is only in its file', async () => {
  const { cwd, run, applied } = await application();
  const [line = ''] = (await readFile(join(cwd, 'tokens'), 'utf8')).split('\n');
  const token = JSON.parse(line);
  expect(token).toMatchObject({
    user_id: 'helper',
    field: 'bot_token',
    value: expect.stringMatching(/^[0-9a-f]{40}$/u),
  });
  const shown = [
    applied,
    await run('plan', 'chat.yaml', ...isEmpty),
    await run('plan', 'chat.yaml', '--refresh', '--out', 'plan.chatform', ...isEmpty),
    await run('drift', 'chat.yaml', ...isEmpty),
    await run('state', 'show', 'bot.helper'),
    await run('explain', 'bot.helper', '--path', 'chat.yaml', '--refresh'),
  ];
  expect(shown.map(({ exit }) => exit)).toEqual(shown.map(() => 0));
  const told = shown.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(`${told}${await readFile(join(cwd, 'plan.chatform'), 'utf8')}`).not.toContain(token.value);
});

const typed = '/applications/settings_by_channel_custom_type';

const edits: readonly (readonly [name: string, method: string, path: string, body?: object])[] = [
  ['auto_accept', 'PUT', '/users/alice/channel_invitation_preference', { auto_accept: false }],
  ['discovery_keys', 'PUT', '/users/alice', { discovery_keys: ['z'] }],
  ['preferred_languages', 'PUT', '/users/alice', { preferred_languages: ['en', 'de'] }],
  ['bot_nickname', 'PUT', '/bots/helper', { bot_nickname: 'H' }],
  ['metadata.topic', 'PUT', '/open_channels/lobby/metadata', { metadata: { topic: 'x' } }],
  ['metadata.queue', 'DELETE', '/group_channels/support-1/metadata/queue'],
  ['banned.mallory', 'DELETE', '/group_channels/support-1/ban/mallory'],
  ['banned.mallory', 'PUT', '/open_channels/lobby/ban/mallory', { seconds: 3600 }],
  ['muted.bob', 'DELETE', '/group_channels/support-1/mute/bob'],
  [
    'default_channel_invitation_preference.auto_accept',
    'PUT',
    '/applications/default_channel_invitation_preference',
    { auto_accept: true },
  ],
  ['webhook.enabled_events', 'PUT', '/applications/settings/webhook', { enabled_events: ['user:ban'] }],
  [
    'auto_event_message.user_join',
    'PUT',
    '/applications/settings/auto_event_message',
    { auto_event_message: { user_join: { user_join: false } } },
  ],
  [
    'all_channels.domain_filter',
    'PUT',
    '/applications/settings_global',
    { domain_filter: { domains: ['other.example'], type: 2 } },
  ],
  ['push_enabled', 'PUT', '/applications/push/settings', { push_enabled: true }],
  [
    'push_templates.alternative',
    'PUT',
    '/applications/push/message_templates/alternative',
    { template: { MESG: 'a', FILE: 'b', ADMM: 'c' } },
  ],
  ['profanity_filter.keywords', 'PUT', `${typed}/support`, { profanity_filter: { keywords: ['other'], type: 1 } }],
  ['push_template.MESG', 'PUT', `${typed}/support`, { push_template: { MESG: 'x' } }],
  ['operators', 'DELETE', `${typed}/support/operators?operator_ids=alice`],
  ['banned.mallory', 'DELETE', `${typed}/support/ban?user_ids=mallory`],
  ['muted.bob', 'DELETE', `${typed}/support/mute?user_ids=bob`],
  ['metadata.team', 'PUT', '/users/helper/metadata', { metadata: { team: 'two' } }],
];

fastTest('reports each foreign edit as drift, and sets all of them back in one apply', async () => {
  const { run, api } = await application();
  for (const [, method, path, body] of edits) await api(method, path, body);
  const { stdout } = await expectEnd(run('drift', 'chat.yaml', '--format', 'json', ...isEmpty), 2);
  const drift: { attributes: { path: string }[] }[] = JSON.parse(stdout).drift;
  const found = drift.flatMap(({ attributes }) => attributes.map(({ path }) => path)).sort();
  expect(found).toEqual(edits.map(([name]) => name).sort());
  expect((await run('apply', 'chat.yaml', '--refresh', '--auto-approve')).exit).toBe(0);
  expect((await run('plan', 'chat.yaml', '--refresh', ...isEmpty)).exit).toBe(0);
});

fastTest('skips reads beyond policy.read_each, and says so', async () => {
  const { run, api, declare } = await application();
  await api('PUT', '/users/alice/channel_invitation_preference', { auto_accept: false });
  await declare(manifest.replace('policy: {', 'policy: { read_each: 6,'));
  const few = await run('plan', 'chat.yaml', '--refresh', ...isEmpty);
  expect([few.exit, few.stdout + few.stderr]).toEqual([0, expect.stringContaining('plan.not-compared')]);
  await declare(manifest.replace('policy: {', 'policy: { read_each: 7,'));
  expect((await run('plan', 'chat.yaml', '--refresh', ...isEmpty)).exit).toBe(2);
});

fastTest('exports manifests that leave nothing to do', async () => {
  // The preference counts for users who are created after it is set, and one apply sends both at the same time.
  const { cwd, run } = await application('settings.application');
  await succeeded(run('export', '--out', 'estate', '--read-each', '--state', 'file:other'));
  for (const args of [[], ['--refresh']]) {
    await succeeded(run('plan', 'estate', '--state', 'file:other', ...args, ...isEmpty));
  }
  const names = ['settings', 'custom_types', 'bots', 'users', 'open_channels', 'group_channels'];
  const texts = await Promise.all(names.map((name) => readFile(join(cwd, 'estate', `${name}.yaml`), 'utf8')));
  // The seconds of a ban count from the call.
  const page = texts.join('').replace(/2100-01-01T00:00:\d{2}\.\d{3}Z/gu, '2100-01-01T00:00:00.000Z');
  await expect(page).toMatchFileSnapshot('goldens/export-kept.txt');
});

longTest('rebuilds the state of every kind', async () => {
  const { cwd, run } = await application();
  await rm(join(cwd, '.chatform'), { recursive: true });
  await succeeded(run('state', 'rebuild', 'chat.yaml'));
  for (const args of [[], ['--refresh']]) expect((await run('plan', 'chat.yaml', ...args, ...isEmpty)).exit).toBe(0);
});

fastTest('makes a bot leave, deletes it, and lets it come back as a member', async () => {
  const { run, declare, api } = await application();
  const members = async () => {
    const { members: list } = await api('GET', '/group_channels/support-1/members?limit=100');
    return (list as { user_id: string }[]).map(({ user_id }) => user_id).sort();
  };
  const without = manifest.replace(', helper: }', ' }');
  await declare(without);
  expect((await run('apply', 'chat.yaml', '--auto-approve')).exit).toBe(0);
  expect(await members()).toEqual(['alice', 'bob']);
  const gone = without.replace(/bots:\n(?: .*\n)+/u, 'bots: {}\n');
  await declare(gone);
  await succeeded(run('apply', 'chat.yaml', '--auto-approve'));
  await declare(manifest);
  await succeeded(run('apply', 'chat.yaml', '--auto-approve'));
  expect(await members()).toEqual(['alice', 'bob', 'helper']);
});

fastTest('refuses to turn a user into a bot', async () => {
  const { run, declare } = await application();
  const moved = manifest
    .replace('  bob: { nickname: Bob }\n', '')
    .replace('bots:\n', 'bots:\n  bob: { bot_nickname: B, bot_type: x, bot_callback_url: https://b.example }\n');
  await declare(moved);
  const { exit, stderr } = await run('plan', 'chat.yaml');
  expect([exit, stderr.replace(/\s+/gu, ' ')]).toEqual([65, expect.stringContaining('cannot turn a user into a bot')]);
});

fastTest('keeps settings that are no longer declared', async () => {
  const { run, declare, api } = await application();
  await declare(
    manifest
      .replace(/\nsettings:\n(?: .*\n)+/u, '\n')
      .replace('acknowledge: [', 'acknowledge: [{ effect: settings.forget, count: 1 }, '),
  );
  await succeeded(run('apply', 'chat.yaml', '--auto-approve'));
  expect(await api('GET', '/applications/settings/webhook')).toMatchObject({
    webhook: { enabled: true, url: 'https://hooks.acme.example/chat' },
  });
});

fastTest('reports bans that others imposed, and a plan with a refresh makes them as declared', async () => {
  const { run, declare, api } = await application();
  await api('POST', '/open_channels/lobby/mute', { user_id: 'bob', seconds: 60, description: 'theirs' });
  await api('POST', '/open_channels/lobby/ban', { user_id: 'alice', seconds: 60 });
  const both = '    muted: { bob: { description: ours } }\n    banned: { alice: , mallory: ';
  await declare(manifest.replace('    banned: { mallory: { until', `${both}{ until`));
  const blind = await run('apply', 'chat.yaml', '--auto-approve');
  expect([blind.exit, blind.stderr.replace(/\s+/gu, ' ')]).toEqual([
    4,
    expect.stringContaining(
      'somebody else has already done this, perhaps with other values; a plan with --refresh compares them.',
    ),
  ]);
  await succeeded(run('apply', 'chat.yaml', '--refresh', '--auto-approve'));
  expect((await run('plan', 'chat.yaml', '--refresh', ...isEmpty)).exit).toBe(0);
  expect(await api('GET', '/open_channels/lobby/mute/bob')).toMatchObject({ end_at: -1, description: 'ours' });
});
