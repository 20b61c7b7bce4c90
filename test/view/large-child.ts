// Measures the memory that a view takes for a plan. Runs as its own process: FORMAT CHANGES [MAX_BYTES].

import type { Change } from '../../src/model/change.ts';
import type { Plan } from '../../src/model/plan.ts';
import { type PlanFormatName, printPlan } from '../../src/view/index.ts';
import { MadeSeries } from '../support/series.ts';
import { changeOf, planOf } from './support/plans.ts';

const [format = 'human', amount = '0', maxBytes] = process.argv.slice(2);

/** Created when they are read, like changes that are stored on disk. */
const changes = new MadeSeries(Number(amount), change);

function change(index: number): Change {
  const id = `user.person-${String(index).padStart(6, '0')}` as const;
  const source = { file: 'data/people.yaml', line: index + 2, column: 3 };
  if (index % 10 === 0) return changeOf(id, ['deactivate'], { source, cause: 'pending' });
  const attributes = [
    { path: ['nickname'], before: `Person ${index}`, after: `Person No. ${index}`, how: 'set' as const },
    { path: ['metadata', 'team'], before: 'a', after: 'b', how: 'set' as const },
  ];
  return changeOf(id, ['update'], { source, attributes, cause: 'request' });
}

const plan: Plan = {
  ...planOf([]),
  changes,
  summary: { update: Number(amount) },
  requests: [{ method: 'PUT', route: '/users/{user_id}', count: Number(amount) }],
};

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const before = heap();
let peak = 0;
let bytes = 0;
let pieces = 0;
const limits = maxBytes === undefined ? {} : { maxBytes: Number(maxBytes) };
for (const text of await printPlan(format as PlanFormatName, plan, {
  color: false,
  width: 100,
  limit: 1e9,
  ...limits,
})) {
  bytes += Buffer.byteLength(text);
  if (pieces % 20_000 === 0) peak = Math.max(peak, heap() - before);
  pieces += 1;
}
process.stdout.write(JSON.stringify({ bytes, heapMiB: Math.max(peak, heap() - before) / 1_048_576 }));
