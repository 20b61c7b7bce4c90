// How close does an apply come to the computed lower bound, and how many requests does it waste?
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPlan } from '../../src/applier/apply.ts';
import { nodeClock } from '../../src/cli/node-clock.ts';
import type { RatePlan } from '../../src/emulator/limits.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import type { Plan } from '../../src/model/plan.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { openPlatform } from '../../src/platform/client.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { registry } from '../../src/resources/index.ts';
import { openBackend } from '../../src/state/index.ts';
import { type FixedRun, runFixed } from './apply-fixed.ts';
import { type EstateSize, estate } from './estate.ts';
import { type Row, rounded } from './table.ts';

interface Case {
  readonly name: string;
  readonly ratePlan: RatePlan;
  readonly latencyMs: number;
  readonly size: EstateSize;
}

const cases: readonly Case[] = [
  {
    name: 'users',
    ratePlan: '25k_mau',
    latencyMs: 50,
    size: { users: 400, openChannels: 0, groupChannels: 0, membersEach: 0, closedEvery: 1_000_000 },
  },
  {
    name: 'mixed',
    ratePlan: '25k_mau',
    latencyMs: 50,
    size: { users: 400, openChannels: 300, groupChannels: 300, membersEach: 8, closedEvery: 5 },
  },
  {
    name: 'mixed, fast',
    ratePlan: '100k_mau',
    latencyMs: 100,
    size: { users: 2000, openChannels: 1500, groupChannels: 1500, membersEach: 8, closedEvery: 10 },
  },
  {
    name: 'mixed, slow plan',
    ratePlan: '5k_mau',
    latencyMs: 200,
    size: { users: 100, openChannels: 80, groupChannels: 80, membersEach: 5, closedEvery: 4 },
  },
];

export async function benchApply(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of cases) rows.push(await measure(one));
  return rows;
}

async function measure({ name, ratePlan, latencyMs, size }: Case): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const emulator = await startEmulator({ ratePlan, latencyMs });
  const platform = await openPlatform({
    baseUrl: emulator.url,
    token: emulator.token,
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
  try {
    const limits = limitsOf({ ratePlan, limits: {}, share: 1 });
    const plan = await planOf(size, ratePlan);
    const cpu = process.cpuUsage();
    const { report } = await applyPlan(
      plan,
      { platform, pacer: createPacer({ limitsOf: limits, clock: nodeClock }), state, clock: nodeClock, emit: () => {} },
      { random: Math.random, limits },
    );
    const used = process.cpuUsage(cpu);
    const fixed = await besides(plan, ratePlan, latencyMs);
    const planned = plan.requests.reduce((sum, { count }) => sum + count, 0);
    const sent = report.requests.reduce((sum, route) => sum + route.sent, 0);
    return {
      estate: name,
      plan: ratePlan,
      'latency ms': latencyMs,
      outcome: report.outcome,
      'requests planned': planned,
      'requests sent': sent,
      'answered 429': report.requests.reduce((sum, { limited }) => sum + limited, 0),
      'lower bound s': report.lower_bound_s,
      'duration s': rounded(report.duration_s),
      'duration / bound': rounded(report.duration_s / report.lower_bound_s),
      // Of this process, which runs the emulator too.
      'cpu share': rounded((used.user + used.system) / 1e6 / report.duration_s),
      'parallelism 10: duration / bound': rounded(fixed.durationS / report.lower_bound_s),
      'parallelism 10: requests': fixed.requests,
      'parallelism 10: 429': fixed.limited,
    };
  } finally {
    await state.close();
    await platform.close();
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same calls against a platform of its own, by a script as people write them. */
async function besides(plan: Plan, ratePlan: RatePlan, latencyMs: number): Promise<FixedRun> {
  const emulator = await startEmulator({ ratePlan, latencyMs });
  try {
    return await runFixed(plan.steps, emulator);
  } finally {
    await emulator.close();
  }
}

export async function planOf(size: EstateSize, ratePlan: string): Promise<Plan> {
  // Where nothing is declared, the policy is that of the defaults.
  const empty = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const { policy } = await loadManifests([], { kinds: registry, cwd: empty, variables: () => undefined });
  await rm(empty, { recursive: true });
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
