// One measurement of a view of a large plan: WAY CHANGES FOLDER.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool } from '../../src/lib/spool.ts';
import { writeWhole } from '../../src/lib/write-whole.ts';
import type { Change } from '../../src/model/change.ts';
import { type Plan, planFormatVersion } from '../../src/model/plan.ts';
import { type PlanFormatName, printPlan } from '../../src/view/index.ts';
import { printCost } from './measure.ts';

const [way = '', amount = '0', folder = tmpdir()] = process.argv.slice(2);
const count = Number(amount);
const spool = new Spool({ folder: tmpdir(), inMemory: 5_000 });
const plan = planOf();

await printCost(async () => {
  const pieces = await printPlan(way as PlanFormatName, plan, { color: false, width: 120 });
  await writeWhole(join(folder, 'view'), pieces);
});

/** Of a hundred users seventy are created, twenty edited, nine edited alike, and one is deactivated. */
function planOf(): Plan {
  const changes = spool.collect<Change>();
  for (let place = 0; place < count; place += 1) changes.push(changeAt(place));
  return {
    format_version: planFormatVersion,
    application: 'bench',
    settings: {
      base_url: 'https://bench.test/v3',
      rate_plan: 'free_trial',
      limits: {},
      rate_share: 1,
      existing: 'refuse',
    },
    changes: changes.end(),
    steps: [],
    preconditions: [],
    summary: { create: count * 0.7, update: count * 0.29, deactivate: count * 0.01 },
    requests: [{ method: 'POST', route: '/users', count }],
    duration: { lower_bound_s: count / 10, buckets: [] },
    warnings: [],
    hash: '',
  };
}

function changeAt(place: number): Change {
  const address = `user.user-${String(place).padStart(7, '0')}` as const;
  const common = {
    address,
    source: { file: 'data/users.ndjson', line: place + 1, column: 1 },
    reversibility: 'reversible',
    dangerous: false,
    notes: [],
    requests: [{ method: 'PUT', route: '/users/{user_id}', count: 1 }],
  } as const;
  const nickname = { path: ['nickname'], after: `User number ${place}`, how: 'set' } as const;
  const team = { path: ['metadata', 'team'], before: 'sales', after: 'support', how: 'set' } as const;
  const case_ = place % 100;
  if (case_ === 99) {
    const attributes = [{ path: ['deactivated'], before: false, after: true, how: 'set' }] as const;
    return { ...common, actions: ['deactivate'], attributes, dangerous: true, reason: 'declared to be deactivated' };
  }
  if (case_ >= 90) return { ...common, actions: ['update'], attributes: [team], reason: 'declared otherwise' };
  if (case_ >= 70) {
    const attributes = [{ ...nickname, before: `User ${place}` }];
    return { ...common, actions: ['update'], attributes, reason: 'declared otherwise' };
  }
  const metadata = { path: ['metadata'], after: { locale: 'en-GB', team: `team-${place % 50}` }, how: 'set' } as const;
  return { ...common, actions: ['create'], attributes: [nickname, metadata], reason: 'declared but not in state' };
}
