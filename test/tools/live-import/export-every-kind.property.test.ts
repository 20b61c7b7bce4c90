// Tests that the plan after an export is empty, with and without a refresh, for objects of every kind, whatever the platform's
// lists show of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf } from '../../../src/core/model/address.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import { startEmulator } from '../../../src/emulator/server.ts';
import { reaching } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { Place } from '../../support/place.ts';
import { estate, estateOfEveryKind } from '../../support/planning/arbitrary-estates.ts';
import { manifestOf } from '../../support/planning/manifest-of.ts';
import { inSuite, seedOfRun } from '../../support/suite.ts';

const samples = inSuite(2, 20);

const behaviours: fc.Arbitrary<Partial<Behaviours>> = fc.record({
  operatorsInOpenLists: fc.constantFrom('empty', 'listed', 'absent'),
  operatorsInGroupViews: fc.constantFrom('listed', 'absent'),
  memberActiveModeAll: fc.constantFrom('refused', 'allowed'),
  channelMetadataInView: fc.constantFrom('when_asked', 'never'),
  moderationKeywords: fc.constantFrom('text', 'list'),
  moderationUpdate: fc.constantFrom('replaces', 'merges'),
  permanentBanEnd: fc.constantFrom('ten_years', 'minus_one'),
  deactivatedUserRead: fc.constantFrom('visible', 'refused'),
  memberOrder: fc.constantFrom('newest_first', 'oldest_first'),
});

const policy = { reopen: { frozen: 'allow', deactivated: 'allow' } };

test(`leaves nothing to plan after an export, for ${samples} applications`, async () => {
  const kinds = new Set<string>();
  const sample = (resources: typeof estate, numRuns: number) =>
    fc.sample(fc.tuple(resources, behaviours), { numRuns, seed: seedOfRun() });
  for (const [resources, read] of [...sample(estateOfEveryKind, 1), ...sample(estate, samples - 1)]) {
    const running = await startEmulator({ rateLimits: false, behaviours: read });
    const at = new Place(await makeFolder());
    try {
      const run = async (...args: readonly string[]) => {
        const ended = await at.with({ env: reaching(running) }).run(args);
        expect(ended.exit, `${args.join(' ')}\n${JSON.stringify(read)}\n${ended.stdout}${ended.stderr}`).toBe(0);
        return ended;
      };
      await at.write({ 'm.yaml': manifestOf(resources, policy) });
      await run('apply', 'm.yaml', '--auto-approve', '--tokens-out', 'tokens');
      const fully = ['--read-each', '--hidden-status'];
      const { stderr } = await run('export', '--out-dir', 'estate', ...fully, '--state', 'file:own');
      expect(stderr).not.toContain('left out');
      for (const args of [[], ['--refresh']]) {
        await run('plan', 'estate', '--state', 'file:own', '--detailed-exitcode', ...args);
      }
      // Drift of nothing is refused.
      if (resources.length > 0) await run('drift', 'estate', '--state', 'file:own', '--detailed-exitcode');
      for (const { address } of resources) kinds.add(kindOf(address));
    } finally {
      await running.close();
      await removeFolder(at.cwd);
    }
  }
  expect([...kinds].sort()).toEqual(
    registry
      .filter(({ isChild }) => isChild !== true)
      .map(({ name: kind }) => kind)
      .sort(),
  );
});
