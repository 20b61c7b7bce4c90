// Finds the values of a block that are ids. Ids are read as their source text, so 00123, 1e5 and yes stay as written.
import { canonicalJson, isObject, type JsonObject } from '../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../resources/define.ts';
import type { IdPaths } from './tree.ts';

/** A value is an id when its schema has the same limits as the key of some kind. */
export function idPathsOf(schema: JsonSchema, kinds: readonly KindDefinition[]): IdPaths {
  return new Places(schema, new Set(kinds.map((kind) => limitsOfId(kind.keySchema))));
}

class Places implements IdPaths {
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
    const own =
      key !== undefined && isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const inner = key === undefined ? items : (own ?? additionalProperties);
    if (!isObject(inner)) return undefined;
    const known = this.#below.get(inner) ?? new Places(inner, this.#idLimits);
    this.#below.set(inner, known);
    return known;
  }
}

/** What tells ids apart from other texts: two schemas of ids have the same limits. */
export function limitsOfId({ type = null, minLength = null, maxLength = null, pattern = null }: JsonObject): string {
  return canonicalJson({ type, minLength, maxLength, pattern });
}
