// Push and count preferences of a user, for all channels and for one (platform §12). Nothing is ever pushed.

import { ApiError } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { Params } from '../fields/params.ts';
import type { MemberRecord } from '../stored/records.ts';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const TRIGGERS = ['all', 'mention_only', 'off'];
const COUNTS = ['all', 'unread_message_count_only', 'unread_mentioned_count_only', 'off'];
const FLAGS = ['block_push_from_bots', 'do_not_disturb', 'enable_push_for_replies', 'snooze_enabled'];
const HOURS = ['start_hour', 'end_hour'];
const MINUTES = ['start_min', 'end_min'];
const TIMES = ['snooze_start_ts', 'snooze_end_ts'];
const DEFAULTS = {
  ...Object.fromEntries(FLAGS.map((name) => [name, false])),
  ...Object.fromEntries([...HOURS, ...MINUTES, ...TIMES].map((name) => [name, 0])),
  push_blocked_bot_ids: [],
  push_sound: 'default',
  push_trigger_option: 'all',
  timezone: 'UTC',
  dnd_schedules: [],
} satisfies JsonObject;

export function viewPushPreferences(call: Call): Json {
  return { ...DEFAULTS, ...call.user(call.path('user_id')).push };
}

export function updatePushPreferences(call: Call): Json {
  const { body } = call;
  const user = call.user(call.path('user_id'));
  const read: Readonly<Record<string, Json | undefined>> = {
    ...Object.fromEntries(FLAGS.map((name) => [name, body.boolean(name)])),
    ...Object.fromEntries(HOURS.map((name) => [name, body.integerIn(name, 0, 23)])),
    ...Object.fromEntries(MINUTES.map((name) => [name, body.integerIn(name, 0, 59)])),
    ...Object.fromEntries(TIMES.map((name) => [name, body.integer(name)])),
    push_blocked_bot_ids: body.strings('push_blocked_bot_ids'),
    push_sound: body.string('push_sound'),
    push_trigger_option: readChoice(body, 'push_trigger_option', TRIGGERS),
    timezone: body.string('timezone'),
    dnd_schedules: readSchedules(body),
  };
  const changes = Object.entries(read).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const push: JsonObject = { ...user.push, ...Object.fromEntries(changes) };
  call.commit([{ type: 'user.put', user: { ...user, push } }]);
  return { ...DEFAULTS, ...push };
}

export function resetPushPreferences(call: Call): Json {
  const { push: _, ...user } = call.user(call.path('user_id'));
  call.commit([{ type: 'user.put', user }]);
  return {};
}

/** The documents do not say what choosing a template changes in any answer. */
export function choosePushTemplate(call: Call): Json {
  call.user(call.path('user_id'));
  const name = readChoice(call.body, 'name', ['default', 'alternative']);
  if (name === undefined) throw new ApiError('missing', 'name');
  return { name };
}

export function viewChannelPush(call: Call): Json {
  return channelPushView(namedMembership(call).member);
}

/** `default` goes back to the preference of the user, which answers then show: the vendor's clients know no such answer. */
export function updateChannelPush(call: Call): Json {
  const { url, member } = namedMembership(call);
  const option = readChoice(call.body, 'push_trigger_option', ['default', ...TRIGGERS]);
  if (option === undefined) throw new ApiError('missing', 'push_trigger_option');
  const { pushTrigger: _, ...rest } = member;
  const changed: MemberRecord = {
    ...rest,
    ...(option === 'default' ? {} : { pushTrigger: option }),
    pushSound: call.body.string('push_sound') ?? member.pushSound ?? 'default',
  };
  call.commit([{ type: 'members.put', url, members: [changed] }]);
  return channelPushView(changed);
}

export function viewCountPreference(call: Call): Json {
  return { count_preference: namedMembership(call).member.countPreference ?? 'all' };
}

export function updateCountPreference(call: Call): Json {
  const { url, member } = namedMembership(call);
  const preference = readChoice(call.body, 'count_preference', COUNTS);
  if (preference === undefined) throw new ApiError('missing', 'count_preference');
  call.commit([{ type: 'members.put', url, members: [{ ...member, countPreference: preference }] }]);
  return { count_preference: preference };
}

function channelPushView({ pushTrigger = 'all', pushSound = 'default' }: MemberRecord): JsonObject {
  return { enable: pushTrigger !== 'off', push_trigger_option: pushTrigger, push_sound: pushSound };
}

function namedMembership(call: Call): { readonly url: string; readonly member: MemberRecord } {
  const { userId } = call.user(call.path('user_id'));
  const { url } = call.groupChannel();
  const member = call.state.members(url).get(userId);
  if (member === undefined) throw new ApiError('notFound', 'Member');
  return { url, member };
}

/** Live answers split a window that passes midnight into one for each of the two days. */
function readSchedules(body: Params): readonly Json[] | undefined {
  const schedules = body.list('dnd_schedules');
  if (schedules === undefined) return undefined;
  const windows = new Map<string, JsonObject[]>();
  const add = (day: string, window: JsonObject): void => {
    windows.set(day, [...(windows.get(day) ?? []), window]);
  };
  for (const [place, item] of schedules.entries()) {
    const schedule = Params.nested(item, `dnd_schedules[${place}]`);
    const day = readChoice(schedule, 'day_of_week', DAYS);
    if (day === undefined) throw new ApiError('missing', `dnd_schedules[${place}].day_of_week`);
    for (const [index, inner] of (schedule.list('time_windows') ?? []).entries()) {
      const window = Params.nested(inner, `dnd_schedules[${place}].time_windows[${index}]`);
      const [startHour, endHour] = HOURS.map((name) => window.integerIn(name, 0, 23) ?? 0) as [number, number];
      const [startMin, endMin] = MINUTES.map((name) => window.integerIn(name, 0, 59) ?? 0) as [number, number];
      const start = { start_hour: startHour, start_min: startMin };
      const end = { end_hour: endHour, end_min: endMin };
      if (startHour * 60 + startMin < endHour * 60 + endMin) add(day, { ...start, ...end });
      else {
        add(day, { ...start, end_hour: 23, end_min: 59 });
        add(DAYS[(DAYS.indexOf(day) + 1) % DAYS.length] ?? day, { start_hour: 0, start_min: 0, ...end });
      }
    }
  }
  const used = DAYS.filter((day) => windows.has(day));
  return used.map((day) => ({ day_of_week: day, time_windows: windows.get(day) ?? [] }));
}

function readChoice(fields: Params, name: string, allowed: readonly string[]): string | undefined {
  const value = fields.string(name);
  if (value !== undefined && !allowed.includes(value)) throw new ApiError('invalidValue', fields.named(name));
  return value;
}
