// Support: where folders are tested as stores of state. folder-crash.test.ts and folder-killed.test.ts kill their writers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorePlace } from '../../support/store-place.ts';

const folder: StorePlace = {
  name: 'file:DIR',
  missing: undefined,
  isFast: true,
  start: async () => {
    const path = await mkdtemp(join(tmpdir(), 'chatform-state-'));
    let count = 0;
    return {
      newSpec: () => `file:${path}/state-${++count}`,
      env: {},
      stop: () => rm(path, { recursive: true }),
    };
  },
};

export const places: readonly StorePlace[] = [folder];
