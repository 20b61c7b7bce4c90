// The backends in files and in memory keep the contract of state.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileBackend } from '../../src/state/file/file.ts';
import { type GrowingFile, nodeFiles, type StateFiles } from '../../src/state/file/file-system.ts';
import { memoryBackend } from '../../src/state/memory.ts';
import type { UpkeepBackend } from '../../src/state/upkeep.ts';
import { type Place, Processes } from '../support/state/fixtures.ts';
import { Disk, type Mount } from '../support/state/simulated-disk.ts';
import { describeStateBackend } from './support/conformance.ts';

describeStateBackend('memory:', (): Place => {
  const backend = memoryBackend(new Processes().start(nodeFiles));
  return { start: () => backend, crash: () => backend.crash(), remove: () => {} };
});

describeStateBackend(
  'file:DIR',
  (): Place => {
    const path = mkdtempSync(join(tmpdir(), 'chatform-state-'));
    const processes = new Processes();
    let open: GrowingFile[] = [];
    const files: StateFiles = {
      ...nodeFiles,
      create: async (name) => {
        const file = await nodeFiles.create(name);
        open.push(file);
        return file;
      },
    };
    const crash = () => {
      processes.killAll();
      for (const file of open) void file.close();
      open = [];
    };
    return {
      start: () => fileBackend('file:DIR', join(path, 'state'), processes.start(files)),
      crash,
      remove: () => {
        crash();
        rmSync(path, { recursive: true });
      },
    };
  },
  25,
);

describeStateBackend('file:DIR on a simulated disk', (): Place => {
  const disk = new Disk();
  const processes = new Processes();
  let mounts: Mount[] = [];
  return {
    start: (): UpkeepBackend => {
      const mount = disk.mount();
      mounts.push(mount);
      return fileBackend('file:DIR', '/state', processes.start(mount));
    },
    crash: () => {
      processes.killAll();
      for (const mount of mounts) mount.die();
      mounts = [];
    },
    remove: () => {},
  };
});
