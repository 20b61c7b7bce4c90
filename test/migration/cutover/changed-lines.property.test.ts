// Tests the count of changed lines of archives against a plain model.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangedLines } from '../../../src/core/model/migration/cutover.ts';
import { FolderLock } from '../../../src/lib/staging/folder-lock.ts';
import { StagedFiles } from '../../../src/lib/staging/staged-files.ts';
import { changedLines } from '../../../src/migration/cutover/changed-lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Message {
  readonly time: number;
  readonly sender: string;
  readonly text: string;
}

const message = fc.record({
  time: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_005 }),
  sender: fc.constantFrom('alice', 'bob'),
  text: fc.constantFrom('one', 'two', 'three'),
});
const archives = fc.dictionary(fc.constantFrom('a', 'b'), fc.array(message, { minLength: 1, maxLength: 8 }));
type Archives = Readonly<Record<string, readonly Message[]>>;

function archiveOf(messages: readonly Message[]): string {
  const sorted = [...messages].sort((left, right) => left.time - right.time);
  return sorted
    .map(
      ({ time, sender, text }) =>
        `${JSON.stringify({ timestamp: time, message_type: 'MESG', user_id: sender, message: text })}\n`,
    )
    .join('');
}

/** Counts by the identity of a message, over all archives. */
function modelOf(before: Archives, after: Archives): ChangedLines {
  const counts = { added: 0, changed: 0, missing: 0 };
  const texts = new Map<string, Map<string, number>>();
  for (const [side, all] of [
    [-1, before],
    [1, after],
  ] as const) {
    for (const [channel, messages] of Object.entries(all)) {
      for (const { time, sender, text } of messages) {
        const group = texts.get(`${channel} ${time} ${sender}`) ?? new Map<string, number>();
        texts.set(`${channel} ${time} ${sender}`, group.set(text, (group.get(text) ?? 0) + side));
      }
    }
  }
  for (const group of texts.values()) {
    const [gone, added] = [-1, 1].map((side) =>
      [...group.values()].reduce((sum, count) => sum + Math.max(0, side * count), 0),
    ) as [number, number];
    const changed = Math.min(gone, added);
    counts.changed += changed;
    counts.missing += gone - changed;
    counts.added += added - changed;
  }
  return counts;
}

async function stage(files: StagedFiles, all: Archives): Promise<void> {
  for (const [name, messages] of Object.entries(all)) files.append(`history/${name}.ndjson`, archiveOf(messages));
  files.append('users.yaml', `# ${JSON.stringify(all)}\n`);
}

test('counts added, changed and missing lines as a plain model does', async () => {
  await fc.assert(
    fc.asyncProperty(archives, archives, async (before, after) => {
      const root = await temporaryFolder({});
      const lock = await FolderLock.take(root, 'conversion');
      const first = await StagedFiles.open(lock);
      await stage(first, before);
      await first.commit();
      const next = await StagedFiles.open(lock);
      await stage(next, after);
      const lengths = new Map(Object.entries(after).map(([name, { length }]) => [name, length]));
      expect(changedLines(next, (name) => join(root, name), lengths)).toEqual(modelOf(before, after));
      await next.discard();
    }),
    { numRuns: 30 },
  );
});
