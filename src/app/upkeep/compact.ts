// Compacts a state.
import { openState } from '../session/open-state.ts';
import { applicationMeant, type UpkeepOptions, type UpkeepPorts } from './identity.ts';

/** Folds the journals into the snapshot, where the end of a run has not done it. */
export async function compactState(
  options: UpkeepOptions,
  ports: UpkeepPorts,
): Promise<{ readonly state: string; readonly records: number }> {
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports);
  const writer = await backend.open({ application, lockTimeoutMs: options.lockTimeoutMs ?? 0 });
  const { size: records } = writer;
  await writer.compact();
  return { state: backend.name, records };
}
