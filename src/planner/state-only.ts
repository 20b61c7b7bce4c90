// What has to be written to state though no call is made?
import type { AttributeChange } from '../model/change.ts';
import { InternalError } from '../model/errors.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import { applyEntry, type RecordEdit, type RecordMarks, type StateRecord } from '../model/record.ts';
import type { Lifecycle, Resource } from '../model/resource.ts';
import type { KindDefinition, StepDraft } from '../resources/define.ts';
import type { PlannedDraft } from './draft.ts';

/**
 * What the calls leave undone in state: released attributes, flags that already are as declared, an edited lifecycle,
 * the marks of a retirement or a creation that is over. Written as one step without a call.
 */
export function stateOnlyStep(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource,
  drafts: readonly StepDraft[],
  attributes: readonly AttributeChange[],
  /** A call opens or closes the object, and sets the attribute for that. */
  opensOrCloses: boolean,
): PlannedDraft | undefined {
  const after = drafts.reduce<StateRecord | undefined>(
    (current, { edits }) => applyEntry(current, { type: 'patch', address: record.address, edits }),
    record,
  );
  const edits: RecordEdit[] = [];
  for (const { path, how, after: value } of attributes) {
    const [name = ''] = path;
    if (name === kind.closable.attribute && opensOrCloses) continue;
    const reached = valueAt(after?.attributes, path);
    if (how === 'release') edits.push({ op: 'unset', path: [name] });
    else if (how === 'set' && value !== undefined && !equalJson(reached, value)) {
      if (needsCall(kind, name, value)) throw new InternalError(`${kind.kind} has no step that sets ${name}`);
      edits.push({ op: 'set', path: [...path], value });
    } else if (how === 'reset' && reached !== undefined && !equalJson(reached, [])) {
      throw new InternalError(`${kind.kind} has no step that resets ${name}`);
    }
  }
  const isOver = drafts.length === 0 && !opensOrCloses;
  const marks: RecordMarks = {
    ...lifecycleMark(record.lifecycle, resource.lifecycle),
    ...(record.creating === true && isOver ? { creating: null } : {}),
    ...(record.retired === true ? { retired: null } : {}),
  };
  if (edits.length === 0 && Object.keys(marks).length === 0) return undefined;
  return { action: 'update', phase: 'record', edits, marks };
}

/** The changes that take a call: a one-way flag that is declared false, as every new object has it, takes none. */
export function callable(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path, after }) => after === undefined || needsCall(kind, path[0] ?? '', after));
}

function needsCall(kind: KindDefinition, name: string, value: JsonValue): boolean {
  const change = kind.attributes[name]?.change;
  return change !== 'closed' && !(change === 'one_way' && value === false);
}

function valueAt(attributes: JsonObject | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (current, part) => (isObject(current) && Object.hasOwn(current, part) ? current[part] : undefined),
    attributes,
  );
}

export function lifecycleMark(before: Lifecycle | undefined, after: Lifecycle): RecordMarks {
  if (equalJson({ ...before }, { ...after })) return {};
  return { lifecycle: Object.keys(after).length === 0 ? null : after };
}
