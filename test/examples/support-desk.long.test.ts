// Tests the claims of the support desk's page under "Things to try".
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredIn, differencesIn } from '../support/estate.ts';
import { copyFolder, copyManifests, makeFolder, removeFolder } from '../support/folders.ts';
import { type CliEnd, expectEnd, runCli, succeeded } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const example = join(import.meta.dirname, '../../examples/support-desk');
const apply = ['apply', '--auto-approve', '--rate-plan', '100k_mau', '--tokens-out', 'tokens.ndjson'];

let applied = '';
beforeAll(async () => {
  applied = await makeFolder();
  await copyManifests(example, applied);
  await succeeded(runCli(apply, { cwd: applied }));
});
afterAll(() => removeFolder(applied));

async function desk(): Promise<string> {
  const folder = await temporaryFolder();
  await copyFolder(applied, folder);
  return folder;
}

/** Removes matching lines from one file, or from every file. */
async function takeOut(folder: string, lines: RegExp, file?: string): Promise<void> {
  const files = file === undefined ? (await declaredIn(folder)).files.map((loaded) => loaded.file) : [file];
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), text.replace(lines, ''));
  }
}

async function plan(cwd: string): Promise<CliEnd & { readonly summary: unknown }> {
  const ended = await runCli(['plan', '--format', 'json', '--detailed-exitcode'], { cwd });
  return { ...ended, summary: JSON.parse(ended.stdout).summary };
}

test('the estate has the size that the page names', async () => {
  const { resources, policy } = await declaredIn(example);
  const count = (kind: string): number => [...resources].filter(({ address }) => address.startsWith(`${kind}.`)).length;
  expect([count('user'), count('bot'), count('open_channel'), count('group_channel')]).toEqual([58, 2, 6, 34]);
  expect(policy.external.users).toEqual(['^partner-']);
});

test('a removed user who is still in rooms is refused with each place, and without rooms is deactivated', async () => {
  const cwd = await desk();
  await takeOut(cwd, / {2}returns-finn:\n {4}nickname: Finn\n/u, 'teams/returns/users.yaml');
  const refused = await expectEnd(runCli(['plan'], { cwd }), 65);
  for (const room of ['all-hands', 'returns-intake', 'returns-inspection']) expect(refused.stderr).toContain(room);
  await takeOut(cwd, / {6}returns-finn:\n/gu);
  expect(await plan(cwd)).toMatchObject({ exit: 2, summary: { leave: 3, deactivate: 1 } });
  expect((await runCli(apply, { cwd })).exit).toBe(0);
  await copyManifests(example, cwd);
  expect(await plan(cwd)).toMatchObject({ exit: 2, summary: { invite: 3, reactivate: 1 } });
  expect((await runCli(apply, { cwd })).exit).toBe(0);
  expect(await differencesIn(cwd)).toEqual([]);
});

test('a protected user is not removed', async () => {
  const cwd = await desk();
  await takeOut(cwd, / {2}trust-rosa:\n(?: {4}.*\n)+/u, 'teams/trust/users.yaml');
  await takeOut(cwd, / {6}trust-rosa:\n/gu);
  await takeOut(cwd, /(?<=operators: \[)trust-rosa(?:, )?/gu);
  await expectEnd(runCli(['plan'], { cwd }), 5, 'safety.protected', 'user.trust-rosa');
});

test('a missing file removes more than the policy allows', async () => {
  const cwd = await desk();
  await rm(join(cwd, 'teams/frontline/rooms.yaml'));
  await expectEnd(runCli(apply, { cwd }), 5, 'safety.input-shrank');
});

test('editing the line of an invitation accepts it', async () => {
  const cwd = await desk();
  const file = join(cwd, 'teams/logistics/rooms.yaml');
  const line = 'supervisor-jonas: { invitation_status: invited_by_friend }';
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(line, 'supervisor-jonas: { invitation_status: joined }'));
  const planned = await runCli(['plan'], { cwd });
  expect(planned.stdout).toContain('/accept');
  expect((await runCli(apply, { cwd })).exit).toBe(0);
  expect(await differencesIn(cwd)).toEqual([]);
});
