// The calls on the settings of channels: of all, and by custom type (platform §13.2).

import { ApiError } from '../../api/errors.ts';
import type { Json, JsonObject } from '../../api/request.ts';
import { type Call, GLOBAL_SETTINGS } from '../../call/call.ts';
import { isSettingOfType, settingOfType } from '../../call/domains.ts';
import { RETENTION_HOURS } from '../../call/history.ts';
import { takeSortedPage } from '../../call/paging.ts';
import { checkLength, isObject, Params } from '../../fields/params.ts';
import { endOfType } from './custom-types.ts';

const MAX_CUSTOM_TYPE = 128;
const MAX_DURATION = 86_400;
/** No source documents a limit. */
const MAX_ITEMS = 1000;

const MESSAGE_LENGTHS = [50, 100, 200, 500, 1000, 5000, 10_000, 20_000];
const NO_LIMIT = -1;

const DEFAULTS = {
  max_message_length: 5000,
  display_past_message: false,
  allow_links: true,
  user_messages_per_channel: NO_LIMIT,
  user_messages_per_channel_duration: 1,
  domain_filter: { domains: [], type: 0, should_check_global: false },
  profanity_filter: { keywords: [], regex_filters: [], type: 0, should_check_global: false },
  profanity_triggered_moderation: { count: 0, duration: 1, action: 0 },
  image_moderation: {
    type: 0,
    soft_block: false,
    limits: { adult: 3, spoof: 5, medical: 5, violence: 3, racy: 4 },
    check_urls: false,
  },
} satisfies JsonObject;

function defaultsOf({ behaviours }: Call): JsonObject {
  return { ...DEFAULTS, display_past_message: behaviours.pastMessagesDefault === 'on' };
}

export function viewGlobalSettings(call: Call): Json {
  const settings = call.state.setting(GLOBAL_SETTINGS) ?? defaultsOf(call);
  return { ...view(call, settings), message_retention_hours: RETENTION_HOURS };
}

export function updateGlobalSettings(call: Call): Json {
  const settings = store(call, GLOBAL_SETTINGS, call.state.setting(GLOBAL_SETTINGS) ?? defaultsOf(call));
  return { ...settings, message_retention_hours: RETENTION_HOURS };
}

export function listTypeSettings(call: Call): Json {
  const names = call.state.settingNames().filter((name) => isSettingOfType(name));
  const { items, next } = takeSortedPage(call, 'settings_by_channel_custom_type', names, (name) => name);
  return { channel_custom_type_settings: items.map((name) => view(call, call.state.setting(name) ?? DEFAULTS)), next };
}

export function createTypeSettings(call: Call): Json {
  const type = checkType(call.body.requiredString('custom_type'));
  if (call.state.setting(settingOfType(type)) !== undefined) throw new ApiError('alreadyExists', 'custom_type');
  return store(call, settingOfType(type), { ...defaultsOf(call), custom_type: type });
}

export function viewTypeSettings(call: Call): Json {
  return view(call, namedSettings(call).settings);
}

export function updateTypeSettings(call: Call): Json {
  const type = call.path('custom_type');
  const isNew = call.state.setting(settingOfType(type)) === undefined;
  if (isNew && call.behaviours.moderationOfNewType === 'created') return upsertTypeSettings(call);
  const { name, settings } = namedSettings(call);
  return store(call, name, settings);
}

/** The path of an older client, which has no creation. */
export function upsertTypeSettings(call: Call): Json {
  const type = checkType(call.path('custom_type'));
  const name = settingOfType(type);
  return store(call, name, call.state.setting(name) ?? { ...defaultsOf(call), custom_type: type });
}

export function deleteTypeSettings(call: Call): Json {
  call.commit([
    { type: 'setting.delete', name: namedSettings(call).name },
    ...endOfType(call, call.path('custom_type')),
  ]);
  return {};
}

function namedSettings(call: Call): { readonly name: string; readonly settings: JsonObject } {
  const name = settingOfType(call.path('custom_type'));
  const settings = call.state.setting(name);
  if (settings === undefined) throw new ApiError('notFound', 'ChannelCustomTypeSettings');
  return { name, settings };
}

function checkType(type: string): string {
  if (type === '') throw new ApiError('notAllowedCharacter', 'custom_type');
  return checkLength('custom_type', type, MAX_CUSTOM_TYPE);
}

function store(call: Call, name: string, old: JsonObject): JsonObject {
  const ofType = name === GLOBAL_SETTINGS ? {} : present('push_template', readPushTemplate(call.body));
  const settings: JsonObject = { ...old, ...readNumbersAndFlags(call.body), ...readSettings(call, old), ...ofType };
  call.commit([{ type: 'setting.put', name, value: settings }]);
  return view(call, settings);
}

type Filter = 'domain_filter' | 'profanity_filter' | 'profanity_triggered_moderation' | 'image_moderation';

function readNumbersAndFlags(body: Params): JsonObject {
  const length = body.integer('max_message_length');
  if (length !== undefined && !MESSAGE_LENGTHS.includes(length))
    throw new ApiError('invalidValue', 'max_message_length');
  const messages = body.signedInteger('user_messages_per_channel');
  if (messages !== undefined && messages !== NO_LIMIT && messages < 1) {
    throw new ApiError('invalidValue', 'user_messages_per_channel');
  }
  const seconds = body.integer('user_messages_per_channel_duration');
  if (seconds === 0) throw new ApiError('invalidValue', 'user_messages_per_channel_duration');
  return {
    ...present('max_message_length', length),
    ...present('display_past_message', body.boolean('display_past_message')),
    ...present('allow_links', body.boolean('allow_links')),
    ...present('user_messages_per_channel', messages),
    ...present('user_messages_per_channel_duration', seconds),
  };
}

/** A text is shown as a body with an empty title. */
function readPushTemplate(body: Params): JsonObject | undefined {
  const template = body.nested('push_template');
  if (template === undefined) return undefined;
  const texts = ['MESG', 'FILE', 'ADMM'].map((type): JsonObject => {
    if (!template.has(type)) return {};
    const value = template.value(type);
    if (typeof value === 'string') return { [type]: { title: '', body: value } };
    const parts = Params.nested(value, `push_template.${type}`);
    return { [type]: { title: parts.string('title') ?? '', body: parts.requiredString('body') } };
  });
  return Object.assign({}, ...texts) as JsonObject;
}

/** The objects in the body. Whether a partial one keeps old values or gets defaults is not documented. */
function readSettings(call: Call, old: JsonObject): JsonObject {
  const { body } = call;
  const known = call.behaviours.moderationUpdate === 'merges' ? old : DEFAULTS;
  const read = (name: Filter, values: (body: Params) => JsonObject): JsonObject => {
    const nested = body.nested(name);
    if (nested === undefined) return {};
    const base = known[name];
    return { [name]: { ...(isObject(base) ? (base as JsonObject) : {}), ...values(nested) } };
  };
  return {
    ...read('domain_filter', (filter) => ({
      ...present('domains', readDomains(filter)),
      ...present('type', filter.integerIn('type', 0, 2)),
      ...present('should_check_global', filter.boolean('should_check_global')),
    })),
    ...read('profanity_filter', (filter) => ({
      ...present('keywords', readKeywords(filter)),
      ...present('regex_filters', readExpressions(filter)),
      ...present('type', filter.integerIn('type', 0, 2)),
      ...present('should_check_global', filter.boolean('should_check_global')),
    })),
    ...read('profanity_triggered_moderation', (trigger) => ({
      ...present('count', trigger.integer('count')),
      ...present('duration', trigger.integerIn('duration', 1, MAX_DURATION)),
      ...present('action', trigger.integerIn('action', 0, 3)),
    })),
    ...read('image_moderation', (image) => ({
      ...present('type', image.integerIn('type', 0, 2)),
      ...present('soft_block', image.boolean('soft_block')),
      ...present('limits', readLimits(image, known)),
      ...present('check_urls', image.boolean('check_urls')),
    })),
  };
}

function readDomains(filter: Params): readonly string[] | undefined {
  const domains = filter.strings('domains', MAX_ITEMS);
  if (domains?.some((domain) => !/^[^\s,/:]+\.[^\s,/:]+$/u.test(domain))) {
    throw new ApiError('invalidValue', 'domain_filter.domains');
  }
  return domains;
}

/** The response joins them with commas, so none may contain a comma. */
function readKeywords(filter: Params): readonly string[] | undefined {
  const keywords = filter.strings('keywords', MAX_ITEMS);
  if (keywords?.some((keyword) => keyword.trim() === '' || keyword.includes(','))) {
    throw new ApiError('notAllowedCharacter', 'profanity_filter.keywords');
  }
  return keywords;
}

function readExpressions(filter: Params): readonly JsonObject[] | undefined {
  return filter.list('regex_filters', MAX_ITEMS)?.map((item, place) => {
    const path = `profanity_filter.regex_filters[${place}]`;
    const regex = Params.nested(item, path).requiredString('regex');
    if (regex === '') throw new ApiError('invalidValue', `${path}.regex`);
    return { regex };
  });
}

function readLimits(image: Params, known: JsonObject): JsonObject | undefined {
  const limits = image.nested('limits');
  if (limits === undefined) return undefined;
  const old = isObject(known.image_moderation) ? known.image_moderation.limits : undefined;
  const values = Object.keys(DEFAULTS.image_moderation.limits).map((name) =>
    present(name, limits.integerIn(name, 0, 5)),
  );
  return Object.assign({}, isObject(old) ? old : {}, ...values) as JsonObject;
}

function present(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function view(call: Call, settings: JsonObject): JsonObject {
  const filter = settings.profanity_filter;
  if (call.behaviours.moderationKeywords === 'list' || !isObject(filter) || !Array.isArray(filter.keywords)) {
    return settings;
  }
  return { ...settings, profanity_filter: { ...(filter as JsonObject), keywords: filter.keywords.join(',') } };
}
