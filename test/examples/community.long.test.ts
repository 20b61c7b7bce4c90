// Tests that a real community of a thousand objects is applied at its rate plan and arrives complete.
import { expect, test } from 'vitest';
import { communityApplication, communityFolder, communityIsAbsent } from '../support/community.ts';
import { differencesIn } from '../support/estate.ts';
import { copyManifests } from '../support/folders.ts';
import { runCli, succeeded } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a real community is applied with every attribute, and nothing is left to do', async ({ skip }) => {
  const community = communityFolder ?? skip(communityIsAbsent);
  const cwd = await temporaryFolder();
  await copyManifests(community, cwd);
  await succeeded(runCli(['apply', '--auto-approve', ...communityApplication], { cwd }));
  expect(await differencesIn(cwd)).toEqual([]);
  await succeeded(runCli(['plan', '--detailed-exitcode', ...communityApplication], { cwd }));
});
