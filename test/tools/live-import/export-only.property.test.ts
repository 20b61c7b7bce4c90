// Tests that an application can be taken over in any parts, in any order, by commands that are killed at any file: the next plan is
// empty, managed and unmanaged objects together are everything, and nothing is written to the platform.
import { cp, rm } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnmanagedKind } from '../../../src/core/model/live.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/server.ts';
import { reaching } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { fill, oddContent } from '../../support/odd-content.ts';
import { Place } from '../../support/place.ts';
import { inSuite } from '../../support/suite.ts';

const selections = [
  ...['user', 'open_channel', 'group_channels', 'user.[a-d]*', 'group_channel.room-*', 'group_channel.room-1'],
  ...[
    '*.*',
    '*.*a*',
    '{user,open_channel}.*',
    'custom_type=*',
    'custom_type=',
    'custom_type=?*',
    '{open,group}_channel.*',
    'user.alice',
  ],
];

/** One export, and what a kill leaves of it. */
const command = fc.record({
  only: fc.uniqueArray(fc.constantFrom(...selections), { minLength: 1, maxLength: 3 }),
  withUsers: fc.boolean(),
  killed: fc.constantFrom('no', 'before-state', 'between-files'),
});

/** A folder of a team with a channel and a file for some of the users. */
const team = {
  'team/policy.yaml':
    'version: 1\npolicy: { personal_data: warn, external: { users: [".*"], bots: [".*"], open_channels: [".*"], group_channels: [".*"] } }\n',
  'team/chat.yaml': 'version: 1\n# Ours.\nopen_channels:\n    ours: # keep\n        name: Team\n',
};

test('takes over any parts in any order and leaves nothing to plan', async () => {
  let exported = 0;
  await fc.assert(
    fc.asyncProperty(
      oddContent,
      fc.array(command, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (calls, commands, isNew) => {
        const running = await startEmulator({ rateLimits: false });
        const at = new Place(await makeFolder(), { env: reaching(running) });
        try {
          fill(running, calls);
          if (!isNew) {
            await at.write(team);
            await at.does('apply team --auto-approve');
          }
          const before = writesTo(running);
          for (const { only, withUsers, killed } of commands) {
            const words = ['export', '--out-dir', 'team', ...only.flatMap((text) => ['--only', text])];
            const run = () => at.run([...words, ...(withUsers ? ['--with', 'users'] : [])]);
            await keep(at, 'before');
            const files = await at.content('team').catch(() => ({}));
            const first = await run();
            // A pattern may match nothing, and a new folder may lack users that a later part names.
            if (first.exit !== 0) {
              expect([64, 65], first.stderr).toContain(first.exit);
              expect(await at.content('team').catch(() => ({}))).toEqual(files);
              continue;
            }
            exported += 1;
            if (killed !== 'no') {
              await bringBack(at, 'before', '.chatform');
              // Channels are written after users.
              if (killed === 'between-files') await rm(at.path('team/group_channels.yaml'), { force: true });
              const again = await run();
              expect(again, again.stderr).toMatchObject({ exit: 0 });
            }
            // What was selected may have nothing that can be declared.
            if (!(await hasManifests(at))) continue;
            for (const flags of [[], ['--refresh']]) await at.does(['plan', 'team', '--detailed-exitcode', ...flags]);
          }
          if (await hasManifests(at)) {
            const { unmanaged } = await at.json('drift --unmanaged team');
            for (const { listed, managed, external, unmanaged: others } of unmanaged.kinds as UnmanagedKind[])
              expect(managed + external + others).toBe(listed);
          }
          if (!isNew) expect(await at.read('team/chat.yaml')).toContain(team['team/chat.yaml'].trimEnd());
          expect(writesTo(running)).toEqual(before);
        } finally {
          await running.close();
          await removeFolder(at.cwd);
        }
      },
    ),
    { numRuns: inSuite(12, 150) },
  );
  // The property has compared something. Three quarters of the random selections match nothing, so few runs may have few exports.
  expect(exported).toBeGreaterThan(inSuite(0, 50));
});

/** By route, how many calls were not reads. */
function writesTo({ stats }: RunningEmulator): Readonly<Record<string, number>> {
  return Object.fromEntries([...stats.requests].filter(([route]) => !route.startsWith('GET')));
}

async function hasManifests(at: Place): Promise<boolean> {
  return Object.keys(await at.content('team').catch(() => ({}))).some((name) => name.endsWith('.yaml'));
}

async function keep(at: Place, name: string): Promise<void> {
  await rm(at.path(name), { recursive: true, force: true });
  for (const folder of ['.chatform', 'team'])
    await cp(at.path(folder), at.path(name, folder), { recursive: true }).catch(() => undefined);
}

async function bringBack(at: Place, name: string, folder: string): Promise<void> {
  await rm(at.path(folder), { recursive: true, force: true });
  await cp(at.path(name, folder), at.path(folder), { recursive: true }).catch(() => undefined);
}
