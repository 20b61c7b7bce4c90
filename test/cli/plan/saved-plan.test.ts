// Tests saved plans between review and apply: applied once, in parts, again, too late, or edited.
import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { user } from '../../../src/resources/user/user.ts';
import { crowd, desk, reaching } from '../../support/desk.ts';
import { differencesIn } from '../../support/estate.ts';
import { contentOf } from '../../support/folders.ts';
import { editPlan, packedPlan } from '../../support/plan-files.ts';
import { startPlatform } from '../../support/platform.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('is saved, shown and applied once', async () => {
  const cwd = await temporaryFolder(desk);
  const planned = await succeeded(runCli(['plan', '--out', 'plan.chatform'], { cwd }));
  expect((await stat(join(cwd, 'plan.chatform'))).mode & 0o777).toBe(0o600);
  const shown = await runCli(['show', 'plan.chatform'], { cwd });
  expect(shown).toMatchObject({ exit: 0, stdout: planned.stdout });
  await succeeded(runCli(['apply', 'plan.chatform'], { cwd }));
  expect(await differencesIn(cwd)).toEqual([]);
  const state = await contentOf(join(cwd, '.chatform/state'));
  const again = await succeeded(runCli(['apply', 'plan.chatform'], { cwd }));
  expect(again.stdout).toContain('nothing left to do');
  expect(await contentOf(join(cwd, '.chatform/state'))).toEqual(state);
});

test('is refused after an edit', async () => {
  const cwd = await temporaryFolder(desk);
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  await editPlan(join(cwd, 'plan.chatform'), (text) => text.replaceAll('Support 42', 'Support 43'));
  for (const command of ['show', 'apply']) {
    await expectEnd(runCli([command, 'plan.chatform'], { cwd }), 6, 'plan.unreadable');
  }
});

const compressedAgain = (plan: Buffer, edit: (text: string) => string) =>
  packedPlan(edit(brotliDecompressSync(plan.subarray('chatform plan 3.0\n'.length)).toString('utf8')));

test.for<{ name: string; of: (plan: Buffer) => Buffer | string | undefined; says: string }>([
  {
    name: 'with the line ends of Windows',
    of: (plan) => compressedAgain(plan, (text) => text.replaceAll('\n', '\r\n')),
    says: 'reformatted',
  },
  { name: 'cut', of: (plan) => plan.subarray(0, plan.length - 20), says: 'truncated' },
  { name: 'damaged', of: (plan) => Buffer.from(plan).fill(0, 60, 90), says: 'was edited' },
  { name: 'empty', of: () => '', says: 'is not a chatform plan' },
  { name: 'no more than its first line', of: () => 'chatform plan 3.0\n', says: 'truncated' },
  { name: 'something else', of: () => 'users: {}\n', says: 'is not a chatform plan' },
  { name: 'of version 0.2', of: () => '{"format_version":"1.0","application":"x"', says: 'has the plan format 1.0' },
  { name: 'of a version with templates', of: () => 'chatform plan 2.0\nx', says: 'has the plan format 2.0' },
  { name: 'of a later version', of: () => 'chatform plan 4.0\nx', says: 'has the plan format 4.0' },
  { name: 'not there', of: () => undefined, says: 'cannot be read: there is no such file' },
  { name: 'a folder', of: () => undefined, says: 'cannot be read' },
])('is refused by show: $name', async ({ name, of, says }) => {
  const cwd = await temporaryFolder(desk);
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  const other = of(await readFile(join(cwd, 'plan.chatform')));
  if (other !== undefined) await writeFile(join(cwd, 'other.json'), other);
  else if (name === 'a folder') await mkdir(join(cwd, 'other.json'));
  const ended = await expectEnd(runCli(['show', 'other.json'], { cwd }), 6);
  expect(ended.stderr.replaceAll(/\s+/gu, ' ')).toContain(says);
});

test.for([
  ['plan', 'plan.chatform'],
  ['validate', 'plan.chatform'],
  ['apply', 'plan.chatform', 'chat.yaml', '--auto-approve'],
])('is named when it is taken for a manifest: %j', async (args) => {
  const cwd = await temporaryFolder(desk);
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  await expectEnd(
    runCli(args, { cwd }),
    64,
    /^error\[usage\]: plan\.chatform is a saved plan, not a manifest\.\n {4}chatform show plan\.chatform/u,
  );
});

test('is read once from a pipe', async () => {
  const cwd = await temporaryFolder(desk);
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  const plan = await readFile(join(cwd, 'plan.chatform'));
  await promisify(execFile)('mkfifo', [join(cwd, 'pipe')]);
  const through = async (content: Buffer) => {
    const [ended] = await Promise.all([runCli(['show', 'pipe'], { cwd }), writeFile(join(cwd, 'pipe'), content)]);
    return ended;
  };
  expect(await through(plan)).toMatchObject({ exit: 0 });
  expect(await through(compressedAgain(plan, (text) => text.replace('Carol', 'Karoline')))).toMatchObject({ exit: 6 });
  expect(await through(plan.subarray(0, plan.length - 20))).toMatchObject({ exit: 6 });
});

test('is refused when another plan was approved', async () => {
  const cwd = await temporaryFolder(desk);
  const planned = await runCli(['plan', '--out', 'plan.chatform', '--format', 'json'], { cwd });
  const { hash } = JSON.parse(planned.stdout) as { hash: string };
  await expectEnd(runCli(['apply', 'plan.chatform', '--approved-hash', `${hash}0`], { cwd }), 6);
  expect(await runCli(['apply', 'plan.chatform', '--approved-hash', hash], { cwd })).toMatchObject({ exit: 0 });
});

test('is refused for another application', async () => {
  const cwd = await temporaryFolder(desk);
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  await expectEnd(
    runCli(['apply', 'plan.chatform', '--base-url', 'emulator:other'], { cwd }),
    6,
    'plan.other-application',
  );
});

test('is refused for another state', async () => {
  const cwd = await temporaryFolder(desk);
  await runCli(['apply', '--auto-approve'], { cwd });
  await writeFile(join(cwd, 'chat.yaml'), (desk['chat.yaml'] ?? '').replace('Carol', 'Caroline'));
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  await expectEnd(runCli(['apply', 'plan.chatform', '--state', 'file:elsewhere'], { cwd }), 6, 'plan.other-state');
});

test('conflicts with a later run before it writes anything, and --skip-conflicts applies the rest', async () => {
  const cwd = await temporaryFolder(desk);
  await runCli(['apply', '--auto-approve'], { cwd });
  const text = desk['chat.yaml'] ?? '';
  await writeFile(join(cwd, 'chat.yaml'), text.replace('Carol', 'Caroline').replace('name: Lobby', 'name: Hall'));
  await runCli(['plan', '--out', 'plan.chatform'], { cwd });
  await writeFile(join(cwd, 'chat.yaml'), text.replace('Carol', 'Karoline'));
  expect(await runCli(['apply', '--auto-approve'], { cwd })).toMatchObject({ exit: 0 });

  const before = await contentOf(join(cwd, '.chatform'));
  const refused = await expectEnd(runCli(['apply', 'plan.chatform'], { cwd }), 6, 'plan.conflict', 'user.carol');
  expect(refused.stderr).not.toContain('open_channel.lobby');
  expect(await contentOf(join(cwd, '.chatform'))).toEqual(before);

  const rest = await succeeded(runCli(['apply', 'plan.chatform', '--skip-conflicts'], { cwd }));
  expect(rest.stderr.match(/Skipped .*/gu)).toEqual([
    'Skipped 1 step (changed since the plan): user.carol. Re-plan to include it.',
  ]);
  await writeFile(join(cwd, 'chat.yaml'), text.replace('Carol', 'Karoline').replace('name: Lobby', 'name: Hall'));
  expect(await differencesIn(cwd)).toEqual([]);
});

test('creates every user once when it ran out of time and is applied again', async () => {
  const cwd = await temporaryFolder(crowd(60));
  const running = await startPlatform();
  const env = { ...reaching(running), CHATFORM_RATE_PLAN: '10k_mau' };
  expect(await runCli(['plan', '--out', 'plan.chatform'], { cwd, env })).toMatchObject({ exit: 0 });
  await expectEnd(runCli(['apply', 'plan.chatform', '--max-duration', '2s'], { cwd, env }), 9);
  const created = (await keysOf(running, user)).length;
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(60);
  await succeeded(runCli(['apply', 'plan.chatform', '--report', 'report.json'], { cwd, env: reaching(running) }));
  expect(running.stats.requests.get('POST /users')).toBe(60);
  // The shortest possible time is that of the remaining calls; for all calls, at 20 per second, it is 2.95 s.
  const { lower_bound_s } = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(lower_bound_s).toBeLessThan(2.95);
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd, env })).toMatchObject({ exit: 0 });
});
