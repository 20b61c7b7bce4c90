// Metadata of users and channels: texts by key, added, changed and deleted entry by entry (platform §4.5, platform §10).
import { compareText, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Phase } from '../../model/step.ts';
import type { AttributeDefinition, KindChange, StepDraft } from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';
import { hasEntries, mapOf, pathPartSchema } from '../definition/values.ts';

export const maxMetadataItems = 5;

/** The attribute's entry in a kind's table. */
export function metadataAttribute(description: string) {
  return {
    schema: {
      type: 'object',
      maxProperties: maxMetadataItems,
      propertyNames: { minLength: 1, maxLength: 128, pattern: '^[^,]*$', allOf: [pathPartSchema] },
      additionalProperties: { type: 'string', maxLength: 190 },
      description,
    },
    change: 'mutable',
    removed: { how: 'each' },
    shape: 'map',
    sentBy: 'steps',
    shownBy: 'observe',
  } as const satisfies AttributeDefinition;
}

/** Where the metadata of an object is: `route` is that of the object. */
export interface MetadataPlace {
  readonly route: string;
  params(key: string): Readonly<Record<string, string>>;
  readonly phase: Phase;
}

/** All declared entries in one call; none when nothing is declared. */
export function metadataCreation(place: MetadataPlace, { key, after }: KindChange): StepDraft[] {
  const metadata = mapOf(after, 'metadata');
  return hasEntries(metadata) ? [upsert(place, key, metadata)] : [];
}

/** A call for each entry that goes, and one for all that come or change. */
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

/** Sorted by key, so that the same declaration gives the same plan in whatever order it is written. */
export function inOrder(map: JsonObject): [string, JsonValue][] {
  return Object.entries(map).sort(([left], [right]) => compareText(left, right));
}

/** Upsert, so that sending it twice is as good as once (platform §4.5). */
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

/** For answers that leave it out, as the view of one channel may (platform §10). */
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
