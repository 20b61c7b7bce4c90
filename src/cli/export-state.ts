// How does state come to know what was exported? The manifests are loaded as every later command loads them, and believed.
import type { LoadedManifest } from '../manifest/load.ts';
import { kindOf } from '../model/address.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { InternalError } from '../model/errors.ts';
import type { StateWriter } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import { recordAsApplied } from '../planner/as-applied.ts';
import { registry } from '../resources/index.ts';
import type { Application } from './application.ts';
import type { CommandInput } from './command.ts';
import { putRecords } from './fill-state.ts';
import { planManifests } from './prepare.ts';
import type { World } from './world.ts';

/** Everything that is declared counts as applied, or it is a bug of ours: manifests that have an error, or a plan. */
export async function takeAsApplied(
  manifest: LoadedManifest,
  application: Application,
  state: StateWriter,
  input: CommandInput,
  world: World,
): Promise<void> {
  if (hasErrors(manifest.diagnostics)) {
    const [first] = manifest.diagnostics;
    throw new InternalError(`what was exported cannot be loaded: ${first?.summary}: ${first?.detail}`);
  }
  await putRecords(recordsOf(manifest), 'export', state);
  const { plan, problems } = planManifests(manifest, application, state, input, world);
  const first = plan.changes.at(0)?.address ?? problems[0]?.detail;
  if (first !== undefined) throw new InternalError(`the plan after the export is not empty: ${first}`);
}

function* recordsOf({ resources }: LoadedManifest): Generator<StateRecord> {
  const byName = new Map(registry.map((kind) => [kind.kind, kind]));
  for (const resource of resources) {
    const kind = byName.get(kindOf(resource.address));
    if (kind !== undefined) yield recordAsApplied(kind, resource);
  }
}
