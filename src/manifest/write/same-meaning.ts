// Compares the meaning of two texts of a manifest. Every file is compared before it is rewritten.

import { parseYaml } from '../files/read-yaml.ts';
import type { Tree } from '../files/tree.ts';
import { Problems } from '../problems/problems.ts';
import { SourceText } from '../problems/source-text.ts';

/** The first text must be valid YAML, of one document or several. */
export function meanSame(before: string, after: string): boolean {
  const left = parseYaml(new SourceText('', before), new Problems()).trees;
  const right = parseYaml(new SourceText('', after), new Problems()).trees;
  return left.length === right.length && left.every((tree, at) => sameTree(tree, right[at]));
}

/** Ignores the order of keys. Scalars must agree in value and in source text. */
function sameTree(left: Tree, right: Tree | undefined): boolean {
  switch (left.type) {
    case 'scalar':
      return right?.type === 'scalar' && left.value === right.value && left.text === right.text;
    case 'list':
      return (
        right?.type === 'list' &&
        left.items.length === right.items.length &&
        left.items.every((item, at) => sameTree(item, right.items[at]))
      );
    case 'map':
      return (
        right?.type === 'map' &&
        left.entries.size === right.entries.size &&
        [...left.entries].every(([key, { value }]) => sameTree(value, right.entries.get(key)?.value))
      );
  }
}
