// Tests that every registered store keeps the contract of state at each of its places. Runners at shared ones are killed and paused.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import type { StoreScheme } from '../../../../src/core/model/stores/places.ts';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { openBackend } from '../../../../src/core/state/index.ts';
import type { ServerKind, StoreServer } from '../../../support/object-servers.ts';
import { application, Processes } from '../../../support/state/fixtures.ts';
import { inSuite } from '../../../support/suite.ts';
import { addressAt, backendAt } from '../support/backend-at.ts';
import { describeStateBackend } from '../support/conformance.ts';
import { slowed } from '../support/in-turns.ts';
import { storePlaces } from '../support/store-place.ts';
import { expectKillsLoseNothing, expectPausedWritesNothing } from '../support/writers.ts';

const runs = inSuite(5, 25);
/** A place for which a server must be started takes longer. */
const runsOnServers = 3;

describe.for(storePlaces)('$scheme', ({ scheme, places }) => {
  test('can be tested', () => expect(places).not.toEqual([]));

  for (const { isFast, isShared, ...kind } of places) {
    if (isFast !== true && inSuite(true, false)) continue;
    if (kind.missing === undefined) describePlace(scheme, kind, isShared === true);
    else test(`${kind.name}: skipped, because ${kind.missing}`, ({ skip }) => skip(kind.missing));
  }
});

function describePlace(scheme: StoreScheme, kind: ServerKind, isShared: boolean): void {
  describe(`at ${kind.name}`, () => {
    let server: StoreServer | undefined;
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
      isShared ? runsOnServers : runs,
    );

    test('accepts its address as --state', async () => {
      const { spec, env } = place();
      const context = { clock: nodeClock, owner: { user: 'ci', host: 'h', pid: 1 }, newId: () => 'id', cwd: '.' };
      const backend = await openBackend(spec, { ...context, variable: (name) => env[name] });
      expect(backend.name.startsWith(`${scheme}:`)).toBe(true);
      expect((await backend.read(application)).size).toBe(0);
    });

    if (!isShared) return;

    test('a process that stops in the middle of a request keeps nobody from the store', async () => {
      const { spec, env } = place();
      const { hostname, port } = new URL(new URL(spec).searchParams.get('endpoint') ?? '');
      const paused = connect(Number(port), hostname);
      await once(paused, 'connect');
      paused.write('PUT /chatform-test/paused HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n');
      expect((await backendAt(spec, {}, env).read(application)).size).toBe(0);
      paused.destroy();
    });

    test('a process that is paused past its lease writes nothing more, and says why', () =>
      expectPausedWritesNothing({ ...place(), entries: 20, leaseMs: 3_000 }));

    test('repeated kill -9 loses nothing acknowledged', async () => {
      await expectKillsLoseNothing({ ...place(), entries: 20, leaseMs: 2_000 }, 3);
    });
  });
}
