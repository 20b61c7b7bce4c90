// What does an apply of a million steps cost in memory and processor time? In virtual time, with steps that are made when asked for.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { applyPlan } from '../../src/applier/apply.ts';
import { VirtualClock } from '../../src/cli/rehearsal-clock.ts';
import type { Clock, Platform, StateWriter } from '../../src/model/ports.ts';
import type { Series } from '../../src/model/series.ts';
import type { Step } from '../../src/model/step.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { type Row, rounded } from './table.ts';

const sizes = [10_000, 100_000, 1_000_000];
const latencyMs = 100;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function benchApplyScale(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await measure(size));
  return rows;
}

async function measure(size: number): Promise<Row> {
  const before = memory();
  let most = before;
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let ended = 0;
  const { report } = await clock.run(
    applyPlan(
      { steps: users(size), duration: { lower_bound_s: size / 200 } },
      {
        platform: quickPlatform(clock),
        pacer: createPacer({ limitsOf: limits, clock }),
        state: forgetful(),
        clock,
        emit: (event) => {
          if (event.type === 'step.ended' && ++ended % (size / 10) === 1) most = Math.max(most, memory());
        },
      },
      { random: Math.random, limits },
    ),
  );
  const used = process.cpuUsage(cpu);
  const cpuS = (used.user + used.system) / 1e6;
  return {
    steps: size,
    outcome: report.outcome,
    'virtual s / bound': rounded(report.duration_s / report.lower_bound_s, 4),
    'real s': rounded((performance.now() - startedAt) / 1000, 1),
    'µs of cpu a step': rounded((1e6 * cpuS) / size, 1),
    'memory in use MB': rounded((most - before) / 2 ** 20, 1),
    'bytes a step': rounded((most - before) / size, 0),
  };
}

/** What is in use after all that is not has been collected, typed arrays included. */
function memory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** As a plan on disk: a step exists while it is looked at. */
function users(length: number): Series<Step> {
  const at = (index: number): Step | undefined => {
    if (index >= length) return undefined;
    const key = `user-${index}`;
    return {
      id: `user.${key}#1`,
      address: `user.${key}`,
      action: 'create',
      phase: 'user',
      request: { method: 'POST', route: '/users', body: { user_id: key, nickname: `User ${index}`, profile_url: '' } },
      entry: { type: 'put', record: { address: `user.${key}`, attributes: { nickname: `User ${index}` } } },
      needs: [],
      begin: true,
      doneOn: [],
    };
  };
  return {
    length,
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield at(index) as Step;
    },
  };
}

function quickPlatform(clock: Clock): Platform {
  return {
    send: async () => {
      await clock.sleep(latencyMs);
      return { type: 'ok', body: {} };
    },
  };
}

/** What state costs is measured by itself. */
function forgetful(): StateWriter {
  return {
    header: { format: '', lineage: '', application: '' },
    size: 0,
    pending: [],
    get: () => undefined,
    records: () => [],
    begin: async () => {},
    done: async () => {},
    undone: async () => {},
    leaseLeft: () => Number.POSITIVE_INFINITY,
    close: async () => {},
  };
}
