// The events of the webhook: those that the documents list, and the asterisk for all of them (platform §13.1).

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { BlockProblem } from '../../kinds/definition/kind.ts';

const byTopic: Readonly<Record<string, readonly string[]>> = {
  open_channel: ['create', 'remove', 'enter', 'exit', 'message_send', 'message_update', 'message_delete', 'report'],
  group_channel: [
    'create',
    'changed',
    'remove',
    'invite',
    'decline_invite',
    'join',
    'leave',
    'message_send',
    'message_read',
    'message_update',
    'message_delete',
    'freeze_unfreeze',
    'reaction_add',
    'reaction_delete',
    'report',
  ],
  user: [
    'block',
    'unblock',
    'mute',
    'ban',
    'deactivate',
    'push_preference',
    'push_channel_preference',
    'device_token_register',
    'device_token_unregister',
    'report',
  ],
  operators: ['register_by_operator', 'unregister_by_operator'],
  message: ['report'],
  alert: ['user_message_rate_limit_exceeded'],
  profanity_filter: ['replace', 'block', 'moderate', 'detect'],
  image_moderation: ['block'],
  announcement: ['create_channels', 'send_messages'],
};

export const webhookEvents: readonly string[] = Object.entries(byTopic).flatMap(([topic, events]) =>
  events.map((event) => `${topic}:${event}`),
);

/**
 * The platform answers `["*"]` with a list of all its events, and another field lists those that exist. A read with all of
 * them counts as `["*"]`.
 */
export function withAllEvents({ webhook, ...others }: JsonObject): JsonObject {
  if (!isObject(webhook)) return webhook === undefined ? others : { ...others, webhook };
  const { all_webhook_categories: all, enabled_events: events, ...rest } = webhook;
  if (events === undefined) return { ...others, webhook: rest };
  const known = isList(all) && all.length > 0 ? all : webhookEvents;
  const hasAll = isList(events) && known.every((event) => events.includes(event));
  return { ...others, webhook: { ...rest, enabled_events: hasAll ? ['*'] : events } };
}

/** A declared list of all events that chatform knows is not an edit of `["*"]`. */
export function asListedEvents(known: JsonValue, shown: JsonValue): JsonValue {
  const isAll = isList(shown) && shown.includes('*');
  return isAll && isList(known) && webhookEvents.every((event) => known.includes(event)) ? known : shown;
}

/** Only a read asks for all events of the application, by which `["*"]` is recognised. */
export function isListOfEvents(value: JsonValue): boolean {
  return !(isList(value) && value.includes('*'));
}

/** Warns of events that the documents do not list. The platform's own list grows, so they may be right. */
export function unknownEvents(events: JsonValue | undefined): BlockProblem[] {
  return (isList(events) ? events : []).flatMap((event, place): BlockProblem[] => {
    if (typeof event !== 'string' || event === '*' || webhookEvents.includes(event)) return [];
    return [
      {
        severity: 'warning',
        code: 'settings.unknown-event',
        summary: 'chatform does not know this event',
        detail: `The documents that chatform follows do not list ${event}. ${alternatives(event)}If the platform has it, this line is right; otherwise the platform refuses the webhook.`,
        path: ['webhook', 'enabled_events', String(place)],
      },
    ];
  });
}

function alternatives(event: string): string {
  const topic = event.slice(0, event.indexOf(':'));
  const events = byTopic[topic] ?? [];
  return events.length === 0 ? '' : `They list ${events.map((name) => `${topic}:${name}`).join(', ')}. `;
}
