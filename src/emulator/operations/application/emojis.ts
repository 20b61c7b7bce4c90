// The calls on emojis (platform §13.8). Categories do not exist here: any positive id is one.

import { ApiError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';
import { Params } from '../../fields/params.ts';
import { isWebUrl } from '../../fields/urls.ts';

const SETTING = 'emojis';
const MAX_KEY = 30;

export function listEmojis(call: Call): Json {
  return { emojis: Object.values(stored(call)) };
}

export function viewEmoji(call: Call): Json {
  return named(call);
}

/** Refuses the whole call if any key is taken. */
export function addEmojis(call: Call): Json {
  const category = call.body.requiredInteger('emoji_category_id');
  if (category < 1) throw new ApiError('notFound', 'EmojiCategory');
  const known = stored(call);
  const added: Record<string, JsonObject> = {};
  const items = call.body.list('emojis');
  if (items === undefined) throw new ApiError('missing', 'emojis');
  for (const [place, item] of items.entries()) {
    const fields = Params.nested(item, `emojis[${place}]`);
    const key = fields.requiredString('key', MAX_KEY);
    if (Object.hasOwn(known, key) || Object.hasOwn(added, key)) throw new ApiError('alreadyExists', 'key');
    const id = Object.keys(known).length + place + 1;
    added[key] = { id, key, url: checkUrl(fields.requiredString('url')), emoji_category_id: category };
  }
  call.commit([{ type: 'setting.put', name: SETTING, value: { ...known, ...added } }]);
  return { emojis: Object.values(added) };
}

export function updateEmoji(call: Call): Json {
  const emoji = { ...named(call), url: checkUrl(call.body.requiredString('url')) };
  const value = { ...stored(call), [call.path('emoji_key')]: emoji };
  call.commit([{ type: 'setting.put', name: SETTING, value }]);
  return emoji;
}

export function deleteEmoji(call: Call): Json {
  named(call);
  const { [call.path('emoji_key')]: _deleted, ...value } = stored(call);
  call.commit([{ type: 'setting.put', name: SETTING, value }]);
  return {};
}

function stored(call: Call): Readonly<Record<string, JsonObject>> {
  return (call.state.setting(SETTING) ?? {}) as Readonly<Record<string, JsonObject>>;
}

function named(call: Call): JsonObject {
  const key = call.path('emoji_key');
  const emojis = stored(call);
  const emoji = Object.hasOwn(emojis, key) ? emojis[key] : undefined;
  if (emoji === undefined) throw new ApiError('notFound', 'Emoji');
  return emoji;
}

function checkUrl(url: string): string {
  if (!isWebUrl(url)) throw new ApiError('invalidValue', 'url');
  return url;
}
