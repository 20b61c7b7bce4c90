// Support: where PostgreSQL is tested as a store of state. postgres-chaos.long.test.ts kills its writers.
import { newDatabase, noPostgres } from '../../../../support/postgres.ts';
import type { StorePlace } from '../../support/store-place.ts';

const embedded: StorePlace = {
  name: 'PostgreSQL',
  missing: noPostgres,
  isFast: true,
  start: async () => {
    const { url } = await newDatabase();
    let count = 0;
    return { newSpec: () => `${url()}?state=place-${++count}`, env: {}, stop: async () => {} };
  },
};

export const places: readonly StorePlace[] = [embedded];
