// Tests bots, metadata, restrictions and settings as a user meets them: applied, edited by others, exported, lost.
import { readFile, rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { place } from '../../support/place.ts';
import { call, startPlatform } from '../../support/platform.ts';
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

async function application() {
  const platform = await startPlatform();
  // Without a rate plan, so that calls have an order.
  const at = await place(
    { 'chat.yaml': manifest },
    { CHATFORM_BASE_URL: platform.url, CHATFORM_API_TOKEN: platform.token },
  );
  const api = (method: string, path: string, body?: object) => call(platform, method, path, body);
  const declare = (text: string) => at.write({ 'chat.yaml': text });
  const applied = await at.does('apply chat.yaml --auto-approve --tokens-out tokens');
  return { at, declare, api, applied };
}

fastTest('is as declared after one apply, and the token of a bot is only in its file', async () => {
  const { at, applied } = await application();
  const [line = ''] = (await at.read('tokens')).split('\n');
  const token = JSON.parse(line);
  expect(token).toMatchObject({
    user_id: 'helper',
    field: 'bot_token',
    value: expect.stringMatching(/^[0-9a-f]{40}$/u),
  });
  const shown = [
    applied,
    await at.run('plan chat.yaml --detailed-exitcode'),
    await at.run('plan chat.yaml --refresh --out plan.chatform --detailed-exitcode'),
    await at.run('drift chat.yaml --detailed-exitcode'),
    await at.run('state show bot.helper'),
    await at.run('explain bot.helper --path chat.yaml --refresh'),
  ];
  expect(shown.map(({ exit }) => exit)).toEqual(shown.map(() => 0));
  const told = shown.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(`${told}${await at.read('plan.chatform')}`).not.toContain(token.value);
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
  const { at, api } = await application();
  for (const [, method, path, body] of edits) await api(method, path, body);
  const { stdout } = await at.ends('drift chat.yaml --format json --detailed-exitcode', 2);
  const drift: { attributes: { path: string }[] }[] = JSON.parse(stdout).drift;
  const found = drift.flatMap(({ attributes }) => attributes.map(({ path }) => path)).sort();
  expect(found).toEqual(edits.map(([name]) => name).sort());
  await at.does('apply chat.yaml --refresh --auto-approve');
  await at.does('plan chat.yaml --refresh --detailed-exitcode');
});

fastTest('skips reads beyond policy.read_each, and says so', async () => {
  const { at, api, declare } = await application();
  await api('PUT', '/users/alice/channel_invitation_preference', { auto_accept: false });
  await declare(manifest.replace('policy: {', 'policy: { read_each: 6,'));
  const few = await at.run('plan chat.yaml --refresh --detailed-exitcode');
  expect([few.exit, few.stdout + few.stderr]).toEqual([0, expect.stringContaining('plan.not-compared')]);
  await declare(manifest.replace('policy: {', 'policy: { read_each: 7,'));
  await at.ends('plan chat.yaml --refresh --detailed-exitcode', 2);
});

fastTest('exports manifests that leave nothing to do', async () => {
  const { at } = await application();
  await at.does('export --out-dir estate --read-each --state file:other');
  for (const args of [[], ['--refresh']]) {
    await at.does(['plan', 'estate', '--state', 'file:other', ...args, '--detailed-exitcode']);
  }
  const names = ['settings', 'custom_types', 'bots', 'users', 'open_channels', 'group_channels'];
  const texts = await Promise.all(names.map((name) => readFile(at.path('estate', `${name}.yaml`), 'utf8')));
  // The seconds of a ban count from the call.
  const page = texts.join('').replace(/2100-01-01T00:00:\d{2}\.\d{3}Z/gu, '2100-01-01T00:00:00.000Z');
  await expect(page).toMatchFileSnapshot('goldens/export-kept.txt');
});

longTest('rebuilds the state of every kind', async () => {
  const { at } = await application();
  await rm(at.path('.chatform'), { recursive: true });
  await at.does('state rebuild chat.yaml');
  for (const args of [[], ['--refresh']]) await at.does(['plan', 'chat.yaml', ...args, '--detailed-exitcode']);
});

fastTest('makes a bot leave, deletes it, and lets it come back as a member', async () => {
  const { at, declare, api } = await application();
  const members = async () => {
    const { members: list } = await api('GET', '/group_channels/support-1/members?limit=100');
    return (list as { user_id: string }[]).map(({ user_id }) => user_id).sort();
  };
  const without = manifest.replace(', helper: }', ' }');
  await declare(without);
  await at.does('apply chat.yaml --auto-approve');
  expect(await members()).toEqual(['alice', 'bob']);
  const gone = without.replace(/bots:\n(?: .*\n)+/u, 'bots: {}\n');
  await declare(gone);
  await at.does('apply chat.yaml --auto-approve');
  await declare(manifest);
  await at.does('apply chat.yaml --auto-approve --tokens-out tokens.ndjson');
  expect(await members()).toEqual(['alice', 'bob', 'helper']);
});

fastTest('refuses to turn a user into a bot', async () => {
  const { at, declare } = await application();
  const moved = manifest
    .replace('  bob: { nickname: Bob }\n', '')
    .replace('bots:\n', 'bots:\n  bob: { bot_nickname: B, bot_type: x, bot_callback_url: https://b.example }\n');
  await declare(moved);
  await at.ends('plan chat.yaml', 65, 'cannot turn a user into a bot');
});

fastTest('removes addresses of callers together, and one by one where others removed one of them', async () => {
  const { at, declare, api } = await application();
  const list = '/applications/settings/ip_whitelist';
  await api('DELETE', `${list}?ip_whitelist_addresses=192.0.2.7/32`, { ip_whitelist_addresses: ['192.0.2.7/32'] });
  await api('PUT', list, { ip_whitelist_addresses: ['203.0.113.9'] });
  await declare(manifest.replace(/ {2}ip_whitelist.*\n/u, ''));
  await at.does('apply chat.yaml --auto-approve --no-refresh');
  expect(await api('GET', list)).toEqual({ ip_whitelist_addresses: ['203.0.113.9/32'] });
  await at.does('plan chat.yaml --refresh --detailed-exitcode');
});

fastTest('keeps settings that are no longer declared', async () => {
  const { at, declare, api } = await application();
  await declare(
    manifest
      .replace(/\nsettings:\n(?: .*\n)+/u, '\n')
      .replace('acknowledge: [', 'acknowledge: [{ effect: settings.forget, count: 1 }, '),
  );
  await at.does('apply chat.yaml --auto-approve');
  expect(await api('GET', '/applications/settings/webhook')).toMatchObject({
    webhook: { enabled: true, url: 'https://hooks.acme.example/chat' },
  });
});

fastTest('reports bans that others imposed, and a plan with a refresh makes them as declared', async () => {
  const { at, declare, api } = await application();
  await api('POST', '/open_channels/lobby/mute', { user_id: 'bob', seconds: 60, description: 'theirs' });
  await api('POST', '/open_channels/lobby/ban', { user_id: 'alice', seconds: 60 });
  const both = '    muted: { bob: { description: ours } }\n    banned: { alice: , mallory: ';
  await declare(manifest.replace('    banned: { mallory: { until', `${both}{ until`));
  const says = 'somebody else has already done this, perhaps with other values; a plan with --refresh compares them.';
  await at.ends('apply chat.yaml --auto-approve', 4, says);
  await at.does('apply chat.yaml --refresh --auto-approve');
  await at.does('plan chat.yaml --refresh --detailed-exitcode');
  expect(await api('GET', '/open_channels/lobby/mute/bob')).toMatchObject({ end_at: -1, description: 'ours' });
});
