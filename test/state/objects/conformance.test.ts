// The backend in object storage keeps the contract of state.

import { nodeFiles } from '../../../src/state/file/file-system.ts';
import { objectBackend } from '../../../src/state/objects/objects.ts';
import { type Place, Processes } from '../../support/state/fixtures.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';
import { describeStateBackend } from '../support/conformance.ts';

describeStateBackend('objects in memory', (): Place => {
  const processes = new Processes();
  const store = new SimulatedStore(processes.clock);
  return {
    start: () => {
      const { files: _files, ...context } = processes.start(nodeFiles);
      return objectBackend('objects:', () => Promise.resolve(store.connect()), context);
    },
    crash: () => processes.killAll(),
    remove: () => {},
  };
});
