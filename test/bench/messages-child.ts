// One measurement of message archives, in a process of its own so that its memory is its own: WAY FOLDER [CHANNELS].
import { createReadStream } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeClock } from '../../src/app/session/node-clock.ts';
import { putRecords } from '../../src/app/upkeep/fill-state.ts';
import { Spool } from '../../src/lib/spool.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { kindOf } from '../../src/model/address.ts';
import type { StateRecord } from '../../src/model/record.ts';
import type { Resource } from '../../src/model/resource.ts';
import { recordAsApplied } from '../../src/planner/diff/as-applied.ts';
import { registry } from '../../src/resources/index.ts';
import { openBackend } from '../../src/state/index.ts';

const [way, folder = '', channels = '0'] = process.argv.slice(2);
const start = performance.now();
const before = process.cpuUsage();
let printed = '';
if (way === 'floor') await floor();
else if (way === 'halve') await halve();
else await command(['plan', '--format', 'json']);
const { user, system } = process.cpuUsage(before);
const s = (performance.now() - start) / 1000;
const counts = printed.replaceAll(/\s/gu, '').matchAll(/"\/migration\/\{channel_url\}","count":(\d+)/gu);
const migrations = [...counts].at(-1)?.[1];
console.log(
  JSON.stringify({
    s,
    cpuS: (user + system) / 1e6,
    calls: Number(migrations ?? 0),
    rssMb: process.resourceUsage().maxRSS / 1024,
  }),
);

/** Every line parsed and forgotten. */
async function floor(): Promise<void> {
  for (let place = 0; place < Number(channels); place++) {
    const input = createReadStream(join(folder, 'history', `room-${place}.ndjson`), { highWaterMark: 1 << 20 });
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) JSON.parse(line);
  }
}

/** The whole program, as it starts; of what it prints the end is kept. */
async function command(args: readonly string[]): Promise<void> {
  process.argv = [process.execPath, 'chatform', ...args];
  process.chdir(folder);
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array) => {
    printed = (printed + String(text)).slice(-20_000);
    return true;
  };
  await import('../../src/cli/main.ts');
  process.stdout.write = write;
  if (process.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${process.exitCode}`);
}

/** State as a run leaves it that was killed when every other archive was sent. */
async function halve(): Promise<void> {
  const collect = new Spool({ folder: tmpdir(), inMemory: 16 }).collect;
  const { resources } = await loadManifests([folder], {
    kinds: registry,
    cwd: folder,
    variables: () => undefined,
    collect,
  });
  const owner = { user: 'bench', host: hostname(), pid: process.pid };
  const backend = await openBackend('file:.chatform/state', {
    clock: nodeClock,
    owner,
    newId: () => 'bench',
    cwd: folder,
  });
  const state = await backend.open({ application: 'api-bench.sendbird.com/v3', lockTimeoutMs: 0 });
  await putRecords(applied(resources), 'bench', state);
  await state.close();
}

function* applied(resources: Iterable<Resource>): Generator<StateRecord> {
  const kinds = new Map(registry.map((kind) => [kind.kind, kind]));
  let archives = 0;
  for (const resource of resources) {
    const kind = kinds.get(kindOf(resource.address));
    if (kind === undefined || (kind.isChild === true && archives++ % 2 === 1)) continue;
    yield recordAsApplied(kind, resource);
  }
}
