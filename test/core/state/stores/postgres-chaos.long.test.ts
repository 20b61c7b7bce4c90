// Tests that nothing is lost or doubled when servers restart or crash, connections break, and processes are paused or killed.
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StateWriter } from '../../../../src/core/model/ports.ts';
import { encodedPassword, noPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts';
import { soon } from '../../../support/soon.ts';
import { application, beginOf, now, put } from '../../../support/state/fixtures.ts';
import { startProxy } from '../../../support/tcp-proxy.ts';
import { backendAt } from '../support/backend-at.ts';
import { expectKillsLoseNothing, expectPausedWritesNothing } from '../support/writers.ts';

/** Durable as in production, because the test is about what remains after a crash of the server. */
async function durableServer(): Promise<Postgres> {
  const server = await startPostgres([]);
  onTestFinished(() => server.remove());
  return server;
}

interface Writing {
  /** Resolves when every lane has counted this far, however slow the machine is. */
  counted(count: number): Promise<unknown>;
  stop(): Promise<Map<string, number>>;
}

const laneCount = 16;

/** Lanes that write one after the other and count in a patch until they are told to stop. */
function writeOn(writer: StateWriter): Writing {
  let isOver = false;
  const acknowledged = new Map<string, number>();
  const lanes = Array.from({ length: laneCount }, async (_, lane) => {
    await writer.done(`put-${lane}`, put(`u${lane}`, { tags: [] }));
    for (let count = 0; !isOver; count += 1) {
      const tag = String(count % 100).padStart(2, '0');
      await writer.begin(beginOf(`s${lane}`, `user.u${lane}`));
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
    counted: (count) => soon(() => acknowledged.size === laneCount && Math.min(...acknowledged.values()) >= count),
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

describe.runIf(noPostgres === undefined)('on unreliable servers', () => {
  test('a run continues exactly when the server stops, crashes and restarts', async () => {
    const server = await durableServer();
    const writer = await backendAt(server.url()).open(now);
    const writing = writeOn(writer);
    for (let round = 0; round < 6; round += 1) {
      await wait(500);
      await writing.counted(8 * (round + 1));
      if (round % 2 === 0) await server.stop();
      else await server.crash();
      await wait(round * 100);
      await server.start();
    }
    await wait(500);
    await writing.counted(51);
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
    const writer = await backendAt(`postgres://postgres:${encodedPassword}@127.0.0.1:${proxy.port}/postgres`).open(now);
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
    await expectPausedWritesNothing({ spec: server.url(), entries: 200, leaseMs: 2_000 });
  });

  test('repeated kill -9 loses nothing acknowledged, and the next process waits for one lease at most', async () => {
    const server = await durableServer();
    const waitedMs = await expectKillsLoseNothing({ spec: server.url(), entries: 100, leaseMs: 1_000 }, 5);
    expect(Math.max(...waitedMs)).toBeLessThan(3_000);
  });
});
