// The calls on the webhook of the application: view and choose the events (platform §13.1).

import { ApiError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';
import { isWebUrl } from '../../fields/urls.ts';

const SETTING = 'webhook';
const ALL_EVENTS = [
  ...named('open_channel', 'create remove enter exit message_send message_update message_delete'),
  ...named(
    'group_channel',
    'create changed remove invite decline_invite join leave message_send message_read message_update message_delete freeze_unfreeze reaction_add reaction_delete',
  ),
  ...named(
    'user',
    'block unblock mute ban deactivate push_preference push_channel_preference device_token_register device_token_unregister',
  ),
  ...named('operators', 'register_by_operator unregister_by_operator'),
  ...['message', 'user', 'open_channel', 'group_channel'].map((what) => `${what}:report`),
  'alert:user_message_rate_limit_exceeded',
  ...named('profanity_filter', 'replace block moderate detect'),
  'image_moderation:block',
  ...named('announcement', 'create_channels send_messages'),
];
const DEFAULTS = {
  enabled: false,
  url: '',
  include_members: false,
  enabled_events: [],
  include_unread_count: false,
} satisfies JsonObject;

export function viewWebhook(call: Call): Json {
  const all = call.query.boolean('display_all_webhook_categories', false);
  return { webhook: { ...stored(call), ...(all ? { all_webhook_categories: ALL_EVENTS } : {}) } };
}

export function updateWebhook(call: Call): Json {
  const { body } = call;
  const old = stored(call);
  const events = readEvents(call);
  const url = body.string('url') ?? old.url;
  const enabled = body.boolean('enabled') ?? old.enabled;
  if (url !== '' && !isWebUrl(String(url))) throw new ApiError('invalidValue', 'url');
  if (enabled === true && url === '') throw new ApiError('missing', 'url');
  const webhook: JsonObject = {
    // An empty list of events turns webhooks off.
    enabled: events?.length === 0 ? false : (enabled ?? false),
    url: url ?? '',
    include_members: body.boolean('include_members') ?? old.include_members ?? false,
    enabled_events: events ?? old.enabled_events ?? [],
    include_unread_count: body.boolean('include_unread_count') ?? old.include_unread_count ?? false,
  };
  call.commit([{ type: 'setting.put', name: SETTING, value: webhook }]);
  return { webhook };
}

function stored(call: Call): JsonObject {
  return call.state.setting(SETTING) ?? DEFAULTS;
}

/** Each event once. A single asterisk means all events, which the response lists (platform §13.1). */
function readEvents(call: Call): readonly string[] | undefined {
  const events = call.body.strings('enabled_events');
  if (events === undefined) return undefined;
  if (events.length === 1 && events[0] === '*') return ALL_EVENTS;
  if (call.behaviours.unknownWebhookEvent === 'kept') return [...new Set(events)];
  const known = [...new Set(events)].filter((event) => ALL_EVENTS.includes(event));
  const unknown = events.find((event) => !ALL_EVENTS.includes(event));
  if (unknown !== undefined && call.behaviours.unknownWebhookEvent === 'refused') {
    throw new ApiError('invalidValue', 'enabled_events');
  }
  return known;
}

function named(group: string, events: string): readonly string[] {
  return events.split(' ').map((event) => `${group}:${event}`);
}
