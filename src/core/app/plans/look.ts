// Reads the live objects that a plan starts from.
import type { JsonObject } from '../../../lib/json.ts';
import { addressesOf } from '../../kinds/definition/kind.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import { objectRecords } from '../../model/addressed-series.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Selection } from '../../planner/targets.ts';
import { findKind, registry } from '../../resources/index.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import { nowOf, planManifests, type RefreshReach } from './plan-manifests.ts';
import type { Live, RefreshRules } from './refresh.ts';

export interface LookOptions {
  /** Undefined: nothing is read. */
  readonly reach: RefreshReach | undefined;
  /** Absent: everything. */
  readonly selection?: Selection | undefined;
  /** Whether to read only objects in state. */
  readonly onlyKnown?: boolean;
}

/**
 * The live objects, for the rules of a request (`ownRules`) as well: the platform is read once for both. Empty if none are to be
 * read, and then the code that reads is not loaded. Refused as `refresh`.
 */
export async function lookAt(
  declared: RefreshRules,
  ownRules: RefreshRules | undefined,
  state: StateSnapshot,
  options: LookOptions,
  ports: Ports,
): Promise<{ readonly live?: Live; readonly ownLive?: Live }> {
  const { manifest, application } = declared;
  const { reach, selection } = options;
  if (reach === undefined) return {};
  const changed = reach === 'changed' ? changedObjects(manifest, application, state, selection, ports) : undefined;
  if (changed?.size === 0 && (manifest.policy.adopt ?? []).length === 0) return {};
  const { refreshByBoth } = await import('./refresh.ts');
  for (;;) {
    const looked = await refreshByBoth(declared, ownRules, state, { ...options, changed }, ports);
    // A user who is gone has left every channel, and a channel takes its history with it.
    const naming = changed === undefined ? [] : namingGone(manifest, state, changed, looked.live);
    if (changed === undefined || naming.length === 0) return looked;
    for (const address of naming) changed.add(address);
  }
}

/** The objects that name an object which was read and is gone, and that were not read themselves. */
function namingGone(
  { resources }: LoadedManifest,
  state: StateSnapshot,
  changed: ReadonlySet<Address>,
  { observations }: Live,
): Address[] {
  const gone = new Set<Address>();
  for (const address of changed)
    if (state.get(address) !== undefined && observations.get(address)?.exists === false) gone.add(address);
  if (gone.size === 0) return [];
  const naming = new Set<Address>();
  const addIfNaming = ({
    address,
    attributes,
  }: {
    readonly address: Address;
    readonly attributes: JsonObject;
  }): void => {
    if (changed.has(address)) return;
    const references = findKind(address)?.references?.(attributes) ?? [];
    if (references.some((reference) => addressesOf(reference).some((mentioned) => gone.has(mentioned))))
      naming.add(address);
  };
  for (const resource of resources) addIfNaming(resource);
  for (const record of objectRecords(state.records())) if (record.retired !== true) addIfNaming(record);
  return [...naming];
}

/**
 * Plans by state alone and returns the objects that this plan changes, creates or finds impossible. The parent of each is included: a
 * history file is lost with its channel.
 */
function changedObjects(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  selection: Selection | undefined,
  ports: Ports,
): Set<Address> {
  const { plan, problems } = planManifests(manifest, application, state, {
    now: nowOf(ports),
    selection,
    isComparison: true,
  });
  const changed = new Set<Address>();
  const add = (address: Address | undefined): void => {
    if (address === undefined) return;
    changed.add(address);
    for (const { name, children } of registry) {
      if (Object.hasOwn(children ?? {}, kindOf(address))) changed.add(addressOf(name, keyOf(address)));
    }
  };
  for (const { address } of plan.changes) add(address);
  for (const { address } of problems) add(address);
  return changed;
}
