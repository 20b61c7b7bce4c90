// A state whose runs have changed nothing, for example because the first token or base URL was wrong. It has the name of an
// application that it knows nothing of, so the next run takes it over for its own.

import { countObjects } from '../../model/addressed-series.ts';
import { Refusal } from '../../model/errors.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import type { NumberedSnapshot } from '../../state/records/view.ts';
import type { Ports } from './ports.ts';
import { rebound } from './state-contents.ts';
import { readRuns } from './trail.ts';

/** Opens an unused state of another application, bound to the application that is opened. `error` is why it was not opened. */
export async function openUnused(
  backend: UpkeepBackend,
  options: Parameters<UpkeepBackend['open']>[0],
  error: unknown,
  ports: Pick<Ports, 'env' | 'clock'>,
): ReturnType<UpkeepBackend['open']> {
  const { header } = await unusedOf(backend, error);
  const writer = await backend.open({ ...options, application: header?.application ?? options.application });
  // Another run may have used it meanwhile.
  if (isUnused(writer)) await writer.replace(rebound(writer, options.application, ports));
  else await writer.close();
  return backend.open(options);
}

/** The unused state as it is. Throws the error unless it is about the application, and the only state is unused. */
export async function unusedOf(backend: UpkeepBackend, error: unknown): Promise<NumberedSnapshot> {
  if (!(error instanceof Refusal) || error.code !== 'state.other-application') throw error;
  const [application, ...others] = await backend.applications();
  if (application === undefined || others.length > 0) throw error;
  // A state of another application may have another key as well.
  const state = await backend.read(application).catch(() => undefined);
  if (state === undefined || !isUnused(state)) throw error;
  return state;
}

function isUnused(state: StateSnapshot): boolean {
  if (state.pending.length > 0 || countObjects(state.records()) > 0) return false;
  return readRuns(state).every(({ command, counts }) => command === 'state rebind' || counts?.succeeded === 0);
}
