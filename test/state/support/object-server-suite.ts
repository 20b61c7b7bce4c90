// Support: tests of every store on a server: the contract of state, and runners that are killed and paused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { openBackend } from '../../../src/state/index.ts';
import type { azurite, ObjectServer } from '../../support/object-servers.ts';
import { application, Processes } from '../../support/state/fixtures.ts';
import { addressAt } from './backend-at.ts';
import { describeStateBackend } from './conformance.ts';
import { slowed } from './in-turns.ts';
import { expectKillsLoseNothing, expectPausedWritesNothing } from './writers.ts';

const runs = 3;

export function describeObjectServer(kind: typeof azurite): void {
  if (kind.missing !== undefined) {
    test(`${kind.name}: skipped, because ${kind.missing}`, ({ skip }) => skip(kind.missing));
    return;
  }
  describe(`on ${kind.name}`, () => {
    let server: ObjectServer | undefined;
    beforeAll(async () => {
      server = await kind.start();
    });
    afterAll(() => server?.stop());
    const place = () => {
      if (server === undefined) throw new Error(`${kind.name} does not run`);
      return { spec: server.newSpec(), env: server.env };
    };

    describeStateBackend(
      kind.name,
      () => {
        const processes = new Processes();
        const { spec, env } = place();
        return {
          start: (reads) => stateBackend(slowed(addressAt(spec, env), reads), processes.start()),
          connect: () => addressAt(spec, env).connect(application),
          crash: () => processes.killAll(),
          remove: () => {},
        };
      },
      runs,
    );

    test('accepts its address as --state', async () => {
      const { spec, env } = place();
      const context = { clock: nodeClock, owner: { user: 'ci', host: 'h', pid: 1 }, newId: () => 'id', cwd: '.' };
      const backend = await openBackend(spec, { ...context, variable: (name) => env[name] });
      expect(backend.name).toMatch(/^(?:s3|azblob|gs):\/\/chatform-test\/state-\d+\?endpoint=/u);
      expect((await backend.read(application)).size).toBe(0);
    });

    test('a process that is paused past its lease writes nothing more, and says why', () =>
      expectPausedWritesNothing({ ...place(), entries: 20, leaseMs: 3_000 }));

    test('repeated kill -9 loses nothing acknowledged', async () => {
      await expectKillsLoseNothing({ ...place(), entries: 20, leaseMs: 2_000 }, 3);
    });
  });
}
