// The key with which the platform sends push notifications through FCM (platform §13.5). Only its ids are in files and in state.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeDefinition, BlockProblem, KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { mapOf, pick, textOf } from '../../kinds/definition/values.ts';

const route = '/applications/push/fcm';
const shownNames = ['project_id', 'private_key_id', 'push_sound'];
const idSchema = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description });

export const fcmKeyAttribute = {
  schema: {
    type: 'object',
    properties: {
      env: {
        type: 'string',
        pattern: '^[A-Z][A-Z0-9_]*$',
        description: 'The JSON file of the service account is read from CHATFORM_VAR_<env> when it is sent.',
      },
      project_id: idSchema('The project_id in that file.'),
      private_key_id: idSchema('The private_key_id in that file. Another id sends another key.'),
      push_sound: idSchema('The sound file of the app. Fixed for a key.'),
    },
    required: ['env', 'project_id', 'private_key_id'],
    additionalProperties: false,
    description:
      'The service account key for FCM. Write the name of a variable, never the key itself. The platform keeps earlier keys until they are removed in the dashboard.',
  },
  change: 'mutable',
  removed: { how: 'release' },
  remember: (value: JsonValue) => (isObject(value) ? pick(value, shownNames) : value),
  sentBy: 'steps',
  shown: { as: 'compared', by: { route, answerField: 'push_configurations' } },
  // The texts of messages go to the project of the key.
  people: ['elsewhere', 'notice'],
  parts: { env: { shown: { as: 'in_part', proves: 'key_id' }, people: ['elsewhere', 'notice'] } },
  personal: false,
} as const satisfies AttributeDefinition;

export function fcmKeySteps({ after, attributes }: KindChange): StepDraft[] {
  if (!attributes.some(({ path, how }) => path[0] === 'fcm_key' && how === 'set')) return [];
  const key = mapOf(after, 'fcm_key');
  const variable = textOf(key, 'env');
  if (variable === undefined) return [];
  const [project_id = '', private_key_id = ''] = [textOf(key, 'project_id'), textOf(key, 'private_key_id')];
  const file = { name: 'service-account.json', mediaType: 'application/json', values: { project_id, private_key_id } };
  return [
    {
      action: 'update',
      phase: 'settings',
      request: {
        method: 'POST',
        route,
        body: pick(key, ['push_sound']),
        placeholders: [{ type: 'secret', field: 'service_account_key', variable, file }],
      },
      edits: [{ op: 'set', path: ['fcm_key'], value: pick(key, shownNames) }],
      // A second addition might make the platform push twice, so a lost answer is looked up, and never repeated unseen.
      begin: true,
      resolve: {
        request: { method: 'GET', route },
        absentOn: [],
        expect: [{ path: ['push_configurations'], includes: [private_key_id], by: 'private_key_id' }],
      },
    },
  ];
}

/** An addition of the same key with other values would be a second configuration. */
export function fcmKeyProblems({ attributes }: KindChange): BlockProblem[] {
  return attributes.flatMap(({ path, before, after }): BlockProblem[] => {
    if (path[0] !== 'fcm_key' || !isObject(before) || !isObject(after)) return [];
    if (before.private_key_id !== after.private_key_id) return [];
    return [
      {
        severity: 'error',
        code: 'settings.fcm-key-fixed',
        summary: 'The values of an FCM key are fixed',
        detail: `fcm_key has the private_key_id ${String(before.private_key_id)} as before, but another project_id or push_sound. Change them in the dashboard, or declare another key.`,
        path: ['fcm_key', 'private_key_id'],
      },
    ];
  });
}

/** If there are several keys, the one that was added last counts. Empty without a key. */
export function fcmKeyIn(configurations: JsonValue): JsonObject {
  const keys = (isList(configurations) ? configurations : [])
    .filter(isObject)
    .filter(({ private_key_id: id }) => typeof id === 'string' && id !== '')
    .sort((left, right) => Number(right.created_at ?? 0) - Number(left.created_at ?? 0));
  const [newest] = keys;
  if (newest === undefined) return {};
  const { push_sound: sound, ...rest } = pick(newest, shownNames);
  return sound === undefined || sound === '' ? rest : { ...rest, push_sound: sound };
}
