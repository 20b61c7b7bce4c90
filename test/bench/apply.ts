// Measures how close an apply comes to the computed lower bound, and how many requests it wastes, beside the common way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeClock } from '../../src/core/app/context/this-process.ts';
import { applyPlan } from '../../src/core/applier/apply.ts';
import { openPlatform } from '../../src/core/platform/client.ts';
import { limitsOf } from '../../src/core/platform/limits.ts';
import { createPacer } from '../../src/core/platform/rate-limiter.ts';
import { openBackend } from '../../src/core/state/index.ts';
import { possibleS } from '../promise/support/possible.ts';
import { planFor } from '../support/planning/planning.ts';
import { runFixed } from './apply-fixed.ts';
import { type EstateSize, estate } from './estate.ts';
import { contextAt, opening } from './many-users.ts';
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

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** Counts as a sliding window does, which is the strictest. */
async function startPlatform(ratePlan: string, latencyMs: number) {
  const flags = ['emulator', '--port', '0', '--rate-plan', ratePlan, '--latency', `${latencyMs}`, '--format', 'json'];
  const child = spawn(process.execPath, [...process.execArgv, main, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, token } = JSON.parse(String(line)) as { url: string; token: string };
  return { url, token, close: () => child.kill() };
}

/** A platform in another process, so that neither waits for the other and its processor time does not count, and a journal on disk. */
async function applyRig(ratePlan: string, latencyMs: number) {
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
