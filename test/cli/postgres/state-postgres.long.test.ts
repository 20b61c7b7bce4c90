// Tests that whole runs over HTTP with state in PostgreSQL survive kills, concurrent runs, pauses and a lost database.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/server.ts';
import { crowd, reaching } from '../../support/desk.ts';
import { declaredIn } from '../../support/estate.ts';
import { copyManifests } from '../../support/folders.ts';
import { seededChance } from '../../support/kill-times.ts';
import { differences } from '../../support/platform-differences.ts';
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { soon } from '../../support/soon.ts';
import { type CliChild, spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const example = join(import.meta.dirname, '../../../examples/support-desk');
const people = 60;

interface Estate {
  readonly server: Postgres;
  readonly running: RunningEmulator;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Enough users for six seconds at the slow rate plan. */
async function estate(): Promise<Estate> {
  const server = await startPostgres([]);
  onTestFinished(() => server.remove());
  const running = await startEmulator({ rateLimits: false });
  onTestFinished(() => running.close());
  const cwd = await temporaryFolder(crowd(people));
  return {
    server,
    running,
    cwd,
    env: { ...reaching(running), CHATFORM_RATE_PLAN: '5k_mau', CHATFORM_STATE: server.url() },
  };
}

const created = ({ running }: Estate): number => running.stats.requests.get('POST /users') ?? 0;

/** Resolves when the run has created a few users. */
async function atWork(on: Estate, more: readonly string[] = []): Promise<CliChild> {
  const before = created(on);
  const child = spawnCli(
    ['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson', '--report', 'report.json', ...more],
    on,
  );
  await Promise.race([child.ended, soon(() => created(on) >= before + 3)]);
  return child;
}

async function reportIn(cwd: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
}

async function expectToEndWell(on: Estate): Promise<void> {
  await expectEnd(
    runCli(['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson'], {
      cwd: on.cwd,
      env: { ...on.env, CHATFORM_RATE_PLAN: '100k_mau' },
    }),
    0,
  );
  const { resources } = await declaredIn(on.cwd);
  expect(await differences(on.running, [...resources])).toEqual([]);
  expect(await runCli(['plan', '--detailed-exitcode'], on)).toMatchObject({ exit: 0 });
}

describe.runIf(noPostgres === undefined)('a run with its state in PostgreSQL', () => {
  test('converges with every object once after ten kills at any moment', async () => {
    const server = await startPostgres([]);
    onTestFinished(() => server.remove());
    const running = await startEmulator({ ratePlan: '10k_mau', latencyMs: 20 });
    onTestFinished(() => running.close());
    const cwd = await temporaryFolder();
    await copyManifests(example, cwd);
    const env = {
      ...reaching(running),
      CHATFORM_RATE_PLAN: '10k_mau',
      CHATFORM_STATE: server.url(),
      CHATFORM_SETTLE_TIME: '1s',
    };
    const chance = seededChance();
    let killed = 0;
    for (let round = 0; round < 10; round += 1) {
      const child = spawnCli(['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson'], { cwd, env });
      await wait(700 + chance() * 1500);
      child.kill('SIGKILL');
      const { exit, stderr } = await child.ended;
      expect([-1, 0], stderr).toContain(exit);
      if (exit === -1) killed += 1;
    }
    expect(killed).toBeGreaterThan(1);
    await expectToEndWell({ server, running, cwd, env });
  });

  test('refuses a second run with the name of the first, or lets it wait and find nothing to do', async () => {
    const on = await estate();
    const first = await atWork(on);
    await expectEnd(
      runCli(['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson'], on),
      7,
      /is locked by \S+@\S+ \(process \d+/,
    );
    expect(await runCli(['plan', '--detailed-exitcode'], on)).toMatchObject({ exit: 2 });
    const patient = spawnCli(['apply', '--auto-approve', '--tokens-out', 'tokens.ndjson', '--lock-timeout', '60s'], on);
    expect(await first.ended).toMatchObject({ exit: 0 });
    expect(await patient.ended).toMatchObject({ exit: 0 });
    expect(created(on)).toBe(people);
    await expectToEndWell(on);
  });

  test('waits for a server that restarts or crashes, and continues', async () => {
    const on = await estate();
    const child = await atWork(on);
    await on.server.stop();
    await wait(1_000);
    await on.server.start();
    await wait(500);
    await on.server.crash();
    await on.server.start();
    const { exit, stderr } = await child.ended;
    expect(exit, stderr).toBe(0);
    expect(await reportIn(on.cwd)).toMatchObject({ outcome: 'done', steps: { succeeded: people, unknown: 0 } });
    expect(created(on)).toBe(people);
    await expectToEndWell(on);
  });

  test('ends with 8 and a report if the database does not come back, and the next run continues', async () => {
    const on = await estate();
    const child = await atWork(on, ['--state-patience', '1s']);
    await on.server.stop();
    const { exit, stderr } = await child.ended;
    expect(exit, stderr).toBe(8);
    expect(stderr).toContain('state.write-failed');
    expect(stderr).toContain('did not recover within 1 s');
    expect(await reportIn(on.cwd)).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
    expect((await runCli(['plan'], on)).stderr).toContain('nothing listens at that address');
    await on.server.start();
    await expectToEndWell(on);
    expect(created(on)).toBe(people);
  });

  test('sends nothing new after it was paused while its lock was broken, and ends with 8', async () => {
    const on = await estate();
    const child = await atWork(on);
    child.kill('SIGSTOP');
    await expectEnd(runCli(['state', 'unlock', '--auto-approve'], on), 0);
    // Requests that it had handed to the socket are answered by now.
    await wait(500);
    const before = created(on);
    child.kill('SIGCONT');
    const { exit, stderr } = await child.ended;
    expect(exit, stderr).toBe(8);
    expect(stderr).toContain('state.lease-lost');
    // One that it was handing to the socket when it was paused arrives now, as README says.
    expect(created(on) - before).toBeLessThanOrEqual(1);
    await expectToEndWell(on);
    expect(created(on)).toBe(people);
  });
});
