// Tests that maps merge as kustomize merges them: generated bases and overlays, with null that takes away.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { mergeWritten } from '../../../src/manifest/overlays/merge.ts';
import { Problems } from '../../../src/manifest/problems/problems.ts';
import { SourceText } from '../../../src/manifest/problems/source-text.ts';
import { type Tree, toJson, treeOf } from '../../../src/manifest/yaml/tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const kustomize = process.env.CHATFORM_KUSTOMIZE ?? 'kustomize';
const isThere = spawnSync(kustomize, ['version']).status === 0;
const absent =
  'kustomize is not there: go install sigs.k8s.io/kustomize/kustomize/v5, or name it in CHATFORM_KUSTOMIZE';
const overlays = 1_000;

const key = fc.constantFrom('name', 'data', 'metadata', 'team', 'level');
/** Texts alone: kustomize keeps the quotes of a text that a number replaces. */
const leaf = fc.constantFrom<JsonValue>('a', 'b', 'null', '007');
/** Neither an empty map nor a list: kustomize drops the first, and replaces the second. */
function maps(depth: number, hasNull: boolean): fc.Arbitrary<JsonObject> {
  const leaves = hasNull ? fc.oneof(leaf, fc.constant(null)) : leaf;
  const value: fc.Arbitrary<JsonValue> = depth === 0 ? leaves : fc.oneof(leaves, maps(depth - 1, hasNull));
  return fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });
}
/** `kept` is never taken away, so that no map ends up empty. */
function withKept(map: JsonObject): JsonObject {
  const entries = Object.entries(map).map(([name, value]): [string, JsonValue] => [
    name,
    isMap(value) ? withKept(value) : value,
  ]);
  return { ...Object.fromEntries(entries), kept: 'x' };
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const pair = fc.tuple(maps(2, false).map(withKept), maps(2, true)).filter(([lower, upper]) => isUsual(upper, lower));

/** What the loader refuses is left out: a map over a text, and null inside of what is new. */
function isUsual(upper: JsonObject, lower: JsonObject): boolean {
  return Object.entries(upper).every(([name, value]) => {
    const own = lower[name];
    if (value === null) return own !== undefined;
    if (own === undefined) return !JSON.stringify(value).includes('null,') && !/:null[,}]/u.test(JSON.stringify(value));
    return isMap(value) === isMap(own) && (!isMap(value) || !isMap(own) || isUsual(value, own));
  });
}

/** Nulls as somebody writes them out. */
function written(tree: Tree): Tree {
  if (tree.type === 'map') {
    const entries = Array.from(
      tree.entries,
      ([name, entry]) => [name, { ...entry, value: written(entry.value) }] as const,
    );
    return { ...tree, entries: new Map(entries) };
  }
  return tree.type === 'scalar' && tree.value === null ? { ...tree, text: 'null' } : tree;
}

function merged(upper: JsonObject, lower: JsonObject): JsonValue {
  const problems = new Problems();
  const entryOf = (value: JsonObject) => ({ offset: 0, value: written(treeOf(value)) });
  const { entry } = mergeWritten(
    { source: new SourceText('upper.yaml', ''), entry: entryOf(upper) },
    { source: new SourceText('lower.yaml', ''), entry: entryOf(lower) },
    undefined,
    problems,
  );
  expect(problems.sorted()).toEqual([]);
  return toJson(entry.value);
}

function resource(index: number, spec: JsonObject): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: `thing-${index}` }, spec };
}

test.skipIf(!isThere)(`${overlays} overlays${isThere ? '' : `: ${absent}`}`, async () => {
  const pairs = fc.sample(pair, { numRuns: overlays, seed: 23 });
  const folder = await temporaryFolder({});
  const documents = (part: 0 | 1) =>
    pairs.map((one, index) => JSON.stringify(resource(index, one[part]))).join('\n---\n');
  await writeFile(join(folder, 'base.yaml'), documents(0));
  await writeFile(join(folder, 'overlay.yaml'), documents(1));
  await writeFile(
    join(folder, 'kustomization.yaml'),
    JSON.stringify({ resources: ['base.yaml'], patches: [{ path: 'overlay.yaml' }] }),
  );
  const { status, stdout, stderr } = spawnSync(kustomize, ['build', folder], { encoding: 'utf8', maxBuffer: 1e9 });
  expect(status, stderr).toBe(0);
  const byName = new Map(
    parseAllDocuments(stdout).map((document) => {
      const { metadata, spec } = document.toJS() as { metadata: { name: string }; spec: JsonValue };
      return [metadata.name, spec];
    }),
  );
  const found = pairs.map((_pair, index) => byName.get(`thing-${index}`));
  expect(pairs.map(([lower, upper]) => merged(upper, lower))).toEqual(found);
  expect(pairs.filter(([, upper]) => /:null/u.test(JSON.stringify(upper))).length).toBeGreaterThan(100);
});
