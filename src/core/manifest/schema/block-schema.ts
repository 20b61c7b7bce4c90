// Makes the JSON Schema of one declared object from its kind, and finds its values that are ids.

import { canonicalJson, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { spelledSchema } from '../../kinds/definition/spellings.ts';
import type { IdPaths } from '../files/tree.ts';

export function blockSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    title: kind.title,
    description: kind.description,
    properties: blockProperties(kind),
    ...(kind.required.length > 0 ? { required: kind.required } : {}),
    additionalProperties: false,
    ...(kind.rules.length > 0 ? { allOf: kind.rules.map((rule) => withSpellings(rule, kind)) } : {}),
  };
}

/** The schema of a block of `defaults`, with the same keys but none required. Rules across attributes apply to merged blocks. */
export function defaultsSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    description: `Attributes for all ${kind.section} of this file that do not declare them.`,
    properties: blockProperties(kind),
    additionalProperties: false,
  };
}

/** Returns the kinds with a section, without children. */
export function withSection(kinds: readonly KindDefinition[]): readonly KindDefinition[] {
  return kinds.filter(({ isChild }) => isChild !== true);
}

/** Returns the JSON Schema of each key that is allowed in a block of this kind. */
export function blockProperties(kind: KindDefinition): JsonObject {
  const attributes = Object.entries(kind.attributes).map(([name, { schema }]): [string, JsonValue] => [name, schema]);
  return {
    ...allSpelled(Object.fromEntries(attributes), kind),
    ...kind.children,
    lifecycle: lifecycleSchema(kind),
  };
}

/** Adds the other spellings of each attribute, with its limits and after it. */
function allSpelled(properties: JsonObject, { spellings = {} }: KindDefinition): JsonObject {
  const spelled: [string, JsonValue][] = [];
  for (const [attribute, schema] of Object.entries(properties)) {
    spelled.push([attribute, schema]);
    for (const [name, { use, form, isDeprecated }] of Object.entries(spellings)) {
      const otherSpelling = use === attribute && isObject(schema) ? spelledSchema(form, use, schema) : undefined;
      if (otherSpelling === undefined) continue;
      spelled.push([
        name,
        isDeprecated === true
          ? { deprecated: true, deprecationMessage: `Write ${use}.`, ...otherSpelling }
          : otherSpelling,
      ]);
    }
  }
  return Object.fromEntries(spelled);
}

/** Returns a rule that limits the other spellings in the same way. */
function withSpellings(rule: JsonSchema, kind: KindDefinition): JsonSchema {
  const inner = Object.entries(rule).map(([keyword, value]): [string, JsonValue] => {
    if (!isObject(value)) return [keyword, value];
    return [keyword, keyword === 'properties' ? allSpelled(value, kind) : withSpellings(value, kind)];
  });
  return Object.fromEntries(inner);
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
        description: 'Attributes that chatform sets at creation and then never changes.',
      },
      on_remove: {
        ...onRemoveSchema(kind),
        description: `The effect of removing the block of the object from the manifest. Default: ${kind.removals[0]}.`,
      },
    },
    additionalProperties: false,
  };
}

export function onRemoveSchema(kind: KindDefinition): JsonSchema {
  return {
    enum: kind.removals,
    description: `The effect of removing ${kind.section} from the manifest. Default: ${kind.removals[0]}.`,
  };
}

/**
 * Returns the paths of a block's ids, which are read as source text, so that 00123, 1e5 and yes stay as written. A value is
 * an id if its schema has the same limits as the key of a kind.
 */
export function idPathsOf(kind: KindDefinition, kinds: readonly KindDefinition[]): IdPaths {
  const madeBefore = idPaths.get(kind);
  if (madeBefore !== undefined) return madeBefore;
  const limits = new Set(kinds.map(({ keySchema }) => limitsOfId(keySchema)));
  const paths = new IdPlaces({ properties: blockProperties(kind) }, limits);
  idPaths.set(kind, paths);
  return paths;
}

const idPaths = new WeakMap<KindDefinition, IdPaths>();

class IdPlaces implements IdPaths {
  readonly isText: boolean;
  readonly #schema: JsonObject;
  readonly #idLimits: ReadonlySet<string>;
  readonly #below = new Map<unknown, IdPaths>();

  constructor(schema: JsonObject, idLimits: ReadonlySet<string>) {
    this.#schema = schema;
    this.#idLimits = idLimits;
    this.isText = idLimits.has(limitsOfId(schema));
  }

  step(key: string | undefined): IdPaths | undefined {
    const { properties, additionalProperties, items } = this.#schema;
    const property =
      key !== undefined && isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const inner = key === undefined ? items : (property ?? additionalProperties);
    if (!isObject(inner)) return undefined;
    const innerPlaces = this.#below.get(inner) ?? new IdPlaces(inner, this.#idLimits);
    this.#below.set(inner, innerPlaces);
    return innerPlaces;
  }
}

/** Returns the limits that identify schemas of ids. */
export function limitsOfId({ type = null, minLength = null, maxLength = null, pattern = null }: JsonObject): string {
  return canonicalJson({ type, minLength, maxLength, pattern });
}
