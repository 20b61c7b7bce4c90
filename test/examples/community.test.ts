// Tests that a real community of a thousand objects is read and planned.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { communityApplication, communityFolder, communityIsAbsent } from '../support/community.ts';
import { copyManifests } from '../support/folders.ts';
import { runCli, succeeded } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function copyOf(community: string): Promise<string> {
  const folder = await temporaryFolder();
  await copyManifests(community, folder);
  return folder;
}

test('a real community is valid', async ({ skip }) => {
  const cwd = await copyOf(communityFolder ?? skip(communityIsAbsent));
  const ended = await succeeded(runCli(['validate'], { cwd }));
  expect(ended.stdout).toMatch(/Valid: [\d,]+ objects/u);
});

test('a real community is planned: its objects, its archived channels frozen, its calls counted', async ({ skip }) => {
  const community = communityFolder ?? skip(communityIsAbsent);
  const cwd = await copyOf(community);
  const ended = await succeeded(runCli(['plan', '--format', 'json', ...communityApplication], { cwd }));
  const { summary, requests, duration } = JSON.parse(ended.stdout);
  const readme = await readFile(join(community, 'README.md'), 'utf8');
  const [, users, open, archived, group] =
    /^(\d+) users, (\d+) open channels \((\d+) archived, .*\), (\d+) group channels/mu.exec(readme) ?? [];
  expect(summary).toEqual({ create: Number(users) + Number(open) + Number(group), freeze: Number(archived) });
  expect(requests).toEqual(
    expect.arrayContaining([
      { method: 'POST', route: '/users', count: Number(users) },
      { method: 'POST', route: '/open_channels', count: Number(open) },
      { method: 'POST', route: '/group_channels', count: Number(group) },
      { method: 'PUT', route: '/open_channels/{channel_url}/freeze', count: Number(archived) },
    ]),
  );
  // The busiest bucket, at 40 calls a second.
  expect(duration.lower_bound_s).toBeGreaterThan(Number(open) / 40 - 1);
  expect(duration.lower_bound_s).toBeLessThan((Number(users) + Number(open)) / 40 + 1);
});
