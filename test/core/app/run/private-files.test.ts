// Tests that only the owner can read tokens and events, even in an existing file.
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEventFile } from '../../../../src/cli/output/event-file.ts';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { openTokenSink } from '../../../../src/core/app/run/under-lock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test.for([
  ['tokens', (file: string) => openTokenSink('/', file)],
  ['events', (file: string) => openEventFile(file, { cwd: '/', stderr: process.stderr }, nodeClock)],
] as const)('%s', async ([name, open]) => {
  const file = join(await temporaryFolder({}), name);
  await writeFile(file, '');
  await chmod(file, 0o644);
  await (await open(file)).close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
