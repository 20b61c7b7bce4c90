// The kind `bot` (platform §9). Bots can be named wherever a user_id is allowed, except as operators.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { rememberCreated, sentFields, shownFields } from '../../kinds/definition/attribute-table.ts';
import {
  type Callback,
  type KindChange,
  type KindDefinition,
  neverDisabled,
  type StepDraft,
} from '../../kinds/definition/kind.ts';
import { userIdSchema } from '../../kinds/definition/schemas.ts';
import { creationTime, hasEntries, mapOf, pick, textOf } from '../../kinds/definition/values.ts';
import {
  type MetadataPlace,
  maxMetadataItems,
  metadataCreation,
  metadataPart,
  metadataSteps,
  observeMetadata,
} from '../../kinds/parts/metadata.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import { observeAi } from './ai.ts';
import { botAttributes } from './attributes.ts';

const route = '/bots/{bot_userid}';
const params = (key: string) => ({ bot_userid: key });
// A bot is a user, and its metadata has the routes of users (platform §9.1).
const metadata: MetadataPlace = { route: '/users/{user_id}', params: (key) => ({ user_id: key }), phase: 'user' };

export const bot: KindDefinition = {
  name: 'bot',
  section: 'bots',
  title: 'bot',
  description: 'Programs that take part in group channels, by user_id. Channels name them as members, like users.',
  keyName: 'user_id',
  keySchema: { ...userIdSchema, description: 'user_id: unique among users and bots, at most 80 characters.' },
  attributes: botAttributes,
  required: ['bot_nickname', 'bot_type'],
  rules: [
    {
      // Only an AI chatbot answers without a callback (platform §9.1).
      if: { not: { required: ['ai'] } },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { required: ['bot_callback_url'] },
    },
  ],
  // The platform cannot disable a bot.
  removals: ['delete', 'forget'],
  onRename:
    'sent messages, memberships and the bot_token stay with the old bot; keep the key and edit bot_nickname to change what people see',
  disabledState: neverDisabled,
  deletePhase: 'delete_user',
  normalise: (_key, declared) => ({ attributes: declared, problems: [] }),
  callbacks,
  checks: () => [],
  steps: (change) =>
    change.type === 'create'
      ? [creation(change), ...metadataCreation(metadata, change)]
      : [...updates(change), ...metadataSteps(metadata, change)],
  view: (key) => ({ method: 'GET', route, params: params(key) }),
  remove: (key) => ({ method: 'DELETE', route, params: params(key) }),
  observe: (answer) => {
    const { ai: _ai, ...shown } = pick(flat(answer), shownFields(botAttributes));
    return { ...shown, ...observeAi(flat(answer)), ...observeMetadata(flat(answer)) };
  },
  live: {
    // No filter by keys is documented, so a refresh reads each bot separately.
    list: { route: '/bots', query: {}, field: 'bots', keyOf: (answer) => textOf(flat(answer), 'bot_userid') },
    parts: [{ ...metadataPart(metadata), isWhole: (answer) => isObject(flat(answer).metadata) }],
    facts: (answer) => creationTime(flat(answer)),
    capacity: () => ({ metadata: maxMetadataItems, ai: Number.POSITIVE_INFINITY }),
  },
};

function callbacks(attributes: JsonObject): Callback[] {
  const url = textOf(attributes, 'bot_callback_url');
  return url === undefined ? [] : [{ url, path: ['bot_callback_url'] }];
}

function creation({ key, after }: KindChange): StepDraft {
  const fields = {
    // The create requires both fields (platform §9.1).
    bot_profile_url: '',
    is_privacy_mode: false,
    ...pick(after, sentFields(botAttributes, 'create')),
  };
  const { ai } = after;
  return {
    action: 'create',
    phase: 'user',
    request: {
      method: 'POST',
      route: '/bots',
      body: { bot_userid: key, ...fields, ...(ai === undefined ? {} : { ai }) },
    },
    creates: rememberCreated(botAttributes, withoutMetadata(after)),
    edits: [],
    begin: true,
    resolve: {
      request: bot.view(key),
      absentOn: [platformCode.notFound],
      expect: Object.entries(fields).map(([name, value]) => ({ path: pathOf(name), is: value })),
    },
    sink: { field: 'bot_token', within: 'bot', user_id: key },
  };
}

function updates({ key, after: declared, attributes }: KindChange): StepDraft[] {
  const body: Record<string, JsonValue> = {};
  const edits: RecordEdit[] = [];
  for (const { path, after, how } of attributes) {
    const [name = ''] = path;
    if (after === undefined || how === 'release' || name === 'metadata') continue;
    // No source says whether the platform keeps entries of ai that are not sent.
    body[name] = name === 'ai' ? mapOf(declared, 'ai') : after;
    edits.push(how === 'reset' ? { op: 'unset', path } : { op: 'set', path, value: after });
  }
  if (!hasEntries(body)) return [];
  return [{ action: 'update', phase: 'user', request: { method: 'PUT', route, params: params(key), body }, edits }];
}

function withoutMetadata({ metadata: _later, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Returns the path of a field in answers, where the bot's user is in a separate part. */
function pathOf(name: string): string[] {
  return name.startsWith('bot_') && name !== 'bot_callback_url' ? ['bot', name] : [name];
}

/** Returns the answer with the fields of the bot's user. Its metadata has a name of its own there. */
function flat({ bot, ...answer }: JsonObject): JsonObject {
  if (!isObject(bot)) return answer;
  const { bot_metadata: metadata, ...rest } = bot;
  return { ...answer, ...rest, ...(isObject(metadata) ? { metadata } : {}) };
}
