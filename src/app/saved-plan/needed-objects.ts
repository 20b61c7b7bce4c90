// Finds the objects of a saved plan whose calls need another object that was closed or deleted since the plan was made.
//
// One that the calls need was open when the plan was made, or the plan opens it; and the plan lists those that were in state.
// Any other that state does not know may be managed elsewhere, and is not judged.
import type { JsonObject } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, kindOf } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { applyEntry, type RecordEdit, type StateEntry } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { addressesOf, type KindDefinition } from '../../resources/define.ts';
import { registry } from '../../resources/index.ts';

/** An object whose work cannot be done, and why: `needs user.bob, which is deactivated`. */
export interface BlockedObject {
  readonly address: Address;
  readonly what: string;
}

/** `left`: the steps that are left of the plan. `needed`: what the plan says that its objects need. */
export function blockedObjects(left: Series<Step>, needed: Plan['needed'], state: StateSnapshot): BlockedObject[] {
  const opened = new Set<Address>();
  const created = new Set<Address>();
  const working = new Set<Address>();
  const found: { readonly address: Address; readonly needed: Address; readonly how: string }[] = [];
  const disabled = new Map<Address, string | undefined>();
  const addDisabled = (address: Address, other: Address) => {
    if (!disabled.has(other)) disabled.set(other, disabledIn(state, other));
    const how = disabled.get(other);
    if (how !== undefined) found.push({ address, needed: other, how });
  };
  for (const step of left) {
    const { address, action, phase, request } = step;
    if (action === 'reactivate' || action === 'unfreeze') opened.add(address);
    if (action === 'create') created.add(address);
    if (request !== undefined && !withoutNeeds.has(phase)) working.add(address);
    for (const other of namedBy(step)) addDisabled(address, other);
  }
  for (const [address, others] of needed ?? []) {
    if (!working.has(address)) continue;
    const isChild = kindNamed(kindOf(address))?.isChild === true;
    for (const other of others) {
      if (state.get(other) === undefined) found.push({ address, needed: other, how: 'gone' });
      // Whose messages an archive holds is in no step.
      else if (isChild) addDisabled(address, other);
    }
  }
  const blocked = found.filter(({ needed, how }) => !(how === 'gone' ? created : opened).has(needed));
  return Array.from(
    new Map(blocked.map(({ address, needed, how }) => [address, `needs ${needed}, which is ${how}`])),
    ([address, what]) => ({ address, what }),
  );
}

function disabledIn(state: StateSnapshot, address: Address): string | undefined {
  const attribute = kindNamed(kindOf(address))?.disabledState.attribute;
  return attribute !== undefined && state.get(address)?.attributes[attribute] === true ? attribute : undefined;
}

/** What the call names, as its entry in state tells. */
function* namedBy({ address, phase, request, entry }: Step): Generator<Address> {
  const kind = kindNamed(kindOf(address));
  if (kind === undefined || request === undefined || withoutNeeds.has(phase)) return;
  for (const reference of kind.references(namedIn(entry, address))) yield* addressesOf(reference);
}

/** What takes rights away, opens, closes or deletes needs nobody. */
const withoutNeeds: ReadonlySet<string> = new Set([
  'revoke',
  'open',
  'reopen',
  'freeze',
  'deactivate',
  'delete_channel',
  'delete_user',
]);

/** The attributes that the entry touches; an entry of a map that is taken out still names its key. */
function namedIn(entry: StateEntry, address: Address): JsonObject {
  if (entry.type === 'put') return entry.record.attributes;
  if (entry.type === 'delete') return {};
  const edits = entry.edits.map(
    (edit): RecordEdit =>
      edit.op === 'unset' && edit.path.length > 1 ? { op: 'set', path: edit.path, value: {} } : edit,
  );
  return applyEntry({ address, attributes: {} }, { ...entry, edits })?.attributes ?? {};
}

function kindNamed(name: string): KindDefinition | undefined {
  return registry.find(({ kind }) => kind === name);
}
