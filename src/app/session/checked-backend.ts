// A state that a newer chatform has written is neither read nor changed: it may hold what this version does not know.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { UpkeepBackend } from '../../state/upkeep.ts';
import { version as ours } from '../../version.ts';
import { isNewer, versionOf } from '../trail/trail.ts';

/** Its `read`, `open` and `breakLock` are refused (1) when the state has been written by a newer version. */
export function checkedBackend(backend: UpkeepBackend, version = ours): UpkeepBackend {
  const check = (state: StateSnapshot): void => {
    const found = versionOf(state);
    if (found !== undefined && isNewer(found, version)) throw newerVersion(backend.name, found, version);
  };
  return {
    name: backend.name,
    holdsMany: backend.holdsMany,
    applications: () => backend.applications(),
    holder: (application) => backend.holder(application),
    breakLock: async (application, epoch, work) => {
      check(await backend.read(application));
      return backend.breakLock(application, epoch, work);
    },
    read: async (application) => {
      const snapshot = await backend.read(application);
      check(snapshot);
      return snapshot;
    },
    open: async (options) => {
      const writer = await backend.open(options);
      try {
        check(writer);
        return writer;
      } catch (error) {
        await writer.close();
        throw error;
      }
    },
  };
}

function newerVersion(state: string, found: string, version: string): Refusal {
  return new Refusal(
    'state.newer-version',
    exitCode.unexpected,
    `The state ${state} was written by chatform ${found}, and this is ${version}.`,
    'An older version may not know what a newer one has stored. Nothing was changed. Run that version, or a newer one.',
  );
}
