// The common parts of open and group channels: key, descriptive attributes, cover, freezing.

import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest, Expectation, RequestPlaceholder } from '../../model/request.ts';
import { sentFields, shownFields } from '../definition/attribute-table.ts';
import type {
  AttributeDefinition,
  AttributeDefinitions,
  DisabledState,
  JsonSchema,
  KindChange,
  Reference,
  Spelling,
  StepDraft,
} from '../definition/kind.ts';
import { flagSchema, imageFileSchema, pictureUrlSchema, textSchema } from '../definition/schemas.ts';
import {
  filePlaceholder,
  flagOf,
  hasEntries,
  idsOf,
  knownIfSame,
  pick,
  rememberFile,
  shownIds,
  uploadAt,
} from '../definition/values.ts';
import {
  type MetadataPlace,
  maxMetadataItems,
  metadataAttribute,
  metadataCreation,
  metadataPart,
  metadataSteps,
  observeMetadata,
} from './metadata.ts';
import { maxOperators, operatorAttributes } from './operators.ts';
import { personReference } from './people.ts';
import {
  observeRestrictions,
  type RestrictionPlace,
  restrictionAttributes,
  restrictionCapacity,
  restrictionCreation,
  restrictionParts,
  restrictionReferences,
  restrictionSteps,
} from './restrictions.ts';

/** The same for open and group channels (base, POST /open_channels). */
export const channelKeySchema: JsonSchema = {
  type: 'string',
  minLength: 4,
  maxLength: 100,
  pattern: '^[0-9A-Za-z_-]*$',
  description: 'channel_url: 4 to 100 digits, letters, underscores and hyphens.',
};

/** Removed names and covers are released, because the platform assigns its own, which look like declared ones. */
export const channelAttributes = {
  name: {
    schema: textSchema(191, 'The name that people see. At most 191 characters.'),
    change: 'mutable',
    removed: { how: 'release' },
    shown: { as: 'compared' },
    people: ['notice'],
    isLabel: true,
  },
  cover_url: {
    schema: pictureUrlSchema('The http or https URL of the cover image, at most 2,048 characters.'),
    change: 'mutable',
    removed: { how: 'release' },
    shown: { as: 'compared' },
    people: ['notice'],
  },
  cover_file: {
    schema: imageFileSchema('Cover image to upload: a JPG or PNG of at most 5 MB, relative to this file.'),
    change: 'mutable',
    removed: { how: 'release' },
    // State keeps the cover_url that the answer to the upload named. Another one is another image.
    shown: { as: 'in_part', by: 'observe', proves: 'same_upload' },
    asKnown: knownIfSame,
    people: ['notice'],
    remember: rememberFile,
    sentBy: 'steps',
    alsoSets: 'cover_url',
  },
  custom_type: {
    schema: textSchema(128, 'For grouping and analytics. At most 128 characters.'),
    change: 'mutable',
    removed: { how: 'reset', to: '' },
    shown: { as: 'compared' },
    people: ['read', 'write', 'moderate', 'history', 'bound'],
    personal: false,
  },
  data: {
    schema: { type: 'string', description: 'Free additional text, such as a description or JSON.' },
    change: 'mutable',
    removed: { how: 'reset', to: '' },
    shown: { as: 'compared' },
    people: [],
  },
  metadata: metadataAttribute('Up to 5 strings by key, for programs; no comma in a key.'),
  is_ephemeral: {
    schema: flagSchema('true: messages are not stored. Cannot be changed after creation.'),
    change: 'create_only',
    // Kept in state, because a history file cannot go into such a channel, even if its block no longer declares it.
    removed: { how: 'keep' },
    shown: { as: 'compared' },
    people: ['history'],
  },
  ...operatorAttributes,
  ...restrictionAttributes,
  frozen: {
    schema: flagSchema('true: only operators can write. Set by a separate request, after everything else.'),
    change: 'closed',
    removed: { how: 'reset', to: false },
    shown: { as: 'compared', by: 'observe' },
    people: ['write'],
    rights: 'withholds',
  },
} as const satisfies Record<string, AttributeDefinition>;

/** The spellings of both kinds of channel, in requests and responses (base, POST /open_channels). */
export const channelSpellings: Readonly<Record<string, Spelling>> = {
  operator_ids: { use: 'operators', form: 'same' },
  'operator_ids[]': { use: 'operators', form: 'same' },
  'operators[]': { use: 'operators', form: 'same', isDeprecated: true },
  freeze: { use: 'frozen', form: 'same' },
};

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

/** A secret that a call sends, and what state keeps of it. */
export interface CarriedSecret {
  readonly placeholder: RequestPlaceholder;
  readonly edit: RecordEdit;
}

/** The parts of both kinds of channel that have calls of their own: metadata, bans and mutes. */
export function channelParts(route: string) {
  const metadata: MetadataPlace = { route, params: (key) => ({ channel_url: key }), phase: 'channel' };
  const restrictions: RestrictionPlace = { route, keyName: 'channel_url' };
  return {
    afterCreation: (change: KindChange): StepDraft[] => [
      ...coverCreation(route, change),
      ...metadataCreation(metadata, change),
      ...restrictionCreation(restrictions, change),
    ],
    /** `code` goes into the same call as the other attributes, so that the channel is never open without it. */
    ofUpdate: (definitions: AttributeDefinitions, change: KindChange, code?: CarriedSecret): StepDraft[] => [
      ...channelUpdate(route, definitions, change, code),
      ...metadataSteps(metadata, change),
      ...restrictionSteps(restrictions, change),
    ],
    reads: [metadataPart(metadata), ...restrictionParts(restrictions)],
    capacity: { operators: maxOperators, metadata: maxMetadataItems, ...restrictionCapacity },
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
    request: (key, closed) => ({
      method: 'PUT',
      route: `${routeOfChannel}/freeze`,
      params: { channel_url: key },
      // Always sent, because the documents disagree on the default (platform §7).
      body: { freeze: closed },
    }),
  };
}

/** Returns the attributes that a create can send. Separate calls send metadata, bans, mutes and the cover (platform §10, §11). */
export function carriedByCreate({
  metadata: _m,
  banned: _b,
  muted: _u,
  cover_file: _c,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}

/** Returns the references that both kinds of channel have. */
export function channelReferences(attributes: JsonObject): Reference[] {
  return [
    ...idsOf(attributes, 'operators').map((key) => personReference(key, 'operator', ['operators', key])),
    ...restrictionReferences(attributes),
  ];
}

/** Returns the attributes that every answer shows of a channel. */
export function observeChannel(definitions: AttributeDefinitions, answer: JsonObject): JsonObject {
  const operators = shownIds(answer, 'operators');
  const freeze = flagOf(answer, 'freeze');
  return {
    ...pick(answer, shownFields(definitions)),
    ...(answer.cover_url === undefined ? {} : { cover_file: uploadAt(answer.cover_url) ?? null }),
    ...observeMetadata(answer),
    ...observeRestrictions(answer),
    ...(operators === undefined ? {} : { operators }),
    ...(freeze === undefined ? {} : { frozen: freeze }),
  };
}

/**
 * A separate call sends the cover after the creation, because the documents do not say how to write a list in a multipart
 * request (platform §8.1), and a creation contains lists.
 */
function coverCreation(routeOfChannel: string, { key, after }: KindChange): StepDraft[] {
  const image = filePlaceholder('cover_file', after.cover_file);
  if (image === undefined) return [];
  const edit: RecordEdit = { op: 'set', path: ['cover_file'], value: { digest: image.digest } };
  return [channelPut(routeOfChannel, key, {}, [image], [edit])];
}

function channelPut(
  routeOfChannel: string,
  key: string,
  body: JsonObject,
  placeholders: readonly RequestPlaceholder[],
  edits: readonly RecordEdit[],
): StepDraft {
  const filled = placeholders.length === 0 ? {} : { placeholders };
  return {
    action: 'update',
    phase: 'channel',
    request: { method: 'PUT', route: routeOfChannel, params: { channel_url: key }, body, ...filled },
    edits,
  };
}

/** Returns one PUT for all changed attributes that it can send, if there are any. */
function channelUpdate(
  routeOfChannel: string,
  definitions: AttributeDefinitions,
  change: KindChange,
  code: CarriedSecret | undefined,
): StepDraft[] {
  const fields = sentFields(definitions, 'update');
  const body: Record<string, JsonValue> = {};
  const edits: RecordEdit[] = [];
  const changed = change.attributes.filter(({ how }) => how !== 'release');
  const image = changed.some(({ path }) => path[0] === 'cover_file')
    ? filePlaceholder('cover_file', change.after.cover_file)
    : undefined;
  for (const { path, after, how } of changed) {
    const [name = ''] = path;
    if (name === 'cover_file' && image !== undefined) {
      // The file and the URL of an image replace each other, so one state entry edits both.
      edits.push({ op: 'set', path: [name], value: { digest: image.digest } }, { op: 'unset', path: ['cover_url'] });
    } else if (fields.includes(name) && after !== undefined) {
      body[name] = after;
      edits.push(how === 'reset' ? { op: 'unset', path: [name] } : { op: 'set', path: [name], value: after });
      if (name === 'cover_url' && how === 'set') edits.push({ op: 'unset', path: ['cover_file'] });
    }
  }
  if (code !== undefined) edits.push(code.edit);
  const placeholders = [image, code?.placeholder].filter((placeholder) => placeholder !== undefined);
  if (!hasEntries(body) && placeholders.length === 0) return [];
  return [channelPut(routeOfChannel, change.key, body, placeholders, edits)];
}

/** Returns what the read that resolves a create must show: key, sent fields, the kind's own lists, operators. */
export function channelExpectations(
  key: string,
  definitions: AttributeDefinitions,
  after: JsonObject,
  lists: readonly Expectation[] = [],
): Expectation[] {
  const shown = shownFields(definitions);
  const names = sentFields(definitions, 'create').filter((name) => shown.includes(name));
  const operators = idsOf(after, 'operators');
  return [
    { path: ['channel_url'], is: key },
    ...Object.entries(pick(after, names)).map(([name, value]): Expectation => ({ path: [name], is: value })),
    ...lists,
    // Not every view of a group channel shows operators (platform §8.1).
    ...(operators.length > 0
      ? [{ path: ['operators'], includes: operators, by: 'user_id', ifShown: true } as const]
      : []),
  ];
}
