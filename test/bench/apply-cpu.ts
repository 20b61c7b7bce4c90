// How much processor time does an apply take at 200 steps a second? Over HTTP, with its journal on disk; the platform is
// another process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { applyPlan } from '../../src/applier/apply.ts';
import { nodeClock } from '../../src/cli/node-clock.ts';
import type { ApplyEvent } from '../../src/model/event.ts';
import { openPlatform } from '../../src/platform/client.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { openBackend } from '../../src/state/index.ts';
import { planOf } from './apply.ts';
import { type Row, rounded } from './table.ts';

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const users = 3_200;
/** Measured between these steps: after everything has been compiled, and before the last calls are waited for. */
const from = 500;
const to = 3_000;

export async function benchApplyCpu(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const child = spawn(
    process.execPath,
    [...process.execArgv, main, ...'emulator --port 0 --rate-plan 100k_mau --latency 100 --format json'.split(' ')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url, token } = JSON.parse(String(line)) as { url: string; token: string };
    const platform = await openPlatform({
      baseUrl: url,
      token,
      clock: nodeClock,
      variables: () => undefined,
      readFile: () => Promise.reject(new Error('the estate has no files')),
    });
    let ids = 0;
    const state = await openBackend(`file:${join(folder, 'state')}`, {
      clock: nodeClock,
      owner: { user: 'bench', host: 'bench', pid: process.pid },
      newId: () => `bench-${++ids}`,
      cwd: folder,
    }).open({ application: 'bench', lockTimeoutMs: 0 });
    const size = { users, openChannels: 0, groupChannels: 0, membersEach: 0, closedEvery: 1_000_000 };
    const plan = await planOf(size, '100k_mau');
    const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
    let ended = 0;
    let before = { cpu: process.cpuUsage(), at: performance.now() };
    let used = before;
    const emit = ({ type }: ApplyEvent) => {
      if (type !== 'step.ended') return;
      ended++;
      if (ended === from) before = { cpu: process.cpuUsage(), at: performance.now() };
      if (ended === to) used = { cpu: process.cpuUsage(before.cpu), at: performance.now() - before.at };
    };
    const { report } = await applyPlan(
      plan,
      { platform, pacer: createPacer({ limitsOf: limits, clock: nodeClock }), state, clock: nodeClock, emit },
      { random: Math.random, limits },
    );
    await state.close();
    await platform.close();
    return [
      {
        steps: users,
        outcome: report.outcome,
        'steps a second': rounded((to - from) / (used.at / 1000), 1),
        'user µs a step': rounded(used.cpu.user / (to - from), 0),
        'system µs a step': rounded(used.cpu.system / (to - from), 0),
        'share of one core': rounded((used.cpu.user + used.cpu.system) / 1000 / used.at, 3),
      },
    ];
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
