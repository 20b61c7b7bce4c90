// Finds objects of a saved plan that need another object which was disabled or deleted since the plan was made.
//
// Every needed object was enabled when the plan was made, or the plan enables it, and the plan lists those that were in state.
// Other objects that are not in state may be managed elsewhere and are not checked.

import type { JsonObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import { addressesOf } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { applyEntry, type RecordEdit, type StateEntry } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { findKind } from '../../resources/index.ts';

/** An object whose steps cannot run, and the reason: `needs user.bob, which is deactivated`. */
export interface BlockedObject {
  readonly address: Address;
  readonly what: string;
}

/** `remaining` has the steps of the plan that are not done. */
export function blockedObjects(
  remaining: Series<Step>,
  { steps, needed }: Pick<Plan, 'steps' | 'needed'>,
  state: StateSnapshot,
): BlockedObject[] {
  const candidates = [...namedDisabled(remaining, state), ...neededAndLost(needed ?? [], state)];
  // Usually nothing is missing, and no second pass over the steps is needed.
  if (candidates.length === 0) return [];
  const opened = new Set<Address>();
  const created = new Set<Address>();
  const working = new Set<Address>();
  // What needs an object enabled precedes its disabling in the same plan, so the remaining steps do not.
  const closedAsPlanned = closedBy(steps);
  for (const address of closedBy(remaining)) closedAsPlanned.delete(address);
  for (const { address, action, phase, request } of remaining) {
    if (action === 'reactivate' || action === 'unfreeze') opened.add(address);
    if (action === 'create') created.add(address);
    if (request !== undefined && !withoutNeeds.has(phase)) working.add(address);
  }
  const blocked = candidates.filter(({ address, needs, how }) => {
    if (!working.has(address)) return false;
    return how === 'gone' ? !created.has(needs) : !opened.has(needs) && !closedAsPlanned.has(needs);
  });
  return Array.from(
    new Map(blocked.map(({ address, needs, how }) => [address, `needs ${needs}, which is ${how}`])),
    ([address, what]) => ({ address, what }),
  );
}

/** The objects that the steps disable. */
function closedBy(steps: Series<Step>): Set<Address> {
  const closed = new Set<Address>();
  for (const { address, action } of steps) if (action === 'deactivate' || action === 'freeze') closed.add(address);
  return closed;
}

interface Lack {
  readonly address: Address;
  readonly needs: Address;
  /** `gone`, or the attribute that marks it as disabled. */
  readonly how: string;
}

/** Objects that the calls name and that are disabled in state. */
function* namedDisabled(remaining: Series<Step>, state: StateSnapshot): Generator<Lack> {
  if (state.size === 0) return;
  const disabled = new Map<Address, string | undefined>();
  for (const step of remaining) {
    for (const needs of namedBy(step)) {
      if (!disabled.has(needs)) disabled.set(needs, disabledIn(state, needs));
      const how = disabled.get(needs);
      if (how !== undefined) yield { address: step.address, needs, how };
    }
  }
}

/** Listed objects that are no longer in state. Senders of a history file appear in no step, so they must not be disabled either. */
function* neededAndLost(needed: NonNullable<Plan['needed']>, state: StateSnapshot): Generator<Lack> {
  for (const [address, others] of needed) {
    const isChild = findKind(address)?.isChild === true;
    for (const needs of others) {
      const how = state.get(needs) === undefined ? 'gone' : isChild ? disabledIn(state, needs) : undefined;
      if (how !== undefined) yield { address, needs, how };
    }
  }
}

function disabledIn(state: StateSnapshot, address: Address): string | undefined {
  const attribute = findKind(address)?.disabledState.attribute;
  return attribute !== undefined && state.get(address)?.attributes[attribute] === true ? attribute : undefined;
}

/** The objects that a call names, according to its entry in state. */
function* namedBy({ address, phase, request, entry }: Step): Generator<Address> {
  const kind = findKind(address);
  if (kind === undefined || request === undefined || withoutNeeds.has(phase)) return;
  for (const reference of kind.references?.(namedIn(entry, address)) ?? []) yield* addressesOf(reference);
}

/** Phases that remove rights, enable, disable or delete need no other object. */
const withoutNeeds: ReadonlySet<string> = new Set([
  'revoke',
  'open',
  'reopen',
  'freeze',
  'deactivate',
  'delete_channel',
  'delete_user',
]);

/** The attributes that the entry changes. A removed entry of a map still names its key. */
function namedIn(entry: StateEntry, address: Address): JsonObject {
  if (entry.type === 'put') return entry.record.attributes;
  if (entry.type === 'delete') return {};
  const edits = entry.edits.map(
    (edit): RecordEdit =>
      edit.op === 'unset' && edit.path.length > 1 ? { op: 'set', path: edit.path, value: {} } : edit,
  );
  return applyEntry({ address, attributes: {} }, { ...entry, edits })?.attributes ?? {};
}
