// Tests the promises of package.json: one version, supported Node, a lock file without download addresses.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

test('prints the version of package.json', async () => {
  expect(JSON.parse(await read('package.json'))).toMatchObject({ version, engines: { node: '>=20.19' } });
});

test('the lock file contains no download address', async () => {
  expect(await read('package-lock.json')).not.toContain('"resolved": "http');
});
