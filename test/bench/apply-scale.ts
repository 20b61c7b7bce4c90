// What does an apply of a million steps cost in memory and processor time? In virtual time, with steps that are made when asked for.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { VirtualClock } from '../../src/app/rehearsal/virtual-clock.ts';
import { applyPlan } from '../../src/applier/apply.ts';
import { buildGraph } from '../../src/applier/schedule/graph.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Series } from '../../src/lib/series.ts';
import type { Sliced } from '../../src/lib/sliced.ts';
import type { Clock, Platform, StateWriter } from '../../src/model/ports.ts';
import type { Step } from '../../src/model/step.ts';
import { estimateDuration } from '../../src/planner/order/estimate.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { MadeSeries } from '../support/series.ts';
import { type Row, rounded } from './table.ts';

const sizes = [10_000, 100_000, 1_000_000];
/** As a plan on disk: a step exists while it is looked at. */
const estates = { users, mixed };
const latencyMs = 100;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function benchApplyScale(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of ['users', 'mixed'] as const) {
    for (const size of sizes.filter((size) => size <= most)) rows.push(await measure(name, size));
  }
  return rows;
}

async function measure(name: keyof typeof estates, size: number): Promise<Row> {
  const steps = estates[name](size);
  const before = memory();
  let most = before;
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const ordering = process.cpuUsage();
  const longestSliceMs = longestSlice(buildGraph(steps, limits));
  const ordered = process.cpuUsage(ordering);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let ended = 0;
  const { report } = await clock.run(
    applyPlan(
      { steps, duration: { lower_bound_s: estimateDuration(steps, limits).lower_bound_s } },
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
    estate: name,
    steps: size,
    outcome: report.outcome,
    'virtual s / bound': rounded(report.duration_s / report.lower_bound_s, 4),
    'real s': rounded((performance.now() - startedAt) / 1000, 1),
    'µs of cpu a step': rounded((1e6 * cpuS) / size, 1),
    'of these to order them': rounded((ordered.user + ordered.system) / size, 1),
    'longest slice of it, ms': Math.round(longestSliceMs),
    'memory in use MB': rounded((most - before) / 2 ** 20, 1),
    'bytes a step': rounded((most - before) / size, 0),
  };
}

/** How long the computation holds the process at a time. */
function longestSlice(work: Sliced<unknown>): number {
  let longest = 0;
  for (let isDone = false; !isDone; ) {
    const start = performance.now();
    isDone = work.next().done === true;
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}

/** What is in use after all that is not has been collected, typed arrays included. */
function memory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function users(length: number): Series<Step> {
  return new MadeSeries(length, user);
}

/** Of ten steps five users, three channels of four users out of all, two of them frozen. */
function mixed(length: number): Series<Step> {
  const all = Math.floor(length / 2);
  const channels = Math.floor(length * 0.3);
  return new MadeSeries(length, (index) => {
    if (index < all) return user(index);
    const channel = (index - all) % channels;
    const address = `group_channel.channel-${channel}` as const;
    const isFreeze = index >= all + channels;
    const members = [1, 7_919, 104_729, 1_299_709].map((factor) => `user-${((channel + 1) * factor) % all}`);
    const body: JsonObject = isFreeze ? { freeze: true } : { channel_url: `channel-${channel}`, user_ids: members };
    return {
      ...user(index),
      id: `${address}#${isFreeze ? 2 : 1}`,
      address,
      phase: isFreeze ? 'freeze' : 'channel',
      begin: !isFreeze,
      request: isFreeze
        ? { method: 'PUT', route: '/group_channels/{channel_url}/freeze', params: { channel_url: 'c' }, body }
        : { method: 'POST', route: '/group_channels', body },
      entry: { type: 'patch', address, edits: [] },
      needs: isFreeze ? [`${address}#1`] : members.map((key) => `user.${key}#1`),
    };
  });
}

function user(index: number): Step {
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
