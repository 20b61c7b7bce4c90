// Tests that the plan after an export is empty, with and without a refresh, whatever is on the platform.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startEmulator } from '../../../src/emulator/server.ts';
import { reaching } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { fill, oddContent } from '../../support/odd-content.ts';
import { Place } from '../../support/place.ts';
import { succeeded } from '../../support/run-cli.ts';
import { inSuite } from '../../support/suite.ts';

test('leaves nothing to plan after an export of any content', async () => {
  await fc.assert(
    fc.asyncProperty(oddContent, fc.boolean(), async (calls, isWhole) => {
      const running = await startEmulator({ rateLimits: false });
      const at = new Place(await makeFolder());
      try {
        fill(running, calls);
        const env = reaching(running);
        const run = (...args: readonly string[]) => at.with({ env }).run(args);
        const exported = await succeeded(
          run('export', '--out-dir', 'estate', ...(isWhole ? ['--messages', '--hidden-status'] : [])),
        );
        expect(exported.stdout).not.toContain('geheim');
        for (const flags of [[], ['--refresh']]) {
          await succeeded(run('plan', 'estate', '--detailed-exitcode', ...flags));
        }
        expect(await run('fmt', '--check', 'estate')).toMatchObject({ exit: 0 });
        const writes = [...running.stats.requests.keys()].filter((route) => !route.startsWith('GET'));
        expect(writes).toEqual([]);
      } finally {
        await running.close();
        await removeFolder(at.cwd);
      }
    }),
    { numRuns: inSuite(4, 30) },
  );
});

/** The files of an export. Ignores the order of keys, which the platform chooses. */
async function writtenIn(folder: string): Promise<Record<string, unknown>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const told = files.filter(({ name }) => name !== 'application.yaml' && name !== 'left-out.txt');
  return Object.fromEntries(
    await Promise.all(
      told.map(async ({ parentPath, name }) => {
        const text = await readFile(join(parentPath, name), 'utf8');
        const content = name.endsWith('.yaml') ? parseAllDocuments(text).map((one) => one.toJSON() as unknown) : text;
        return [join(parentPath, name).slice(folder.length), content];
      }),
    ),
  );
}

test('exports the same from an application to which an export was applied', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(oddContent, async (calls) => {
      const [one, other] = [await startEmulator({ rateLimits: false }), await startEmulator({ rateLimits: false })];
      const at = new Place(await makeFolder());
      try {
        fill(one, calls);
        const run = (where: typeof one, state: string, ...args: readonly string[]) =>
          at.with({ env: reaching(where) }).run([...args, '--state', `file:${state}`, '--base-url', where.url]);
        const all = ['--messages', '--hidden-status'];
        await succeeded(run(one, 'one', 'export', '--out-dir', 'here', ...all));
        const leftOut = await readFile(at.path('here/left-out.txt'), 'utf8').catch(() => '');
        // The other application lacks users who cannot be declared, and refuses channels that name them.
        if (/^user\..*: left out\. /mu.test(leftOut)) return;
        const applied = await run(other, 'other', 'apply', 'here', '--auto-approve');
        // A channel without members cannot be created.
        if (applied.stderr.includes('group_channel.no-members')) return;
        expect(applied, applied.stderr).toMatchObject({ exit: 0 });
        expect(await run(other, 'again', 'export', '--out-dir', 'there', ...all)).toMatchObject({ exit: 0 });
        // The platform assigns a name and a cover if those of the channel cannot be declared.
        if (/: (name|cover_url) is left out/u.test(leftOut)) return;
        expect(await writtenIn(at.path('there'))).toEqual(await writtenIn(at.path('here')));
        compared++;
      } finally {
        await Promise.all([one.close(), other.close()]);
        await removeFolder(at.cwd);
      }
    }),
    { numRuns: inSuite(3, 40) },
  );
  expect(compared).toBeGreaterThan(inSuite(0, 10));
});
