// Measures the memory that views take for a plan. Runs as its own process: CHANGES FORMAT:MAX_BYTES… Prints a line for each view.

import type { Change } from '../../../src/core/model/change.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { type PlanFormatName, printPlan } from '../../../src/core/view/index.ts';
import { MadeSeries } from '../../support/series.ts';
import { changeOf, planOf } from './support/plans.ts';

const [amount = '0', ...views] = process.argv.slice(2);

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

for (const view of views) {
  const [format = '', most = ''] = view.split(':');
  const limits = most === '' ? {} : { maxBytes: Number(most) };
  const before = heap();
  let peak = 0;
  let bytes = 0;
  let pieces = 0;
  const options = { color: false, width: 100, limit: 1e9, ...limits };
  for (const text of await printPlan(format as PlanFormatName, plan, options)) {
    bytes += Buffer.byteLength(text);
    if (pieces % 20_000 === 0) peak = Math.max(peak, heap() - before);
    pieces += 1;
  }
  const heapMiB = Math.max(peak, heap() - before) / 1_048_576;
  process.stdout.write(`${JSON.stringify({ view, bytes, heapMiB })}\n`);
}
