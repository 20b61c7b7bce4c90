// What do open channels and group channels have in common? Key, descriptive attributes, operators, freezing.

import { isList, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { Address } from '../model/address.ts';
import type { RecordEdit } from '../model/record.ts';
import type { ApiRequest, Expectation } from '../model/request.ts';
import type {
  AttributeDefinition,
  DeprecatedForm,
  DisabledState,
  JsonSchema,
  KindChange,
  PartRead,
  StepDraft,
} from './define.ts';
import {
  filePlaceholder,
  flagSchema,
  hasEntries,
  idsOf,
  imageFileSchema,
  inUrlBatches,
  modeSchema,
  pathPartSchema,
  pick,
  rememberFile,
  textSchema,
  userIdSchema,
} from './values.ts';

export const notFound = 400201;
const invalidValue = 400111;
export const maxOperators = 100;

/** Open and group channels share the rule (base, POST /open_channels). */
export const channelKeySchema: JsonSchema = {
  type: 'string',
  minLength: 4,
  maxLength: 100,
  pattern: '^[0-9A-Za-z_-]*$',
  description: 'channel_url: 4 to 100 digits, letters, underscores and hyphens.',
};

/** Operators are cancelled by a list that commas divide: `a,b` would take the rights of a and of b (platform §5.1). */
const operatorIdSchema: JsonSchema = {
  ...userIdSchema,
  // Not as a pattern of its own: by equal limits the loader knows what is a user_id.
  allOf: [pathPartSchema, { pattern: '^[^,]*$', description: 'No comma: it divides the operators of one call.' }],
};

export const idListSchema = (maxItems: number, description: string, items: JsonSchema = userIdSchema): JsonSchema => ({
  type: 'array',
  items,
  uniqueItems: true,
  maxItems,
  description,
});

/** The name and cover that the platform assigns by itself cannot be told from declared ones, so they are released. */
export const channelAttributes = {
  name: {
    schema: textSchema(191, 'The name that people see. At most 191 characters.'),
    change: 'mutable',
    removed: { how: 'release' },
  },
  cover_url: {
    schema: textSchema(2048, 'URL of the cover image, at most 2,048 characters.'),
    change: 'mutable',
    removed: { how: 'release' },
  },
  cover_file: {
    schema: imageFileSchema('Cover image to upload: a JPG or PNG of at most 5 MB, relative to this file.'),
    change: 'mutable',
    removed: { how: 'release' },
    remember: rememberFile,
    hidden: true,
    shownAs: 'cover_url',
  },
  custom_type: {
    schema: textSchema(128, 'For grouping and analytics. At most 128 characters.'),
    change: 'mutable',
    removed: { how: 'reset', to: '' },
  },
  data: {
    schema: { type: 'string', description: 'Free additional text, such as a description or JSON.' },
    change: 'mutable',
    removed: { how: 'reset', to: '' },
  },
  is_ephemeral: {
    schema: flagSchema('true: messages are not stored. Cannot be changed after creation.'),
    change: 'create_only',
    removed: { how: 'release' },
  },
  operators: {
    schema: idListSchema(maxOperators, 'Ids of users who moderate the channel. At most 100.', operatorIdSchema),
    change: 'mutable',
    removed: { how: 'each' },
    shape: 'set',
  },
  operators_mode: {
    schema: modeSchema('operators'),
    change: 'mode',
    removed: { how: 'release' },
  },
  frozen: {
    schema: flagSchema('true: only operators may write. Set by a separate call after everything else.'),
    change: 'closed',
    removed: { how: 'reset', to: false },
  },
} as const satisfies Record<string, AttributeDefinition>;

export const channelDeprecatedForms: Readonly<Record<string, DeprecatedForm>> = {
  operator_ids: {
    schema: idListSchema(maxOperators, "The API's name of operators.", operatorIdSchema),
    use: 'operators',
  },
};

/** Not both of an uploaded cover and a URL. */
export const coverRule: JsonSchema = {
  not: { required: ['cover_url', 'cover_file'] },
  $comment: 'not both of cover_url and cover_file',
};

export function channelView(
  route: '/open_channels/{channel_url}' | '/group_channels/{channel_url}',
  key: string,
  query: Readonly<Record<string, string>>,
): ApiRequest {
  return { method: 'GET', route, params: { channel_url: key }, query };
}

/** A list of channels need not show operators (platform §5.1). */
export function operatorsPart(routeOfChannel: string): PartRead {
  return {
    attribute: 'operators',
    field: 'operators',
    isWhole: (answer) => isList(answer.operators),
    request: (key) => ({
      method: 'GET',
      route: `${routeOfChannel}/operators`,
      params: { channel_url: key },
      query: { limit: '100' },
    }),
  };
}

export function freezing(routeOfChannel: string): DisabledState {
  return {
    attribute: 'frozen',
    disable: 'freeze',
    enable: 'unfreeze',
    disablePhase: 'freeze',
    // Administrative calls are not described as blocked on a frozen channel (platform §5.3).
    ownWorkNeedsEnabled: false,
    field: 'freeze',
    request: (key, closed) => ({
      method: 'PUT',
      route: `${routeOfChannel}/freeze`,
      params: { channel_url: key },
      // Always said: the documents disagree on its default (platform §7).
      body: { freeze: closed },
    }),
  };
}

export function userAddress(id: string): Address {
  return `user.${id}`;
}

const updatable = ['name', 'cover_url', 'custom_type', 'data'];

/**
 * One PUT for all attributes that it carries. `flags` names those of the kind beyond the common ones. Undefined when
 * nothing of it changed.
 */
export function channelUpdate(
  routeOfChannel: string,
  change: KindChange,
  flags: readonly string[] = [],
): StepDraft | undefined {
  const body: Record<string, JsonValue> = {};
  const edits: RecordEdit[] = [];
  const changed = change.attributes.filter(({ how }) => how !== 'release');
  const image = changed.some(({ path }) => path[0] === 'cover_file')
    ? filePlaceholder('cover_file', change.after.cover_file)
    : undefined;
  for (const { path, after, how } of changed) {
    const [name = ''] = path;
    if (name === 'cover_file' && image !== undefined) {
      // Of an image's file and its URL the one that is sent takes the place of the other, in state by the same entry.
      edits.push({ op: 'set', path: [name], value: { digest: image.digest } }, { op: 'unset', path: ['cover_url'] });
    } else if ([...updatable, ...flags].includes(name) && after !== undefined) {
      body[name] = after;
      edits.push(how === 'reset' ? { op: 'unset', path: [name] } : { op: 'set', path: [name], value: after });
      if (name === 'cover_url' && how === 'set') edits.push({ op: 'unset', path: ['cover_file'] });
    }
  }
  if (!hasEntries(body) && image === undefined) return undefined;
  return {
    action: 'update',
    phase: 'channel',
    request: {
      method: 'PUT',
      route: routeOfChannel,
      params: { channel_url: change.key },
      body,
      ...(image === undefined ? {} : { holes: [image] }),
    },
    edits,
  };
}

/** Registers and cancels operators so that the declared ones are what was declared before, edited. */
export function operatorSteps(routeOfChannel: string, change: KindChange): StepDraft[] {
  if (!change.attributes.some(({ path }) => path[0] === 'operators')) return [];
  const before = idsOf(change.before, 'operators');
  const after = idsOf(change.after, 'operators');
  const added = after.filter((id) => !before.includes(id));
  const steps = inUrlBatches(before.filter((id) => !after.includes(id))).map((ids) =>
    cancelOperators(routeOfChannel, change.key, ids),
  );
  if (added.length > 0) {
    steps.push({
      action: 'update',
      phase: 'operators',
      request: {
        method: 'POST',
        route: `${routeOfChannel}/operators`,
        params: { channel_url: change.key },
        body: { operator_ids: added },
      },
      edits: [{ op: 'add', path: ['operators'], values: added }],
      exists: added.map(userAddress),
    });
  }
  return steps;
}

/** One call for up to a hundred, as many as fit into a URL. */
function cancelOperators(routeOfChannel: string, key: string, ids: readonly string[]): StepDraft {
  return {
    action: 'update',
    phase: 'revoke',
    request: {
      method: 'DELETE',
      route: `${routeOfChannel}/operators`,
      params: { channel_url: key },
      query: { operator_ids: ids.join(',') },
    },
    edits: [{ op: 'remove', path: ['operators'], values: [...ids] }],
    names: ids.map(userAddress),
    // One id that is no operator any more, and the platform refuses them all (platform §5.3).
    split: { in: 'query', field: 'operator_ids', ids, on: [invalidValue], doneOn: [invalidValue] },
  };
}

/** What the answer to a create, or the read that resolves it, must show of the common attributes. */
export function channelExpectations(key: string, after: JsonObject, names: readonly string[]): Expectation[] {
  return [
    { path: ['channel_url'], is: key },
    ...Object.entries(pick(after, names)).map(([name, value]): Expectation => ({ path: [name], is: value })),
  ];
}
