// Drafts the step that writes the record without a call.

import { InternalError } from '../../../lib/errors.ts';
import { equalJson, isObject, type JsonObject, type JsonValue, valueAt } from '../../../lib/json.ts';
import type { KindDefinition, StepDraft } from '../../kinds/definition/kind.ts';
import type { AttributeChange } from '../../model/change.ts';
import { applyEntry, isAlong, type RecordEdit, type RecordFlags, type StateRecord } from '../../model/record.ts';
import type { Lifecycle, Resource } from '../../model/resource.ts';
import type { DraftedStep } from '../draft/draft.ts';
import { editToValueIn } from '../live/begun-effects.ts';

/**
 * Returns one step without a call for every edit of the record that no call makes: released attributes, values that already
 * match, an edited lifecycle, and the flags of a finished retirement or creation. Returns undefined if there is nothing.
 */
export function recordStep(
  kind: KindDefinition,
  record: StateRecord,
  /** The attributes that the changes start from: those of the record, or those that a refresh found. */
  was: JsonObject,
  resource: Resource,
  steps: readonly StepDraft[],
  attributes: readonly AttributeChange[],
  {
    opensOrCloses,
    learned,
    madeAnew,
  }: {
    /** Whether a call enables or disables the object and records that attribute. */
    readonly opensOrCloses: boolean;
    /** Paths whose unknown values a refresh has shown. */
    readonly learned: readonly (readonly string[])[];
    /** When others created the object anew, in ISO 8601. */
    readonly madeAnew?: string | undefined;
  },
): DraftedStep | undefined {
  const { attribute } = kind.disabledState;
  let wanted = afterSteps({ ...record, attributes: was }, steps);
  for (const { path, how, after: value } of attributes) {
    const [name = ''] = path;
    if (name === attribute && opensOrCloses) continue;
    const reached = valueAt(wanted, path);
    if (how === 'release') wanted = edited(record, wanted, { op: 'unset', path });
    else if (how === 'set' && value !== undefined && !equalJson(reached, value)) {
      if (needsCall(kind, name, value)) throw new InternalError(`${kind.name} has no step that sets ${name}`);
      wanted = edited(record, wanted, { op: 'set', path, value });
    } else if (how === 'reset' && reached !== undefined && !equalJson(reached, [])) {
      throw new InternalError(`${kind.name} has no step that resets ${name}`);
    }
  }
  const reached = afterSteps(record, steps);
  const edits = Object.keys({ ...reached, ...wanted })
    .filter((name) => !(name === attribute && opensOrCloses))
    .flatMap((name) => editsOf(name, reached[name], wanted[name]))
    .concat(
      learned
        .filter((path) => !steps.some(({ edits: editsOfStep }) => editsOfStep.some((edit) => isAlong(edit.path, path))))
        .map((path) => editToValueIn(wanted, kind, path)),
    );
  const isOver = steps.length === 0 && !opensOrCloses;
  const flags: RecordFlags = {
    ...lifecycleFlag(record.lifecycle, resource.lifecycle),
    ...(record.creating === true && isOver ? { creating: null } : {}),
    ...(record.retired === true ? { retired: null } : {}),
    ...(record.leaving === true ? { leaving: null } : {}),
  };
  const proofEdits: RecordEdit[] = madeAnew === undefined ? [] : [{ op: 'set', path: ['created_at'], value: madeAnew }];
  if (edits.length + proofEdits.length === 0 && Object.keys(flags).length === 0) return undefined;
  return { action: 'update', phase: 'record', edits, flags, ...(proofEdits.length === 0 ? {} : { seen: proofEdits }) };
}

function afterSteps(record: StateRecord, steps: readonly StepDraft[]): JsonObject {
  return steps.reduce((attributes, { edits }) => edited(record, attributes, ...edits), record.attributes);
}

function edited({ address }: StateRecord, attributes: JsonObject, ...edits: readonly RecordEdit[]): JsonObject {
  return applyEntry({ address, attributes }, { type: 'patch', address, edits })?.attributes ?? attributes;
}

/** Returns the edits from one value to the other, entry by entry for maps. */
function editsOf(name: string, from: JsonValue | undefined, to: JsonValue | undefined): RecordEdit[] {
  if (equalJson(from, to)) return [];
  if (to === undefined) return [{ op: 'unset', path: [name] }];
  if (!isObject(from) || !isObject(to)) return [{ op: 'set', path: [name], value: to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key): RecordEdit[] => {
    const value = valueAt(to, [key]);
    if (equalJson(valueAt(from, [key]), value)) return [];
    const path = [name, key];
    return [value === undefined ? { op: 'unset', path } : { op: 'set', path, value }];
  });
}

/** Returns the changes that need a call. A one-way flag declared as false needs none, because that is its initial value. */
export function callable(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path, after }) => after === undefined || needsCall(kind, path[0] ?? '', after));
}

function needsCall(kind: KindDefinition, name: string, value: JsonValue): boolean {
  const change = kind.attributes[name]?.change;
  return change !== 'closed' && change !== 'noted' && !(change === 'one_way' && value === false);
}

function lifecycleFlag(before: Lifecycle | undefined, after: Lifecycle): RecordFlags {
  if (equalJson({ ...before }, { ...after })) return {};
  return { lifecycle: Object.keys(after).length === 0 ? null : after };
}
