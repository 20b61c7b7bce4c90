// Tests the settings of an application: webhook, automatic event messages, moderation by custom type.

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
    expect(await api.ok('GET', all)).toEqual(DEFAULTS);
    await api.ok('POST', TYPES, { custom_type: 'sports', ...RULES });
    const ann = { user_id: 'ann', nickname: '', profile_url: 'https://img.bad.example/x.png' };
    expect(await codeOf(api, 'POST', '/users', ann)).toBe(200);
    expect(await api.ok('PUT', all, { domain_filter: RULES.domain_filter })).toEqual({
      ...DEFAULTS,
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
    ['soft_block null', { image_moderation: { soft_block: null } }, 400104],
  ];
  test.for(INVALID)('%s', async ([, body, code]) => {
    const api = await startApi();
    await api.ok('POST', TYPES, { custom_type: 'sports' });
    expect(await codeOf(api, 'PUT', `${TYPES}/sports`, body)).toBe(code);
    if (code !== 200) expect(await api.ok('GET', `${TYPES}/sports`)).toEqual({ ...DEFAULTS, custom_type: 'sports' });
  });
});
