// One measurement of message archives: WAY FOLDER.
import { tmpdir } from 'node:os';
import { putRecords } from '../../src/app/context/state-contents.ts';
import { Spool } from '../../src/lib/spool.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { kindOf } from '../../src/model/address.ts';
import type { StateRecord } from '../../src/model/record.ts';
import type { Resource } from '../../src/model/resource.ts';
import { recordAsApplied } from '../../src/planner/diff/applied-record.ts';
import { registry } from '../../src/resources/index.ts';
import { openBackend } from '../../src/state/index.ts';
import { contextAt } from './many-users.ts';
import { printCost } from './measure.ts';

const [way, folder = ''] = process.argv.slice(2);
let printed = '';
await printCost(async () => {
  if (way === 'halve') await halve();
  else await command(['plan', '--format', 'json']);
  const counts = printed.replaceAll(/\s/gu, '').matchAll(/"\/migration\/\{channel_url\}","count":(\d+)/gu);
  return { calls: Number([...counts].at(-1)?.[1] ?? 0) };
});

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
  const { collect } = new Spool({ folder: tmpdir(), inMemory: 16 });
  const options = { kinds: registry, cwd: folder, variables: () => undefined, collect };
  const { resources } = await loadManifests([folder], options);
  const backend = await openBackend('file:.chatform/state', contextAt(folder));
  const state = await backend.open({ application: 'api-bench.sendbird.com/v3', lockTimeoutMs: 0 });
  await putRecords(applied(resources), 'bench', state);
  await state.close();
}

function* applied(resources: Iterable<Resource>): Generator<StateRecord> {
  const kinds = new Map(registry.map((kind) => [kind.name, kind]));
  let archives = 0;
  for (const resource of resources) {
    const kind = kinds.get(kindOf(resource.address));
    if (kind === undefined || (kind.isChild === true && archives++ % 2 === 1)) continue;
    yield recordAsApplied(kind, resource);
  }
}
