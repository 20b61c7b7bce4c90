// Support: tests of every store on a server: the contract of state, and runners that are killed and paused.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { openBackend } from '../../../src/state/index.ts';
import type { azurite, ObjectServer } from '../../support/object-servers.ts';
import { soon } from '../../support/soon.ts';
import { application, type Place, Processes } from '../../support/state/fixtures.ts';
import { backendAt } from './backend-at.ts';
import { describeStateBackend } from './conformance.ts';

const child = join(import.meta.dirname, 'write-child.ts');
const runs = 3;

export function describeObjectServer(kind: typeof azurite): void {
  if (kind.missing !== undefined) {
    test(`${kind.name}: skipped, because ${kind.missing}`, ({ skip }) => skip(kind.missing));
    return;
  }
  describe(`on ${kind.name}`, () => {
    let server: ObjectServer | undefined;
    beforeAll(async () => {
      server = await kind.start();
    });
    afterAll(() => server?.stop());
    const running = (): ObjectServer => {
      if (server === undefined) throw new Error(`${kind.name} does not run`);
      return server;
    };

    describeStateBackend(
      kind.name,
      (): Place => {
        const processes = new Processes();
        const spec = running().newSpec();
        return {
          start: () => {
            const context = processes.start();
            return backendAt(spec, context, running().env);
          },
          crash: () => processes.killAll(),
          remove: () => {},
        };
      },
      runs,
    );

    test('accepts its address as --state', async () => {
      const { env } = running();
      const context = { clock: nodeClock, owner: { user: 'ci', host: 'h', pid: 1 }, newId: () => 'id', cwd: '.' };
      const backend = await openBackend(running().newSpec(), { ...context, variable: (name) => env[name] });
      expect(backend.name).toMatch(/^(?:s3|azblob|gs):\/\/chatform-test\/state-\d+\?endpoint=/u);
      expect((await backend.read(application)).size).toBe(0);
    });

    test('a process that is paused past its lease writes nothing more, and says why', async () => {
      const spec = running().newSpec();
      const paused = spawnChild(spec, running().env, 'paused', 3_000);
      await soon(() => paused.said().length > 20);
      paused.process.kill('SIGSTOP');
      const next = await elsewhere(spec, running().env).open({ application, lockTimeoutMs: 30_000 });
      const before = [...next.records()].map(({ address }) => address);
      await next.done('ours', { type: 'put', record: { address: 'user.ours', attributes: {} } });
      paused.process.kill('SIGCONT');
      await paused.ended;
      expect(paused.said().at(-1)).toBe('ended state.lease-lost, 0 ms left');
      const after = [...(await elsewhere(spec, running().env).read(application)).records()].map((r) => r.address);
      expect(after).toEqual([...before, 'user.ours'].sort());
      for (const key of paused.said().slice(0, -1)) expect(before).toContain(`user.${key}`);
      await next.close();
    });

    test('repeated kill -9 loses nothing acknowledged', async () => {
      const spec = running().newSpec();
      const acknowledged: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const writing = spawnChild(spec, running().env, `r${round}`, 2_000);
        await soon(() => writing.said().length > 20);
        writing.process.kill('SIGKILL');
        await writing.ended;
        acknowledged.push(...writing.said());
        const writer = await elsewhere(spec, running().env).open({ application, lockTimeoutMs: 30_000 });
        for (const key of acknowledged) expect(writer.get(`user.${key}`)?.address).toBe(`user.${key}`);
        await writer.close();
      }
      expect(acknowledged.length).toBeGreaterThan(60);
    });
  });
}

/** A process on another host, where nobody can see that processes of this host are dead. */
function elsewhere(spec: string, env: ObjectServer['env']): UpkeepBackend {
  const owner = { user: 'ci', host: 'elsewhere', pid: process.pid };
  return backendAt(spec, { clock: nodeClock, owner, newId: () => crypto.randomUUID() }, env);
}

interface Running {
  readonly process: ChildProcess;
  said(): string[];
  readonly ended: Promise<unknown>;
}

function spawnChild(spec: string, env: ObjectServer['env'], name: string, leaseMs: number): Running {
  const running = spawn(process.execPath, ['--import', 'tsx', child, spec, name, String(leaseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
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
