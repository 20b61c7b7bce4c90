// Reads the live values of declared objects, for adopt and rebuild (semantics §4.5, §4.6).

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { textOf } from '../../kinds/definition/values.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ComparedValues } from '../../model/people/comparison.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { recordAsFound } from '../../planner/diff/adoption.ts';
import { withoutEnded } from '../../planner/diff/expiry.ts';
import { ComparisonTally } from '../../planner/live/comparison-tally.ts';
import { keepOf } from '../../planner/live/observation.ts';
import { declaredAttributes, differingFromDeclared } from '../../planner/live/observed-state.ts';
import type { UnreadCounts } from '../../refresh/each-reads.ts';
import { messages } from '../../resources/messages/messages.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests } from '../context/refusals.ts';
import { readSubjects } from './refresh.ts';

/** What was not compared of all found objects, and what the platform does not offer, by `SECTION` or `SECTION.ATTRIBUTE`. */
export interface ReadGaps {
  readonly not_compared: ComparedValues['not_compared'];
  readonly lacked: UnreadCounts;
}

interface FoundObject {
  readonly kind: KindDefinition;
  /** The declared attributes with their live values, so that the next plan shows every difference. */
  readonly record: StateRecord;
  /** Names of attributes in which the object differs from what is declared. */
  readonly differs: readonly string[];
  readonly not_compared: ComparedValues['not_compared'];
}

/** `absent`: not on the platform. `unread`: the platform does not offer the read. */
export type FoundOrNot = FoundObject | 'absent' | 'unread';

/**
 * `isKnown` means that the objects probably exist. Calls `take` for each resource. Returns what was not read. Refused (65) when an
 * history file is declared for a channel that does not store messages.
 */
export async function readAsFound(
  { resources, isKnown }: { readonly resources: Iterable<Resource>; readonly isKnown: boolean },
  { policy, resources: declared }: LoadedManifest,
  application: Application,
  ports: Ports,
  take: (resource: Resource, readResult: FoundOrNot) => void,
): Promise<ReadGaps> {
  const ephemeral = new Set<Address>();
  const subjects = function* () {
    for (const resource of resources) {
      const { address, attributes } = resource;
      yield { address, isKnown, wants: (name: string) => attributes[name] !== undefined, resource };
    }
  };
  const reads = { application, mostEach: policy.read_each, mayLack: true } as const;
  const ofAll = new ComparisonTally();
  const { lacked } = await readSubjects(subjects, reads, ports, (kind, subject, live, now) => {
    const { resource } = subject;
    if (live.isUnread === true) return take(resource, 'unread');
    const liveObservation = live.exists ? keepOf(kind, undefined, resource, live) : undefined;
    // What others imposed after the end of a declared ban or mute is not managed, so the next plan must not lift it.
    const inForce = withoutEnded(kind, { resource, record: undefined, observation: liveObservation }, now.getTime());
    const { resource: declaredNow = resource, observation } = inForce;
    if (observation === undefined) return take(resource, 'absent');
    if (live.attributes.is_ephemeral === true) ephemeral.add(resource.address);
    const record = recordAsFound(kind, declaredNow, observation);
    const differs = differingFromDeclared(kind, declaredAttributes(kind, declaredNow), record.attributes);
    const tally = new ComparisonTally();
    for (const one of [tally, ofAll]) one.add(kind, subject, live);
    take(resource, { kind, record, differs, not_compared: tally.end().not_compared });
  });
  refuseUnstoredHistoryFiles(declared, ephemeral);
  return { not_compared: ofAll.end().not_compared, lacked };
}

/** Refused (65) for history files of `ephemeral` channels, as if they were declared ephemeral. */
function refuseUnstoredHistoryFiles(resources: Iterable<Resource>, ephemeral: ReadonlySet<Address>): void {
  if (ephemeral.size === 0) return;
  const diagnostics: Diagnostic[] = [];
  for (const { address, attributes: after, source } of resources) {
    const key = keyOf(address);
    if (kindOf(address) !== messages.name || !ephemeral.has(addressOf(textOf(after, 'channel') ?? '', key))) continue;
    const parent = () => ({ is_ephemeral: true });
    const problems = messages.checks({ type: 'create', address, key, before: {}, after, attributes: [], parent });
    for (const { path: _history_file, ...problem } of problems) diagnostics.push({ ...problem, address, source });
  }
  if (diagnostics.length > 0) throw invalidManifests(diagnostics);
}
