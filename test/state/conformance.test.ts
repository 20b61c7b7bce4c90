// Tests that every store keeps the contract of state: in memory, in a folder, and on a simulated disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateBackend } from '../../src/state/engine/backend.ts';
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

describeStateBackend('a store that can do everything wrong', (): Place => {
  const processes = new Processes();
  const store = new SimulatedStore(processes.clock);
  return {
    start: () => backendOn(store.connect(), processes.start()),
    crash: () => processes.killAll(),
    remove: () => {},
  };
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

describeStateBackend('file:DIR on a simulated disk', (): Place => {
  const disk = new Disk();
  const processes = new Processes();
  let mounts: Mount[] = [];
  return {
    start: () => {
      const mount = disk.mount();
      mounts.push(mount);
      return stateBackend(folderAddress('file:DIR', '/state', mount), processes.start());
    },
    crash: () => {
      processes.killAll();
      for (const mount of mounts) mount.die();
      mounts = [];
    },
    remove: () => {},
  };
});
