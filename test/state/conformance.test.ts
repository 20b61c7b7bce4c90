// Tests that every store keeps the contract of state, in plain text and encrypted: in memory, in a folder, on a simulated disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stateBackend } from '../../src/state/engine/backend.ts';
import { Sealer } from '../../src/state/seal/sealer.ts';
import { folderAddress } from '../../src/state/stores/folder.ts';
import { type MemoryBackend, memoryBackend } from '../../src/state/stores/memory.ts';
import { backendOn, type Place, Processes } from '../support/state/fixtures.ts';
import { Disk, type Mount } from '../support/state/simulated-disk.ts';
import { SimulatedStore } from '../support/state/simulated-store.ts';
import { describeCore, describeStateBackend } from './support/conformance.ts';

describeCore('memory:', (): Place<MemoryBackend> => {
  const backend = memoryBackend(new Processes().start());
  return { start: () => backend, crash: () => backend.crash(), remove: () => {} };
});

describeStateBackend(
  'file:DIR',
  (): Place => {
    const path = mkdtempSync(join(tmpdir(), 'chatform-state-'));
    const processes = new Processes();
    return {
      start: () => stateBackend(folderAddress('file:DIR', join(path, 'state')), processes.start()),
      crash: () => processes.killAll(),
      remove: () => rmSync(path, { recursive: true }),
    };
  },
  10,
);

const secrets = { write: 'correct horse battery', read: ['correct horse battery'], acceptsPlain: false };
/** Far too weak for a real key, but quick. */
const cost = { N: 16, r: 1, p: 1 };

describe.for([
  { ending: '', seal: {}, runs: undefined },
  { ending: ', encrypted', seal: { sealer: new Sealer(secrets, cost) }, runs: 10 },
])('state$ending', ({ ending, seal, runs }) => {
  describeStateBackend(
    `a store that can do everything wrong${ending}`,
    (): Place => {
      const processes = new Processes();
      const store = new SimulatedStore(processes.clock);
      return {
        start: () => backendOn(store.connect(), { ...processes.start(), ...seal }),
        crash: () => processes.killAll(),
        remove: () => {},
      };
    },
    runs,
  );

  describeStateBackend(
    `file:DIR on a simulated disk${ending}`,
    (): Place => {
      const disk = new Disk();
      const processes = new Processes();
      let mounts: Mount[] = [];
      return {
        start: () => {
          const mount = disk.mount();
          mounts.push(mount);
          return stateBackend(folderAddress('file:DIR', '/state', mount), { ...processes.start(), ...seal });
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
});
