// The kind `open_channel` (base, POST /open_channels; platform §5.1).

import type { JsonObject } from '../../../lib/json.ts';
import { rememberCreated, sentFields } from '../../kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindChange, KindDefinition, StepDraft } from '../../kinds/definition/kind.ts';
import { flagSchema } from '../../kinds/definition/schemas.ts';
import { creationTime, idsOf, pick } from '../../kinds/definition/values.ts';
import {
  carriedByCreate,
  channelAttributes,
  channelExpectations,
  channelKeySchema,
  channelParts,
  channelReferences,
  channelSpellings,
  channelView,
  coverRule,
  freezing,
  observeChannel,
} from '../../kinds/parts/channel.ts';
import { operatorSteps, operatorsPart, withOperators } from '../../kinds/parts/operators.ts';
import { userAddresses } from '../../kinds/parts/people.ts';
import { restrictionProblems, withRestrictions } from '../../kinds/parts/restrictions.ts';
import { platformCode } from '../../model/platform-codes.ts';
import { declaredMessages } from '../messages/declaration.ts';

const route = '/open_channels/{channel_url}';
const parts = channelParts(route);

const attributes = {
  ...channelAttributes,
  is_dynamic_partitioned: {
    schema: flagSchema('true: may open subchannels for very many users. Cannot be changed after creation.'),
    change: 'create_only',
    removed: { how: 'keep' },
    shown: { as: 'compared' },
    people: [],
    initial: true,
  },
} as const satisfies Record<string, AttributeDefinition>;

export const openChannel: KindDefinition = {
  name: 'open_channel',
  section: 'open_channels',
  title: 'open channel',
  description: 'Channels that anybody can enter, by channel_url.',
  keyName: 'channel_url',
  keySchema: channelKeySchema,
  attributes,
  spellings: channelSpellings,
  required: [],
  rules: [coverRule],
  removals: ['freeze', 'delete', 'forget'],
  children: { messages: declaredMessages },
  onRename: 'messages and participants stay with the old channel; keep the key and edit name to change what people see',
  disabledState: freezing(route),
  deletePhase: 'delete_channel',
  normalise: (_key, declared) => {
    const block = withRestrictions(withOperators(declared));
    return { attributes: block, problems: restrictionProblems(block) };
  },
  references: channelReferences,
  checks: () => [],
  steps: (change) => (change.type === 'create' ? createSteps(change) : updateSteps(change)),
  view: (key) => channelView(route, key, { include_operators: 'true' }),
  remove: (key) => ({ method: 'DELETE', route, params: { channel_url: key } }),
  observe: (answer) => observeChannel(attributes, answer),
  live: {
    list: {
      route: '/open_channels',
      filter: 'channel_urls',
      query: { show_metadata: 'true', show_frozen: 'true', include_operators: 'true' },
      field: 'channels',
    },
    parts: [operatorsPart(route, { isNone: false }), ...parts.reads],
    facts: creationTime,
    capacity: () => parts.capacity,
  },
};

function createSteps(change: KindChange): StepDraft[] {
  const { key, after } = change;
  const operators = idsOf(after, 'operators');
  const body: JsonObject = {
    channel_url: key,
    ...pick(after, sentFields(attributes, 'create')),
    ...(operators.length > 0 ? { operator_ids: operators } : {}),
  };
  return [
    {
      action: 'create',
      phase: 'channel',
      request: { method: 'POST', route: '/open_channels', body },
      creates: rememberCreated(attributes, carriedByCreate(after)),
      edits: [],
      exists: userAddresses(operators),
      begin: true,
      resolve: {
        request: openChannel.view(key),
        absentOn: [platformCode.notFound],
        expect: channelExpectations(key, attributes, after),
      },
    },
    ...parts.afterCreation(change),
  ];
}

function updateSteps(change: KindChange): StepDraft[] {
  return [...operatorSteps(route, change), ...parts.ofUpdate(attributes, change)];
}
