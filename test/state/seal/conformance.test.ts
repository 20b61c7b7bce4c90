// Encrypted states keep the contract of state.
import { describe, test } from 'vitest';
import { fileBackend } from '../../../src/state/file/file.ts';
import { nodeFiles } from '../../../src/state/file/file-system.ts';
import { objectBackend } from '../../../src/state/objects/objects.ts';
import { postgresBackend } from '../../../src/state/postgres/postgres.ts';
import { Sealer } from '../../../src/state/seal/sealer.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { type Place, Processes } from '../../support/state/fixtures.ts';
import { Disk, type Mount } from '../../support/state/simulated-disk.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';
import { describeStateBackend } from '../support/conformance.ts';

const secrets = { write: 'correct horse battery', read: ['correct horse battery'], acceptsPlain: false };
/** Far too little for a real key, and quick. */
const cost = { N: 16, r: 1, p: 1 };
const runs = 40;
const postgresRuns = 5;

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();
  let places = 0;
  describeStateBackend(
    'postgres:, encrypted',
    (): Place => {
      const processes = new Processes();
      places += 1;
      const spec = `${server().url()}?state=sealed-${places}`;
      return {
        start: () => {
          const sealer = new Sealer(secrets, cost);
          return postgresBackend(spec, { ...processes.start(nodeFiles), sealer });
        },
        crash: () => processes.killAll(),
        remove: () => {},
      };
    },
    postgresRuns,
  );
});

test.runIf(noPostgres !== undefined)(`skipped, because ${noPostgres}`, ({ skip }) => skip(noPostgres));

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
        return fileBackend('file:DIR', '/state', { ...processes.start(mount), sealer: new Sealer(secrets, cost) });
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
        const { files: _files, ...context } = processes.start(nodeFiles);
        const sealer = new Sealer(secrets, cost);
        return objectBackend('objects:', () => Promise.resolve(store.connect()), { ...context, sealer });
      },
      crash: () => processes.killAll(),
      remove: () => {},
    };
  },
  runs,
);
