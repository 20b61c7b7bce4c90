// Support: processes that write into a state and are killed or paused, and what must be true afterwards.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { bundleOf } from '../../../support/bundled.ts';
import { soon } from '../../../support/soon.ts';
import { application, later, put } from '../../../support/state/fixtures.ts';
import { backendAt, type Environment } from './backend-at.ts';

interface Writing {
  readonly spec: string;
  readonly env?: Environment;
  /** The number of entries that it has acknowledged when it is killed or paused. */
  readonly entries: number;
  readonly leaseMs: number;
}

async function spawnWriter({ spec, env = {}, leaseMs }: Writing, name: string) {
  const child = await bundleOf(join(import.meta.dirname, 'write-child.ts'));
  const running = spawn(process.execPath, [child, spec, name, String(leaseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void running.kill('SIGKILL'));
  let output = '';
  running.stdout.on('data', (part) => {
    output += part;
  });
  const ended = new Promise((resolve) => running.on('close', resolve));
  const said = () => output.split('\n').slice(1, -1);
  /** The number of lines, for which a long output need not be split. */
  const hasSaid = (lines: number) => output.length > 8 * lines && said().length > lines;
  return { running, ended, said, until: (lines: number) => Promise.race([ended, soon(() => hasSaid(lines))]) };
}

/** Kills a writer and returns the entries that it acknowledged. */
export async function killedWriter(writing: Writing, name: string): Promise<readonly string[]> {
  const { running, ended, said, until } = await spawnWriter(writing, name);
  await until(writing.entries);
  running.kill('SIGKILL');
  await ended;
  expect(running.signalCode).toBe('SIGKILL');
  return said();
}

/** Kills one writer after the other. Returns how long the next process waited for the lock each time, in milliseconds. */
export async function expectKillsLoseNothing(writing: Writing, rounds: number): Promise<readonly number[]> {
  const acknowledged: string[] = [];
  const waitedMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await killedWriter(writing, `r${round}`)));
    const started = performance.now();
    const writer = await backendAt(writing.spec, {}, writing.env).open(later);
    waitedMs.push(performance.now() - started);
    for (const key of acknowledged) expect(writer.get(`user.${key}`)?.address).toBe(`user.${key}`);
    await writer.close();
  }
  expect(acknowledged.length).toBeGreaterThan(rounds * writing.entries);
  return waitedMs;
}

/** Pauses a writer past its lease, and wakes it when another process has written. */
export async function expectPausedWritesNothing(writing: Writing): Promise<void> {
  const { running, ended, said, until } = await spawnWriter(writing, 'paused');
  const elsewhere = () => backendAt(writing.spec, {}, writing.env);
  await until(writing.entries);
  running.kill('SIGSTOP');
  const next = await elsewhere().open(later);
  const before = [...next.records()].map(({ address }) => address);
  await next.done('ours', put('ours'));
  running.kill('SIGCONT');
  await ended;
  expect(said().at(-1)).toBe('ended state.lease-lost, 0 ms left');
  const after = [...(await elsewhere().read(application)).records()].map(({ address }) => address);
  expect(after).toEqual([...before, 'user.ours'].sort());
  for (const key of said().slice(0, -1)) expect(before).toContain(`user.${key}`);
  await next.close();
}
