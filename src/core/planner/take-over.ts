// Takes over a live object that a create met: first its record, then the calls that make it match its declaration.

import { equalJson, type JsonObject } from '../../lib/json.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { applyEntry, type RecordEdit, type StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import type { Step } from '../model/step.ts';
import { draftUpdate } from './diff/update.ts';
import { asFound, keepOf } from './live/observation.ts';
import { orderAlone } from './order/steps.ts';

/**
 * Returns the steps that replace a create (semantics §4.5, `existing: adopt`). Only declared attributes become managed, and
 * values that no read shows count as declared. Returns undefined if the platform cannot make the object match.
 */
export function takeOverOf(kind: KindDefinition, create: Step, live: JsonObject): readonly Step[] | undefined {
  if (create.entry.type !== 'put') return undefined;
  const { record } = create.entry;
  const resource: Resource = {
    address: record.address,
    attributes: record.attributes,
    lifecycle: record.lifecycle ?? {},
    source: { file: '', line: 1, column: 1 },
  };
  const observation = keepOf(kind, undefined, resource, {
    address: record.address,
    exists: true,
    attributes: kind.observe(live),
    facts: {},
  });
  const attributes = asFound(kind, record.attributes, observation?.attributes ?? {});
  const recordToAdopt = { ...record, attributes, creating: true as const };
  const draft = draftUpdate(kind, resource, recordToAdopt);
  if (draft.problems.some(({ severity }) => severity === 'error')) return undefined;
  const { steps } = orderAlone({ ...draft, completesCreation: false }, { leaveChannels: false });
  const updates = steps.filter(({ request }) => request !== undefined);
  const adopt: Step = {
    id: `${create.id}:adopt`,
    address: create.address,
    action: 'adopt',
    phase: create.phase,
    entry: { type: 'put', record: recordToAdopt },
    needs: [],
    begin: false,
    doneOn: [],
  };
  // A patch, because the updates may have recorded what the platform showed of their values.
  const updated = updates.reduce<StateRecord>((state, { entry }) => applyEntry(state, entry) ?? state, recordToAdopt);
  const last: Step = {
    ...adopt,
    id: `${create.id}:adopted`,
    entry: {
      type: 'patch',
      address: create.address,
      edits: Object.entries(record.attributes).flatMap(([name, value]): RecordEdit[] =>
        equalJson(updated.attributes[name], value) ? [] : [{ op: 'set', path: [name], value }],
      ),
      marks: { creating: record.creating ?? null },
    },
  };
  return [adopt, ...updates.map((step) => ({ ...step, id: `${create.id}:${step.id}` })), last];
}
