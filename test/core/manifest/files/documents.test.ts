// Tests that reading a manifest in chunks, also with its objects in a store, gives the same values, places and problems as reading
// it as a whole.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunksOf } from '../../../../src/core/manifest/files/chunks.ts';
import { readDocuments, SectionStore, type SplitDocument } from '../../../../src/core/manifest/files/documents.ts';
import { parseYaml } from '../../../../src/core/manifest/files/read-yaml.ts';
import type { Tree, TreeEntry } from '../../../../src/core/manifest/files/tree.ts';
import { Problems, SourceText } from '../../../../src/core/manifest/problems/problems.ts';
import type { Collect } from '../../../../src/lib/series.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';

const sections = new Set(['users', 'open_channels', 'group_channels']);

/** Joins the chunks into one tree. */
function whole({ tree, sections: items }: SplitDocument): Tree {
  if (tree.type !== 'map') return tree;
  const entries = Array.from(tree.entries, ([key, entry]): [string, TreeEntry] => {
    const section = items.get(key);
    if (section === undefined) return [key, entry];
    const inner = Array.from({ length: section.length }, (_none, index): [string, TreeEntry] => [
      section.keyAt(index),
      section.entryAt(index),
    ]);
    return [key, { offset: entry.offset, value: { type: 'map', offset: entry.value.offset, entries: new Map(inner) } }];
  });
  return { ...tree, entries: new Map(entries) };
}

const collectAsJson: Collect = <T>() => {
  const texts: string[] = [];
  return {
    push: (value: T) => void texts.push(JSON.stringify(value)),
    end: () => texts.map((text): T => JSON.parse(text)),
  };
};

/** Makes chunks of a single object wherever that is possible. */
function expectSame(text: string, length = 0): void {
  const source = new SourceText('a.yaml', text);
  const inChunks = new Problems();
  const atOnce = new Problems();
  const { documents, isPartial } = readDocuments(source, sections, inChunks, { length });
  const expected = parseYaml(source, atOnce);
  expect(documents.map(whole)).toEqual(expected.trees);
  const itemsOf = new SectionStore(collectAsJson, 0).roomFor(text.length);
  const stored = readDocuments(source, sections, new Problems(), { itemsOf, length });
  expect(stored.documents.map(whole)).toEqual(expected.trees);
  expect(inChunks.sorted()).toEqual(atOnce.sorted());
  expect(isPartial).toBe(expected.isPartial);
}

function manifestsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/u.test(name))
    .map((name) => join(folder, name));
}

const root = join(import.meta.dirname, '../../../..');
const manifests = [join(root, 'test/core/manifest/cases'), join(root, 'examples')].flatMap(manifestsBelow);

fastTest.for(manifests.map((path) => [path.slice(root.length + 1), path] as const))('%s', ([, path]) => {
  expectSame(new TextDecoder().decode(readFileSync(path)));
});

fastTest('divides every example that is one document without anchors', () => {
  const divided = manifests.filter((path) => (chunksOf(readFileSync(path, 'utf8'), sections, 0)?.length ?? 0) > 1);
  expect(divided.length).toBeGreaterThan(manifests.length / 2);
});

const words = [
  ...['alice', 'bob', '00123', '1e5', 'yes', 'null', '~', 'true', '0x1F', '1.5', '-3', '.5', '+1', '1_000', '.inf'],
  ...["'it''s'", '"quoted"', '"a\\nb"', '"\\u0041"', '"un', "'un", 'a: b', 'a:b', 'a #b', 'a#b', 'https://x/y?z', '<<'],
  ...['*a', '&a b', '!t c', '|', '>-', '- x', '? k', '%d', '@e', '`f', '[1, b]', '{ a: 1, b: }', '{ a }'],
  ...['[a, [b]]', '[ ]', '{ "q":1 }', '{a: {b: [c, d]}, }', '[a: b]', '{', ']', 'ünï', '../...', '---', ''],
  ...['# only', 'a,b', '-', '-x', ':x', 'x:'],
  ...['__proto__', 'constructor', '{ __proto__: 1 }', '[ , a]', '{ a: , b: c }', "{ 'x': y }", 'a  ', '"x" y', '\\'],
];
const spaces = fc.constantFrom('', '', ' ', '  ', '   # note', ' #', '\t');
const key = fc.constantFrom(
  ...['alice', 'bob', 'name', 'members', '00123', '"q k"', "'s'", 'a b', 'nickname', 'x-y', '<<', '1'],
);
const word = fc.constantFrom(...words);
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', '\n# note\n', '\n   # deep\n', '\n \n');

/** Lines of a block at an indentation, mostly correct and sometimes slightly off. */
function block(indent: number, depth: number): fc.Arbitrary<string> {
  const pad = fc.constantFrom(...Array<number>(12).fill(indent), indent + 1, Math.max(0, indent - 1));
  const pair = fc
    .tuple(pad, key, spaces, word, spaces, lineEnd)
    .map(([by, name, , value, after, end]) => `${' '.repeat(by)}${name}: ${value}${after}${end}`);
  const item = fc
    .tuple(pad, word, spaces, lineEnd)
    .map(([by, value, after, end]) => `${' '.repeat(by)}- ${value}${after}${end}`);
  const folded = fc
    .tuple(key, fc.constantFrom('|', '>', '|-', '>+', '|2'), word)
    .map(
      ([name, sign, text]) =>
        `${' '.repeat(indent)}${name}: ${sign}\n${' '.repeat(indent + 2)}${text}\n\n${' '.repeat(indent + 2)}b\n`,
    );
  const lists = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(''));
  const nested =
    depth === 0
      ? pair
      : fc
          .tuple(key, spaces, lineEnd, block(indent + 2, depth - 1))
          .map(([name, after, end, inner]) => `${' '.repeat(indent)}${name}:${after}${end}${inner}`);
  return fc
    .array(
      fc.oneof(
        { arbitrary: pair, weight: 8 },
        { arbitrary: nested, weight: 4 },
        { arbitrary: lists, weight: 1 },
        { arbitrary: folded, weight: 1 },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(''));
}

const document = fc
  .array(
    fc.oneof(
      {
        arbitrary: fc
          .tuple(fc.constantFrom(...sections, 'policy', 'removed'), spaces, lineEnd, block(2, 2))
          .map(([name, after, end, inner]) => `${name}:${after}${end}${inner}`),
        weight: 6,
      },
      { arbitrary: fc.tuple(key, word).map(([name, value]) => `${name}: ${value}\n`), weight: 2 },
      { arbitrary: fc.constantFrom('---\n', '# note\n', 'version: 1\n', '- x\n', '../...\n'), weight: 1 },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));

test('reads any manifest-like document the same in chunks of any length', () => {
  fc.assert(fc.property(document, fc.constantFrom(0, 20, 80), expectSame), {
    numRuns: inSuite(150, 700),
    // A merge key in an earlier chunk than the key that takes precedence.
    examples: [['users:\n  <<:\n    alice: { a: 1 }\n  alice:\n    a: 2\n', 0]],
  });
});

test('reads a manifest with one wrong character the same in chunks', () => {
  const texts = manifests
    .map((path) => readFileSync(path, 'utf8').replace(/^\ufeff/u, ''))
    .filter((text) => text.length < 4000);
  const edit = fc.record({
    text: fc.constantFrom(...texts),
    at: fc.nat(4000),
    cut: fc.nat(3),
    put: fc.constantFrom('', ' ', '\n', ':', '- ', '#', '"', '{', '&a ', '*a', '\t', '\r', 'x', '|', "'"),
  });
  fc.assert(
    fc.property(edit, ({ text, at, cut, put }) => {
      const place = at % (text.length + 1);
      expectSame(text.slice(0, place) + put + text.slice(place + cut));
    }),
    { numRuns: inSuite(60, 300) },
  );
});
