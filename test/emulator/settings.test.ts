// Tests the settings of an application: webhook, automatic event messages, settings of channels, of all and by custom type.

import { describe, expect, test } from 'vitest';
import { type Answer, BOT, codeOf, startApi } from './support/support.ts';

describe('webhook', () => {
  const WEBHOOK = '/applications/settings/webhook';
  const OFF = { enabled: false, url: '', include_members: false, enabled_events: [], include_unread_count: false };
  const ON = { enabled: true, url: 'https://hooks.example.com/chat', enabled_events: ['group_channel:create'] };

  test('is off at first, keeps what a body leaves out, and lists all events when asked', async () => {
    const api = await startApi();
    expect(await api.ok('GET', WEBHOOK)).toEqual({ webhook: OFF });
    expect(await api.ok('PUT', WEBHOOK, ON)).toEqual({ webhook: { ...OFF, ...ON } });
    const changed = { ...OFF, ...ON, include_members: true, include_unread_count: true };
    await api.ok('PUT', WEBHOOK, { include_members: true, include_unread_count: true });
    expect(await api.ok('GET', WEBHOOK)).toEqual({ webhook: changed });
    const { webhook } = await api.ok('GET', `${WEBHOOK}?display_all_webhook_categories=true`);
    expect(webhook.all_webhook_categories).toEqual(expect.arrayContaining(['open_channel:enter', 'user:report']));
    expect(new Set(webhook.all_webhook_categories).size).toBe(webhook.all_webhook_categories.length);
  });

  test('answers an asterisk with all events, and is off without events', async () => {
    const api = await startApi();
    const all = (await api.ok('GET', `${WEBHOOK}?display_all_webhook_categories=true`)).webhook.all_webhook_categories;
    expect(await api.ok('PUT', WEBHOOK, { ...ON, enabled_events: ['*'] })).toMatchObject({
      webhook: { enabled: true, enabled_events: all },
    });
    expect(await api.ok('PUT', WEBHOOK, { ...ON, enabled_events: [] })).toMatchObject({
      webhook: { enabled: false, enabled_events: [], url: ON.url },
    });
  });

  test.for([
    ['on without a URL', { enabled: true }, 400105],
    ['off without a URL', { enabled: false }, 200],
    ['a URL that is none', { url: 'hooks' }, 400111],
    ['a URL of another scheme', { url: 'file:///etc/passwd' }, 400111],
    ['http', { url: 'http://hooks.example.com' }, 200],
    ['enabled a text', { enabled: 'yes' }, 400104],
    ['include_members a number', { include_members: 1 }, 400104],
    ['enabled_events a text', { enabled_events: '*' }, 400102],
    ['an event that is no text', { enabled_events: [1] }, 400100],
    ['an unknown event', { enabled_events: ['group_channel:explode'] }, 400111],
    ['an asterisk among others', { enabled_events: ['*', 'user:ban'] }, 400111],
    ['an event twice', { enabled_events: ['user:ban', 'user:ban'] }, 200],
  ] as const)('%s', async ([, body, code]) => {
    const api = await startApi();
    expect(await codeOf(api, 'PUT', WEBHOOK, body)).toBe(code);
    if (code !== 200) expect(await api.ok('GET', WEBHOOK)).toEqual({ webhook: OFF });
  });
});

describe('automatic event messages', () => {
  const EVENTS = '/applications/settings/auto_event_message';
  const NONE = {
    user_leave: {
      deleted: false,
      deactivated: false,
      left: false,
      admin_removed: false,
      admin_deleted: false,
      admin_deactivated: false,
      left_by_own_choice: false,
      channel_operator_removed: false,
    },
    user_join: { user_join: false },
    channel_create: { public_channel: false, private_channel: false },
    channel_change: { channel_change: false },
  };

  test('are off at first, and change only as named', async () => {
    const api = await startApi();
    expect(await api.ok('GET', EVENTS)).toEqual({ auto_event_message: NONE });
    const body = { user_join: { user_join: true }, channel_create: { public_channel: true } };
    const expected = {
      ...NONE,
      user_join: { user_join: true },
      channel_create: { public_channel: true, private_channel: false },
    };
    expect(await api.ok('PUT', EVENTS, { auto_event_message: body })).toEqual({ auto_event_message: expected });
    await api.ok('PUT', EVENTS, { auto_event_message: { unknown: { x: 1 }, user_join: { unknown: 1 } } });
    expect(await api.ok('GET', EVENTS)).toEqual({ auto_event_message: expected });
  });

  test.for([
    ['nothing', {}, 400105],
    ['at the top', { user_join: { user_join: true } }, 400105],
    ['no object', { auto_event_message: 'all' }, 400103],
    ['an event that is no object', { auto_event_message: { user_join: true } }, 400103],
    ['a case that is no boolean', { auto_event_message: { user_join: { user_join: 1 } } }, 400104],
  ] as const)('%s', async ([, body, code]) => {
    const api = await startApi();
    expect(await codeOf(api, 'PUT', EVENTS, body)).toBe(code);
    expect(await api.ok('GET', EVENTS)).toEqual({ auto_event_message: NONE });
  });
});

describe('moderation by custom type', () => {
  const TYPES = '/applications/settings_by_channel_custom_type';
  const DEFAULTS = {
    max_message_length: 5000,
    display_past_message: false,
    allow_links: true,
    user_messages_per_channel: -1,
    user_messages_per_channel_duration: 1,
    domain_filter: { domains: [], type: 0, should_check_global: false },
    profanity_filter: { keywords: '', regex_filters: [], type: 0, should_check_global: false },
    profanity_triggered_moderation: { count: 0, duration: 1, action: 0 },
    image_moderation: {
      type: 0,
      soft_block: false,
      limits: { adult: 3, spoof: 5, medical: 5, violence: 3, racy: 4 },
      check_urls: false,
    },
  };
  const RULES = {
    domain_filter: { domains: ['bad.example'], type: 2, should_check_global: true },
    profanity_filter: { keywords: ['dumb', 'dummy*'], regex_filters: [{ regex: 'da+mn' }], type: 1 },
    profanity_triggered_moderation: { count: 3, duration: 60, action: 1 },
    image_moderation: { type: 2, soft_block: true, limits: { adult: 1 }, check_urls: true },
  };
  const SHOWN = {
    ...DEFAULTS,
    domain_filter: RULES.domain_filter,
    // Sent as a list, answered as one text.
    profanity_filter: { ...DEFAULTS.profanity_filter, ...RULES.profanity_filter, keywords: 'dumb,dummy*' },
    profanity_triggered_moderation: RULES.profanity_triggered_moderation,
    image_moderation: { ...RULES.image_moderation, limits: { ...DEFAULTS.image_moderation.limits, adult: 1 } },
  };

  test('is created, shown, listed, updated and deleted', async () => {
    const api = await startApi();
    const sports = { ...DEFAULTS, custom_type: 'sports' };
    expect(await api.ok('POST', TYPES, { custom_type: 'sports' })).toEqual(sports);
    expect(await api.ok('GET', `${TYPES}/sports`)).toEqual(sports);
    expect(await api.ok('PUT', `${TYPES}/sports`, RULES)).toEqual({ ...SHOWN, custom_type: 'sports' });
    await api.ok('POST', TYPES, { custom_type: 'a/b', ...RULES });
    expect(await api.ok('GET', `${TYPES}/a%2Fb`)).toEqual({ ...SHOWN, custom_type: 'a/b' });
    const first = await api.ok('GET', `${TYPES}?limit=1`);
    expect(first.channel_custom_type_settings).toMatchObject([{ custom_type: 'a/b' }]);
    expect(await api.ok('GET', `${TYPES}?limit=1&token=${first.next}`)).toEqual({
      channel_custom_type_settings: [{ ...SHOWN, custom_type: 'sports' }],
      next: '',
    });
    expect(await api.ok('DELETE', `${TYPES}/sports`)).toEqual({});
    expect(await codeOf(api, 'GET', `${TYPES}/sports`)).toBe(400201);
    // The rest of an object that is sent in part goes back to its default.
    const part = { domain_filter: { type: 1 } };
    expect(await api.ok('PUT', `${TYPES}/a%2Fb`, part)).toEqual({
      ...SHOWN,
      custom_type: 'a/b',
      domain_filter: { ...DEFAULTS.domain_filter, type: 1 },
    });
  });

  test('leaves the settings of the application alone, whose domain filter covers images', async () => {
    const api = await startApi();
    const all = '/applications/settings_global';
    const initial = { ...DEFAULTS, message_retention_hours: 4380 };
    expect(await api.ok('GET', all)).toEqual(initial);
    await api.ok('POST', TYPES, { custom_type: 'sports', ...RULES });
    const ann = { user_id: 'ann', nickname: '', profile_url: 'https://img.bad.example/x.png' };
    expect(await codeOf(api, 'POST', '/users', ann)).toBe(200);
    expect(await api.ok('PUT', all, { domain_filter: RULES.domain_filter })).toEqual({
      ...initial,
      domain_filter: RULES.domain_filter,
    });
    expect(await codeOf(api, 'PUT', '/users/ann', ann)).toBe(400307);
    expect(await codeOf(api, 'POST', '/bots', { ...BOT, bot_profile_url: ann.profile_url })).toBe(400307);
    await api.ok('PUT', all, { domain_filter: { ...RULES.domain_filter, type: 1 } });
    expect(await codeOf(api, 'PUT', '/users/ann', ann)).toBe(200);
  });

  test.for([
    ['POST', '', {}, 400105],
    ['POST', '', { custom_type: '' }, 400151],
    ['POST', '', { custom_type: 'x'.repeat(129) }, 400110],
    ['POST', '', { custom_type: 'sports' }, 400202],
    ['GET', '/none', undefined, 400201],
    ['PUT', '/none', {}, 400201],
    ['DELETE', '/none', undefined, 400201],
    ['GET', '?limit=101', undefined, 400113],
  ] as const)('%s %s', async ([method, path, body, code]) => {
    const api = await startApi();
    await api.ok('POST', TYPES, { custom_type: 'sports' });
    expect(await codeOf(api, method, TYPES + path, body)).toBe(code);
  });

  const INVALID: readonly (readonly [string, Answer, number])[] = [
    ['domain_filter no object', { domain_filter: [] }, 400103],
    ['domains no list', { domain_filter: { domains: 'a.com' } }, 400102],
    ['a domain without a dot', { domain_filter: { domains: ['localhost'] } }, 400111],
    ['a domain with a scheme', { domain_filter: { domains: ['https://a.com'] } }, 400111],
    ['1,001 domains', { domain_filter: { domains: Array(1001).fill('a.com') } }, 400203],
    ['a domain filter of type 3', { domain_filter: { type: 3 } }, 400113],
    ['should_check_global a text', { domain_filter: { should_check_global: 'true' } }, 400104],
    ['keywords as one text', { profanity_filter: { keywords: 'dumb,dummy' } }, 400102],
    ['a keyword with a comma', { profanity_filter: { keywords: ['a,b'] } }, 400151],
    ['an empty keyword', { profanity_filter: { keywords: [' '] } }, 400151],
    ['1,000 keywords', { profanity_filter: { keywords: Array(1000).fill('x') } }, 200],
    ['1,001 keywords', { profanity_filter: { keywords: Array(1001).fill('x') } }, 400203],
    ['an expression as a text', { profanity_filter: { regex_filters: ['a+'] } }, 400103],
    ['an expression without regex', { profanity_filter: { regex_filters: [{}] } }, 400105],
    ['an empty expression', { profanity_filter: { regex_filters: [{ regex: '' }] } }, 400111],
    ['a profanity filter of type -1', { profanity_filter: { type: -1 } }, 400106],
    ['a count that is a text', { profanity_triggered_moderation: { count: '3' } }, 400101],
    ['a duration of 0', { profanity_triggered_moderation: { duration: 0 } }, 400113],
    ['a duration above a day', { profanity_triggered_moderation: { duration: 86_401 } }, 400113],
    ['an action of 4', { profanity_triggered_moderation: { action: 4 } }, 400113],
    ['an image moderation of type 3', { image_moderation: { type: 3 } }, 400113],
    ['a limit of 6', { image_moderation: { limits: { adult: 6 } } }, 400113],
    ['limits no object', { image_moderation: { limits: 3 } }, 400103],
    ['a message length of 300', { max_message_length: 300 }, 400111],
    ['a message length that is a text', { max_message_length: 'abc' }, 400101],
    ['allow_links a number', { allow_links: 1 }, 400104],
    ['no message per channel', { user_messages_per_channel: 0 }, 400111],
    ['a period of no second', { user_messages_per_channel_duration: 0 }, 400111],
    ['a push template that is a text', { push_template: 'Hi' }, 400103],
    ['a push template without a body', { push_template: { MESG: { title: 'Hi' } } }, 400105],
    ['soft_block null', { image_moderation: { soft_block: null } }, 400104],
  ];
  test.for(INVALID)('%s', async ([, body, code]) => {
    const api = await startApi();
    await api.ok('POST', TYPES, { custom_type: 'sports' });
    expect(await codeOf(api, 'PUT', `${TYPES}/sports`, body)).toBe(code);
    if (code !== 200) expect(await api.ok('GET', `${TYPES}/sports`)).toEqual({ ...DEFAULTS, custom_type: 'sports' });
  });
});

describe('people in channels of a custom type', () => {
  const SPORTS = '/applications/settings_by_channel_custom_type/sports';
  const start = async () => {
    const api = await startApi();
    for (const user_id of ['cat', 'dan'])
      await api.ok('POST', '/users', { user_id, nickname: user_id, profile_url: '' });
    await api.ok('POST', '/applications/settings_by_channel_custom_type', { custom_type: 'sports' });
    return api;
  };
  const idsOf = (list: readonly { user_id: string }[]) => list.map(({ user_id }) => user_id);

  test('operators are registered, listed and cancelled', async () => {
    const api = await start();
    expect(await api.ok('POST', `${SPORTS}/operators`, { operator_ids: ['dan', 'cat'] })).toEqual({});
    await api.ok('POST', `${SPORTS}/operators`, { operator_ids: ['cat'] });
    expect(idsOf((await api.ok('GET', `${SPORTS}/operators`)).operators)).toEqual(['dan', 'cat']);
    expect(await codeOf(api, 'DELETE', `${SPORTS}/operators?operator_ids=cat,ann`)).toBe(400111);
    expect(await api.ok('DELETE', `${SPORTS}/operators?operator_ids=cat`)).toEqual({});
    expect(idsOf((await api.ok('GET', `${SPORTS}/operators`)).operators)).toEqual(['dan']);
    await api.ok('DELETE', '/users/dan');
    await api.ok('POST', '/users', { user_id: 'dan', nickname: 'Dan', profile_url: '' });
    expect((await api.ok('GET', `${SPORTS}/operators`)).operators).toEqual([]);
  });

  test('a ban removes members from channels of the type and keeps them out until it is lifted', async () => {
    const api = await start();
    for (const custom_type of ['sports', 'news']) {
      const channel = { channel_url: `room_${custom_type}`, custom_type, user_ids: ['cat', 'dan'] };
      await api.ok('POST', '/group_channels', channel);
    }
    const banned_list = [{ user_id: 'cat', seconds: 60, description: 'spam' }, { user_id: 'dan' }];
    expect(await api.ok('POST', `${SPORTS}/ban`, { banned_list })).toEqual({});
    expect((await api.ok('GET', `${SPORTS}/ban`)).banned_list).toMatchObject([
      { user: { user_id: 'cat' }, description: 'spam' },
      { user: { user_id: 'dan' } },
    ]);
    const membersOf = async (url: string) => (await api.ok('GET', `/group_channels/${url}/members`)).members.length;
    expect([await membersOf('room_sports'), await membersOf('room_news')]).toEqual([0, 2]);
    const invite = () => codeOf(api, 'POST', '/group_channels/room_sports/invite', { user_ids: ['cat'] });
    expect(await invite()).toBe(400750);
    expect(await codeOf(api, 'POST', `${SPORTS}/ban`, { banned_list })).toBe(400202);
    expect(await api.ok('DELETE', `${SPORTS}/ban?user_ids=cat,dan`)).toEqual({});
    expect(await invite()).toBe(200);
    expect(await codeOf(api, 'DELETE', `${SPORTS}/ban?user_ids=cat`)).toBe(400201);
  });

  test('mutes share one end, and everything ends with the settings of the type', async () => {
    const api = await start();
    await api.ok('POST', `${SPORTS}/mute`, { user_ids: ['cat', 'dan'], seconds: 60 });
    await api.ok('POST', `${SPORTS}/operators`, { operator_ids: ['dan'] });
    const muted = (await api.ok('GET', `${SPORTS}/mute`)).muted_list;
    expect(muted).toMatchObject([{ user_id: 'cat' }, { user_id: 'dan' }]);
    expect(muted[0].end_at - muted[0].start_at).toBe(60_000);
    await api.ok('DELETE', `${SPORTS}/mute?user_ids=cat`);
    expect(idsOf((await api.ok('GET', `${SPORTS}/mute`)).muted_list)).toEqual(['dan']);
    await api.ok('DELETE', SPORTS);
    expect(await codeOf(api, 'GET', `${SPORTS}/mute`)).toBe(400201);
    await api.ok('POST', '/applications/settings_by_channel_custom_type', { custom_type: 'sports' });
    expect((await api.ok('GET', `${SPORTS}/mute`)).muted_list).toEqual([]);
    expect((await api.ok('GET', `${SPORTS}/operators`)).operators).toEqual([]);
  });

  test.for([
    ['POST', '/ban', {}, 400105],
    ['POST', '/ban', { banned_list: ['cat'] }, 400103],
    ['POST', '/ban', { banned_list: [{ seconds: 60 }] }, 400105],
    ['POST', '/ban', { banned_list: [{ user_id: 'nobody' }] }, 400201],
    ['POST', '/mute', { user_ids: ['cat'], seconds: 0 }, 400111],
    ['DELETE', '/mute', undefined, 400105],
    ['POST', '/operators', {}, 400105],
  ] as const)('%s %s %j is refused', async ([method, path, body, code]) => {
    const api = await start();
    expect(await codeOf(api, method, SPORTS + path, body)).toBe(code);
  });
});

describe('push notifications and allowed addresses', () => {
  const TEMPLATES = '/applications/push/message_templates';
  const LIST = '/applications/settings/ip_whitelist';

  test('push is on at first', async () => {
    const api = await startApi();
    expect(await api.ok('GET', '/applications/push/settings')).toEqual({ push_enabled: true });
    expect(await api.ok('PUT', '/applications/push/settings', { push_enabled: false })).toEqual({
      push_enabled: false,
    });
    expect(await codeOf(api, 'PUT', '/applications/push/settings', {})).toBe(400105);
  });

  test('a template is updated as a whole', async () => {
    const api = await startApi();
    const template = { MESG: 'a', FILE: 'b', ADMM: 'c' };
    const changed = { push_message_templates: [{ template_name: 'alternative', template }] };
    expect(await api.ok('PUT', `${TEMPLATES}/alternative`, { template })).toEqual(changed);
    expect(await api.ok('GET', `${TEMPLATES}/alternative`)).toEqual(changed);
    expect((await api.ok('GET', TEMPLATES)).push_message_templates).toMatchObject([
      { template_name: 'default', template: { FILE: '{filename}' } },
      { template_name: 'alternative', template },
    ]);
    expect(await codeOf(api, 'PUT', `${TEMPLATES}/default`, { template: { MESG: 'a' } })).toBe(400105);
    expect(await codeOf(api, 'PUT', `${TEMPLATES}/other`, { template })).toBe(400201);
  });

  test('addresses are added to those that are listed, and shown as ranges', async () => {
    const api = await startApi();
    expect(await api.ok('GET', LIST)).toEqual({ ip_whitelist_addresses: [] });
    await api.ok('PUT', LIST, { ip_whitelist_addresses: ['192.0.2.0/24'] });
    const both = { ip_whitelist_addresses: ['192.0.2.0/24', '198.51.100.7/32'] };
    expect(await api.ok('PUT', LIST, { ip_whitelist_addresses: ['198.51.100.7'] })).toEqual(both);
    expect(await codeOf(api, 'PUT', LIST, { ip_whitelist_addresses: ['192.0.2.256'] })).toBe(400111);
    expect(await codeOf(api, 'DELETE', LIST, { ip_whitelist_addresses: ['203.0.113.1'] })).toBe(400201);
    expect(await api.ok('DELETE', LIST, { ip_whitelist_addresses: ['198.51.100.7'] })).toEqual({
      ip_whitelist_addresses: ['192.0.2.0/24'],
    });
  });
});
