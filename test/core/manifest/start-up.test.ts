// Tests that loading a plain manifest imports no module that it does not need.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Packages that a module imports statically, directly or not. Types and dynamic imports do not count. */
function packagesOf(path: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(path)) return packages;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(/^import (?!type )([^;]*?)from '([^']+)';/gmsu)) {
    if (/^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/u.test(names)) continue;
    if (!from.startsWith('.')) packages.add(from);
    else for (const name of packagesOf(join(dirname(path), from), seen)) packages.add(name);
  }
  return packages;
}

test('loads only the yaml package for a plain manifest: no schema compiler, CSV parser or globs', () => {
  const packages = packagesOf(join(import.meta.dirname, '../../../src/core/manifest/load.ts'));
  expect([...packages].filter((name) => !name.startsWith('node:')).sort()).toEqual(['yaml']);
});
