// Tests the count of changed lines of history files against a plain model.
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangedLines } from '../../../src/core/model/conversion.ts';
import { FolderLock } from '../../../src/lib/staging/folder-lock.ts';
import { StagedFiles } from '../../../src/lib/staging/staged-files.ts';
import { changedLines } from '../../../src/migration/cutover/changed-lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Message {
  readonly time: number;
  readonly sender: string;
  readonly text: string;
  readonly data: string;
}

const message = fc.record({
  time: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_005 }),
  sender: fc.constantFrom('alice', 'bob'),
  text: fc.constantFrom('one', 'two', 'three'),
  data: fc.constantFrom('a', 'b'),
});
const historyFiles = fc.dictionary(fc.constantFrom('a', 'b'), fc.array(message, { minLength: 1, maxLength: 8 }));
type HistoryFiles = Readonly<Record<string, readonly Message[]>>;

function historyFileOf(messages: readonly Message[]): string {
  const sorted = [...messages].sort((left, right) => left.time - right.time);
  return sorted
    .map(
      ({ time, sender, text, data }) =>
        `${JSON.stringify({ timestamp: time, message_type: 'MESG', user_id: sender, message: text, data })}\n`,
    )
    .join('');
}

/** Counts by the identity of a message, over all history files. */
function modelOf(before: HistoryFiles, after: HistoryFiles): ChangedLines {
  const counts = { added: 0, changed: 0, data_alone: 0, missing: 0 };
  const identities = new Set([before, after].flatMap((all) => Object.entries(all).flatMap(namesIn)));
  for (const identity of identities) {
    const [gone, added] = differing(messagesOf(before, identity), messagesOf(after, identity), ({ text, data }) =>
      JSON.stringify([text, data]),
    );
    const [otherGone, otherAdded] = differing(gone, added, ({ text }) => text);
    const changed = Math.min(otherGone.length, otherAdded.length);
    counts.data_alone += gone.length - otherGone.length;
    counts.changed += gone.length - otherGone.length + changed;
    counts.missing += otherGone.length - changed;
    counts.added += otherAdded.length - changed;
  }
  return counts;
}

function namesIn([channel, messages]: readonly [string, readonly Message[]]): string[] {
  return messages.map(({ time, sender }) => `${channel} ${time} ${sender}`);
}

function messagesOf(all: HistoryFiles, identity: string): readonly Message[] {
  return Object.entries(all).flatMap((historyFile) =>
    historyFile[1].filter((_message, at) => namesIn(historyFile)[at] === identity),
  );
}

/** The messages of each side that have no counterpart with the same key on the other side. */
function differing(left: readonly Message[], right: readonly Message[], keyOf: (message: Message) => string) {
  const only = (these: readonly Message[], others: readonly Message[]): readonly Message[] => {
    const keys = others.map(keyOf);
    return these.filter((message) => {
      const at = keys.indexOf(keyOf(message));
      if (at >= 0) keys.splice(at, 1);
      return at < 0;
    });
  };
  return [only(left, right), only(right, left)] as const;
}

async function stage(files: StagedFiles, all: HistoryFiles): Promise<void> {
  for (const [name, messages] of Object.entries(all)) files.append(`history/${name}.ndjson`, historyFileOf(messages));
  files.append('users.yaml', `# ${JSON.stringify(all)}\n`);
}

test('counts added, changed and missing lines as a plain model does', async () => {
  await fc.assert(
    fc.asyncProperty(historyFiles, historyFiles, async (before, after) => {
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
