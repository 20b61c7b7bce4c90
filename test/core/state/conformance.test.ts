// Tests that the contract of state is kept in memory, on a simulated disk and in a simulated store, in plain text and encrypted.
// stores/registered-stores.test.ts tests the stores that users name.
import { describe } from 'vitest';
import { stateBackend } from '../../../src/core/state/engine/backend.ts';
import { folderAddress } from '../../../src/core/state/stores/folder.ts';
import { type MemoryBackend, memoryBackend } from '../../../src/core/state/stores/memory.ts';
import { addressOf, application, type Place, Processes, type StoredPlace } from '../../support/state/fixtures.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';
import { describeCore, describeStateBackend } from './support/conformance.ts';
import { slowed } from './support/in-turns.ts';
import { Machine } from './support/machine.ts';
import { sealerOf } from './support/sealers.ts';

describeCore('memory:', (): Place<MemoryBackend> => {
  const backend = memoryBackend(new Processes().start());
  return { start: () => backend, crash: () => backend.crash(), remove: () => {} };
});

describe.for([
  { ending: '', seal: {}, runs: undefined },
  { ending: ', encrypted', seal: { sealer: sealerOf('correct horse battery') }, runs: 10 },
])('state$ending', ({ ending, seal, runs }) => {
  describeStateBackend(
    `a store that can do everything wrong${ending}`,
    (): StoredPlace => {
      const processes = new Processes();
      const store = new SimulatedStore(processes.clock);
      return {
        connect: async () => store.connect(),
        start: (reads) => stateBackend(slowed(addressOf(store.connect()), reads), { ...processes.start(), ...seal }),
        crash: () => processes.killAll(),
        remove: () => {},
      };
    },
    runs,
  );

  describeStateBackend(
    `file:DIR on a simulated disk${ending}`,
    (): StoredPlace => {
      const machine = new Machine();
      return {
        start: (reads) => machine.start({ ...seal, reads }).backend,
        connect: () => folderAddress('file:s', '/s', machine.disk.mount()).connect(application),
        crash: () => machine.crash(),
        remove: () => {},
      };
    },
    runs,
  );
});
