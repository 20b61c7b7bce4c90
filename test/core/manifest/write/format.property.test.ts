// Tests the promises of fmt for any manifest: the same meaning, nothing lost, and formatting twice changes nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Problems, SourceText } from '../../../../src/core/manifest/problems/problems.ts';
import { formatManifest } from '../../../../src/core/manifest/write/format.ts';
import { formatInChunks } from '../../../../src/core/manifest/write/format-chunks.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { errorsIn, load, objectsIn } from '../support/in-memory.ts';
import { manifestText } from './support/manifest-text.ts';

function format(text: string): string | undefined {
  return formatManifest(new SourceText('a.yaml', text), registry, new Problems());
}

/** Returns the result of the loader, which is independent of fmt. */
async function meaning(text: string) {
  const manifest = await load({ 'a.yaml': text });
  return {
    objects: objectsIn(manifest),
    removed: manifest.removed.map(({ address, on_remove }) => ({ address, on_remove })),
    errors: errorsIn(manifest)
      .map(({ code }) => code)
      .sort(),
  };
}

/** Text for a failing seed; manifestText(seed) returns it again. */
const seeds = fc.noShrink(fc.nat());
const commentsOf = (text: string) => (text.match(/# comment \d+\./gu) ?? []).sort();

fastTest('the generated manifests are readable and have every feature', () => {
  const samples = Array.from({ length: 100 }, (_, seed) => manifestText(seed));
  expect(samples.filter((text) => format(text) !== undefined).length).toBeGreaterThan(85);
  for (const feature of [/&m\d/u, /\*m\d/u, /<<:/u, /user_ids:/u, / users:/u, /\|2/u, /# comment/u]) {
    expect(samples.some((text) => feature.test(text))).toBe(true);
  }
});

test('keeps the meaning and every comment, and changes nothing the second time', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const text = manifestText(seed);
      const formatted = format(text);
      if (formatted === undefined) return;
      expect(commentsOf(formatted)).toEqual(commentsOf(text));
      expect(format(formatted)).toBe(formatted);
      const before = await meaning(text);
      expect(await meaning(formatted)).toEqual(before);
    }),
    { numRuns: inSuite(30, 80) },
  );
});

test('formats CR LF like LF', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const text = manifestText(seed);
      const formatted = format(text);
      const windows = text.replaceAll('\n', '\r\n');
      if (formatted !== undefined && windows.includes('\r\n')) {
        expect(format(windows)).toBe(formatted.replaceAll('\n', '\r\n'));
      }
    }),
    { numRuns: inSuite(10, 25) },
  );
});

/** What people write above an object, and the lines of objects. */
const gaps = [
  '',
  '',
  '\n',
  '\n\n\n',
  '  # comment\n',
  '\n  # comment\n',
  '  # comment\n\n  # comment\n',
  '    # deeper\n',
];
const blocks = [
  ' { nickname: x,  metadata: {a: "b"} }\n',
  '\n    nickname: "x"\n',
  ' # beside\n      metadata: { a: b }\n      # inside\n      nickname: x # beside\n',
  '\n    metadata:\n      a: b\n\n\n    nickname: over\n      lines\n    # below\n',
  '\n    nickname: "over\n\n      lines"\n',
  '\n    data: |+\n      first\n\n    name: x\n',
  '\n    name: x\n    data: >-\n      first\n\n      # second\n',
  '\n    operators:\n    - a\n    -   b\n    name: x\n',
  '\n    members:\n      a:\n      b:\n',
  ' {}\n',
];
const section = (name: string) =>
  fc
    .array(fc.tuple(fc.constantFrom(...gaps), fc.constantFrom(...blocks)), { minLength: 1, maxLength: 8 })
    .map((objects) => `${name}:\n${objects.map(([gap, block], at) => `${gap}  key-${at}:${block}`).join('')}`);
const others = fc.constantFrom('version: 1\n', '# comment\nversion: 1\n\n', 'application: {}\n');
const longText = fc
  .tuple(section('users'), others, section('group_channels'), section('open_channels'))
  .chain((parts) => fc.shuffledSubarray(parts, { minLength: 2 }))
  .map((parts) => parts.join(''));

describe('a text is formatted in chunks', () => {
  const sections = new Set(['users', 'group_channels', 'open_channels']);
  const inChunks = (text: string) => formatInChunks(text, sections, format, 0);

  test('as it is as a whole', () => {
    let divided = 0;
    const runs = inSuite(150, 1500);
    fc.assert(
      fc.property(longText, (text) => {
        const formatted = inChunks(text);
        if (formatted === undefined) return;
        divided += 1;
        expect(formatted).toBe(format(text));
      }),
      { numRuns: runs },
    );
    expect(divided).toBeGreaterThan(runs / 4);
  });

  test('without the loss of a comment, whatever its place, and a second time without a change', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const text = manifestText(seed);
        const formatted = inChunks(text);
        if (formatted === undefined) return;
        expect(commentsOf(formatted)).toEqual(commentsOf(text));
        expect([undefined, formatted]).toContain(inChunks(formatted));
      }),
      { numRuns: inSuite(50, 500) },
    );
  });

  test.for([
    ['with a key twice', 'users:\n  a: { nickname: x }\n  b: {}\n  c: {}\n  a: {}\n'],
    ['with an alias', 'users:\n  a: &a { nickname: x }\n  b: {}\n  c: *a\n  d: {}\n'],
    [
      'with a text in quotes that looks like a key',
      'users:\n  a: {}\n  b: { nickname: "x\n  c: {}\n  d: y" }\n  e: {}\n',
    ],
  ] as const)('but not a text %s', ([, text]) => {
    expect(inChunks(text)).toBeUndefined();
  });
});

test('throws for no text at all', () => {
  const words = [': ', ', ', '\n', '\n  ', '- ', '{', '}', '[', ']', "'", '&a ', '*a', '<<', '|\n', '"', '? ', '#'];
  const text = fc.array(fc.constantFrom(...words, '---\n', 'users', 'a', 'members', 'user_ids'), { maxLength: 40 });
  fc.assert(
    fc.property(text, (parts) => {
      const formatted = format(parts.join(''));
      if (formatted !== undefined) expect(format(formatted)).toBe(formatted);
    }),
    { numRuns: inSuite(80, 400) },
  );
});
