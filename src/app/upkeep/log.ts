// Shows the audit trail of a state, and checks that no entry was removed or edited.
import { openState } from '../session/open-state.ts';
import { readTrail, type TrailEntry, type TrailFault, trailDigest, verifyTrail } from '../trail/trail.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

export interface StateLog {
  /** The name of the state. */
  readonly state: string;
  readonly entries: readonly TrailEntry[];
  readonly faults: readonly TrailFault[];
  /** Of the last entry, and so of all. Absent without an entry. */
  readonly digest: string | undefined;
}

export async function stateLog(options: UpkeepOptions, ports: UpkeepPorts): Promise<StateLog> {
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports);
  const snapshot = await backend.read(application);
  return {
    state: backend.name,
    entries: readTrail(snapshot),
    faults: verifyTrail(snapshot),
    digest: trailDigest(snapshot),
  };
}
