// Tests that everything a real process acknowledged is there after it is killed while it writes.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { application } from '../../../support/state/fixtures.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { backendAt } from '../support/backend-at.ts';
import { killedWriter } from '../support/writers.ts';

test('kill -9 loses nothing acknowledged, the next process gets the lock at once, and files are private', async () => {
  const parent = await temporaryFolder();
  const path = join(parent, 'a', 'state');
  const spec = `file:${path}`;
  const acknowledged: string[] = [];
  for (const [round, entries] of [1_000, 200].entries()) {
    acknowledged.push(...(await killedWriter({ spec, entries, leaseMs: 60_000 }, `r${round}`)));
    const snapshot = await backendAt(spec).read(application);
    for (const key of acknowledged) expect(snapshot.get(`user.${key}`)?.address).toBe(`user.${key}`);
  }
  expect(acknowledged.length).toBeGreaterThan(500);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(parent, 'a')).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
});
