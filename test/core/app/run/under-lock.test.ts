// Tests that a command releases the lock, the emulator's data file and the token file, wherever it ends.
import { access, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { openBackend } from '../../../../src/core/state/index.ts';
import { startEmulator } from '../../../../src/emulator/server.ts';
import type { SleepSignal } from '../../../../src/lib/sleep-signal.ts';
import { desk } from '../../../support/desk.ts';
import { place } from '../../../support/place.ts';
import { runCli, succeeded } from '../../../support/run-cli.ts';

const identity = 'emulator:.chatform/emulator';
const apply = ['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson'];

/** Another run's lock on the state of `cwd`. */
async function holdState(cwd: string): Promise<{ close(): Promise<void> }> {
  const owner = { user: 'other', host: 'elsewhere', pid: 1 };
  const backend = await openBackend('file:.chatform/state', { clock: nodeClock, owner, newId: () => 'other', cwd });
  const writer = await backend.open({ application: identity, lockTimeoutMs: 0 });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await writer.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { close };
}

/** Another emulator on the data file of `cwd`. */
async function holdEmulator(cwd: string): Promise<{ close(): Promise<void> }> {
  return startEmulator({ dataFile: join(cwd, '.chatform/emulator'), rateLimits: false });
}

/** Files below `cwd` that this process has open, if the system shows them. */
async function openFiles(cwd: string): Promise<string[]> {
  const handles = await readdir('/proc/self/fd').catch(() => []);
  const files = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return files.filter((file) => file.startsWith(cwd));
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

async function expectAllGivenBack(cwd: string): Promise<void> {
  expect(await openFiles(cwd)).toEqual([]);
  expect(await exists(join(cwd, '.chatform/emulator.lock'))).toBe(false);
  expect((await runCli(['state', 'lock-status'], { cwd })).stdout).toContain('is not locked');
  await succeeded(runCli(apply, { cwd }));
  expect(await openFiles(cwd)).toEqual([]);
}

test('does not start the emulator while another run has the lock', async () => {
  const at = await place(desk);
  const other = await holdState(at.cwd);
  await at.ends(apply, 7, 'state.locked');
  expect(await exists(at.path('.chatform/emulator'))).toBe(false);
  await other.close();
  await expectAllGivenBack(at.cwd);
});

test('stops waiting for the lock at an interrupt', async () => {
  const at = await place(desk);
  await at.run('plan --refresh');
  const [other, emulator] = [await holdState(at.cwd), await holdEmulator(at.cwd)];
  const interrupt = new AbortController();
  const clock = {
    ...nodeClock,
    sleep: async (ms: number, signal?: SleepSignal) => {
      // Longer sleeps are the time-outs of calls.
      if (signal !== undefined && ms <= 500) interrupt.abort();
    },
  };
  const args = [...apply, '--lock-timeout', '1h'];
  await at.with({ clock, interrupt: interrupt.signal }).ends(args, 8, 'state.wait-interrupted');
  await Promise.all([other.close(), emulator.close()]);
  await expectAllGivenBack(at.cwd);
});

test('releases the lock when the emulator cannot start', async () => {
  const at = await place(desk);
  await at.run('plan --refresh');
  const emulator = await holdEmulator(at.cwd);
  await at.ends(apply, 7, 'emulator.cannot-start');
  await emulator.close();
  await expectAllGivenBack(at.cwd);
});

test('takes no lock and writes nothing without a token', async () => {
  const at = await place(desk);
  const before = await at.content();
  await at.with({ env: { CHATFORM_BASE_URL: 'https://api-x.sendbird.com/v3' } }).ends(apply, 3, 'token.missing');
  expect(await at.content()).toEqual(before);
});
