// Tests that the PostgreSQL store keeps the contract of state.
import { describe, test } from 'vitest';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { linkTo, type MakeLink } from '../../../src/state/stores/postgres-link.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import {
  application,
  contentsOf,
  type Place,
  Processes,
  put,
  recordOf,
  refusalOf,
} from '../../support/state/fixtures.ts';
import { inSuite } from '../../support/suite.ts';
import { describeStateBackend } from '../support/conformance.ts';

const runs = inSuite(5, 25);
const poolerRuns = 3;

/** The worst that a pooler may do: every transaction gets another connection. */
const pooled: MakeLink = (...to) => {
  const once = async <T>(work: (link: ReturnType<MakeLink>) => Promise<T>): Promise<T> => {
    const link = linkTo(...to);
    try {
      return await work(link);
    } finally {
      await link.close();
    }
  };
  return {
    query: (text, values) => once((link) => link.query(text, values)),
    close: () => Promise.resolve(),
  };
};

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();
  let places = 0;

  const place = (link: MakeLink): Place => {
    const processes = new Processes();
    places += 1;
    const spec = `${server().url()}?state=place-${places}`;
    return {
      start: () =>
        stateBackend(
          postgresAddress(spec, () => undefined, link),
          processes.start(),
        ),
      crash: () => processes.killAll(),
      // Connections of killed processes are closed when the server stops.
      remove: () => {},
    };
  };

  describeStateBackend('postgres:', () => place(linkTo), runs);
  if (inSuite(false, true)) describeStateBackend('postgres: through a pooler', () => place(pooled), poolerRuns);

  test('a state is written, read and locked through a pooler', async ({ expect }) => {
    const { start } = place(pooled);
    const writer = await start().open({ application, lockTimeoutMs: 0 });
    await writer.done('1', put('a'));
    expect((await refusalOf(start().open({ application, lockTimeoutMs: 0 }))).code).toBe('state.locked');
    await writer.close();
    expect(contentsOf(await start().read(application)).records).toEqual([recordOf('a')]);
  });
});

test.runIf(noPostgres !== undefined)(`skipped, because ${noPostgres}`, ({ expect }) => {
  expect(noPostgres).not.toBe('');
});
