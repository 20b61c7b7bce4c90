// Measures the pacer over HTTP against a tiny server of its own, beside even calls with the best guard of the simulation.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeClock } from '../../src/app/session/node-clock.ts';
import type { Pacer, Platform } from '../../src/model/ports.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import { openPlatform } from '../../src/platform/client.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { evenPacer, possibleOf } from '../platform/support/even-pacer.ts';
import type { WindowName } from '../support/simulated-server.ts';
import { type Row, rounded } from './table.ts';

const request: ApiRequest = { method: 'POST', route: '/users', body: {} };
const calls = 100;
const seconds = 30;

const servers: readonly { readonly window: WindowName; readonly jitterMs: number }[] = [
  { window: 'sliding', jitterMs: 20 },
  { window: 'sliding', jitterMs: 50 },
  { window: 'sliding', jitterMs: 150 },
  { window: 'fixed', jitterMs: 150 },
  { window: 'token_bucket', jitterMs: 150 },
];

export async function benchNetwork(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { window, jitterMs } of servers) {
    const scenario = { window, calls, steps: calls * seconds, arrivalJitterMs: jitterMs };
    const { guardMs } = possibleOf(scenario, [1], 0.01);
    const limitsOf = () => [{ name: 'POST /users', calls, windowS: 1, share: 1 }];
    const ours = await measure(window, jitterMs, createPacer({ clock: nodeClock, limitsOf }));
    const even = await measure(window, jitterMs, evenPacer(nodeClock, (1000 + guardMs) / calls, 30));
    rows.push({
      conditions: `over HTTP, jitter of ${jitterMs} ms`,
      window,
      'a second': calls,
      'used of what is left': rounded(ours.used, 3),
      'worst of ten': '',
      possible: rounded(even.used, 3),
      '429 a step': rounded(ours.refused, 4),
      'parallelism 10: used': '',
      'parallelism 10: 429 a step': '',
    });
  }
  return rows;
}

async function measure(window: WindowName, jitterMs: number, pacer: Pacer) {
  const server = fileURLToPath(new URL('./pacing-server.ts', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, server, window, `${calls}`, `${jitterMs}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface(child.stdout), 'line');
  const platform = openPlatform({
    baseUrl: `http://127.0.0.1:${port}/v3`,
    token: 'bench',
    clock: nodeClock,
    variables: () => undefined,
    readFile: () => Promise.reject(new Error('there are no files')),
  });
  const measured = await sendAll(platform, pacer);
  await platform.close();
  child.kill();
  return measured;
}

/** Sends until the time is over. The share used counts admitted calls between the first and the last one. */
async function sendAll(platform: Platform, pacer: Pacer): Promise<{ readonly used: number; readonly refused: number }> {
  const admittedAt: number[] = [];
  const underWay: Promise<void>[] = [];
  let refused = 0;
  const end = nodeClock.now() + seconds * 1000;
  while (nodeClock.now() < end) {
    const waitMs = pacer.take(request);
    if (waitMs > 0) {
      await nodeClock.sleep(waitMs);
      continue;
    }
    const takenAt = nodeClock.now();
    underWay.push(
      platform.send(request).then((answer) => {
        pacer.learn(request, answer, takenAt);
        if (answer.type === 'limited') refused += 1;
        else admittedAt.push(takenAt);
      }),
    );
  }
  await Promise.all(underWay);
  admittedAt.sort((left, right) => left - right);
  const ranS = ((admittedAt.at(-1) ?? 0) - (admittedAt[0] ?? 0)) / 1000;
  return { used: (admittedAt.length - 1) / ranS / calls, refused: refused / (admittedAt.length + refused) };
}
