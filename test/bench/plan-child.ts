// One measurement of planning.
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { Spool } from '../../src/lib/spool.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { registry } from '../../src/resources/index.ts';
import { openBackend } from '../../src/state/index.ts';
import { contextAt } from './many-users.ts';
import { printCost } from './measure.ts';

const [manifest = '', state = 'memory:'] = process.argv.slice(2);
await printCost(plan);

async function plan(): Promise<void> {
  const cwd = dirname(manifest);
  const options = { kinds: registry, cwd, variables: () => undefined };
  const { resources, removed, policy, files } = await loadManifests([manifest], options);
  const backend = await openBackend(state, contextAt(cwd));
  const { problems } = makePlan({
    kinds: registry,
    resources,
    removed,
    records: (await backend.read('bench')).records(),
    policy,
    application: 'bench',
    settings: { base_url: 'https://api-bench.sendbird.com/v3', rate_plan: '100k_mau', limits: {}, rate_share: 1 },
    limitsOf: limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 }),
    today: '2026-01-01',
    loaded: { now: files, before: undefined },
    collect: new Spool({ folder: tmpdir(), inMemory: 5_000 }).collect,
  });
  if (problems.length > 0) throw new Error('the measured plan has problems');
}
