// Tests that a plain manifest loads no module it does not need: what load.ts imports at once, and what that imports.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Packages that a module loads at once, with all modules below it; types and imports on demand do not count. */
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

test('reads a plain manifest with the yaml package alone: no schema compiler, CSV parser or globs', () => {
  const packages = packagesOf(join(import.meta.dirname, '../../src/manifest/load.ts'));
  expect([...packages].filter((name) => !name.startsWith('node:')).sort()).toEqual(['yaml']);
});
