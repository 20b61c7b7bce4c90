// Tests that the lines of any export are accounted for and its manifests are valid, whatever values it contains.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { JsonValue } from '../../../src/lib/json.ts';
import { type Damage, damage } from '../../support/odd-values.ts';
import { runCli } from '../../support/run-cli.ts';
import { inSuite } from '../../support/suite.ts';
import { convertFiles } from './support/converted.ts';
import { draft } from './support/drafts.ts';
import type { Files } from './support/small-exports.ts';
import { systemsAndTable } from './support/systems.ts';

function damagedFile(name: string, text: string, change: Damage): string {
  const again = (json: string): string => JSON.stringify(change(JSON.parse(json) as JsonValue));
  if (!/\.(?:jsonl|ndjson)$/u.test(name)) return again(text);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => `${again(line)}\n`).join('');
}

/** Undefined if the export is refused. */
async function convertedOrRefused(source: string, files: Files, mapping: string | undefined) {
  try {
    return await convertFiles(source, files, undefined, { mapping });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

test.for(systemsAndTable)('accounts for every line of a damaged export of $source', async ({ source, make }) => {
  await fc.assert(
    fc.asyncProperty(draft, damage(30), async (drafted, change) => {
      const { files, mapping } = make(drafted);
      const odd = Object.entries(files).map(([name, text]) => [name, damagedFile(name, text, change)]);
      const found = await convertedOrRefused(source, Object.fromEntries(odd), mapping);
      if (found === undefined) return;
      expect(new Set(found.ledger.map(({ at }) => at)).size).toBe(found.ledger.length);
      const { stdout, stderr } = await runCli(['validate'], { cwd: found.folder });
      // If two messages with different times share an id, people have to correct the export.
      const errors = [...`${stdout}${stderr}`.matchAll(/error\[(?!manifest\.history-repeated).*/gu)];
      expect(errors.map(([line]) => line)).toEqual([]);
    }),
    { numRuns: inSuite(4, 15), endOnFailure: true },
  );
});
