// Property: an export that is cut into files, with unrelated files among them, converts like the whole export.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Converted, convertFiles } from './support/converted.ts';
import { packed, strangers } from './support/cut-exports.ts';
import { draft } from './support/drafts.ts';
import { systems } from './support/systems.ts';
import { zipOf } from './support/zip.ts';

/** The order of the files, which a cut may change, decides about messages of one millisecond and the numbers of new ids. */
function comparable({ historyFiles, result }: Converted) {
  const lines = Object.entries(historyFiles).map(([url, list]) => {
    const keys = list.map((line) => JSON.stringify(line).replace(/\buser-\d+\b/gu, 'user'));
    return [url, keys.sort()] as const;
  });
  const { users, channels, messages } = result;
  return { lines: Object.fromEntries(lines), users, channels, messages };
}

const fileOf = (at: string): string => at.split('#')[0] ?? '';

test.for(systems)(
  '$source: the same history files, and a line for each line and each file',
  async ({ source, make, cut: cutExport, partsShareNames }) => {
    await fc.assert(
      fc.asyncProperty(
        draft,
        fc.array(fc.nat(2), { minLength: 1, maxLength: 7 }),
        fc.constantFrom('files', 'folders', 'archives', 'zip') as fc.Arbitrary<
          'files' | 'folders' | 'archives' | 'zip'
        >,
        async (drafted, cut, as) => {
          const exported = make(drafted);
          const whole = await convertFiles(source, exported.files);
          const parts = cutExport(exported.files, 3, (number) => cut[number % cut.length] ?? 0);
          const form = partsShareNames && (as === 'files' || as === 'zip') ? 'folders' : as === 'zip' ? 'files' : as;
          const files = { ...packed(parts, form), ...strangers };
          const exportedFiles =
            as === 'zip' ? { 'export.zip': zipOf(files as Readonly<Record<string, string>>) } : files;
          const converted = await convertFiles(source, exportedFiles);
          expect(comparable(converted)).toEqual(comparable(whole));
          const { ledger } = converted;
          expect(new Set(ledger.map(({ at }) => at)).size).toBe(ledger.length);
          for (const name of Object.keys(strangers)) {
            expect(ledger.filter(({ at }) => fileOf(at) === name)).toHaveLength(1);
          }
          for (const [number, part] of parts.entries()) {
            for (const name of Object.keys(part)) {
              const path = form === 'files' ? name : `part ${number}${form === 'archives' ? '.zip' : ''}/${name}`;
              expect(
                ledger.some(({ at }) => at === path || at.startsWith(`${path}#`) || at.startsWith(`${path}/`)),
              ).toBe(true);
            }
          }
        },
      ),
      { numRuns: 12, endOnFailure: true },
    );
  },
);
