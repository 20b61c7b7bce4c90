// Finds the objects of a saved plan whose calls need another object open that was closed since the plan was made.
//
// One that the calls need was open when the plan was made, or the plan opens it. A needed object that state does not know
// may be managed elsewhere, and is not judged.
import type { JsonObject } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
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

/** `left`: the steps that are left of the plan. */
export function blockedObjects(left: Series<Step>, state: StateSnapshot): BlockedObject[] {
  const opened = new Set<Address>();
  const disabled = new Map<Address, string | undefined>();
  const found: { readonly address: Address; readonly needed: Address; readonly how: string }[] = [];
  for (const step of left) {
    const { address, action } = step;
    if (action === 'reactivate' || action === 'unfreeze') opened.add(address);
    for (const needed of neededBy(step)) {
      if (!disabled.has(needed)) disabled.set(needed, disabledIn(state, needed));
      const how = disabled.get(needed);
      if (how !== undefined) found.push({ address, needed, how });
    }
  }
  const blocked = found.filter(({ needed }) => !opened.has(needed));
  return Array.from(
    new Map(blocked.map(({ address, needed, how }) => [address, `needs ${needed}, which is ${how}`])),
    ([address, what]) => ({ address, what }),
  );
}

function disabledIn(state: StateSnapshot, address: Address): string | undefined {
  const attribute = kindNamed(kindOf(address))?.disabledState.attribute;
  return attribute !== undefined && state.get(address)?.attributes[attribute] === true ? attribute : undefined;
}

/** What the call names, as its entry in state tells; of messages, the channel. */
function* neededBy({ address, phase, request, entry }: Step): Generator<Address> {
  const kind = kindNamed(kindOf(address));
  // What takes rights away, opens, closes or deletes needs nobody open.
  if (kind === undefined || request === undefined || withoutNeeds.has(phase)) return;
  if (kind.isChild === true) {
    for (const holder of registry) {
      if (Object.hasOwn(holder.children ?? {}, kind.section)) yield addressOf(holder.kind, keyOf(address));
    }
    return;
  }
  for (const reference of kind.references(namedIn(entry, address))) yield* addressesOf(reference);
}

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
