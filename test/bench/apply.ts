// How close does an apply come to the computed lower bound, and how many requests does it waste? Beside the common way.
import { applyPlan } from '../../src/applier/apply.ts';
import type { LimitsOf } from '../../src/model/limits.ts';
import type { Step } from '../../src/model/step.ts';
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
  const boundS = boundWithLatencyS([...plan.steps], rig.limits, latencyMs / 1000);
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

/**
 * The plan's bound, with what it does not know: the platform's latency. The n-th call of a bucket leaves n - 1 intervals
 * after the first, at the earliest, and behind it all calls follow, one latency each, that wait for it; at best those
 * that hold back the longest chains leave first. The longest chain of all is the case of n = 1.
 */
function boundWithLatencyS(steps: readonly Step[], limits: LimitsOf, latencyS: number): number {
  const chains = chainsFrom(steps);
  const buckets = new Map<string, { readonly intervalS: number; readonly chains: number[] }>();
  for (const step of steps) {
    if (step.request === undefined) continue;
    for (const { name, calls, windowS } of limits(step.request)) {
      const bucket = buckets.get(name) ?? { intervalS: windowS / calls, chains: [] };
      buckets.set(name, bucket);
      bucket.chains.push(chains.get(step.id) ?? 1);
    }
  }
  const bounds = [...buckets.values()].flatMap((bucket) =>
    bucket.chains
      .sort((left, right) => right - left)
      .map((calls, place) => place * bucket.intervalS + calls * latencyS),
  );
  return Math.max(...bounds);
}

/** By id, the calls of the longest chain that begins with the step. */
function chainsFrom(steps: readonly Step[]): ReadonlyMap<string, number> {
  const dependents = new Map<string, Step[]>();
  for (const step of steps) {
    for (const id of [...step.needs, ...(step.after ?? [])]) {
      const known = dependents.get(id);
      if (known === undefined) dependents.set(id, [step]);
      else known.push(step);
    }
  }
  const chains = new Map<string, number>();
  const chainFrom = (step: Step): number => {
    let chain = chains.get(step.id);
    if (chain === undefined) {
      const own = step.request === undefined ? 0 : 1;
      chain = own + Math.max(0, ...(dependents.get(step.id) ?? []).map(chainFrom));
      chains.set(step.id, chain);
    }
    return chain;
  };
  for (const step of steps) chainFrom(step);
  return chains;
}
