// The kind `custom_type`: the settings of channels by their custom_type, and who operates, is banned or is muted in all of
// them (platform §13.2).

import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { rememberCreated, sentFields } from '../../kinds/definition/attribute-table.ts';
import {
  type AttributeDefinition,
  type AttributeDefinitions,
  type KindChange,
  type KindDefinition,
  neverDisabled,
  type StepDraft,
} from '../../kinds/definition/kind.ts';
import { pathPartSchema } from '../../kinds/definition/schemas.ts';
import { idsOf, pick, shownIds } from '../../kinds/definition/values.ts';
import {
  asDeclared,
  channelSettingAttributes,
  observeChannelSettings,
  record,
  sortedWords,
} from '../../kinds/parts/channel-settings.ts';
import {
  maxOperators,
  operatorAttributes,
  operatorIdSchema,
  operatorSteps,
  operatorsPart,
  withOperators,
} from '../../kinds/parts/operators.ts';
import { personReference } from '../../kinds/parts/people.ts';
import {
  observeRestrictions,
  type RestrictionPlace,
  restrictionCapacity,
  restrictionCreation,
  restrictionParts,
  restrictionProblems,
  restrictionReferences,
  restrictionSteps,
  restrictionsOf,
  withRestrictions,
} from '../../kinds/parts/restrictions.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Expectation } from '../../model/request.ts';

const all = '/applications/settings_by_channel_custom_type';
const route = `${all}/{custom_type}`;
const params = (key: string) => ({ custom_type: key });
const keyName = 'custom_type';
const place: RestrictionPlace = { route, keyName };

const pushText = (what: string) => ({
  type: ['string', 'object'],
  properties: {
    title: { type: 'string', description: 'The title above the text.' },
    body: { type: 'string', description: 'The text of the notification.' },
  },
  required: ['body'],
  additionalProperties: false,
  description: `The notification for ${what}: its body, or a title and a body.`,
});

const pushTemplate: AttributeDefinition = {
  schema: record(
    { MESG: pushText('text messages'), FILE: pushText('files'), ADMM: pushText('admin messages') },
    'The wording of push notifications in channels of this type. Replaces push_templates of the settings.',
  ),
  change: 'mutable',
  removed: { how: 'release' },
  shape: 'map',
  shown: { as: 'compared', lacked: 'gone' },
  people: ['notice'],
  asKnown: (known, shown) => {
    const isSameText = isObject(shown) && shown.body === known && (shown.title ?? '') === '';
    return isSameText ? known : asDeclared(known, shown);
  },
};

const settings: AttributeDefinitions = { ...channelSettingAttributes, push_template: pushTemplate };

const attributes: AttributeDefinitions = {
  ...settings,
  ...operatorAttributes,
  operators: { ...operatorAttributes.operators, shown: { as: 'compared', by: 'observe', costs: 'each' } },
  // The calls that lift bans and mutes separate ids by commas.
  ...restrictionsOf(operatorIdSchema),
};

export const customType: KindDefinition = {
  name: 'custom_type',
  section: 'custom_types',
  title: 'custom type',
  description: 'Settings for all channels with a custom_type. Replaces all_channels of the settings.',
  keyName,
  keySchema: {
    type: 'string',
    minLength: 1,
    maxLength: 128,
    allOf: [
      pathPartSchema,
      {
        pattern: '^(?!\\*$)',
        description: 'A single custom_type. For all other channels, use all_channels of the settings.',
      },
    ],
    description: 'The custom_type of the channels: at most 128 characters.',
  },
  attributes,
  required: [],
  rules: [],
  removals: ['delete', 'forget'],
  disabledState: neverDisabled,
  deletePhase: 'delete_channel',
  normalise: (_key, declared) => {
    const block = withRestrictions(withOperators(sortedWords(withoutEmptySettings(declared)) as JsonObject));
    return { attributes: block, problems: restrictionProblems(block) };
  },
  references: (block) => [
    ...idsOf(block, 'operators').map((key) => personReference(key, 'operator', ['operators', key])),
    ...restrictionReferences(block),
  ],
  checks: () => [],
  steps: (change) =>
    change.type === 'create'
      ? [creation(change), ...operatorSteps(route, change, keyName), ...restrictionCreation(place, change)]
      : [...operatorSteps(route, change, keyName), ...updates(change), ...restrictionSteps(place, change)],
  view: (key) => ({ method: 'GET', route, params: params(key) }),
  remove: (key) => ({ method: 'DELETE', route, params: params(key) }),
  observe: (answer) => {
    const operators = shownIds(answer, 'operators');
    return {
      ...observeChannelSettings(answer),
      ...(isObject(answer.push_template)
        ? { push_template: pick(answer.push_template, ['MESG', 'FILE', 'ADMM']) }
        : {}),
      ...(operators === undefined ? {} : { operators }),
      ...observeRestrictions(answer),
    };
  },
  live: {
    // No filter by keys is documented.
    list: { route: all, query: {}, field: 'channel_custom_type_settings' },
    parts: [operatorsPart(route, { keyName }), ...restrictionParts(place)],
    facts: () => ({}),
    capacity: () => ({
      ...Object.fromEntries(Object.keys(attributes).map((name) => [name, Number.POSITIVE_INFINITY])),
      operators: maxOperators,
      ...restrictionCapacity,
    }),
  },
};

/** An empty setting manages nothing (semantics §1.1), so no call sends it. */
function withoutEmptySettings(declared: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(declared).filter(([name, value]) => !Object.hasOwn(settings, name) || !equalJson(value, {})),
  );
}

function creation({ key, after }: KindChange): StepDraft {
  const declared = pick(after, sentFields(attributes, 'create'));
  return {
    action: 'create',
    phase: 'user',
    request: { method: 'POST', route: all, body: { custom_type: key, ...declared } },
    creates: rememberCreated(attributes, declared),
    edits: [],
    begin: true,
    resolve: {
      request: customType.view(key),
      absentOn: [platformCode.notFound],
      expect: [{ path: ['custom_type'], is: key }, ...expectations([], declared)],
    },
  };
}

/** Returns what the view must show. Lists and texts of notifications may be shown in another form. */
function expectations(path: readonly string[], value: JsonValue): Expectation[] {
  if (isList(value) || path[0] === 'push_template') return [];
  if (!isObject(value)) return [{ path, is: value }];
  return Object.entries(value).flatMap(([name, inner]) => expectations([...path, name], inner));
}

/**
 * Returns one call with every changed setting as a whole, because the documents do not say whether an update keeps the parts
 * of a setting that it does not name. So its entry also releases those parts. The call keeps the settings that it does not
 * name (platform §13.2).
 */
function updates({ key, after, attributes: changes }: KindChange): StepDraft[] {
  const fields = sentFields(attributes, 'update');
  const sets = changes.flatMap(({ path, after: value, how }): RecordEdit[] =>
    how === 'release' || value === undefined || !fields.includes(path[0] ?? '') ? [] : [{ op: 'set', path, value }],
  );
  if (sets.length === 0) return [];
  const body = pick(
    after,
    sets.map(({ path: [name = ''] }) => name),
  );
  const leftOut = changes.filter(
    ({ path: [name = '', key], how }) => how === 'release' && key !== undefined && name in body,
  );
  const edits = [...sets, ...leftOut.map(({ path }): RecordEdit => ({ op: 'unset', path }))];
  const request = { method: 'PUT', route, params: params(key), body } as const;
  return [{ action: 'update', phase: 'user', request, edits }];
}
