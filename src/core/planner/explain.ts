// Collects the facts for chatform explain: where each value comes from, what would happen, and why.

import { equalJson, type JsonValue } from '../../lib/json.ts';
import { rememberOne } from '../kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../kinds/definition/kind.ts';
import { type Address, kindOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type {
  ExplainedAttribute,
  ExplainedLifecycle,
  ExplainedStep,
  ObjectExplanation,
  Standing,
  StepRef,
} from '../model/explanation.ts';
import type { LiveObject } from '../model/live.ts';
import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import { requestPath } from '../model/request.ts';
import type { Removal, RemovedEntry, Resource } from '../model/resource.ts';
import type { SourcePosition } from '../model/source.ts';
import type { Step } from '../model/step.ts';

const explanationFormatVersion = '1.0';

export interface ExplainInput {
  readonly address: Address;
  readonly kind: KindDefinition;
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  readonly removed: readonly RemovedEntry[];
  readonly policy: Policy;
  readonly plan: Plan;
  readonly found?: LiveObject;
  /** Problems and refusals of the whole plan. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Explains what the plan does with one object. The attributes come in the order of the kind's table. */
export function explainObject(input: ExplainInput): ObjectExplanation {
  const { address, kind, resource, record, plan, diagnostics } = input;
  const change = find(plan.changes, address);
  return {
    format_version: explanationFormatVersion,
    address,
    kind: kind.title,
    ...(resource === undefined ? {} : { declared_at: resource.source }),
    in_state: record !== undefined,
    ...(input.found === undefined ? {} : { on_platform: input.found.exists }),
    marks: (['retired', 'creating', 'bracket'] as const).filter((mark) => record?.[mark] === true),
    attributes: Object.entries(kind.attributes).flatMap(([name, definition]) =>
      explainAttribute(name, definition, input),
    ),
    lifecycle: explainLifecycle(input),
    ...(change === undefined ? {} : { change }),
    steps: explainSteps(address, plan),
    drift: [...(plan.drift ?? [])].filter((observation) => observation.address === address),
    problems: [...diagnostics, ...plan.warnings].filter((diagnostic) => diagnostic.address === address),
  };
}

function find(changes: Iterable<Change>, address: Address): Change | undefined {
  for (const change of changes) if (change.address === address) return change;
  return undefined;
}

function explainAttribute(
  name: string,
  definition: AttributeDefinition,
  { resource, record, found }: ExplainInput,
): ExplainedAttribute[] {
  const declared = resource?.attributes[name];
  const remembered = record?.attributes[name];
  if (declared === undefined && remembered === undefined) return [];
  const source = resource?.attributeSources?.[name];
  const live = found?.attributes[name];
  return [
    {
      name,
      standing: standingOf(name, definition, declared, remembered, resource),
      ...(declared === undefined ? {} : { declared }),
      ...(source === undefined ? {} : { source }),
      ...(isAbove(source, resource?.source) ? { from_defaults: true } : {}),
      ...(remembered === undefined ? {} : { remembered }),
      ...(live === undefined ? {} : { live }),
      can_change: definition.change,
      if_removed: definition.removed,
    },
  ];
}

function standingOf(
  name: string,
  definition: AttributeDefinition,
  declared: JsonValue | undefined,
  remembered: JsonValue | undefined,
  resource: Resource | undefined,
): Standing {
  if (resource === undefined) return 'remembered';
  if (declared === undefined) return 'removed';
  if (remembered === undefined) return 'to_apply';
  if (equalJson(rememberOne(definition, declared), remembered)) return 'as_applied';
  return resource?.lifecycle.ignore_changes?.includes(name) === true ? 'ignored' : 'edited';
}

/** Whether the value is declared before its block, so that it comes from the file's defaults. */
function isAbove(source: SourcePosition | undefined, block: SourcePosition | undefined): boolean {
  return source !== undefined && block !== undefined && source.file === block.file && source.line < block.line;
}

function explainLifecycle({ address, kind, resource, record, removed, policy }: ExplainInput): ExplainedLifecycle {
  const listed = removed.find((entry) => entry.address === address)?.on_remove;
  const ways: readonly (readonly [ExplainedLifecycle['on_remove_from'], Removal | undefined])[] = [
    ['removed', listed],
    ['lifecycle', resource?.lifecycle.on_remove],
    ['state', resource === undefined ? record?.lifecycle?.on_remove : undefined],
    ['policy', policy.on_remove[kindOf(address)]],
    ['default', kind.removals[0] ?? 'forget'],
  ];
  const [from, removal] = ways.find(([, way]) => way !== undefined) ?? ['default', undefined];
  return {
    protected: (resource ?? record)?.lifecycle?.protect === true,
    ignore_changes: (resource ?? record)?.lifecycle?.ignore_changes ?? [],
    on_remove: removal ?? 'forget',
    on_remove_from: from,
  };
}

function explainSteps(address: Address, { steps }: Plan): ExplainedStep[] {
  const objectSteps: Step[] = [];
  for (const step of steps) if (step.address === address) objectSteps.push(step);
  if (objectSteps.length === 0) return [];
  const awaited = new Set(objectSteps.flatMap(({ needs, after }) => [...needs, ...(after ?? [])]));
  const ids = new Set(objectSteps.map(({ id }) => id));
  const refs = new Map<string, StepRef>();
  const heldSteps = new Map<string, StepRef[]>();
  for (const { id, address: other, action, needs, after } of steps) {
    const ref = { id, address: other, action };
    if (awaited.has(id)) refs.set(id, ref);
    if (other === address) continue;
    for (const waited of [...needs, ...(after ?? [])]) {
      if (!ids.has(waited)) continue;
      const list = heldSteps.get(waited);
      if (list === undefined) heldSteps.set(waited, [ref]);
      else list.push(ref);
    }
  }
  return objectSteps.map(({ id, action, request, needs, after }) => ({
    id,
    action,
    ...(request === undefined ? {} : { request: `${request.method} ${requestPath(request)}` }),
    waits_for: [...needs, ...(after ?? [])].flatMap((waited) => refs.get(waited) ?? []),
    held_by_it: heldSteps.get(id) ?? [],
  }));
}
