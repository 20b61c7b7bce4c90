// What has to be written to state though no call is made?

import { InternalError } from '../../lib/errors.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { AttributeChange } from '../../model/change.ts';
import { applyEntry, type RecordEdit, type RecordFlags, type StateRecord } from '../../model/record.ts';
import type { Lifecycle, Resource } from '../../model/resource.ts';
import type { KindDefinition, StepDraft } from '../../resources/define.ts';
import type { PlannedDraft } from './draft.ts';

/**
 * What the calls leave undone in state: released attributes, flags that already are as declared, an edited lifecycle,
 * the marks of a retirement or a creation that is over. Written as one step without a call.
 */
export function stateOnlyStep(
  kind: KindDefinition,
  record: StateRecord,
  /** The attributes that the changes start from: the record's own, or what a refresh found. */
  was: JsonObject,
  resource: Resource,
  drafts: readonly StepDraft[],
  attributes: readonly AttributeChange[],
  /** A call opens or closes the object, and sets the attribute for that. */
  opensOrCloses: boolean,
): PlannedDraft | undefined {
  const end = kind.disabledState.attribute;
  let wanted = afterDrafts({ ...record, attributes: was }, drafts);
  for (const { path, how, after: value } of attributes) {
    const [name = ''] = path;
    if (name === end && opensOrCloses) continue;
    const reached = valueAt(wanted, path);
    if (how === 'release') wanted = edited(record, wanted, { op: 'unset', path: [name] });
    else if (how === 'set' && value !== undefined && !equalJson(reached, value)) {
      if (needsCall(kind, name, value)) throw new InternalError(`${kind.kind} has no step that sets ${name}`);
      wanted = edited(record, wanted, { op: 'set', path, value });
    } else if (how === 'reset' && reached !== undefined && !equalJson(reached, [])) {
      throw new InternalError(`${kind.kind} has no step that resets ${name}`);
    }
  }
  const reached = afterDrafts(record, drafts);
  const edits = Object.keys({ ...reached, ...wanted })
    .filter((name) => !(name === end && opensOrCloses))
    .flatMap((name) => editsOf(name, reached[name], wanted[name]));
  const isOver = drafts.length === 0 && !opensOrCloses;
  const marks: RecordFlags = {
    ...lifecycleMark(record.lifecycle, resource.lifecycle),
    ...(record.creating === true && isOver ? { creating: null } : {}),
    ...(record.retired === true ? { retired: null } : {}),
  };
  if (edits.length === 0 && Object.keys(marks).length === 0) return undefined;
  return { action: 'update', phase: 'record', edits, marks };
}

function afterDrafts(record: StateRecord, drafts: readonly StepDraft[]): JsonObject {
  return drafts.reduce((attributes, { edits }) => edited(record, attributes, ...edits), record.attributes);
}

function edited({ address }: StateRecord, attributes: JsonObject, ...edits: readonly RecordEdit[]): JsonObject {
  return applyEntry({ address, attributes }, { type: 'patch', address, edits })?.attributes ?? attributes;
}

/** What leads from one value to the other; maps entry by entry. */
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

/** The changes that take a call: a one-way flag that is declared false, as every new object has it, takes none. */
export function callable(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path, after }) => after === undefined || needsCall(kind, path[0] ?? '', after));
}

function needsCall(kind: KindDefinition, name: string, value: JsonValue): boolean {
  const change = kind.attributes[name]?.change;
  return change !== 'closed' && change !== 'noted' && !(change === 'one_way' && value === false);
}

function valueAt(attributes: JsonObject | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (current, part) => (isObject(current) && Object.hasOwn(current, part) ? current[part] : undefined),
    attributes,
  );
}

export function lifecycleMark(before: Lifecycle | undefined, after: Lifecycle): RecordFlags {
  if (equalJson({ ...before }, { ...after })) return {};
  return { lifecycle: Object.keys(after).length === 0 ? null : after };
}
