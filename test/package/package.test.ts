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

test('src/decisions.md says of each package that users install what it is for', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await read('package.json'));
  const [, section = ''] = (await read('src/decisions.md')).split('## Packages');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]+) \|/gmu)].map(([, cell = '']) => cell);
  const namesIn = (cells: readonly string[]) =>
    cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name)).sort();
  const isOptional = (cell: string) => cell.includes('*optional*');
  expect(namesIn(rows.filter((cell) => !isOptional(cell)))).toEqual(Object.keys(dependencies).sort());
  expect(namesIn(rows.filter(isOptional))).toEqual(Object.keys(peerDependencies).sort());
});
