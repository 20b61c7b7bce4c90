// Selects the drift that a repair takes back: values that others changed and that give or take no access.

import { equalJson } from '../../lib/json.ts';
import { MappedSeries } from '../../lib/series.ts';
import { changesAccess } from '../kinds/definition/edit-effects.ts';
import type { AttributeDefinitions, KindDefinition } from '../kinds/definition/kind.ts';
import { type Address, kindOf } from '../model/address.ts';
import type { AttributeChange, Change, Drift } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { NotRepaired } from '../model/reasons.ts';
import type { PlanWords } from '../model/statements/problems.ts';
import type { TargetScope } from './targets.ts';

export interface Repair {
  /** The objects to repair. */
  readonly scope: TargetScope;
  /** The drift of all objects. The notes of objects that are not repaired say why. */
  readonly drift: NonNullable<Plan['drift']>;
}

/** `plan` is the plan of all objects of the scope after a refresh. */
export function repairOf(
  { changes, drift = [] }: Plan,
  scope: TargetScope | undefined,
  kinds: readonly KindDefinition[],
  words: PlanWords,
): Repair {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const drifted = new Map<Address, Drift[]>();
  for (const entry of drift) drifted.set(entry.address, [...(drifted.get(entry.address) ?? []), entry]);
  const reasons = new Map<Address, NotRepaired>();
  for (const address of drifted.keys()) reasons.set(address, 'not_set_back');
  for (const change of changes) {
    const drifts = drifted.get(change.address);
    if (drifts === undefined) continue;
    const why = whyLeft(change, drifts, byName.get(kindOf(change.address))?.attributes ?? {});
    if (why === undefined) reasons.delete(change.address);
    else reasons.set(change.address, why);
  }
  return {
    scope: {
      has: (address) => drifted.has(address) && !reasons.has(address),
      ...(scope?.isExcluded === undefined ? {} : { isExcluded: scope.isExcluded }),
      flags: [],
      pulledIn: new Map(),
      isRepair: true,
    },
    drift: new MappedSeries(drift, (entry) => {
      const why = reasons.get(entry.address);
      if (why === undefined) return entry;
      const notes = [{ code: 'not_repaired', why }] as const;
      return { ...entry, note: words.driftNotes(notes, true), note_codes: notes };
    }),
  };
}

function whyLeft(
  { attributes, dangerous, reversibility }: Change,
  drift: readonly Drift[],
  definitions: AttributeDefinitions,
): NotRepaired | undefined {
  if (drift.some(({ type }) => type === 'missing')) return 'deleted';
  if (drift.some(({ type }) => type === 'made_anew')) return 'made_anew';
  if (drift.some(({ type }) => type === 'departed')) return 'members_left';
  const edits = [...attributes, ...drift.flatMap((entry) => entry.attributes)];
  if (dangerous || edits.some((edit) => isAccess(definitions, edit))) return 'access';
  if (reversibility !== 'reversible') return 'lossy';
  const changed = drift.flatMap((entry) => entry.attributes);
  if (
    attributes.length > 0 &&
    attributes.every((change) => changed.some((driftedChange) => takesBack(change, driftedChange)))
  )
    return undefined;
  return 'other_changes';
}

function isAccess(definitions: AttributeDefinitions, change: AttributeChange): boolean {
  const definition = definitions[change.path[0] ?? ''];
  return definition === undefined || changesAccess(definition, change);
}

/** Whether a change does nothing but return to the value that was last applied. */
function takesBack(change: AttributeChange, drift: AttributeChange): boolean {
  return equalJson([...change.path], [...drift.path]) && equalJson(change.after ?? null, drift.before ?? null);
}
