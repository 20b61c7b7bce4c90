// Support: where PostgreSQL is tested as a store of state. postgres-chaos.long.test.ts kills its writers.
import { noPostgres, startPostgres } from '../../../support/postgres.ts';
import type { StorePlace } from '../../support/store-place.ts';

const embedded: StorePlace = {
  name: 'PostgreSQL',
  missing: noPostgres,
  isFast: true,
  start: async () => {
    const server = await startPostgres(['-c', 'fsync=off'], false);
    let count = 0;
    return { newSpec: () => `${server.url()}?state=place-${++count}`, env: {}, stop: () => server.remove() };
  },
};

export const places: readonly StorePlace[] = [embedded];
