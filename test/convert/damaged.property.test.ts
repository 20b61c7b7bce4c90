// Tests that whatever values an export holds, its lines are accounted for, and its manifests are valid.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonValue } from '../../src/lib/json.ts';
import { Refusal } from '../../src/model/errors.ts';
import { removeFolder } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { convertFiles } from './support/converted.ts';
import {
  discordExport,
  draft,
  mattermostExport,
  sendbirdExport,
  slackExport,
  streamExport,
} from './support/exports.ts';

const oddValues: readonly JsonValue[] = [
  ...[null, true, 0, -1, 0.5, 1e21, 1_700_000_000, [], {}, ['x'], [[]], [null], { a: 1 }, [{ id: 'x' }]],
  ...['', ' ', 'x', 'x,y', 'ann@example.com', '.', '..', '__proto__', 'constructor', '\0', 'half \ud800', '\u2028'],
  ...['x'.repeat(300), 'https://example.com/a b', 'a/b?c#d', '-1', '1e5', '2024-01-01T00:00:00Z', '\u001b[31mred'],
];
const kept = oddValues.length;

/** For each part of an export, the place of the value that it is replaced by. */
const picks = fc.infiniteStream(
  fc.oneof({ weight: 30, arbitrary: fc.constant(kept) }, { weight: 1, arbitrary: fc.nat(kept - 1) }),
);

function damaged(value: JsonValue, pick: () => number): JsonValue {
  const place = pick();
  if (place < kept) return oddValues[place] ?? null;
  if (Array.isArray(value)) return value.map((item) => damaged(item, pick));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, damaged(inner, pick)]));
}

function damagedFile(name: string, text: string, pick: () => number): string {
  const again = (json: string): string => JSON.stringify(damaged(JSON.parse(json) as JsonValue, pick));
  if (!name.endsWith('.jsonl')) return again(text);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => `${again(line)}\n`).join('');
}

/** Undefined when the export is refused. */
async function convertedOrRefused(source: string, files: Readonly<Record<string, string>>) {
  try {
    return await convertFiles(source, files);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

test.for([
  { source: 'slack', make: slackExport },
  { source: 'stream', make: streamExport },
  { source: 'mattermost', make: mattermostExport },
  { source: 'discord', make: discordExport },
  { source: 'sendbird', make: sendbirdExport },
])('$source', async ({ source, make }) => {
  await fc.assert(
    fc.asyncProperty(draft, picks, async (drafted, stream) => {
      const pick = () => stream.next().value as number;
      const { files } = make(drafted);
      const odd = Object.entries(files).map(([name, text]) => [name, damagedFile(name, text, pick)]);
      const found = await convertedOrRefused(source, Object.fromEntries(odd));
      if (found === undefined) return;
      expect(new Set(found.ledger.map(({ at }) => at)).size).toBe(found.ledger.length);
      const { stdout, stderr } = await runCli(['validate'], { cwd: found.folder });
      // An id that two messages of different times have is left for people to mend.
      const errors = [...`${stdout}${stderr}`.matchAll(/error\[(?!manifest\.archive-repeated).*/gu)];
      expect(errors.map(([line]) => line)).toEqual([]);
      await removeFolder(join(found.folder, '..'));
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
