// Tests that the PostgreSQL store keeps the contract of state through a pooler. registered-stores.test.ts tests it without one.
import { describe, test } from 'vitest';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { postgresAddress } from '../../../../src/core/state/stores/postgres.ts';
import { linkTo, type MakeLink } from '../../../../src/core/state/stores/postgres-link.ts';
import { noPostgres, usePostgres } from '../../../support/postgres.ts';
import {
  application,
  now,
  Processes,
  put,
  readBy,
  recordOf,
  refusalOf,
  type StoredPlace,
} from '../../../support/state/fixtures.ts';
import { inSuite } from '../../../support/suite.ts';
import { describeStateBackend } from '../support/conformance.ts';
import { slowed } from '../support/in-turns.ts';

const poolerRuns = 3;

/** The worst that a pooler may do: every transaction gets another connection. */
const pooled: MakeLink = (...to) => ({
  query: async (text, values) => {
    const link = linkTo(...to);
    return link.query(text, values).finally(() => link.close());
  },
  close: () => Promise.resolve(),
});

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();
  let places = 0;

  const place = (): StoredPlace => {
    const processes = new Processes();
    places += 1;
    const spec = `${server().url()}?state=place-${places}`;
    const address = postgresAddress(spec, () => undefined, pooled);
    return {
      start: (reads) => stateBackend(slowed(address, reads), processes.start()),
      connect: () => address.connect(application),
      crash: () => processes.killAll(),
      // Connections of killed processes are closed when the server stops.
      remove: () => {},
    };
  };

  if (inSuite(false, true)) describeStateBackend('postgres: through a pooler', () => place(), poolerRuns);

  test('a state is written, read and locked through a pooler', async ({ expect }) => {
    const { start } = place();
    const writer = await start().open(now);
    await writer.done('1', put('a'));
    expect((await refusalOf(start().open(now))).code).toBe('state.locked');
    await writer.close();
    expect((await readBy(start)).records).toEqual([recordOf('a')]);
  });
});

test.runIf(noPostgres !== undefined)(`skipped, because ${noPostgres}`, ({ skip }) => skip(noPostgres));
