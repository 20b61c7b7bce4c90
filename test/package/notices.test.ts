// Tests that the package passes on the licences of what it contains, and that all that it installs is compatible with its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { licenceText, noticesOf } from '../config/notices.ts';

const project = join(import.meta.dirname, '../..');
const inDist = (name: string) => join(inject('installed'), 'dist', name);

/** Licences of code that may be passed on together with code under Apache-2.0, on no condition but that their texts stay. */
const compatible = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

interface Locked {
  readonly license?: string;
  readonly dev?: true;
}

const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);

test('each package that users install has a compatible licence', () => {
  expect(production.length).toBeGreaterThan(10);
  const others = production.filter(([, { license = '' }]) => !compatible.includes(license));
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('the licence of package.json is the one whose text is in the package', () => {
  const { license } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { readonly license: string };
  expect(license).toBe('Apache-2.0');
  expect(readFileSync(join(project, 'src/LICENSE'), 'utf8')).toMatch(/^\s+Apache License\n\s+Version 2\.0, /u);
});

test('the notices contain the licence of each package whose code is in a bundle', () => {
  const notices = readFileSync(inDist('NOTICES.txt'), 'utf8');
  for (const name of ['ajv', 'emoji-datasource', 'fast-deep-equal', 'gemoji', 'yaml']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'mu'));
    expect(notices).toContain(licenceText(join(project, 'node_modules', name)).trim());
  }
  // The maps name the sources of the bundles, and each generated file the packages whose code or data it has.
  const maps = readdirSync(inDist(''), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js\.map|cjs)$/u.test(name),
  );
  expect(noticesOf(maps.map((name) => readFileSync(inDist(name), 'utf8')))).toBe(notices);
});

test('code of a package without a licence is not bundled', () => {
  expect(() => noticesOf(['/project/node_modules/no-such-package/index.js'])).toThrow('no-such-package');
});
