// Tests that nothing is lost or doubled when servers restart or crash, connections break, and processes are paused or killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { StateWriter } from '../../../src/model/ports.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { encodedPassword, noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { soon } from '../../support/soon.ts';
import { application, put } from '../../support/state/fixtures.ts';
import { startProxy } from '../../support/tcp-proxy.ts';

const open = { application, lockTimeoutMs: 0 };
const child = join(import.meta.dirname, '../support/write-child.ts');
let ids = 0;

function backendAt(url: string, host = 'elsewhere'): UpkeepBackend {
  return stateBackend(
    postgresAddress(url, () => undefined),
    {
      clock: nodeClock,
      owner: { user: 'ci', host, pid: process.pid },
      newId: () => `id${++ids}`,
    },
  );
}

/** Durable as in production, because the test is about what remains after a crash of the server. */
async function durableServer(): Promise<Postgres> {
  const server = await startPostgres([]);
  onTestFinished(() => server.remove());
  return server;
}

/** Lanes that write one after the other and count in a patch until they are told to stop. */
function writeOn(writer: StateWriter): { stop(): Promise<Map<string, number>> } {
  let isOver = false;
  const acknowledged = new Map<string, number>();
  const lanes = Array.from({ length: 16 }, async (_, lane) => {
    await writer.done(`put-${lane}`, put(`u${lane}`, { tags: [] }));
    for (let count = 0; !isOver; count += 1) {
      const tag = String(count % 100).padStart(2, '0');
      await writer.begin({ step: `s${lane}`, address: `user.u${lane}`, request: 'r', at: '2026-01-01T00:00:00.000Z' });
      await writer.done(`s${lane}`, {
        type: 'patch',
        address: `user.u${lane}`,
        edits: [
          { op: 'set', path: ['count'], value: count + 1 },
          { op: 'add', path: ['tags'], values: [tag] },
        ],
      });
      acknowledged.set(`user.u${lane}`, count + 1);
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
      return acknowledged;
    },
  };
}

async function expectExactly(url: string, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const snapshot = await backendAt(url).read(application);
  const found = new Map([...snapshot.records()].map((record) => [record.address as string, record.attributes.count]));
  expect(found).toEqual(acknowledged);
  expect(snapshot.pending).toEqual([]);
}

interface Running {
  readonly process: ChildProcess;
  said(): string[];
  readonly ended: Promise<unknown>;
}

function spawnChild(url: string, name: string, leaseMs = 2_000): Running {
  const running = spawn(process.execPath, ['--import', 'tsx', child, url, name, String(leaseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  running.stdout.on('data', (part) => {
    said += part;
  });
  onTestFinished(() => void running.kill('SIGKILL'));
  return {
    process: running,
    said: () => said.split('\n').slice(1, -1),
    ended: new Promise((resolve) => running.on('close', resolve)),
  };
}

describe.runIf(noPostgres === undefined)('on unreliable servers', () => {
  test('a run continues exactly when the server stops, crashes and restarts', async () => {
    const server = await durableServer();
    const writer = await backendAt(server.url()).open(open);
    const writing = writeOn(writer);
    for (let round = 0; round < 6; round += 1) {
      await wait(500);
      if (round % 2 === 0) await server.stop();
      else await server.crash();
      await wait(round * 100);
      await server.start();
    }
    await wait(500);
    const acknowledged = await writing.stop();
    expect(writer.leaseLeft()).toBeGreaterThan(60_000);
    await writer.close();
    expect(Math.min(...acknowledged.values())).toBeGreaterThan(50);
    await expectExactly(server.url(), acknowledged);
    expect(await backendAt(server.url()).holder(application)).toBeUndefined();
  });

  test('a run continues when connections break at any moment', async () => {
    const server = await durableServer();
    const proxy = await startProxy(server.port);
    onTestFinished(() => proxy.close());
    const writer = await backendAt(`postgres://postgres:${encodedPassword}@127.0.0.1:${proxy.port}/postgres`).open(
      open,
    );
    const writing = writeOn(writer);
    for (let round = 0; round < 60; round += 1) {
      await wait(Math.random() * 250);
      if (round % 3 === 0) proxy.loseAnswerTo((bytes) => bytes.includes('WITH made AS'));
      else proxy.cut();
    }
    const acknowledged = await writing.stop();
    await writer.close();
    await expectExactly(server.url(), acknowledged);
  });

  test('a process that is paused past its lease writes nothing more, and says why', async () => {
    const server = await durableServer();
    const paused = spawnChild(server.url(), 'paused');
    await soon(() => paused.said().length > 200);
    paused.process.kill('SIGSTOP');
    const next = await backendAt(server.url()).open({ application, lockTimeoutMs: 30_000 });
    const before = [...next.records()].map(({ address }) => address);
    await next.done('ours', put('ours'));
    paused.process.kill('SIGCONT');
    await paused.ended;
    expect(paused.said().at(-1)).toBe('ended state.lease-lost, 0 ms left');
    const after = [...(await backendAt(server.url()).read(application)).records()].map(({ address }) => address);
    expect(after).toEqual([...before, 'user.ours'].sort());
    const acknowledged = paused.said().slice(0, -1);
    for (const key of acknowledged) expect(before).toContain(`user.${key}`);
    await next.close();
  });

  test('repeated kill -9 loses nothing acknowledged, and the next process waits for one lease at most', async () => {
    const server = await durableServer();
    const acknowledged: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const running = spawnChild(server.url(), `r${round}`, 1_000);
      await soon(() => running.said().length > 100);
      running.process.kill('SIGKILL');
      await running.ended;
      acknowledged.push(...running.said());
      const started = nodeClock.now();
      // This process is on another host, where it cannot see that the first one is dead.
      const writer = await backendAt(server.url()).open({ application, lockTimeoutMs: 10_000 });
      expect(nodeClock.now() - started).toBeLessThan(3_000);
      for (const key of acknowledged) expect(writer.get(`user.${key}`)?.address).toBe(`user.${key}`);
      await writer.close();
    }
  });
});
