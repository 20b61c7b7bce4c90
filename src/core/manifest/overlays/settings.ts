// Merges the parts that appear once in all files: the application, the policy and each variable. The upper file gets the
// merged part and the lower one loses it, so that readers find each part once.
import { dirname, join } from 'node:path';
import { isObject, type JsonValue } from '../../../lib/json.ts';
import { policyKeys } from '../../model/policy.ts';
import { loosenedPaths } from '../../model/policy-keys.ts';
import { printPosition } from '../../model/source.ts';
import type { ParsedFile } from '../document/document.ts';
import type { SplitDocument } from '../files/documents.ts';
import { type MapTree, nearest, type Tree, type TreeEntry, toJson, valueOffset } from '../files/tree.ts';
import type { ProblemSource, Problems } from '../problems/problems.ts';
import { below } from './layered-source.ts';
import { mergeWritten, takesAway, type WrittenPart } from './merge.ts';

const settings = ['application', 'policy', 'variables'] as const;
type SettingName = (typeof settings)[number];

/** A document being merged. */
interface Draft {
  source: ProblemSource;
  tree: Tree;
  readonly depth: number;
  readonly path: string;
  readonly below: ReadonlySet<string>;
}

export function mergeSettings(parsed: readonly ParsedFile[], problems: Problems): readonly ParsedFile[] {
  const drafts = parsed.map(({ source, documents, depth, below: lower, file }) =>
    documents.map(({ tree }): Draft => ({ source, tree, depth, path: file.path, below: lower })),
  );
  const inLayers = drafts.flat().sort((left, right) => left.depth - right.depth);
  for (const name of settings) for (const upper of inLayers) mergeInto(name, upper, inLayers, problems);
  // Settings of a base may bring placeholders.
  const hasPlaceholders = parsed.some((file) => file.hasPlaceholders);
  return parsed.map((file, index) => ({
    ...file,
    hasPlaceholders,
    documents: file.documents.map((document, at): SplitDocument => {
      const draft = drafts[index]?.[at];
      return draft === undefined ? document : { ...document, tree: draft.tree, source: draft.source };
    }),
  }));
}

function mergeInto(name: SettingName, upper: Draft, drafts: readonly Draft[], problems: Problems): void {
  if (entryOf(upper.tree, name) === undefined) return;
  for (const lower of drafts) {
    if (!upper.below.has(lower.path) || entryOf(lower.tree, name) === undefined) continue;
    if (name === 'variables') mergeVariables(upper, lower, problems);
    else mergeWhole(name, upper, lower, problems);
  }
}

function mergeWhole(name: SettingName, upper: Draft, lower: Draft, problems: Problems): void {
  const [over, under] = [entryOf(upper.tree, name), entryOf(lower.tree, name)];
  if (over === undefined || under === undefined) return;
  const base = { source: lower.source, entry: under };
  const merged = mergeWritten({ source: upper.source, entry: over }, base, undefined, problems);
  const whole = name === 'policy' ? withLists(merged.entry, over, under, upper.source) : merged.entry;
  if (name === 'policy') refuseLooser(base, { source: merged.source, entry: whole }, problems);
  upper.source = merged.source;
  upper.tree = withEntry(upper.tree, name, whole);
  lower.tree = withEntry(lower.tree, name, undefined);
}

/** Appends entries of policy lists to those of the base. */
function withLists(merged: TreeEntry, over: TreeEntry, under: TreeEntry, upper: ProblemSource): TreeEntry {
  if (merged.value.type !== 'map') return merged;
  const entries = new Map(merged.value.entries);
  for (const [key, { offset, value }] of over.value.type === 'map' ? over.value.entries : []) {
    const base = under.value.type === 'map' ? under.value.entries.get(key)?.value : undefined;
    if (value.type !== 'list' || base?.type !== 'list') continue;
    const lower = below(upper, base);
    const items = [...(lower.type === 'list' ? lower.items : []), ...value.items];
    entries.set(key, { offset, value: { type: 'list', offset: value.offset, items } });
  }
  return { offset: merged.offset, value: { type: 'map', offset: merged.value.offset, entries } };
}

function refuseLooser(lower: WrittenPart, upper: WrittenPart, problems: Problems): void {
  const [base, merged] = [policyOf(lower), policyOf(upper)];
  if (!isObject(base) || !isObject(merged)) return;
  const { source, entry } = upper;
  for (const path of loosenedPaths(policyKeys, base, merged)) {
    const spot = { source, offset: valueOffset(nearest(entry, path)) };
    const { over } = source.position(spot.offset);
    const place = over === undefined ? '' : ` at ${printPosition(over)}`;
    const detail = `${path.join('.')} would allow more than the policy of the base${place}. Keep the value of the base, or ask its owners to add policy: { may_loosen: [${path[0]}] }.`;
    problems.add('manifest.policy-loosened', detail, spot);
  }
}

/** With the file of signers by its place, because the same relative path in another folder is another file. */
function policyOf({ source, entry }: WrittenPart): JsonValue {
  const policy = toJson(entry.value);
  if (!isObject(policy) || !isObject(policy.approvals) || typeof policy.approvals.signers !== 'string') return policy;
  const { file } = source.position(valueOffset(nearest(entry, ['approvals', 'signers'])));
  return { ...policy, approvals: { ...policy.approvals, signers: join(dirname(file), policy.approvals.signers) } };
}

function mergeVariables(upper: Draft, lower: Draft, problems: Problems): void {
  const [over, under] = [entryOf(upper.tree, 'variables'), entryOf(lower.tree, 'variables')];
  if (over?.value.type !== 'map' || under?.value.type !== 'map') return;
  const mine = new Map(over.value.entries);
  const theirs = new Map(under.value.entries);
  for (const [name, entry] of over.value.entries) {
    const base = theirs.get(name);
    if (base === undefined) continue;
    theirs.delete(name);
    if (takesAway(entry.value)) {
      mine.delete(name);
      continue;
    }
    const merged = mergeWritten(
      { source: upper.source, entry },
      { source: lower.source, entry: base },
      undefined,
      problems,
    );
    upper.source = merged.source;
    mine.set(name, merged.entry);
  }
  upper.tree = withEntry(upper.tree, 'variables', { ...over, value: { ...over.value, entries: mine } });
  lower.tree = withEntry(lower.tree, 'variables', { ...under, value: { ...under.value, entries: theirs } });
}

function entryOf(tree: Tree, name: string): TreeEntry | undefined {
  return tree.type === 'map' ? tree.entries.get(name) : undefined;
}

function withEntry(tree: Tree, name: string, entry: TreeEntry | undefined): Tree {
  if (tree.type !== 'map') return tree;
  const entries = new Map(tree.entries);
  if (entry === undefined) entries.delete(name);
  else entries.set(name, entry);
  return { ...tree, entries } satisfies MapTree;
}
