// Measures how close an apply comes to the computed lower bound, and how many requests it wastes, beside the common way.
import { applyPlan } from '../../src/applier/apply.ts';
import { possibleS } from '../promise/support/possible.ts';
import { planFor } from '../support/planning/planning.ts';
import { runFixed } from './apply-fixed.ts';
import { applyRig, startPlatform } from './apply-rig.ts';
import { type EstateSize, estate } from './estate.ts';
import { type Row, rounded, withCpu } from './measure.ts';

interface Case {
  readonly name: string;
  readonly ratePlan: string;
  readonly latencyMs: number;
  readonly size: EstateSize;
  /** Also by ten workers. */
  readonly isCompared?: true;
}

const usersOnly = { users: 800, openChannels: 0, groupChannels: 0, membersEach: 0, closedEvery: 1_000_000 };
const mixed = { users: 800, openChannels: 600, groupChannels: 600, membersEach: 8, closedEvery: 5 };
const large = { users: 4000, openChannels: 500, groupChannels: 500, membersEach: 8, closedEvery: 10 };
const slow = { users: 200, openChannels: 160, groupChannels: 160, membersEach: 5, closedEvery: 4 };

/** Each takes twenty seconds at least. */
const cases: readonly Case[] = [
  { name: 'users', ratePlan: '25k_mau', latencyMs: 50, size: usersOnly },
  { name: 'mixed', ratePlan: '25k_mau', latencyMs: 50, size: mixed, isCompared: true },
  { name: '5,000 resources', ratePlan: '100k_mau', latencyMs: 100, size: large, isCompared: true },
  { name: 'mixed, slow plan', ratePlan: '5k_mau', latencyMs: 200, size: slow },
];

export async function benchApply(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await measure(one)));
  return rows;
}

async function measure({ name, ratePlan, latencyMs, size, isCompared }: Case): Promise<Row[]> {
  const rig = await applyRig(ratePlan, latencyMs);
  const { plan } = planFor(estate(size), new Map(), { limitsOf: rig.limits });
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
    if (isCompared === true) {
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
