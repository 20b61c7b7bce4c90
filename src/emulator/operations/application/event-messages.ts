// The calls on automatic event messages: which events send an admin message to group channels (platform §13.3).

import { ApiError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';
import type { Params } from '../../fields/params.ts';

const SETTING = 'auto_event_message';
const CASES: Readonly<Record<string, readonly string[]>> = {
  user_leave: [
    'deleted',
    'deactivated',
    'left',
    'admin_removed',
    'admin_deleted',
    'admin_deactivated',
    'left_by_own_choice',
    'channel_operator_removed',
  ],
  user_join: ['user_join'],
  channel_create: ['public_channel', 'private_channel'],
  channel_change: ['channel_change'],
};

export function viewEventMessages(call: Call): Json {
  return { auto_event_message: stored(call) };
}

/** Fields that are absent from the body stay unchanged. */
export function updateEventMessages(call: Call): Json {
  const body = call.behaviours.eventMessageBody === 'bare' ? call.body : call.body.nested(SETTING);
  if (body === undefined) throw new ApiError('missing', SETTING);
  const old = stored(call);
  const value: JsonObject = Object.fromEntries(
    Object.entries(CASES).map(([event, cases]) => [event, { ...old[event], ...readCases(body.nested(event), cases) }]),
  );
  call.commit([{ type: 'setting.put', name: SETTING, value }]);
  return { auto_event_message: value };
}

function readCases(body: Params | undefined, cases: readonly string[]): JsonObject {
  return Object.fromEntries(
    cases.flatMap((name) => {
      const value = body?.boolean(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function stored(call: Call): Readonly<Record<string, JsonObject>> {
  const known = call.state.setting(SETTING);
  if (known !== undefined) return known as Readonly<Record<string, JsonObject>>;
  return Object.fromEntries(
    Object.entries(CASES).map(([event, cases]) => [event, Object.fromEntries(cases.map((name) => [name, false]))]),
  );
}
