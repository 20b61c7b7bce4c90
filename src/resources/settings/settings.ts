// The kind `settings` (platform §12, §13). Its only object always exists.

import { InternalError } from '../../lib/errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import {
  type Callback,
  type KindChange,
  type KindDefinition,
  neverDisabled,
  type StepDraft,
} from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';
import { mapOf, textOf } from '../definition/values.ts';
import { type OwnCalls, observeOwn, ownCallSteps, ownReads } from '../parts/own-calls.ts';
import { settingsAttributes, sortedWords } from './attributes.ts';
import { unknownEvents, withAllEvents } from './events.ts';

const byType = '/applications/settings_by_channel_custom_type';
const preference = '/applications/default_channel_invitation_preference';
const ownCalls: OwnCalls = { definitions: settingsAttributes, params: () => ({}), phase: 'user' };

export const settings: KindDefinition = {
  name: 'settings',
  section: 'settings',
  title: 'set of settings',
  description: 'Settings of the application. What is not declared is left alone.',
  keyName: 'application',
  onlyKey: 'application',
  keySchema: {
    type: 'string',
    minLength: 11,
    maxLength: 11,
    pattern: '^application$',
    description: 'application: there is one set of settings.',
  },
  attributes: settingsAttributes,
  required: [],
  rules: [],
  removals: ['forget'],
  onForget: 'the settings stay as they are',
  disabledState: neverDisabled,
  deletePhase: 'record',
  normalise: (_key, declared) => ({
    attributes: sortedWords(declared) as JsonObject,
    problems: unknownEvents(mapOf(declared, 'webhook').enabled_events),
  }),
  references: () => [],
  callbacks,
  checks: () => [],
  steps: (change) => [...ownCallSteps(ownCalls, change), ...moderationSteps(change)],
  view: () => ({ method: 'GET', route: preference }),
  remove: () => {
    throw new InternalError('settings cannot be deleted');
  },
  observe,
  live: {
    parts: [...ownReads(ownCalls), moderationPart()],
    facts: () => ({}),
    capacity: () => Object.fromEntries(Object.keys(settingsAttributes).map((name) => [name, Number.POSITIVE_INFINITY])),
  },
};

function callbacks(attributes: JsonObject): Callback[] {
  const { enabled, url } = mapOf(attributes, 'webhook');
  const isNone = url === '' && enabled === false;
  return typeof url !== 'string' || isNone ? [] : [{ url, path: ['webhook', 'url'] }];
}

/**
 * An entry is created, which is refused if the type already has settings, and then updated as a whole, because the
 * documents do not say whether an update merges its parts.
 */
function moderationSteps({ attributes }: KindChange): StepDraft[] {
  return attributes.flatMap(({ path, before, after, how }): StepDraft[] => {
    const [name, type] = path;
    if (name !== 'moderation' || type === undefined || !isObject(after) || how === 'release') return [];
    const set: RecordEdit = { op: 'set', path: [name, type], value: after };
    const creation: StepDraft = {
      ...call('POST', byType, {}, { custom_type: type, ...after }),
      // The create only makes the entry. The update sets its content.
      edits: [{ op: 'set', path: [name, type], value: {} }],
      doneOn: [platformCode.taken],
    };
    const update = { ...call('PUT', `${byType}/{custom_type}`, { custom_type: type }, after), edits: [set] };
    return before === undefined ? [creation, update] : [update];
  });
}

function call(
  method: 'POST' | 'PUT',
  route: string,
  params: Readonly<Record<string, string>>,
  body: JsonObject,
): StepDraft {
  return { action: 'update', phase: 'user', request: { method, route, params, body }, edits: [] };
}

function moderationPart(): PartRead {
  return {
    attribute: 'moderation',
    field: 'channel_custom_type_settings',
    isWhole: (answer) => isList(answer.channel_custom_type_settings),
    request: () => ({ method: 'GET', route: byType, query: { limit: '100' } }),
  };
}

const moderated = ['domain_filter', 'profanity_filter', 'profanity_triggered_moderation', 'image_moderation'];

function observe(answer: JsonObject): JsonObject {
  const list = answer.channel_custom_type_settings;
  const own = sortedWords(withAllEvents(observeOwn(settingsAttributes, answer))) as JsonObject;
  if (!isList(list)) return own;
  const entries = list.filter(isObject).flatMap((item): [string, JsonValue][] => {
    const type = textOf(item, 'custom_type');
    const parts = Object.entries(item).filter(([name]) => moderated.includes(name));
    return type === undefined ? [] : [[type, sortedWords(Object.fromEntries(parts))]];
  });
  return { ...own, moderation: Object.fromEntries(entries) };
}
