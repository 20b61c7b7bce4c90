// Tests that no command ends with a bug, whatever a platform responds, and that later runs succeed after correct responses.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startEmulator } from '../../../src/emulator/server.ts';
import { startAltering, unaltered } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { damage } from '../../support/odd-values.ts';
import { Place } from '../../support/place.ts';
import { estate } from '../../support/planning/arbitrary-estates.ts';
import { manifestOf } from '../../support/planning/manifest-of.ts';
import { expectEnd, fastClock } from '../../support/run-cli.ts';
import { inSuite } from '../../support/suite.ts';

const policy = {
  existing: 'adopt',
  reopen: { frozen: 'allow', deactivated: 'allow' },
  removals: { max_share: 1, free_count: 1000 },
};

const commands: readonly (readonly string[])[] = [
  ['plan', 'm.yaml', '--refresh'],
  ['drift', 'm.yaml'],
  ['drift', 'm.yaml', '--unmanaged'],
  ['export', '--out-dir', 'estate', '--read-each', '--hidden-status', '--messages', '--state', 'file:own'],
  ['verify', 'm.yaml', '--all'],
  ['validate', 'm.yaml', '--online'],
  ['state', 'rebuild', 'm.yaml', '--state', 'file:other'],
  ['adopt', 'm.yaml', '--state', 'file:third'],
  ['apply', 'm.yaml', '--auto-approve', '--refresh', '--tokens-out', 'tokens-of-lies'],
  ['apply', 'm.yaml', '--auto-approve', '--tokens-out', 'more-tokens'],
];

test('ends no command with a bug, whatever a platform responds', async () => {
  const damages = fc.oneof(damage(300), damage(40), damage(10));
  await fc.assert(
    fc.asyncProperty(estate, damages, async (resources, change) => {
      const running = await startEmulator({ rateLimits: false });
      const { transit, url, close } = await startAltering(running.url);
      const at = new Place(await makeFolder());
      const env = reaching({ url, token: running.token });
      const run = (...args: readonly string[]) => at.with({ env, clock: fastClock(5) }).run(args);
      try {
        await at.write({ 'm.yaml': manifestOf(resources, policy) });
        expect(await run('apply', 'm.yaml', '--auto-approve', '--tokens-out', 'tokens')).toMatchObject({ exit: 0 });
        transit.change = change;
        for (const args of commands) {
          const { stdout, stderr } = await run(...args);
          expect(`${stdout}${stderr}`).not.toMatch(/This is a bug|undefined|\[object /u);
        }
        transit.change = unaltered;
        await run('apply', 'm.yaml', '--auto-approve', '--refresh', '--tokens-out', 'last-tokens');
        await expectEnd(run('plan', 'm.yaml', '--refresh', '--detailed-exitcode'), 0);
      } finally {
        close();
        await running.close();
        await removeFolder(at.cwd);
      }
    }),
    { numRuns: inSuite(3, 20), endOnFailure: true },
  );
});
