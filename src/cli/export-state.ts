// How does state come to know what was exported? The manifests are loaded as every later command loads them, and believed.
import type { LoadedManifest } from '../manifest/load.ts';
import { kindOf } from '../model/address.ts';
import { objectRecords } from '../model/bookkeeping.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { InternalError, Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { StateSnapshot, StateWriter } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import { recordAsApplied } from '../planner/as-applied.ts';
import { registry } from '../resources/index.ts';
import type { Application } from './application.ts';
import type { CommandInput } from './command.ts';
import { planManifests } from './prepare.ts';
import type { World } from './world.ts';

/** Entries that wait for one fsync together. */
const batch = 500;

/** Refused (6) when something is in state: that would be mixed up with what is found. */
export function demandEmptyState(state: StateSnapshot, place: string, advice: string): void {
  const [first] = objectRecords(state.records());
  if (first === undefined) return;
  throw new Refusal(
    'state.occupied',
    exitCode.conflict,
    `The state ${place} is not empty: it knows ${first.address}, for one.`,
    `Nothing was changed. ${advice}`,
  );
}

export async function putRecords(records: Iterable<StateRecord>, why: string, state: StateWriter): Promise<number> {
  let waiting: Promise<void>[] = [];
  let count = 0;
  for (const record of records) {
    waiting.push(state.done(`${record.address}#${why}`, { type: 'put', record }));
    count += 1;
    if (waiting.length < batch) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  return count;
}

/** Everything that is declared counts as applied. Gives the number of objects; an error is a bug of ours. */
export async function takeAsApplied(
  manifest: LoadedManifest,
  application: Application,
  state: StateWriter,
  input: CommandInput,
  world: World,
): Promise<number> {
  if (hasErrors(manifest.diagnostics)) {
    const [first] = manifest.diagnostics;
    throw new InternalError(`what was exported cannot be loaded: ${first?.summary}: ${first?.detail}`);
  }
  const count = await putRecords(recordsOf(manifest), 'export', state);
  const { plan, problems } = planManifests(manifest, application, state, input, world);
  const first = plan.changes.at(0)?.address ?? problems[0]?.detail;
  if (first !== undefined) throw new InternalError(`the plan after the export is not empty: ${first}`);
  return count;
}

function* recordsOf({ resources }: LoadedManifest): Generator<StateRecord> {
  const byName = new Map(registry.map((kind) => [kind.kind, kind]));
  for (const resource of resources) {
    const kind = byName.get(kindOf(resource.address));
    if (kind !== undefined) yield recordAsApplied(kind, resource);
  }
}
