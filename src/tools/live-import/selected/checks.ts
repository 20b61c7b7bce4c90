// The checks of an export of selected objects, before anything is written: no id is missing, and the plan after it is empty.
import type { Application } from '../../../core/app/context/application.ts';
import type { Ports } from '../../../core/app/context/ports.ts';
import { putAmong } from '../../../core/app/context/state-contents.ts';
import { nowOf, planManifests } from '../../../core/app/plans/plan-manifests.ts';
import type { LoadedManifest } from '../../../core/manifest/passes/loaded-manifest.ts';
import { Refusal } from '../../../core/model/errors.ts';
import { exitCode } from '../../../core/model/exit-code.ts';
import type { StateSnapshot } from '../../../core/model/ports.ts';
import type { StateRecord } from '../../../core/model/record.ts';
import { InternalError } from '../../../lib/errors.ts';
import { linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { Spool } from '../../../lib/spool.ts';
import { plural } from '../../../lib/words.ts';
import { patternOf } from '../export/blocks.ts';

/** Says of an id whether the policy lists it as managed elsewhere. */
export function externalIn(manifest: LoadedManifest | undefined): (section: string, key: string) => boolean {
  const { external = {} } = manifest?.policy ?? {};
  const patterns = new Map(Object.entries(external).map(([section, list]) => [section, list.map(linearPattern)]));
  return (section, key) => patterns.get(section)?.some((pattern) => pattern.test(key)) === true;
}

const maxNamed = 10;

/**
 * Refused (65) if a selected object names an id that a folder with manifests does not declare, because its policy is not edited.
 * `missing` are these ids by section.
 */
export function demandReferences(missing: ReadonlyMap<string, readonly string[]>, isWithUsers: boolean): void {
  const [first] = missing;
  if (first === undefined) return;
  const [section, ids] = first;
  const named = ids.slice(0, maxNamed).map((id) => JSON.stringify(id));
  const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
  const patterns = ids.length > maxNamed ? ['.*'] : ids.map(patternOf);
  throw new Refusal(
    'export.needs',
    exitCode.invalid,
    `The selected objects name ${plural(ids.length, 'id')} of ${section} that nobody declares: ${named.join(', ')}${more}.`,
    `No manifest was changed. ${isWithUsers ? 'They cannot be declared, or are not on the platform any more. Add this line to the manifests' : 'Add --with users to export them too, or add this line to the manifests if they are managed elsewhere'}: policy: { external: { ${section}: ${JSON.stringify(patterns)} } }`,
  );
}

/** A plan that changes one of the objects is a bug in chatform. `records` are those of the objects, sorted by address. */
export function demandEmptyPlan(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  records: Iterable<StateRecord>,
  spool: Spool,
  ports: Ports,
): void {
  const made = spool.collect<StateRecord>();
  for (const record of putAmong(state.records(), records)) made.push(record);
  const after = made.end();
  const { header, pending } = state;
  const applied = { header, pending, size: after.length, records: () => after, get: state.get.bind(state) };
  const { plan, problems } = planManifests(manifest, application, applied, { now: nowOf(ports), isComparison: true });
  if (problems.length > 0) return;
  const taken = records[Symbol.iterator]();
  let next = taken.next();
  const changed = Array.from(plan.changes, ({ address }) => address).sort();
  for (const address of changed) {
    while (next.done !== true && next.value.address < address) next = taken.next();
    if (next.done !== true && next.value.address === address)
      throw new InternalError(`the plan after the export is not empty: ${address}`);
  }
}
