// The calls on credentials of push services (platform §13.5). Only FCM is served.

import { ApiError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';
import { isObject } from '../../fields/params.ts';

const SETTING = 'push keys';

export function listFcmKeys(call: Call): Json {
  return { push_configurations: stored(call) };
}

/** The key itself is not kept. */
export function addFcmKey(call: Call): Json {
  const file = call.body.file('service_account_key');
  if (file === undefined) throw new ApiError('missing', 'service_account_key');
  const { project_id, private_key_id } = accountIn(file.bytes);
  const added = {
    id: call.draw(),
    push_type: 'FCM',
    created_at: call.nowSeconds,
    api_key: '',
    use_v1_api: true,
    project_id,
    private_key_id,
    push_sound: call.body.string('push_sound') ?? '',
  };
  call.commit([{ type: 'setting.put', name: SETTING, value: { list: [added, ...stored(call)] } }]);
  return { push_configurations: [added] };
}

function stored(call: Call): readonly JsonObject[] {
  return (call.state.setting(SETTING)?.list ?? []) as readonly JsonObject[];
}

function accountIn(bytes: Uint8Array): { project_id: string; private_key_id: string } {
  let account: unknown;
  try {
    account = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // Reported below like any other content.
  }
  const { project_id, private_key_id } = isObject(account) ? account : {};
  if (typeof project_id === 'string' && typeof private_key_id === 'string') return { project_id, private_key_id };
  throw new ApiError('invalidValue', 'service_account_key');
}
