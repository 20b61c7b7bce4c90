// How much processor time does an apply take at 200 steps a second? Over HTTP, with its journal on disk; the platform is
// another process.
import { applyPlan } from '../../src/applier/apply.ts';
import type { ApplyEvent } from '../../src/model/event.ts';
import { applyRig, planOf } from './apply-rig.ts';
import { type Row, rounded } from './table.ts';

const users = 10_200;
/** Measured between these steps: for half a minute most of the time goes into compiling what has become hot. */
const spans = [
  { what: 'the first ten seconds', from: 50, to: 2_000 },
  { what: 'warm', from: 7_000, to: 10_000 },
];

export async function benchApplyCpu(): Promise<Row[]> {
  const size = { users, openChannels: 0, groupChannels: 0, membersEach: 0, closedEvery: 1_000_000 };
  const plan = await planOf(size, '100k_mau');
  const rig = await applyRig('100k_mau', 100);
  try {
    const marks: { readonly cpu: NodeJS.CpuUsage; readonly at: number }[] = [];
    const emit = ({ type }: ApplyEvent) => {
      if (type === 'step.ended') marks.push({ cpu: process.cpuUsage(), at: performance.now() });
    };
    const { report } = await applyPlan(plan, { ...rig.ports, emit }, { random: Math.random, limits: rig.limits });
    return spans.map(({ what, from, to }) => {
      const [first, last] = [marks[from - 1], marks[to - 1]];
      if (first === undefined || last === undefined) throw new Error(`the run ended as ${report.outcome}`);
      const steps = to - from;
      const user = last.cpu.user - first.cpu.user;
      const system = last.cpu.system - first.cpu.system;
      const tookMs = last.at - first.at;
      return {
        what,
        steps,
        'steps a second': rounded(steps / (tookMs / 1000), 1),
        'user µs a step': rounded(user / steps, 0),
        'system µs a step': rounded(system / steps, 0),
        'share of one core': rounded((user + system) / 1000 / tookMs, 3),
      };
    });
  } finally {
    await rig.close();
  }
}
