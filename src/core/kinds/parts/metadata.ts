// Metadata of users and channels, which is added, changed and deleted entry by entry (platform §4.5, platform §10).
import { compareText, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Phase } from '../../model/step.ts';
import type { AttributeDefinition, KindChange, StepDraft } from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';
import { pathPartSchema } from '../definition/schemas.ts';
import { hasEntries, mapOf } from '../definition/values.ts';

export const maxMetadataItems = 5;

export function metadataAttribute(description: string) {
  return {
    schema: {
      type: 'object',
      maxProperties: maxMetadataItems,
      propertyNames: { minLength: 1, maxLength: 128, pattern: '^[^,]*$', allOf: [pathPartSchema] },
      additionalProperties: { type: 'string', maxLength: 190, description: 'The value of this key.' },
      description,
    },
    change: 'mutable',
    removed: { how: 'each' },
    shape: 'map',
    sentBy: 'steps',
    shown: { as: 'compared', by: 'observe' },
    people: [],
  } as const satisfies AttributeDefinition;
}

/** How to address the metadata of an object. `route` is that of the object. */
export interface MetadataPlace {
  readonly route: string;
  params(key: string): Readonly<Record<string, string>>;
  readonly phase: Phase;
}

/** Returns one call for all declared entries, if there are any. */
export function metadataCreation(place: MetadataPlace, { key, after }: KindChange): StepDraft[] {
  const metadata = mapOf(after, 'metadata');
  return hasEntries(metadata) ? [upsert(place, key, metadata)] : [];
}

/** Returns a call for each removed entry, and one for all added or changed entries. */
export function metadataSteps(place: MetadataPlace, { key, attributes }: KindChange): StepDraft[] {
  const changed: Record<string, JsonValue> = {};
  const steps: StepDraft[] = [];
  for (const { path, after } of attributes) {
    const [name, entry] = path;
    if (name !== 'metadata' || entry === undefined) continue;
    if (after === undefined) steps.push(removal(place, key, entry));
    else changed[entry] = after;
  }
  return hasEntries(changed) ? [...steps, upsert(place, key, changed)] : steps;
}

/** Sorts entries by key, so that the plan does not depend on the order in the manifest. */
export function inOrder(map: JsonObject): [string, JsonValue][] {
  return Object.entries(map).sort(([left], [right]) => compareText(left, right));
}

/** An upsert, which is safe to repeat (platform §4.5). */
function upsert({ route, params, phase }: MetadataPlace, key: string, metadata: JsonObject): StepDraft {
  return {
    action: 'update',
    phase,
    request: { method: 'PUT', route: `${route}/metadata`, params: params(key), body: { metadata, upsert: true } },
    edits: inOrder(metadata).map(([name, value]) => ({ op: 'set', path: ['metadata', name], value })),
  };
}

function removal({ route, params, phase }: MetadataPlace, key: string, name: string): StepDraft {
  return {
    action: 'update',
    phase,
    request: { method: 'DELETE', route: `${route}/metadata/{key}`, params: { ...params(key), key: name } },
    edits: [{ op: 'unset', path: ['metadata', name] }],
    doneOn: [platformCode.notFound],
  };
}

/** Reads metadata if an answer omits it, as the view of one channel may (platform §10). */
export function metadataPart({ route, params }: MetadataPlace): PartRead {
  return {
    attribute: 'metadata',
    field: 'metadata',
    isOneAnswer: true,
    isWhole: ({ metadata }) => isObject(metadata),
    request: (key): ApiRequest => ({ method: 'GET', route: `${route}/metadata`, params: params(key) }),
  };
}

export function observeMetadata({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? { metadata } : {};
}
