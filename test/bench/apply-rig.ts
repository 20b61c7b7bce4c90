// What a measured apply needs: a platform in another process, so that neither waits for the other and its processor time does
// not count, and a journal on disk.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeClock } from '../../src/app/context/node-clock.ts';
import type { ApplyPorts } from '../../src/applier/step/options.ts';
import type { LimitsOf } from '../../src/model/limits.ts';
import { openPlatform } from '../../src/platform/client.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { openBackend } from '../../src/state/index.ts';
import { contextAt, opening } from './many-users.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** Counts as a sliding window does, which is the strictest. */
export async function startPlatform(ratePlan: string, latencyMs: number) {
  const flags = ['emulator', '--port', '0', '--rate-plan', ratePlan, '--latency', `${latencyMs}`, '--format', 'json'];
  const child = spawn(process.execPath, [...process.execArgv, main, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string };
  return { url, token, close: () => child.kill() };
}

export interface ApplyRig {
  readonly ports: Omit<ApplyPorts, 'emit'>;
  readonly limits: LimitsOf;
  close(): Promise<void>;
}

export async function applyRig(ratePlan: string, latencyMs: number): Promise<ApplyRig> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const { url, token, close } = await startPlatform(ratePlan, latencyMs);
  const platform = openPlatform({
    baseUrl: url,
    token,
    clock: nodeClock,
    variables: () => undefined,
    readFile: () => Promise.reject(new Error('the estate has no files')),
  });
  const state = await (await openBackend(`file:${join(folder, 'state')}`, contextAt(folder))).open(opening);
  const limits = limitsOf({ ratePlan, limits: {}, share: 1 });
  return {
    ports: { platform, pacer: createPacer({ limitsOf: limits, clock: nodeClock }), state, clock: nodeClock },
    limits,
    close: async () => {
      await state.close();
      await platform.close();
      close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
