// Tests that the package and the pages name the stores of the one list, and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type StoreForm, stores } from '../../../src/core/model/stores/places.ts';

const project = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const listed: readonly (readonly [string, StoreForm])[] = Object.entries(stores);
const packages = [...new Set(listed.flatMap(([, store]) => store.packages.split(' ').filter((name) => name !== '')))];

describe('the list of stores', () => {
  test('has the packages that package.json offers, all of them optional', () => {
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json')) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
      readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
    };
    // chatform mcp and the reading of tables from MySQL need one each.
    const others = ['@modelcontextprotocol/server', 'mysql2'];
    const ofStores = Object.keys(peerDependencies).filter((name) => !others.includes(name));
    expect(ofStores.sort()).toEqual([...packages].sort());
    for (const name of ofStores) expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  });

  test.for(['src/core/state/README.md', 'examples/operations/move-state-to-a-bucket/README.md'])(
    '%s names each bucket with its packages',
    (path) => {
      const text = read(path);
      for (const [scheme, store] of listed.filter(([, { isBucket }]) => isBucket)) {
        expect(text).toContain(`${scheme}://`);
        for (const name of store.packages.split(' ')) expect(text).toContain(name);
      }
    },
  );

  test.for(['src/core/state/README.md', 'src/semantics.md'])(
    '%s names each place for a state, and no other',
    (path) => {
      const found = [...read(path).matchAll(/`([a-z0-9]+):\/\/[A-Z…]/gu)].map(([, scheme = '']) => scheme);
      // The other spelling of PostgreSQL is accepted but not offered.
      const offered = listed.flatMap(([scheme]) => (['file', 'postgresql'].includes(scheme) ? [] : [scheme]));
      expect(new Set(found)).toEqual(new Set(offered));
    },
  );
});
