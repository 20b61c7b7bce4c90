// Whatever is on the platform: is the plan after an export empty, with and without a look at the live objects?
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/server.ts';
import { reaching } from '../support/desk.ts';
import { makeFolder, removeFolder } from '../support/folders.ts';
import { fill, oddContent } from '../support/odd-content.ts';
import { runCli } from '../support/run-cli.ts';

test('the plan after an export is empty, for any content', async () => {
  await fc.assert(
    fc.asyncProperty(oddContent, fc.boolean(), async (calls, isWhole) => {
      const running = await startEmulator({ rateLimits: false });
      const cwd = await makeFolder();
      try {
        fill(running, calls);
        const env = reaching(running);
        const run = (...args: readonly string[]) => runCli(args, { cwd, env });
        const exported = await run('export', '--out', 'estate', ...(isWhole ? ['--messages', '--hidden-status'] : []));
        expect(exported, exported.stderr + exported.stdout).toMatchObject({ exit: 0 });
        expect(exported.stdout).not.toContain('geheim');
        for (const flags of [[], ['--refresh']]) {
          const plan = await run('plan', 'estate', '--detailed-exitcode', ...flags);
          expect(plan, plan.stderr + plan.stdout).toMatchObject({ exit: 0 });
        }
        expect(await run('fmt', '--check', 'estate')).toMatchObject({ exit: 0 });
        const writes = [...running.stats.requests.keys()].filter((route) => !route.startsWith('GET'));
        expect(writes).toEqual([]);
      } finally {
        await running.close();
        await removeFolder(cwd);
      }
    }),
    { numRuns: Number(process.env.EXPORT_RUNS ?? 40) },
  );
}, 60_000);
