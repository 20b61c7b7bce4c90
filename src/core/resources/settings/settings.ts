// The kind `settings` (platform §12, §13). Its only object always exists.

import { InternalError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type Callback, type KindDefinition, type Normalised, neverDisabled } from '../../kinds/definition/kind.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { observeChannelSettings, sortedWords } from '../../kinds/parts/channel-settings.ts';
import { type OwnCalls, observeOwn, ownCallSteps, ownReads } from '../../kinds/parts/own-calls.ts';
import { addressProblems, allowlistNotes, allowlistSteps, normalAddresses } from './allowlist.ts';
import { settingsAttributes } from './attributes.ts';
import { emojiProblems, emojiSteps, emojisIn } from './emojis.ts';
import { unknownEvents, withAllEvents } from './events.ts';
import { fcmKeyIn, fcmKeyProblems, fcmKeySteps } from './fcm-key.ts';
import { templateSteps, templatesIn } from './push-templates.ts';

const preference = '/applications/default_channel_invitation_preference';
const ownCalls: OwnCalls = { definitions: settingsAttributes, params: () => ({}), phase: 'settings' };

export const settings: KindDefinition = {
  name: 'settings',
  section: 'settings',
  title: 'set of settings',
  description: 'Settings of the application. Undeclared settings are not changed.',
  keyName: 'application',
  onlyKey: 'application',
  keySchema: {
    type: 'string',
    minLength: 11,
    maxLength: 11,
    pattern: '^application$',
    description: 'application, the only key: an application has one set of settings.',
  },
  attributes: settingsAttributes,
  required: [],
  rules: [],
  removals: ['forget'],
  onForget: 'the settings stay as they are',
  disabledState: neverDisabled,
  deletePhase: 'record',
  normalise,
  callbacks,
  checks: (change) => [...emojiProblems(change), ...fcmKeyProblems(change)],
  steps: (change) => [
    ...ownCallSteps(ownCalls, change),
    ...templateSteps(change),
    ...emojiSteps(change),
    ...fcmKeySteps(change),
    ...allowlistSteps(change),
  ],
  notes: allowlistNotes,
  view: () => ({ method: 'GET', route: preference }),
  remove: () => {
    throw new InternalError('settings cannot be deleted');
  },
  observe,
  live: {
    parts: ownReads(ownCalls),
    facts: () => ({}),
    capacity: () => Object.fromEntries(Object.keys(settingsAttributes).map((name) => [name, Number.POSITIVE_INFINITY])),
  },
};

function callbacks(attributes: JsonObject): Callback[] {
  const { enabled, url } = mapOf(attributes, 'webhook');
  const isNone = url === '' && enabled === false;
  return typeof url !== 'string' || isNone ? [] : [{ url, path: ['webhook', 'url'] }];
}

function normalise(_key: string, declared: JsonObject): Normalised {
  const attributes = sortedWords(declared) as JsonObject;
  const problems = unknownEvents(mapOf(declared, 'webhook').enabled_events);
  if (declared.ip_whitelist === undefined) return { attributes, problems };
  const addresses = normalAddresses(declared.ip_whitelist);
  return {
    attributes: { ...attributes, ip_whitelist: addresses },
    problems: [...problems, ...addressProblems(addresses)],
  };
}

function observe(answer: JsonObject): JsonObject {
  const {
    fcm_key: configurations,
    emojis: answered,
    ...observed
  } = sortedWords(withAllEvents(observeOwn(settingsAttributes, answer))) as JsonObject;
  const emojis = emojisIn(answered);
  return {
    ...(configurations === undefined ? {} : { fcm_key: fcmKeyIn(configurations) }),
    ...observed,
    ...(observed.all_channels === undefined
      ? {}
      : { all_channels: observeChannelSettings(mapOf(observed, 'all_channels')) }),
    ...(observed.push_templates === undefined ? {} : { push_templates: templatesIn(observed.push_templates) }),
    ...(emojis === undefined ? {} : { emojis }),
    ...(observed.ip_whitelist === undefined ? {} : { ip_whitelist: normalAddresses(observed.ip_whitelist) }),
  };
}
