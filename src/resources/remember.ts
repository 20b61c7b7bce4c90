// What does state keep of declared attributes? Never a secret, of a file its digest.
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { AttributeDefinition } from './define.ts';

export function rememberAll(
  definitions: Readonly<Record<string, AttributeDefinition>>,
  attributes: JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => definitions[name]?.change !== 'mode')
      .map(([name, value]): [string, JsonValue] => [name, rememberOne(definitions[name], value)]),
  );
}

export function rememberOne(definition: AttributeDefinition | undefined, value: JsonValue): JsonValue {
  return definition?.remember === undefined ? value : definition.remember(value);
}
