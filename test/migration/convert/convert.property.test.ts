// Tests over generated exports of every system: each line is accounted for, and decoding restores the facts of the source.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { convertFiles, type LedgerLine } from './support/converted.ts';
import { draft } from './support/drafts.ts';
import { systemsAndTable } from './support/systems.ts';

function sortedByKey(facts: readonly object[]): object[] {
  return [...facts].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf(facts: object): string {
  const { id, time, sender, text } = facts as { id?: string; time?: number; sender?: string; text?: string };
  return id ?? JSON.stringify([time, sender, text]);
}

function isMessage({ to, line }: LedgerLine): boolean {
  return line !== undefined && to?.startsWith('messages.') === true;
}

describe.for(systemsAndTable)('$source', ({ source, make, comparable: comparableFacts = (facts: object) => facts }) => {
  const comparable = (facts: readonly object[]) => sortedByKey(facts.map(comparableFacts));

  test('keeps every line in the ledger, at its place, with its facts', async () => {
    await fc.assert(
      fc.asyncProperty(draft, async (drafted) => {
        const exported = make(drafted);
        const {
          ledger: lines,
          historyFiles,
          facts,
        } = await convertFiles(source, exported.files, undefined, {
          mapping: exported.mapping,
          isAccepted: true,
        });
        // Some samples have fields of their own.
        const ledger = lines.filter(({ reason }) => reason !== 'field.decided');
        expect(ledger).toHaveLength(exported.count);
        expect(new Set(ledger.map(({ at }) => at)).size).toBe(exported.count);
        expect(comparable(facts)).toEqual(comparable(Object.values(exported.facts)));
        const archived = new Set(Object.values(historyFiles).flatMap((lines) => lines.map(({ dedup_id }) => dedup_id)));
        for (const entry of ledger.filter(isMessage)) {
          // A reaction with a line of its own refers to the line of its message.
          const isReaction = entry.reason === 'reactions.enveloped' && !archived.has(entry.id);
          if (entry.id.split(':').length < 3 || isReaction) continue;
          const line = historyFiles[(entry.to ?? '').slice('messages.'.length)]?.[(entry.line ?? 0) - 1];
          expect(line?.dedup_id).toBe(entry.id);
        }
        for (const archived of Object.values(historyFiles)) {
          const times = archived.map(({ timestamp }) => Number(timestamp));
          expect(times).toEqual([...times].sort((left, right) => left - right));
        }
      }),
      { numRuns: inSuite(4, 15), endOnFailure: true },
    );
  });

  fastTest('converts to manifests that export the same after an apply', async () => {
    const [drafted] = fc.sample(
      draft.filter(({ users, messages }) => users > 3 && messages.length > 10),
      { numRuns: 1, seed: 7 },
    );
    if (drafted === undefined) throw new Error('nothing was generated');
    const exported = make(drafted);
    const { folder, facts } = await convertFiles(source, exported.files, undefined, {
      mapping: exported.mapping,
      isAccepted: true,
    });
    const validated = await runCli(['validate'], { cwd: folder });
    expect(validated).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^Valid: /u), stderr: '' });
    const applied = await runCli(['apply', '--auto-approve'], { cwd: folder });
    expect(applied.stderr).toContain('Done.');
    expect(await runCli(['plan', '--detailed-exitcode'], { cwd: folder })).toMatchObject({ exit: 0 });
    expect(await runCli(['verify', '--all'], { cwd: folder })).toMatchObject({ exit: 0 });
    await succeeded(runCli(['export', '--out-dir', 'copy', '--messages', '--without-state'], { cwd: folder }));
    const historyFiles = (await readdir(join(folder, 'copy/history'))).map((name) => join('copy/history', name));
    const decoded = await runCli(['convert', '--decode', ...historyFiles], { cwd: folder });
    const again = decoded.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as object);
    expect(again.length).toBeGreaterThan(0);
    expect(comparable(again)).toEqual(comparable(facts as unknown as object[]));
  });
});
