// One measurement of planning, in a process of its own so that its memory is its own. Prints seconds and megabytes.
import { openSync, readSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { nodeClock } from '../../src/app/session/node-clock.ts';
import { Spool } from '../../src/lib/spool.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { registry } from '../../src/resources/index.ts';
import { openBackend } from '../../src/state/index.ts';

const [way, ...files] = process.argv.slice(2);
const [start, cpu] = [performance.now(), process.cpuUsage()];
const changes = way === 'floor' ? floor() : await planned(files[0] ?? '', files[1] ?? 'memory:');
const s = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ s, cpuS: (user + system) / 1e6, changes, rssMb: process.resourceUsage().maxRSS / 1024 }));

/** The same bytes, each line parsed and forgotten. */
function floor(): number {
  const buffer = Buffer.alloc(1 << 18);
  for (const file of files) {
    const descriptor = openSync(file, 'r');
    let rest = '';
    for (let bytes = -1; bytes !== 0; ) {
      bytes = readSync(descriptor, buffer, 0, buffer.length, null);
      const lines = (rest + buffer.toString('utf8', 0, bytes)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) JSON.parse(line);
    }
  }
  return 0;
}

async function planned(manifest: string, state: string): Promise<number> {
  const cwd = dirname(manifest);
  const {
    resources,
    removed,
    policy,
    files: now,
  } = await loadManifests([manifest], {
    kinds: registry,
    cwd,
    variables: () => undefined,
  });
  const owner = { user: 'bench', host: hostname(), pid: process.pid };
  const backend = await openBackend(state, { clock: nodeClock, owner, newId: () => 'bench', cwd });
  const { plan, problems } = makePlan({
    kinds: registry,
    resources,
    removed,
    records: (await backend.read('bench')).records(),
    policy,
    application: 'bench',
    settings: { base_url: 'https://api-bench.sendbird.com/v3', rate_plan: '100k_mau', limits: {}, rate_share: 1 },
    limitsOf: limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 }),
    today: '2026-01-01',
    loaded: { now, before: undefined },
    collect: new Spool({ folder: tmpdir(), inMemory: 5_000 }).collect,
  });
  if (problems.length > 0) throw new Error('the measured plan has problems');
  return plan.changes.length;
}
