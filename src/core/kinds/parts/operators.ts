// Operators of channels (platform §5.3).
import { isList, type JsonObject } from '../../../lib/json.ts';
import { inUrlBatches } from '../definition/batches.ts';
import type { AttributeDefinition, JsonSchema, KindChange, StepDraft } from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';
import { idListSchema, modeSchema, pathPartSchema, userIdSchema } from '../definition/schemas.ts';
import { idsOf, sortedSet } from '../definition/values.ts';
import { userAddresses } from './people.ts';

export const maxOperators = 100;

/** Excludes commas, because the call that cancels operators separates ids by commas: `a,b` would mean a and b (platform §5.1). */
export const operatorIdSchema: JsonSchema = {
  ...userIdSchema,
  // The pattern is in `allOf`, because the loader recognises a user_id by its limits.
  allOf: [pathPartSchema, { pattern: '^[^,]*$', description: 'No comma, which separates ids in a request.' }],
};

export const operatorAttributes = {
  operators: {
    schema: idListSchema(maxOperators, 'Ids of users who moderate the channel. At most 100.', operatorIdSchema),
    change: 'mutable',
    removed: { how: 'each' },
    shown: { as: 'compared', by: 'observe' },
    people: ['moderate', 'write'],
    rights: 'grants',
    shape: 'set',
    sentBy: 'steps',
    personal: false,
  },
  operators_mode: {
    schema: modeSchema('operators'),
    change: 'mode',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'rule' },
    people: [],
  },
} as const satisfies Record<string, AttributeDefinition>;

/**
 * A list of channels may omit operators (platform §5.1). A list of open channels may also show an empty list although there
 * are some, because `include_operators` is in no file of the vendor (platform §8.1). Then `isNone` is false.
 */
export function operatorsPart(
  routeOfChannel: string,
  { isNone = true, keyName = 'channel_url' }: { readonly isNone?: boolean; readonly keyName?: PlaceKey } = {},
): PartRead {
  return {
    attribute: 'operators',
    field: 'operators',
    isWhole: ({ operators }) => isList(operators) && (isNone || operators.length > 0),
    ...(isNone ? {} : { mayBeUnlisted: true }),
    request: (key) => ({
      method: 'GET',
      route: `${routeOfChannel}/operators`,
      params: { [keyName]: key },
      query: { limit: '100' },
    }),
  };
}

/** The name of the key in paths of channels and of custom types. */
export type PlaceKey = 'channel_url' | 'custom_type';

export function withOperators(block: JsonObject): JsonObject {
  return block.operators === undefined ? block : { ...block, operators: sortedSet(idsOf(block, 'operators')) };
}

/** Registers added operators and cancels removed ones. */
export function operatorSteps(
  routeOfChannel: string,
  change: KindChange,
  keyName: PlaceKey = 'channel_url',
): StepDraft[] {
  if (!change.attributes.some(({ path }) => path[0] === 'operators')) return [];
  const before = idsOf(change.before, 'operators');
  const after = idsOf(change.after, 'operators');
  const added = after.filter((id) => !before.includes(id));
  const steps = inUrlBatches(before.filter((id) => !after.includes(id))).map((ids) =>
    cancelOperators(routeOfChannel, { [keyName]: change.key }, ids),
  );
  if (added.length > 0) {
    steps.push({
      action: 'update',
      phase: 'operators',
      request: {
        method: 'POST',
        route: `${routeOfChannel}/operators`,
        params: { [keyName]: change.key },
        body: { operator_ids: added },
      },
      edits: [{ op: 'add', path: ['operators'], values: added }],
      exists: userAddresses(added),
    });
  }
  return steps;
}

/** `ids` are at most a hundred, and must fit into a URL. */
function cancelOperators(
  routeOfChannel: string,
  params: Readonly<Record<string, string>>,
  ids: readonly string[],
): StepDraft {
  return {
    action: 'update',
    phase: 'revoke',
    request: {
      method: 'DELETE',
      route: `${routeOfChannel}/operators`,
      params,
      query: { operator_ids: ids.join(',') },
    },
    edits: [{ op: 'remove', path: ['operators'], values: [...ids] }],
    names: userAddresses(ids),
  };
}
