// Tests that documents fit their schemas exactly: each key is described, and a copy with a key renamed, dropped or of another type is
// refused, except for what goldens/accepted-copies.txt lists.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/lib/json.ts';
import { acceptedCopies } from '../support/mutated-copies.ts';
import { closedSchema } from '../support/published-schema.ts';

const folders = ['../core/view/goldens/', '../examples/goldens/'].map((folder) => new URL(folder, import.meta.url));
/** The plans that goldens contain, by file. SARIF has a schema of its own. */
const plans = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /(?<!\.sarif)\.json$/u.test(name))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as JsonValue] as const),
);

test.for(plans)('%s has only keys that the schema describes', ([, plan]) => {
  expect(closedSchema('plan')(plan)).toEqual([]);
});

test('the schema of plans accepts only the altered copies that are listed', async () => {
  const accepted = new Set(plans.flatMap(([, plan]) => acceptedCopies('plan', plan)));
  await expect(`${[...accepted].sort().join('\n')}\n`).toMatchFileSnapshot('goldens/accepted-copies-of-plans.txt');
});
