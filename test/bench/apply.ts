// How close does an apply come to the computed lower bound, and how many requests does it waste? Beside the common way.
import { applyPlan } from '../../src/applier/apply.ts';
import { possibleS } from '../promise/support/possible.ts';
import { runFixed } from './apply-fixed.ts';
import { applyRig, planOf, startPlatform } from './apply-rig.ts';
import type { EstateSize } from './estate.ts';
import { type Row, rounded } from './table.ts';

interface Case {
  readonly name: string;
  readonly ratePlan: string;
  readonly latencyMs: number;
  readonly size: EstateSize;
  /** Also by ten workers. */
  readonly isCompared: boolean;
}

/** Each takes twenty seconds at least. */
const cases: readonly Case[] = [
  {
    name: 'users',
    ratePlan: '25k_mau',
    latencyMs: 50,
    size: { users: 800, openChannels: 0, groupChannels: 0, membersEach: 0, closedEvery: 1_000_000 },
    isCompared: false,
  },
  {
    name: 'mixed',
    ratePlan: '25k_mau',
    latencyMs: 50,
    size: { users: 800, openChannels: 600, groupChannels: 600, membersEach: 8, closedEvery: 5 },
    isCompared: true,
  },
  {
    name: '5,000 resources',
    ratePlan: '100k_mau',
    latencyMs: 100,
    size: { users: 4000, openChannels: 500, groupChannels: 500, membersEach: 8, closedEvery: 10 },
    isCompared: true,
  },
  {
    name: 'mixed, slow plan',
    ratePlan: '5k_mau',
    latencyMs: 200,
    size: { users: 200, openChannels: 160, groupChannels: 160, membersEach: 5, closedEvery: 4 },
    isCompared: false,
  },
];

export async function benchApply(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await measure(one)));
  return rows;
}

async function measure({ name, ratePlan, latencyMs, size, isCompared }: Case): Promise<Row[]> {
  const plan = await planOf(size, ratePlan);
  const rig = await applyRig(ratePlan, latencyMs);
  const boundS = possibleS(plan.steps, rig.limits, latencyMs / 1000);
  const row = (by: string, run: Measured): Row => ({
    estate: name,
    plan: ratePlan,
    'latency ms': latencyMs,
    by,
    requests: run.requests,
    'answered 429': run.limited,
    seconds: rounded(run.durationS, 2),
    'bound s': rounded(boundS, 2),
    'seconds / bound': rounded(run.durationS / boundS),
    'cpu seconds': rounded(run.cpuS, 2),
  });
  try {
    const ours = await withCpu(async () => {
      const { report } = await applyPlan(
        plan,
        { ...rig.ports, emit: () => {} },
        { random: Math.random, limits: rig.limits },
      );
      const counts = report.requests;
      return {
        durationS: report.duration_s,
        requests: counts.reduce((sum, { sent }) => sum + sent, 0),
        limited: counts.reduce((sum, { limited }) => sum + limited, 0),
        outcome: report.outcome,
      };
    });
    const rows = [row(ours.outcome === 'done' ? 'chatform' : `chatform: ${ours.outcome}`, ours)];
    if (isCompared) {
      const platform = await startPlatform(ratePlan, latencyMs);
      rows.push(row('parallelism 10', await withCpu(() => runFixed(plan.steps, platform)).finally(platform.close)));
    }
    return rows;
  } finally {
    await rig.close();
  }
}

interface Measured {
  readonly durationS: number;
  readonly requests: number;
  readonly limited: number;
  readonly cpuS: number;
}

async function withCpu<T>(work: () => Promise<T>): Promise<T & { readonly cpuS: number }> {
  const before = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(before);
  return { ...done, cpuS: (user + system) / 1e6 };
}
