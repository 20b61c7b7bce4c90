// Tests the promises of fmt for any manifest: the same meaning, nothing lost, and formatting twice changes nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problems, SourceText } from '../../../src/manifest/problems/problems.ts';
import { formatManifest } from '../../../src/manifest/write/format.ts';
import { registry } from '../../../src/resources/index.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
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
