// Tests that adopt takes existing objects into state without a write to the platform.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { deskElsewhere, reaching } from '../../support/desk.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';

interface There {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly running: RunningEmulator;
}

/** Everything is on the platform, but state is lost. */
async function withoutState(): Promise<There> {
  const running = await startPlatform();

  const env = reaching(running);
  const at = await place(deskElsewhere, env);
  await at.does('apply --auto-approve');
  await rm(at.path('.chatform'), { recursive: true });
  return { cwd: at.cwd, env, running };
}

const writes = ({ stats }: RunningEmulator): string[] =>
  [...stats.requests].flatMap(([route, count]) => (route.startsWith('GET') ? [] : [`${route} ${count}`])).sort();

async function edit({ cwd }: There, ...edits: readonly (readonly [string, string])[]): Promise<void> {
  const text = deskElsewhere['chat.yaml'] ?? '';
  await writeFiles(cwd, { 'chat.yaml': edits.reduce((all, [from, to]) => all.replace(from, to), text) });
}

test('adopts everything that patterns match, without a write', async () => {
  const there = await withoutState();
  const before = writes(there.running);
  const ended = await succeeded(runCli(['adopt', 'user.*', '*channel.*'], there));
  expect(ended.stdout).toContain('= group_channel.support-42  as declared');
  expect(ended.stdout).toContain('5 objects adopted into state.');
  expect(writes(there.running)).toEqual(before);
  expect(await runCli(['plan', '--detailed-exitcode'], there)).toMatchObject({ exit: 0 });
});

test('adopts differing objects as they are, and the next plan shows the difference', async () => {
  const there = await withoutState();
  await edit(
    there,
    ['nickname: Bob', 'nickname: Robert'],
    ['      bob:\n', ''],
    ['      alice:\n', '      alice:\n      carol:\n'],
  );
  const ended = await succeeded(runCli(['adopt', 'user.bob', 'group_channel.support-42', '--format', 'json'], there));
  expect(JSON.parse(ended.stdout)).toEqual({
    format_version: '1.0',
    adopted: [
      { address: 'group_channel.support-42', differs: ['members'] },
      { address: 'user.bob', differs: ['nickname'] },
    ],
    missing: [],
  });
  const plan = await runCli(['plan', '--target', 'user.bob', '--format', 'json'], there);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    changes: [{ address: 'user.bob', attributes: [{ path: 'nickname', before: 'Bob', after: 'Robert' }] }],
  });
  const { stdout } = await runCli(['plan', '--target', 'group_channel.*', '--format', 'json'], there);
  // Bob is not declared, so he stays an unmanaged member.
  expect(JSON.parse(stdout)).toMatchObject({
    changes: expect.arrayContaining([
      expect.objectContaining({
        address: 'group_channel.support-42',
        attributes: [expect.objectContaining({ path: 'members.carol' })],
      }),
    ]),
  });
});

test('adopts the existing objects of a pattern, and names the others', async () => {
  const there = await withoutState();
  await edit(there, ['  carol:', '  dora:\n    nickname: Dora\n  carol:']);
  const ended = await succeeded(runCli(['adopt', 'user.*'], there));
  expect(ended.stdout).toContain('user.dora  is not on the platform');
  expect(ended.stdout).toContain('3 objects adopted into state.');
});

test.for([
  { name: 'is not there', args: ['user.alice', 'user.dora'], exit: 6, says: 'user.dora is not on the platform' },
  { name: 'is declared nowhere', args: ['user.alcie'], exit: 64, says: 'Did you mean "user.alice"?' },
  { name: 'is not an address', args: ['alice'], exit: 64, says: 'is not an address' },
])('refuses an address that $name', async ({ args, exit, says }) => {
  const there = await withoutState();
  await edit(there, ['  carol:', '  dora:\n    nickname: Dora\n  carol:']);
  const ended = await expectEnd(runCli(['adopt', ...args], there), exit);
  expect(ended.stderr.replaceAll(/\s+/gu, ' ')).toContain(says);
  expect((await runCli(['state', 'list'], there)).stdout).toBe('');
});

test('refuses an address that is in state, and skips it in a pattern', async () => {
  const there = await withoutState();
  expect(await runCli(['adopt', 'user.alice'], there)).toMatchObject({ exit: 0 });
  const before = await contentOf(there.cwd);
  await expectEnd(runCli(['adopt', 'user.alice', 'user.bob'], there), 6, 'user.alice is already in state');
  expect(await contentOf(there.cwd)).toEqual(before);
  const rest = await runCli(['adopt', 'user.*'], there);
  expect(rest.stdout).toContain('2 objects adopted into state.');
});

test('adopts a deactivated user, and one with a slash in the id', async () => {
  const there = await withoutState();
  const more = '  a/b: { nickname: Slash, deactivated: true }\n  carol:';
  await edit(there, ['  carol:', more]);
  expect(await runCli(['apply', '--auto-approve', '--target', 'user.a/b'], there)).toMatchObject({ exit: 0 });
  await rm(join(there.cwd, '.chatform'), { recursive: true });
  const ended = await runCli(['adopt', 'user.a*b'], there);
  expect(ended.stdout, ended.stderr).toContain('= user.a/b  as declared');
});
