// Tests that the reference lists exactly the codes that the sources use.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestCodes } from '../../../src/cli/reference/manifest-codes.ts';
import { runCodes } from '../../../src/cli/reference/run-codes.ts';

const src = new URL('../../../src/', import.meta.url).pathname;
const registered = new Set([...Object.keys(manifestCodes), ...Object.keys(runCodes)]);
const families = new Set([...registered].filter((code) => code.includes('.')).map((code) => code.split('.')[0]));
/** Of the same shape: file names, and effects that budgets count. */
const noCodes = new Set(['plan.json', 'state.ndjson', 'group_channel.leave']);

const used = new Set(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^(?:emulator|cli\/reference)\//u.test(path))
    .filter((path) => path !== 'manifest/codes.ts')
    .flatMap((path) => {
      const text = readFileSync(join(src, path), 'utf8');
      return [...text.matchAll(/'([a-z_-]+)\.(?!ya?ml'|ndjson')([a-z0-9]+(?:-[a-z0-9]+)*)'/gu)].flatMap(
        ([, family = '', rest = '']) =>
          families.has(family) && !noCodes.has(`${family}.${rest}`) ? [`${family}.${rest}`] : [],
      );
    }),
);

test('every code that is used is explained', () => {
  expect([...used].filter((code) => !registered.has(code)).sort()).toEqual([]);
});

test('every code that is explained is used', () => {
  const general = ['usage', 'internal', 'unexpected'];
  expect([...registered].filter((code) => !used.has(code) && !general.includes(code)).sort()).toEqual([]);
});

test('families of codes that the reference does not know are found, too', () => {
  const shapes = /(?:new Refusal\(|\bcode:)\s*'([a-z_.-]+)'/gu;
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('emulator/'))
    .flatMap((path) => [...readFileSync(join(src, path), 'utf8').matchAll(shapes)].map(([, code = '']) => code));
  expect(found.length).toBeGreaterThan(50);
  expect([...new Set(found)].filter((code) => !registered.has(code))).toEqual([]);
});
