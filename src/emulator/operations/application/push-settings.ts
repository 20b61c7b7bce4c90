// The calls on push notifications of the application: on and off, and their texts (platform §13.5).

import { ApiError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';

const SETTING = 'push';
const OF_TEMPLATE = 'push template:';
const TEMPLATES: Readonly<Record<string, JsonObject>> = {
  default: { MESG: '{sender_name}: {message}', FILE: '{filename}', ADMM: '{message}' },
  alternative: { MESG: 'New message arrived!', FILE: 'New file delivered!', ADMM: 'New announcement!' },
};

export function viewPush(call: Call): Json {
  return call.state.setting(SETTING) ?? { push_enabled: true };
}

export function updatePush(call: Call): Json {
  const value = { push_enabled: call.body.requiredBoolean('push_enabled') };
  call.commit([{ type: 'setting.put', name: SETTING, value }]);
  return value;
}

export function listTemplates(call: Call): Json {
  return shown(call, Object.keys(TEMPLATES));
}

export function viewTemplate(call: Call): Json {
  return shown(call, [namedTemplate(call)]);
}

/** All three texts are required. */
export function updateTemplate(call: Call): Json {
  const name = namedTemplate(call);
  const template = call.body.nested('template');
  if (template === undefined) throw new ApiError('missing', 'template');
  const value = {
    MESG: template.requiredString('MESG'),
    FILE: template.requiredString('FILE'),
    ADMM: template.requiredString('ADMM'),
  };
  call.commit([{ type: 'setting.put', name: OF_TEMPLATE + name, value }]);
  return shown(call, [name]);
}

function shown(call: Call, names: readonly string[]): JsonObject {
  return {
    push_message_templates: names.map((name) => ({
      template_name: name,
      template: call.state.setting(OF_TEMPLATE + name) ?? TEMPLATES[name] ?? {},
    })),
  };
}

function namedTemplate(call: Call): string {
  const name = call.path('template_name');
  if (!Object.hasOwn(TEMPLATES, name)) throw new ApiError('notFound', 'PushMessageTemplate');
  return name;
}
