// The switches of reactions and default emojis, which no call shows (platform §13.6).

import type { Json } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';

export function switchReactions(call: Call): Json {
  const reactions = call.body.requiredBoolean('enabled');
  call.commit([{ type: 'setting.put', name: 'reactions', value: { reactions } }]);
  return { reactions };
}

export function switchDefaultEmojis(call: Call): Json {
  const value = { use_default_emoji: call.body.requiredBoolean('use_default_emoji') };
  call.commit([{ type: 'setting.put', name: 'default emojis', value }]);
  return value;
}
