// Tests Ctrl-C in commands that only read: they end soon and leave nothing behind.

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import { exitCode } from '../../../src/core/model/exit-code.ts';
import type { Clock } from '../../../src/core/model/ports.ts';
import { deskElsewhere } from '../../support/desk.ts';
import { serve } from '../../support/loopback.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A platform that has these answers by path and answers no other path. `asked` resolves when another path is requested. */
async function silentPlatform(
  answers: Readonly<Record<string, object>> = {},
): Promise<{ readonly url: string; asked(): Promise<void> }> {
  const waiting: (() => void)[] = [];
  const host = await serve((request, response) => {
    const answer = answers[new URL(request.url ?? '', 'http://x').pathname.replace('/v3', '')];
    if (answer === undefined) waiting.shift()?.();
    else response.end(JSON.stringify(answer));
  });
  return {
    url: `http://${host}/v3`,
    asked: () => new Promise((resolve) => void waiting.push(resolve)),
  };
}

test.for([
  ['plan', '--refresh'],
  ['apply', '--refresh', '--auto-approve'],
  ['explain', 'user.alice', '--refresh'],
])('%s', async (args) => {
  const { url, asked } = await silentPlatform();
  const cwd = await temporaryFolder(deskElsewhere);
  const stop = new AbortController();
  const env = { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: 'token' };
  const ended = runCli(args, { cwd, env, interrupt: stop.signal });
  await asked();
  stop.abort();
  const { exit, stderr } = await ended;
  expect(exit, stderr).toBe(exitCode.interrupted);
  expect(stderr).toMatch(
    /error\[refresh\.interrupted\]: The command was interrupted before it had read everything\.\n {4}Nothing was changed/u,
  );
});

test('drift --unmanaged between two pages, which prints no count', async () => {
  const { url, asked } = await silentPlatform({
    '/bots': { bots: [], next: '' },
    '/open_channels': { channels: [], next: '' },
  });
  const cwd = await temporaryFolder({ 'chat.yaml': 'version: 1\n' });
  const stop = new AbortController();
  const env = { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: 'token' };
  const ended = runCli(['drift', '--unmanaged'], { cwd, env, interrupt: stop.signal });
  await asked();
  stop.abort();
  const { exit, stdout, stderr } = await ended;
  expect(exit, stderr).toBe(exitCode.interrupted);
  expect(stderr).toContain('error[refresh.interrupted]');
  expect(stdout).toBe('');
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s during an export, which leaves neither files nor a lock behind',
  async (signal) => {
    const { url, asked } = await silentPlatform();
    const cwd = await temporaryFolder(deskElsewhere);
    const temporary = join(cwd, '.tmp');
    await mkdir(temporary);
    const env = { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: 'token', TMPDIR: temporary };
    const isAsked = asked();
    const child = spawnCli(['export', '--out-dir', 'copy', '--messages'], { cwd, env });
    await isAsked;
    child.kill(signal);
    const { exit, stderr } = await child.ended;
    expect(exit, stderr).toBe(exitCode.interrupted);
    expect(stderr).toContain('Stopping. Reads in progress are cancelled.');
    expect(await readdir(temporary)).toEqual([]);
    expect(await readdir(cwd)).toEqual(expect.not.arrayContaining(['copy']));
    expect((await runCli(['state', 'lock-status'], { cwd, env })).stdout).toContain('is not locked');
  },
);

test('an export that has begun to write says that its folder is incomplete', async () => {
  const hall = { channel_url: 'hall', name: 'Hall', operators: [], freeze: false, metadata: {} };
  const { url, asked } = await silentPlatform({
    '/users': { users: [], next: '' },
    '/bots': { bots: [], next: '' },
    '/applications/default_channel_invitation_preference': { auto_accept: true },
    '/applications/settings/webhook': { webhook: {} },
    '/applications/settings/auto_event_message': { auto_event_message: {} },
    '/applications/settings_by_channel_custom_type': { channel_custom_type_settings: [], next: '' },
    '/applications/settings_global': {},
    '/applications/push/settings': { push_enabled: true },
    '/applications/push/message_templates': { push_message_templates: [] },
    '/applications/push/fcm': { push_configurations: [] },
    '/emojis': { emojis: [] },
    '/applications/settings/ip_whitelist': { ip_whitelist_addresses: [] },
    '/group_channels': { channels: [], next: '' },
    '/open_channels': { channels: [hall], next: '' },
    '/open_channels/hall': hall,
    '/open_channels/hall/operators': { operators: [], next: '' },
    '/open_channels/hall/messages/total_count': { total: 3 },
  });
  const cwd = await temporaryFolder();
  const env = { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: 'token' };
  const stop = new AbortController();
  const ended = runCli(['export', '--out-dir', 'copy', '--messages'], { cwd, env, interrupt: stop.signal });
  await asked();
  stop.abort();
  const { exit, stderr } = await ended;
  expect(exit, stderr).toBe(exitCode.interrupted);
  expect(stderr.replace(/\s+/gu, ' ')).toContain('The folder --out-dir is incomplete: the same command continues');
  expect((await readdir(join(cwd, 'copy'), { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test.for([
  { args: ['export', '--out-dir', 'copy', '--without-state'], refused: '/group_channels' },
  { args: ['plan', '--refresh'], refused: '/users' },
])('$args stops its other reads when the platform refuses one', async ({ args, refused }) => {
  const host = await serve((request, response) => {
    const isRefused = request.url?.startsWith(`/v3${refused}`) === true;
    // The refusal comes while the other reads are waiting for their next attempt.
    setTimeout(
      () => response.writeHead(isRefused ? 400 : 503).end('{"error":true,"code":400301}'),
      isRefused ? 200 : 0,
    );
  });
  const env = { CHATFORM_BASE_URL: `http://${host}/v3`, CHATFORM_API_TOKEN: 'token' };
  const cwd = await temporaryFolder(args[0] === 'plan' ? deskElsewhere : {});
  const pauses = new PauseCount();
  await expectEnd(runCli(args, { cwd, env, clock: pauses.clock }), exitCode.unexpected, refused);
  expect(pauses.begun).toBeGreaterThan(0);
  await new Promise(setImmediate);
  expect(pauses.pending).toBe(0);
});

/** Counts the pauses of a real clock. */
class PauseCount {
  begun = 0;
  pending = 0;
  readonly clock: Clock = {
    ...nodeClock,
    sleep: async (ms, signal) => {
      this.begun += 1;
      this.pending += 1;
      await nodeClock.sleep(ms, signal);
      this.pending -= 1;
    },
  };
}
