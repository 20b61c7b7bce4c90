// How is an open channel declared, created and changed? (base, POST /open_channels; platform §5.1)
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import {
  channelAttributes,
  channelDeprecatedForms,
  channelExpectations,
  channelKeySchema,
  channelUpdate,
  channelView,
  coverRule,
  freezing,
  maxOperators,
  notFound,
  operatorSteps,
  operatorsPart,
  userAddress,
} from '../channel.ts';
import type { AttributeDefinition, KindChange, KindDefinition, Normalised, Reference, StepDraft } from '../define.ts';
import { declaredMessages } from '../messages/declaration.ts';
import { rememberAll } from '../remember.ts';
import { filePlaceholder, flagOf, flagSchema, idsOf, pick, shownIds, sortedSet } from '../values.ts';

const route = '/open_channels/{channel_url}';

const attributes = {
  ...channelAttributes,
  is_dynamic_partitioned: {
    schema: flagSchema('true: may open subchannels to hold very many users. Cannot be changed after creation.'),
    change: 'create_only',
    removed: { how: 'release' },
  },
} as const satisfies Record<string, AttributeDefinition>;

const sentAtCreation = ['name', 'cover_url', 'custom_type', 'data', 'is_ephemeral', 'is_dynamic_partitioned'];

export const openChannel: KindDefinition = {
  kind: 'open_channel',
  section: 'open_channels',
  title: 'open channel',
  description: 'Channels that anybody may enter, by channel_url.',
  keyName: 'channel_url',
  keySchema: channelKeySchema,
  attributes,
  deprecated: channelDeprecatedForms,
  required: [],
  rules: [coverRule],
  removals: ['freeze', 'delete', 'forget'],
  children: { messages: declaredMessages },
  disabledState: freezing(route),
  deletePhase: 'delete_channel',
  normalise,
  references,
  checks: () => [],
  steps: (change) => (change.type === 'create' ? createSteps(change) : updateSteps(change)),
  view: (key) => channelView(route, key, { include_operators: 'true' }),
  remove: (key) => ({ method: 'DELETE', route, params: { channel_url: key } }),
  observe,
  live: {
    list: {
      route: '/open_channels',
      filter: 'channel_urls',
      query: { show_frozen: 'true', include_operators: 'true' },
      field: 'channels',
    },
    parts: [operatorsPart(route)],
    facts: () => ({}),
    capacity: () => ({ operators: maxOperators }),
  },
};

function normalise(_key: string, declared: JsonObject): Normalised {
  const { operator_ids, ...rest } = declared;
  const operators = sortedSet([
    ...idsOf(rest, 'operators'),
    ...idsOf({ operator_ids: operator_ids ?? [] }, 'operator_ids'),
  ]);
  const names = rest.operators !== undefined || operator_ids !== undefined;
  return { attributes: names ? { ...rest, operators } : rest, problems: [] };
}

function references(block: JsonObject): Reference[] {
  return idsOf(block, 'operators').map((key) => ({ kind: 'user', key, role: 'operator', path: ['operators', key] }));
}

function createSteps({ key, after }: KindChange): StepDraft[] {
  const operators = idsOf(after, 'operators');
  const image = filePlaceholder('cover_file', after.cover_file);
  const body: Record<string, JsonValue> = { channel_url: key, ...pick(after, sentAtCreation) };
  if (operators.length > 0) body.operator_ids = operators;
  const expect = channelExpectations(key, after, ['name', 'custom_type', 'data', 'is_ephemeral']);
  if (image === undefined) expect.push(...channelExpectations(key, after, ['cover_url']).slice(1));
  if (operators.length > 0) expect.push({ path: ['operators'], includes: operators, by: 'user_id' });
  return [
    {
      action: 'create',
      phase: 'channel',
      request: {
        method: 'POST',
        route: '/open_channels',
        body,
        ...(image === undefined ? {} : { holes: [image] }),
      },
      creates: rememberAll(attributes, pick(after, [...sentAtCreation, 'cover_file', 'operators'])),
      edits: [],
      exists: operators.map(userAddress),
      begin: true,
      resolve: { request: openChannel.view(key), absentOn: [notFound], expect },
      expect: channelExpectations(key, {}, []),
    },
  ];
}

function updateSteps(change: KindChange): StepDraft[] {
  const update = channelUpdate(route, change);
  return [...operatorSteps(route, change), ...(update === undefined ? [] : [update])];
}

function observe(answer: JsonObject): JsonObject {
  const operators = shownIds(answer, 'operators');
  const freeze = flagOf(answer, 'freeze');
  return {
    ...pick(answer, ['name', 'cover_url', 'custom_type', 'data', 'is_ephemeral', 'is_dynamic_partitioned']),
    ...(operators === undefined ? {} : { operators }),
    ...(freeze === undefined ? {} : { frozen: freeze }),
  };
}
