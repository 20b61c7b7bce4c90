// Writes what was exported into state. The manifests are loaded as every later command loads them, and count as applied.

import { InternalError } from '../../lib/errors.ts';
import type { LoadedManifest } from '../../manifest/load.ts';
import { kindOf } from '../../model/address.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { recordAsApplied } from '../../planner/diff/as-applied.ts';
import { registry } from '../../resources/index.ts';
import type { UpkeepWriter } from '../../state/upkeep.ts';
import { planManifests } from '../manifests/plan-manifests.ts';
import { planSpool } from '../output-files.ts';
import type { Application } from '../session/application.ts';
import type { Begun } from '../trail/trail.ts';
import { putAmong, withEntry } from '../upkeep/fill-state.ts';

/**
 * State, which holds no objects yet, is written whole, with an entry in its trail, and closed. Manifests that have an
 * error, or whose plan is not empty, are a bug in chatform.
 */
export async function takeAsApplied(
  manifest: LoadedManifest,
  application: Application,
  state: UpkeepWriter,
  begun: Begun,
  now: string,
): Promise<void> {
  if (hasErrors(manifest.diagnostics)) {
    const [first] = manifest.diagnostics;
    throw new InternalError(`what was exported cannot be loaded: ${first?.summary}: ${first?.detail}`);
  }
  const made = planSpool().collect<StateRecord>();
  const ended = { outcome: 'done', counts: { exported: manifest.resources.length } };
  // Only chatform's own records are there, which are few.
  const own = [...withEntry(state, begun, ended).records()];
  for (const record of putAmong(recordsOf(manifest.resources), own)) made.push(record);
  const records = made.end();
  const { header, serial, pending } = state;
  const applied = { header, pending, size: records.length, records: () => records, get: state.get.bind(state) };
  const { plan, problems } = planManifests(manifest, application, applied, { now });
  const first = plan.changes.at(0)?.address ?? problems[0]?.detail;
  if (first !== undefined) throw new InternalError(`the plan after the export is not empty: ${first}`);
  await state.replace({ header, serial, pending, records: () => records });
}

const kinds = new Map(registry.map((kind) => [kind.kind, kind]));

function* recordsOf(resources: Iterable<Resource>): Generator<StateRecord> {
  for (const resource of resources) yield recordOf(resource);
}

function recordOf(resource: Resource): StateRecord {
  const kind = kinds.get(kindOf(resource.address));
  if (kind === undefined) throw new InternalError(`no kind of ${resource.address}`);
  return recordAsApplied(kind, resource);
}
