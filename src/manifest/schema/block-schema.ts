// Makes the JSON Schema of one declared object from its kind.

import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../resources/define.ts';

/** One declared object. */
export function blockSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    title: kind.title,
    description: kind.description,
    properties: blockProperties(kind),
    ...(kind.required.length > 0 ? { required: kind.required } : {}),
    additionalProperties: false,
    ...(kind.rules.length > 0 ? { allOf: kind.rules } : {}),
  };
}

/** A block of `defaults`: the same keys, none required. Rules across attributes apply to the merged blocks. */
export function defaultsSchema(kind: KindDefinition): JsonSchema {
  return { type: 'object', properties: blockProperties(kind), additionalProperties: false };
}

/** Children are declared in the blocks of their parents and have no section. */
export function withSection(kinds: readonly KindDefinition[]): readonly KindDefinition[] {
  return kinds.filter(({ isChild }) => isChild !== true);
}

export function blockProperties(kind: KindDefinition): JsonObject {
  const attributes = Object.entries(kind.attributes).map(([name, { schema }]): [string, JsonValue] => [name, schema]);
  const deprecated = Object.entries(kind.deprecated).map(([name, { schema, use }]): [string, JsonValue] => [
    name,
    { deprecated: true, deprecationMessage: `Write ${use}.`, ...schema },
  ]);
  return Object.fromEntries([
    ...attributes,
    ...deprecated,
    ...Object.entries(kind.children ?? {}),
    ['lifecycle', lifecycleSchema(kind)],
  ]);
}

function lifecycleSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    description: 'How chatform treats this object.',
    properties: {
      protect: { type: 'boolean', description: 'true: a plan that removes it is refused.' },
      ignore_changes: {
        type: 'array',
        items: { enum: Object.keys(kind.attributes) },
        uniqueItems: true,
        description: 'Attributes that are set at creation and then left alone.',
      },
      on_remove: onRemoveSchema(kind),
    },
    additionalProperties: false,
  };
}

export function onRemoveSchema(kind: KindDefinition): JsonSchema {
  return {
    enum: kind.removals,
    description: `What happens to a ${kind.title} that is removed from the manifest. Default: ${kind.removals[0]}.`,
  };
}
