// Writes exported objects to state. The manifests are loaded as every later command loads them, and count as applied.

import type { Application } from '../../../core/app/context/application.ts';
import { putAmong, withEntry } from '../../../core/app/context/state-contents.ts';
import { temporarySpool } from '../../../core/app/context/this-process.ts';
import type { Begun } from '../../../core/app/context/trail.ts';
import { planManifests } from '../../../core/app/plans/plan-manifests.ts';
import type { LoadedManifest } from '../../../core/manifest/passes/loaded-manifest.ts';
import { hasErrors } from '../../../core/model/diagnostic.ts';
import type { StateRecord } from '../../../core/model/record.ts';
import type { Resource } from '../../../core/model/resource.ts';
import { recordAsApplied } from '../../../core/planner/diff/applied-record.ts';
import { findKind } from '../../../core/resources/index.ts';
import type { UpkeepWriter } from '../../../core/state/engine/upkeep.ts';
import { InternalError } from '../../../lib/errors.ts';

/**
 * Writes the whole state, which has no objects yet, with a trail entry, and closes it. Manifests with an error, or with a
 * plan that is not empty, are a bug in chatform.
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
  const made = temporarySpool().collect<StateRecord>();
  const ended = { outcome: 'done', counts: { exported: manifest.resources.length } };
  // The state contains only chatform's own records, which are few.
  const taken = [...withEntry(state, begun, ended).records()];
  for (const record of putAmong(recordsOf(manifest.resources), taken)) made.push(record);
  const records = made.end();
  const { header, serial, pending } = state;
  const applied = { header, pending, size: records.length, records: () => records, get: state.get.bind(state) };
  const { plan, problems } = planManifests(manifest, application, applied, { now });
  const first = plan.changes.at(0)?.address ?? problems[0]?.detail;
  if (first !== undefined) throw new InternalError(`the plan after the export is not empty: ${first}`);
  await state.replace({ header, serial, pending, records: () => records });
}

function* recordsOf(resources: Iterable<Resource>): Generator<StateRecord> {
  for (const resource of resources) {
    const kind = findKind(resource.address);
    if (kind === undefined) throw new InternalError(`no kind of ${resource.address}`);
    yield recordAsApplied(kind, resource);
  }
}
