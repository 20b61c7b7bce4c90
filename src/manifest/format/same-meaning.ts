// Compares what two texts of a manifest declare. Every file is compared before it is rewritten.
import { equalJson, isObject, type JsonValue } from '../../lib/json.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { Problems } from '../checks/problems.ts';
import { blockSchema } from '../schema/block-schema.ts';
import { idPathsOf } from '../yaml/id-paths.ts';
import { parseYaml } from '../yaml/read-yaml.ts';
import { SourceText } from '../yaml/source-text.ts';
import { type Tree, toJson } from '../yaml/tree.ts';

/** The texts must be valid YAML, of one document or several. */
export function meanSame(before: string, after: string, kinds: readonly KindDefinition[]): boolean {
  const left = read(before);
  const right = read(after);
  return left.length === right.length && left.every((tree, at) => sameDocument(tree, right[at], kinds));
}

function read(text: string): readonly Tree[] {
  return parseYaml(new SourceText('', text), new Problems()).trees;
}

/** Compares part by part; where parts differ, compares the objects in their kind's normal form. */
function sameDocument(left: Tree, right: Tree | undefined, kinds: readonly KindDefinition[]): boolean {
  if (left.type !== 'map' || right?.type !== 'map') return right !== undefined && sameTree(left, right);
  if (left.entries.size !== right.entries.size) return false;
  return [...left.entries].every(([name, { value }]) => {
    const other = right.entries.get(name)?.value;
    if (other === undefined) return false;
    const kind = kinds.find(({ section }) => section === name);
    return kind === undefined ? sameTree(value, other) : sameSection(value, other, kind, kinds);
  });
}

function sameSection(left: Tree, right: Tree, kind: KindDefinition, kinds: readonly KindDefinition[]): boolean {
  if (left.type !== 'map' || right.type !== 'map') return sameTree(left, right);
  if (left.entries.size !== right.entries.size) return false;
  const places = idPathsOf(blockSchema(kind), kinds);
  const normal = (key: string, tree: Tree): JsonValue => {
    const { lifecycle = null, ...declared } = asObject(toJson(tree, places));
    return [kind.normalise(key, declared).attributes, lifecycle];
  };
  return [...left.entries].every(([key, { value }]) => {
    const other = right.entries.get(key)?.value;
    if (other === undefined) return false;
    return sameTree(value, other) || equalJson(normal(key, value), normal(key, other));
  });
}

function asObject(value: JsonValue) {
  return isObject(value) ? value : {};
}

/** Ignores the order of keys. Scalars must agree in value and in source text. */
function sameTree(left: Tree, right: Tree): boolean {
  if (left.type === 'scalar') return right.type === 'scalar' && left.value === right.value && left.text === right.text;
  if (left.type === 'list') {
    if (right.type !== 'list' || left.items.length !== right.items.length) return false;
    return left.items.every((item, at) => {
      const other = right.items[at];
      return other !== undefined && sameTree(item, other);
    });
  }
  if (right.type !== 'map' || left.entries.size !== right.entries.size) return false;
  return [...left.entries].every(([key, { value }]) => {
    const other = right.entries.get(key)?.value;
    return other !== undefined && sameTree(value, other);
  });
}
