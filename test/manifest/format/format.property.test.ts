// Tests the promises of fmt for any manifest: the same meaning, nothing lost, and formatting twice changes nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problems } from '../../../src/manifest/checks/problems.ts';
import { formatManifest } from '../../../src/manifest/format/format.ts';
import { loadManifests } from '../../../src/manifest/load.ts';
import { SourceText } from '../../../src/manifest/yaml/source-text.ts';
import { registry } from '../../../src/resources/index.ts';
import { memoryFiles, memoryRoot } from '../../support/memory-files.ts';
import { manifestText } from './support/manifest-text.ts';

function format(text: string): string | undefined {
  return formatManifest(new SourceText('a.yaml', text), registry, new Problems());
}

/** What the loader, which knows nothing of fmt, makes of it. */
async function meaning(text: string) {
  const files = memoryFiles({ 'a.yaml': text });
  const loaded = await loadManifests(['a.yaml'], {
    kinds: registry,
    cwd: memoryRoot,
    variables: () => undefined,
    files,
  });
  return {
    objects: [...loaded.resources].map(({ address, attributes, lifecycle }) => ({ address, attributes, lifecycle })),
    removed: loaded.removed.map(({ address, on_remove }) => ({ address, on_remove })),
    errors: loaded.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code }) => code)
      .sort(),
  };
}

/** A failing seed says all: manifestText(seed) is the text. */
const seeds = fc.noShrink(fc.nat());
const commentsOf = (text: string) => (text.match(/# comment \d+\./gu) ?? []).sort();

test('the generated manifests are real ones: most are readable, and some already have every feature', () => {
  const samples = Array.from({ length: 300 }, (_, seed) => manifestText(seed));
  expect(samples.filter((text) => format(text) !== undefined).length).toBeGreaterThan(250);
  for (const feature of [/&m\d/u, /\*m\d/u, /<<:/u, /user_ids:/u, / users:/u, /\|2/u, /# comment/u]) {
    expect(samples.some((text) => feature.test(text))).toBe(true);
  }
});

test('the same meaning, every comment, and the same again', async () => {
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
    { numRuns: 400 },
  );
});

test('CR LF gives the same as LF', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const text = manifestText(seed);
      const formatted = format(text);
      const windows = text.replaceAll('\n', '\r\n');
      if (formatted !== undefined && windows.includes('\r\n')) {
        expect(format(windows)).toBe(formatted.replaceAll('\n', '\r\n'));
      }
    }),
    { numRuns: 100 },
  );
});

// Without single quotes: the library takes some texts that lack their last one, which stop as a bug and are left alone.
test('any bytes give a text or problems, never an exception', () => {
  const words = [': ', ', ', '\n', '\n  ', '- ', '{', '}', '[', ']', '&a ', '*a', '<<', '|\n', '"', '? ', '#', '---\n'];
  const text = fc.array(fc.constantFrom(...words, 'users', 'a', 'members', 'user_ids'), { maxLength: 40 });
  fc.assert(
    fc.property(text, (parts) => {
      const formatted = format(parts.join(''));
      if (formatted !== undefined) expect(format(formatted)).toBe(formatted);
    }),
    { numRuns: 1000 },
  );
});
