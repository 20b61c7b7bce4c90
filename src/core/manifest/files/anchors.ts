// Anchors and aliases of YAML: an alias is the part that has its anchor. Few lines may expand to very many values, so these are limited.
import type { ManifestCode } from '../problems/codes.ts';
import { childrenOf, type Tree } from './tree.ts';

/** Deeper nesting is never a manifest and would exhaust the stack. */
export const maxDepth = 50;

export const tooDeep = `Maps and lists are nested more than ${maxDepth} levels deep here. Look for brackets that are not closed.`;

/** The maximum number of values to which the aliases of one document may expand. */
export const maxAliasedValues = 1_000_000;

interface AliasProblem {
  readonly type: 'problem';
  readonly code: ManifestCode;
  readonly detail: string;
}

/** The number of values to which a tree expands, and its depth. */
interface Measure {
  readonly values: number;
  readonly depth: number;
}

/** The anchors of one document. */
export class Anchors {
  /** `open` while the anchored part is being read, when an alias to it would be circular. */
  readonly #parts = new Map<string, Tree | 'open'>();
  readonly #measures = new Map<Tree, Measure>();
  #aliasedValues = 0;

  /** Reads the part that has the anchor. */
  read(anchor: string, part: () => Tree): Tree {
    this.#parts.set(anchor, 'open');
    const tree = part();
    // Another part with the same anchor may be inside, and counts for the aliases that follow.
    if (this.#parts.get(anchor) === 'open') this.#parts.set(anchor, tree);
    return tree;
  }

  /** Returns the part that an alias names. */
  resolve(alias: string): Tree | AliasProblem {
    const tree = this.#parts.get(alias);
    if (tree === 'open') {
      const detail = `The alias *${alias} stands inside the part that it names, which would never end. Remove it.`;
      return { type: 'problem', code: 'manifest.syntax', detail };
    }
    if (tree === undefined) {
      const detail = `The alias *${alias} has no anchor before it in this document. Write &${alias} before the part that is meant.`;
      return { type: 'problem', code: 'manifest.syntax', detail };
    }
    const { values, depth } = this.#measure(tree);
    this.#aliasedValues += values;
    if (depth > maxDepth) return { type: 'problem', code: 'manifest.too-deep', detail: tooDeep };
    if (this.#aliasedValues <= maxAliasedValues) return tree;
    const detail = `Up to here, the aliases of this document expand to more than ${maxAliasedValues.toLocaleString('en')} values. Write the values out, or split the file.`;
    return { type: 'problem', code: 'manifest.too-many-aliases', detail };
  }

  #measure(tree: Tree): Measure {
    if (tree.type === 'scalar') return { values: 1, depth: 1 };
    const measuredBefore = this.#measures.get(tree);
    if (measuredBefore !== undefined) return measuredBefore;
    let values = 1;
    let depth = 0;
    for (const part of childrenOf(tree)) {
      const inner = this.#measure(part);
      values += inner.values;
      depth = Math.max(depth, inner.depth);
    }
    const measure = { values, depth: depth + 1 };
    this.#measures.set(tree, measure);
    return measure;
  }
}
