// Tests that encrypted states keep the contract of state.
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { Sealer } from '../../../src/state/seal/sealer.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { backendOn, type Place, Processes } from '../../support/state/fixtures.ts';
import { Disk, type Mount } from '../../support/state/simulated-disk.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';
import { describeStateBackend } from '../support/conformance.ts';

const secrets = { write: 'correct horse battery', read: ['correct horse battery'], acceptsPlain: false };
/** Far too weak for a real key, but quick. */
const cost = { N: 16, r: 1, p: 1 };
const runs = 10;

describeStateBackend(
  'file:DIR, encrypted, on a simulated disk',
  (): Place => {
    const disk = new Disk();
    const processes = new Processes();
    let mounts: Mount[] = [];
    return {
      start: () => {
        const mount = disk.mount();
        mounts.push(mount);
        return stateBackend(folderAddress('file:DIR', '/state', mount), {
          ...processes.start(),
          sealer: new Sealer(secrets, cost),
        });
      },
      crash: () => {
        processes.killAll();
        for (const mount of mounts) mount.die();
        mounts = [];
      },
      remove: () => {},
    };
  },
  runs,
);

describeStateBackend(
  'objects in memory, encrypted',
  (): Place => {
    const processes = new Processes();
    const store = new SimulatedStore(processes.clock);
    return {
      start: () => {
        const context = processes.start();
        const sealer = new Sealer(secrets, cost);
        return backendOn(store.connect(), { ...context, sealer });
      },
      crash: () => processes.killAll(),
      remove: () => {},
    };
  },
  runs,
);
