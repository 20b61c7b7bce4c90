// One measurement of a view of a large plan, in a process of its own so that its memory is its own: WAY CHANGES FOLDER.
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlan, savePlan } from '../../src/app/saved-plan/plan-file.ts';
import { Spool } from '../../src/lib/spool.ts';
import { writeWhole } from '../../src/lib/write-whole.ts';
import type { Change } from '../../src/model/change.ts';
import { type Plan, planFormatVersion } from '../../src/model/plan.ts';
import type { Step } from '../../src/model/step.ts';
import { hashPlan } from '../../src/planner/plan-file/hash.ts';
import { type PlanFormatName, printPlan } from '../../src/view/print-plan.ts';

const [way = '', amount = '0', folder = tmpdir()] = process.argv.slice(2);
const count = Number(amount);
const file = join(folder, 'saved.plan');
const ports = { cwd: folder, env: {} };
const spool = new Spool({ folder: tmpdir(), inMemory: 5_000 });
const hasSteps = way.startsWith('plan file');
const plan = way === 'plan file, read' ? undefined : planOf();

const before = process.cpuUsage();
const start = performance.now();
const bytes = await work();
const s = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ s, cpuS: (user + system) / 1e6, bytes, rssMb: process.resourceUsage().maxRSS / 1024 }));

async function work(): Promise<number> {
  if (plan === undefined) {
    const { steps, changes } = await readPlan(file, ports, spool.collect);
    if (steps.length !== count || changes.length !== count) throw new Error('the plan was not read back');
    return (await stat(file)).size;
  }
  if (way.endsWith('floor')) return floor(plan);
  if (hasSteps) {
    await savePlan(plan, file, ports);
    return (await stat(file)).size;
  }
  const [format, maxBytes] = way.split(', ');
  const limits = maxBytes === undefined ? {} : { maxBytes: Number(maxBytes) };
  return written(
    await printPlan(format as PlanFormatName, plan, { color: false, width: 120, ...limits }),
    join(folder, 'view'),
  );
}

/** What is spooled, read and parsed once. */
function floor({ changes, steps }: Plan): number {
  let seen = 0;
  for (const { address } of changes) seen += Number(address.length > 0);
  for (const { address } of steps) seen += Number(address.length > 0);
  if (seen !== changes.length + steps.length) throw new Error('not all was seen');
  return 0;
}

async function written(pieces: Iterable<string>, path: string): Promise<number> {
  await writeWhole(path, pieces);
  return (await stat(path)).size;
}

/** Of a hundred users seventy are created, twenty edited, nine edited alike, and one is deactivated. */
function planOf(): Plan {
  const changes = spool.collect<Change>();
  const steps = spool.collect<Step>();
  const preconditions = spool.collect<Plan['preconditions'] extends Iterable<infer Entry> ? Entry : never>();
  for (let place = 0; place < count; place += 1) {
    changes.push(changeAt(place));
    if (!hasSteps) continue;
    const step = stepAt(place);
    steps.push(step);
    preconditions.push([step.address, ['a', 'b'].map((digit) => digit.repeat(64))]);
  }
  const application = 'bench';
  const done = steps.end();
  return {
    format_version: planFormatVersion,
    application,
    settings: {
      base_url: 'https://bench.test/v3',
      rate_plan: 'free_trial',
      limits: {},
      rate_share: 1,
      existing: 'refuse',
    },
    changes: changes.end(),
    steps: done,
    preconditions: preconditions.end(),
    summary: { create: count * 0.7, update: count * 0.29, deactivate: count * 0.01 },
    requests: [{ method: 'POST', route: '/users', count }],
    duration: { lower_bound_s: count / 10, buckets: [] },
    warnings: [],
    hash: hasSteps ? hashPlan(application, done) : '',
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
  return { ...common, actions: ['create'], attributes: [nickname, metadata], reason: 'declared, and not in state' };
}

function stepAt(place: number): Step {
  const key = `user-${String(place).padStart(7, '0')}`;
  const address = `user.${key}` as const;
  const attributes = { nickname: `User number ${place}`, metadata: { locale: 'en-GB', team: `team-${place % 50}` } };
  return {
    id: `${address}#1`,
    address,
    action: 'create',
    phase: 'user',
    request: { method: 'POST', route: '/users', body: { user_id: key, ...attributes } },
    entry: { type: 'put', record: { address, attributes } },
    needs: [],
    begin: true,
    doneOn: [],
    resolve: {
      request: { method: 'GET', route: '/users/{user_id}', params: { user_id: key } },
      absentOn: [400201],
      expect: [
        { path: ['nickname'], is: attributes.nickname },
        { path: ['metadata', 'team'], is: attributes.metadata.team },
      ],
    },
  };
}
