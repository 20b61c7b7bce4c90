// Sorts the keys of maps in the order of the schema. Ids and anchored parts stay in place.
import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, Scalar, visit } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema } from '../../kinds/definition/kind.ts';

/** Sorts the keys of every map in place. */
export function sortKeys(root: Node, schema: JsonSchema): void {
  const areBound = contains(root, isAlias);
  sortBelow(
    root,
    schema,
    schema,
    (map) => areBound && contains(map, (node) => isAlias(node) || node.anchor !== undefined),
  );
}

function sortBelow(
  node: unknown,
  schema: JsonValue | undefined,
  root: JsonSchema,
  isBound: (map: Node) => boolean,
): void {
  const here = resolved(schema, root);
  if (here === undefined) return;
  if (isSeq(node)) for (const item of node.items) sortBelow(item, here.items, root, isBound);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) sortBelow(value, propertyOf(here, textOfKey(key)), root, isBound);
  // A map with keys of the author's choice keeps the author's order.
  if (!isObject(here.properties) || isObject(here.additionalProperties) || isBound(node)) return;
  const namesInOrder = Object.keys(here.properties);
  const rank = ({ key }: Pair): number => {
    if (isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN) return -1;
    const place = namesInOrder.indexOf(textOfKey(key));
    return place === -1 ? namesInOrder.length : place;
  };
  const [before] = node.items;
  node.items.sort((left, right) => rank(left) - rank(right));
  const [first] = node.items;
  if (first === before || !isNode(first?.key) || !isNode(before?.key)) return;
  // A key that becomes first passes its blank line to the key that was first.
  if (first.key.spaceBefore === true) before.key.spaceBefore = true;
  first.key.spaceBefore = false;
}

/** Returns the key as written, without quotes. */
export function textOfKey(key: unknown): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : '';
}

function contains(root: Node, isWanted: (node: Node) => boolean): boolean {
  let isFound = false;
  visit(root, {
    Node(_key, node) {
      isFound ||= isWanted(node);
      return isFound ? visit.BREAK : undefined;
    },
  });
  return isFound;
}

/** Follows references. Among alternatives, it picks the one with properties. */
function resolved(schema: JsonValue | undefined, root: JsonSchema): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') {
    let here: JsonValue | undefined = root;
    for (const part of schema.$ref.split('/').slice(1)) here = isObject(here) ? here[part] : undefined;
    return resolved(here, root);
  }
  const alternatives = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return alternatives.find((choice): choice is JsonObject => isObject(choice) && isObject(choice.properties)) ?? schema;
}

function propertyOf({ properties, additionalProperties }: JsonObject, key: string): JsonValue | undefined {
  return isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}
