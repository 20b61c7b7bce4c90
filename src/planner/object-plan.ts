// What has to happen to one object? Pairs what is declared with what state remembers, and drafts the steps.
//
//   declared   in state            becomes
//   yes        no                  creation
//   yes        yes                 update, if anything differs
//   yes        retired             update that opens it again
//   no         yes                 retirement: closed, deleted or forgotten, by its on_remove
//   no         retired             nothing, unless `removed` says more, or it was left open
//
// Opening and closing are the planner's, because whether an open object must be opened early, late or for a while
// depends on what all the other objects need (order.ts).
import type { Action } from '../model/action.ts';
import { type Address, addressOf, keyOf } from '../model/address.ts';
import type { AttributeChange } from '../model/change.ts';
import { InternalError } from '../model/errors.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { Policy } from '../model/policy.ts';
import { applyEntry, type RecordEdit, type RecordMarks, type StateRecord } from '../model/record.ts';
import type { Lifecycle, Removal, RemovedEntry, Resource } from '../model/resource.ts';
import type { Phase } from '../model/step.ts';
import type { ClosePolicy, KindChange, KindDefinition, Problem, StepDraft } from '../resources/define.ts';
import { attributesOfCreation, diffAttributes } from './diff.ts';

/** A draft, or an edit of state alone (without a request). */
export interface PlannedDraft extends Omit<StepDraft, 'request'> {
  readonly request?: StepDraft['request'];
  readonly marks?: RecordMarks;
  /** Takes the object out of state. */
  readonly deletes?: true;
}

export interface ObjectPlan {
  readonly kind: KindDefinition;
  readonly address: Address;
  readonly record: StateRecord | undefined;
  readonly resource: Resource | undefined;
  readonly attributes: readonly AttributeChange[];
  readonly drafts: readonly PlannedDraft[];
  /** Where the object has to be opened or closed; drafts for it are added when the order is known. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** Marks that closing sets besides (retirement). */
  readonly closingMarks?: RecordMarks;
  /** Closed now and closed in the end: work on it needs a bracket. */
  readonly staysClosed: boolean;
  /** Finishes an object that this run, or an interrupted one before, creates: its effects are not dangers. */
  readonly completesCreation: boolean;
  readonly removal?: Removal;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly reason: string;
}

export function planObject(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord | undefined,
  removed: RemovedEntry | undefined,
  policy: Policy,
): ObjectPlan | undefined {
  if (resource !== undefined) {
    return record === undefined ? planCreation(kind, resource) : planUpdate(kind, resource, record);
  }
  return record === undefined ? undefined : planRetirement(kind, record, removed, policy);
}

function planCreation(kind: KindDefinition, resource: Resource): ObjectPlan {
  const { address, attributes, lifecycle } = resource;
  const closed = attributes[kind.closable.attribute];
  const change = kindChange('create', address, {}, attributes, attributesOfCreation(kind, attributes));
  const problems = kind.checks(change);
  const drafts = hasError(problems)
    ? []
    : kind.steps({ ...change, attributes: withoutClosed(kind, change.attributes) });
  const declaredOpen = closed === false ? { [kind.closable.attribute]: false } : {};
  return {
    kind,
    address,
    record: undefined,
    resource,
    attributes: change.attributes,
    drafts: drafts.map((draft) =>
      draft.creates === undefined
        ? draft
        : { ...draft, creates: { ...draft.creates, ...declaredOpen }, marks: lifecycleMark(undefined, lifecycle) },
    ),
    opens: false,
    closes: closed === true,
    staysClosed: false,
    completesCreation: true,
    problems,
    notes: [],
    reason: 'declared, and not in state',
  };
}

/** Of an object that state knows. */
export function planUpdate(kind: KindDefinition, resource: Resource, record: StateRecord): ObjectPlan {
  const { address } = resource;
  const { attribute } = kind.closable;
  const ignored = record.creating === true ? [] : (resource.lifecycle.ignore_changes ?? []);
  const difference = diffAttributes(kind, record.attributes, resource.attributes, ignored);
  const change = kindChange('update', address, record.attributes, resource.attributes, difference.attributes);
  const problems = [...difference.problems, ...kind.checks(change)];
  const wasClosed = record.attributes[attribute] === true;
  // That it is closed was its retirement, not a change to be ignored.
  const keepsEnd = ignored.includes(attribute) && record.retired !== true;
  const wanted = keepsEnd ? record.attributes[attribute] : resource.attributes[attribute];
  const opens = wasClosed && wanted !== true;
  const closes = !wasClosed && wanted === true;
  const own = hasError(problems) ? [] : kind.steps({ ...change, attributes: callable(kind, difference.attributes) });
  const closedChange = closedAttributeChange(attribute, record.attributes[attribute], wanted, opens);
  const attributes = closedChange === undefined ? difference.attributes : [...difference.attributes, closedChange];
  const settled = hasError(problems)
    ? undefined
    : stateOnlyStep(kind, record, resource, own, attributes, opens, closes);
  return {
    kind,
    address,
    record,
    resource,
    attributes,
    drafts: settled === undefined ? own : [...own, settled],
    opens,
    closes,
    ...(record.bracket === true ? { closingMarks: { bracket: null } } : {}),
    staysClosed: wasClosed && !opens,
    completesCreation: record.creating === true,
    problems,
    notes: [
      ...difference.notes,
      ...(record.retired === true ? ['was retired; memberships may have changed meanwhile'] : []),
    ],
    reason: reasonOfUpdate(record, difference.attributes, closedChange !== undefined),
  };
}

function planRetirement(
  kind: KindDefinition,
  record: StateRecord,
  removed: RemovedEntry | undefined,
  policy: Policy,
): ObjectPlan {
  const { close } = kind.closable;
  // Retired already, by whatever was said then: only `removed` asks for more.
  const known = record.retired === true ? close : record.lifecycle?.on_remove;
  const removal = removed?.on_remove ?? known ?? policy.on_remove[kind.kind] ?? kind.removals[0] ?? 'forget';
  const isClosing = removal === close;
  const wasClosed = record.attributes[kind.closable.attribute] === true;
  // A retired object that is open was left so by an interrupted run, and is closed again.
  if (record.retired === true && wasClosed && isClosing) return planStanding(kind, record);
  const key = keyOf(record.address);
  const drafts: PlannedDraft[] = [];
  if (removal === 'delete') {
    const request = kind.remove(key);
    // Somebody was faster: the object is gone, as was wanted (semantics §5.3).
    const names = kind.references(record.attributes).map(({ kind: named, key: id }) => addressOf(named, id));
    drafts.push({
      action: 'delete',
      phase: kind.deletePhase,
      request,
      edits: [],
      deletes: true,
      doneOn: [400201],
      names,
    });
  } else if (removal === 'forget') {
    drafts.push({ action: 'forget', phase: 'record', edits: [], deletes: true });
  } else if (wasClosed) {
    drafts.push({ action: 'update', phase: 'record', edits: [], marks: { retired: true } });
  }
  const before = record.attributes[kind.closable.attribute];
  return {
    kind,
    address: record.address,
    record,
    resource: undefined,
    attributes:
      isClosing && !wasClosed
        ? [
            {
              path: [kind.closable.attribute],
              ...(before === undefined ? {} : { before }),
              after: true,
              how: 'set',
            },
          ]
        : [],
    drafts,
    opens: false,
    closes: !wasClosed && (isClosing || (record.bracket === true && removal !== 'delete')),
    closingMarks: { retired: true, creating: null, bracket: null },
    staysClosed: wasClosed,
    completesCreation: false,
    removal,
    problems: kind.removals.includes(removal) ? [] : [impossibleRemoval(kind, removal)],
    notes: [],
    reason: removed === undefined ? 'declared no more' : 'listed under removed',
  };
}

function impossibleRemoval(kind: KindDefinition, removal: Removal): Problem {
  return {
    severity: 'error',
    code: 'plan.impossible-removal',
    summary: 'This kind cannot be removed in that way',
    detail: `on_remove is ${removal}, which a ${kind.title} does not know. Write one of ${kind.removals.join(', ')}.`,
    path: ['on_remove'],
  };
}

/** Nothing to do, but it is closed: work of others on it needs a bracket. */
export function planStanding(kind: KindDefinition, record: StateRecord): ObjectPlan {
  return {
    kind,
    address: record.address,
    record,
    resource: undefined,
    attributes: [],
    drafts: [],
    opens: false,
    closes: false,
    staysClosed: record.attributes[kind.closable.attribute] === true,
    completesCreation: false,
    problems: [],
    notes: [],
    reason: 'is closed, and others need it open for a while',
  };
}

function kindChange(
  type: KindChange['type'],
  address: Address,
  before: JsonObject,
  after: JsonObject,
  attributes: readonly AttributeChange[],
): KindChange {
  return { type, address, key: keyOf(address), before, after, attributes };
}

function withoutClosed(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
  return attributes.filter(({ path }) => path[0] !== kind.closable.attribute);
}

function closedAttributeChange(
  attribute: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  opens: boolean,
): AttributeChange | undefined {
  if (before === after) return undefined;
  const path = [attribute];
  const left = before === undefined ? {} : { before };
  if (after !== undefined) return { path, ...left, after, how: 'set' };
  return opens ? { path, ...left, after: false, how: 'reset' } : { path, ...left, how: 'release' };
}

/**
 * What the calls leave undone in state: released attributes, flags that already are as declared, an edited lifecycle,
 * the marks of a retirement or a creation that is over. Written as one step without a call.
 */
function stateOnlyStep(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource,
  drafts: readonly StepDraft[],
  attributes: readonly AttributeChange[],
  opens: boolean,
  closes: boolean,
): PlannedDraft | undefined {
  const after = drafts.reduce<StateRecord | undefined>(
    (current, { edits }) => applyEntry(current, { type: 'patch', address: record.address, edits }),
    record,
  );
  const edits: RecordEdit[] = [];
  for (const { path, how, after: value } of attributes) {
    const [name = ''] = path;
    if (name === kind.closable.attribute && (opens || closes)) continue;
    const reached = valueAt(after?.attributes, path);
    if (how === 'release') edits.push({ op: 'unset', path: [name] });
    else if (how === 'set' && value !== undefined && !equalJson(reached, value)) {
      if (needsCall(kind, name, value)) throw new InternalError(`${kind.kind} has no step that sets ${name}`);
      edits.push({ op: 'set', path: [...path], value });
    } else if (how === 'reset' && reached !== undefined && !equalJson(reached, [])) {
      throw new InternalError(`${kind.kind} has no step that resets ${name}`);
    }
  }
  const isOver = drafts.length === 0 && !closes && !opens;
  const marks: RecordMarks = {
    ...lifecycleMark(record.lifecycle, resource.lifecycle),
    ...(record.creating === true && isOver ? { creating: null } : {}),
    ...(record.retired === true ? { retired: null } : {}),
    ...(record.bracket === true && !closes ? { bracket: null } : {}),
  };
  if (edits.length === 0 && Object.keys(marks).length === 0) return undefined;
  return { action: 'update', phase: 'record', edits, marks };
}

/** The changes that take a call: a one-way flag that is declared false, as every new object has it, takes none. */
function callable(kind: KindDefinition, attributes: readonly AttributeChange[]): AttributeChange[] {
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

function lifecycleMark(before: Lifecycle | undefined, after: Lifecycle): RecordMarks {
  if (equalJson({ ...before }, { ...after })) return {};
  return { lifecycle: Object.keys(after).length === 0 ? null : after };
}

function reasonOfUpdate(record: StateRecord, attributes: readonly AttributeChange[], closedChanged: boolean): string {
  if (record.retired === true) return 'declared again after its retirement';
  if (record.creating === true) return 'its creation was interrupted';
  if (record.bracket === true) return 'was opened for work and not closed again';
  const names = [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
  if (names.length > 0) return `${names.join(', ')} ${names.length === 1 ? 'differs' : 'differ'} from the last apply`;
  return closedChanged ? 'its end state differs from the last apply' : 'its lifecycle was edited';
}

export function openDraft(plan: ObjectPlan, phase: Phase, marks: RecordMarks): PlannedDraft {
  const { attribute, open, request } = plan.kind.closable;
  const isDeclared = plan.resource?.attributes[attribute] !== undefined;
  return {
    action: open,
    phase,
    request: request(keyOf(plan.address), false, { leaveChannels: false }),
    edits:
      isDeclared || marks.bracket === true
        ? [{ op: 'set', path: [attribute], value: false }]
        : [{ op: 'unset', path: [attribute] }],
    marks,
  };
}

export function closeDraft(plan: ObjectPlan, marks: RecordMarks, policy: ClosePolicy): PlannedDraft {
  const { attribute, close, closePhase, request } = plan.kind.closable;
  return {
    action: close as Action,
    phase: closePhase,
    request: request(keyOf(plan.address), true, policy),
    edits: [{ op: 'set', path: [attribute], value: true }],
    marks,
  };
}

export function hasError(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
