// What does a measured apply need? A platform that is another process, as it is in truth: neither does one wait for the
// other, nor does its processor time count. Beside it a journal on disk, and a plan.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeClock } from '../../src/app/context/node-clock.ts';
import type { ApplyPorts } from '../../src/applier/step/options.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import type { LimitsOf } from '../../src/model/limits.ts';
import type { Plan } from '../../src/model/plan.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { openPlatform } from '../../src/platform/client.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { registry } from '../../src/resources/index.ts';
import { openBackend } from '../../src/state/index.ts';
import { type EstateSize, estate } from './estate.ts';
import { contextAt, opening } from './many-users.ts';
import { inFolder } from './measure.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface PlatformProcess {
  readonly url: string;
  readonly token: string;
  close(): void;
}

/** Counts as a sliding window does, which is the strictest. */
export async function startPlatform(ratePlan: string, latencyMs: number): Promise<PlatformProcess> {
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

export async function planOf(size: EstateSize, ratePlan: string): Promise<Plan> {
  // Where nothing is declared, the policy is that of the defaults.
  const { policy } = await inFolder((cwd) => loadManifests([], { kinds: registry, cwd, variables: () => undefined }));
  return makePlan({
    kinds: registry,
    resources: estate(size),
    removed: [],
    records: [],
    policy,
    application: 'bench',
    settings: { base_url: 'bench', rate_plan: ratePlan, limits: {}, rate_share: 1 },
    limitsOf: limitsOf({ ratePlan, limits: {}, share: 1 }),
    today: '2026-01-01',
  }).plan;
}
