// Times plans of history files.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putRecords } from '../../src/core/app/context/state-contents.ts';
import { loadManifests } from '../../src/core/manifest/load.ts';
import { kindOf } from '../../src/core/model/address.ts';
import type { StateRecord } from '../../src/core/model/record.ts';
import type { Resource } from '../../src/core/model/resource.ts';
import { recordAsApplied } from '../../src/core/planner/diff/applied-record.ts';
import { registry } from '../../src/core/resources/index.ts';
import { openBackend } from '../../src/core/state/index.ts';
import { Spool } from '../../src/lib/spool.ts';
import { writeHistoryFiles } from './history-files.ts';
import { contextAt } from './many-users.ts';
import { columns, inInstalled, measureProgram, type Row } from './measure.ts';

/** CHATFORM_BENCH_MESSAGES=10000000 for the size that the design speaks of. */
const messages = Number(process.env.CHATFORM_BENCH_MESSAGES ?? 1_000_000);
const perChannel = 1_000;
const host = 'api-bench.sendbird.com/v3';

export function benchMessages(): Promise<Row[]> {
  return inInstalled(async (program, main) => {
    const folder = join(program, 'estate');
    const channels = Math.ceil(messages / perChannel);
    const application = `{ base_url: 'https://${host}', rate_plan: 25k_mau }`;
    await writeHistoryFiles(folder, application, { channels, perChannel }, (name, place) => ({
      message_type: 'MESG',
      user_id: place % 2 === 0 ? 'alice' : 'bob',
      message: `Message ${place} of ${name}, which is about as long as messages in support rooms mostly are.`,
      custom_type: 'chat',
      timestamp: 1_500_000_000_000 + place * 1000,
    }));
    const env = { ...process.env, CHATFORM_API_TOKEN: 'bench' };
    const plan = async (what: string): Promise<Row> => {
      const cost = await measureProgram(folder, [main, 'plan', '--format', 'json', '--state', 'file:state'], { env });
      return { what, messages, channels, ...columns(cost) };
    };
    const rows = [await plan('plan'), await plan('plan again')];
    await storeHalf(folder);
    rows.push(await plan('plan, half of it sent'));
    await rm(join(folder, '.chatform/cache'), { recursive: true, force: true });
    return [...rows, await plan('the same without the cache')];
  });
}

/** State as a run leaves it that was killed when every other history file was sent. */
async function storeHalf(folder: string): Promise<void> {
  const { collect } = new Spool({ folder: tmpdir(), inMemory: 16 });
  const options = { kinds: registry, cwd: folder, variables: () => undefined, collect };
  const { resources } = await loadManifests([folder], options);
  const backend = await openBackend('file:state', contextAt(folder));
  const state = await backend.open({ application: host, lockTimeoutMs: 0 });
  await putRecords(applied(resources), 'bench', state);
  await state.close();
}

function* applied(resources: Iterable<Resource>): Generator<StateRecord> {
  const kinds = new Map(registry.map((kind) => [kind.name, kind]));
  let historyFiles = 0;
  for (const resource of resources) {
    const kind = kinds.get(kindOf(resource.address));
    if (kind === undefined || (kind.isChild === true && historyFiles++ % 2 === 1)) continue;
    yield recordAsApplied(kind, resource);
  }
}
