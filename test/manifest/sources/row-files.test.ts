// Tests of rows in files of any length: across the pieces in which files are read, in several files, in any order; and that
// nothing is held, looked at or read that nobody needs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readLines } from '../../../src/lib/line-reader.ts';
import type { OpenFile } from '../../../src/manifest/files.ts';
import { type LoadedManifest, loadManifests } from '../../../src/manifest/load.ts';
import { readAgain } from '../../../src/manifest/sources/reread.ts';
import { RowShape } from '../../../src/manifest/sources/row-shape.ts';
import { registry } from '../../../src/resources/index.ts';
import { memoryFiles, memoryRoot } from '../../support/memory-files.ts';

/** No text is said to be passed on, so that each row is read in full. */
const oneByOne = registry.map(({ opaqueTexts: _none, ...kind }) => kind);

type Files = Readonly<Record<string, string | Uint8Array>>;

function load(files: Files, kinds: typeof registry = registry): Promise<LoadedManifest> {
  return loadManifests(['.'], { kinds, cwd: memoryRoot, variables: () => undefined, files: memoryFiles(files) });
}

function manifestOf(names: readonly string[], more = ''): string {
  return `version: 1\nsources: [${names.map((file) => `{ kind: user, file: ${file} }`).join(', ')}]\n${more}`;
}

const text = fc.constantFrom('', 'N', 'ünï', '김철수', '🙂', '},{', 'user_id', '\ufeff', '__proto__', '\\u0041');
const odd = fc.constantFrom('N'.repeat(81), 'anna@example.com', '"', '\n', '\ud800', '\u0000');
const id = fc.oneof(
  { weight: 40, arbitrary: fc.nat(5_000).map((number) => `a${number}`) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'toString', '1', '01', '1e5', '', '..', 'a"1', 'x'.repeat(81)) },
);
const forms: readonly ((key: string, one: string, two: string, space: string) => string)[] = [
  (key, one, _two, space) => `{"user_id":${key},"nickname":${one}${space}}`,
  (key, one, two, space) =>
    `{"metadata":{"user_id":${one},"2":${two},"1":"x"},${space}"user_id":${key},"nickname":"N"}`,
  (key, one) => `{"nickname":${one},"user_id":${key},"lifecycle":{"protect":true}}`,
  (key) => `{"user_id":${key}}`,
  (key, one) => `{"user_id":${key},"nickname":${one},"metadata":{"__proto__":"x"}}`,
];
/** Some are so long that few stand in one piece. */
const space = fc.oneof(
  { weight: 20, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' '.repeat(9_000), ' '.repeat(70_000)) },
);
const row = fc
  .tuple(fc.nat(), id, fc.oneof({ weight: 20, arbitrary: text }, { weight: 1, arbitrary: odd }), text, space)
  .map(([form, key, one, two, between]) => {
    const make = forms[form % 19] ?? forms[form % 2];
    return make?.(JSON.stringify(key), JSON.stringify(one), JSON.stringify(two), between) ?? '';
  });
const end = fc.constantFrom('\n', '\n', '\r\n', '\n \n');
const content = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(row, { maxLength: 400, size: 'max' }), end, fc.constantFrom('', '\n'))
  .map(([mark, rows, between, last]) => mark + rows.join(between) + last);
const more = fc.constantFrom(
  '',
  'defaults: { users: { nickname: D, metadata: { "\\uE0000\\uE001": m, "2": two } } }\n',
  'policy: { personal_data: warn, external: { users: [a1] } }\ngroup_channels: { g: { members: { a1: , a2: } } }\n',
  'users: { a5: { nickname: five } }\n',
);

describe('several files', () => {
  test('say the same as when each row is read by itself, also packed ones and tables', async () => {
    await fc.assert(
      fc.asyncProperty(content, content, more, async (first, second, around) => {
        const files = {
          'a.yaml': manifestOf(['u.ndjson', 'p.ndjson.gz', 't.csv'], around),
          'u.ndjson': first,
          'p.ndjson.gz': gzipSync(second),
          't.csv': 'user_id,nickname\na6,six\nb1,N\n',
        };
        const [alike, alone] = [await load(files), await load(files, oneByOne)];
        expect(alike.diagnostics).toEqual(alone.diagnostics);
        expect(JSON.stringify([...alike.resources])).toBe(JSON.stringify([...alone.resources]));
        for (let place = alone.resources.length - 1; place >= 0; place -= 37) {
          expect(JSON.stringify(alike.resources.at(place))).toBe(JSON.stringify(alone.resources.at(place)));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('that change after they were checked are refused', async () => {
    const rows = Array.from({ length: 300 }, (_none, number) => `{"user_id":"a${1000 + number}","nickname":"N"}\n`);
    const files = memoryFiles({ 'a.yaml': manifestOf(['u.ndjson']), 'u.ndjson': rows.join('') });
    let version = '1';
    const changing = { ...files, open: (path: string) => ({ ...files.open(path), version }) };
    const context = { kinds: registry, cwd: memoryRoot, variables: () => undefined, files: changing };
    const { resources } = await loadManifests(['.'], context);
    expect(resources.at(5)?.attributes).toEqual({ nickname: 'N' });
    version = '2';
    // What is at hand is still what was checked.
    expect(resources.at(7)?.attributes).toEqual({ nickname: 'N' });
    expect(() => resources.at(299)).toThrow('u.ndjson was changed while it was read.');
  });
});

test('that a key is none is told rather than that others have it, too', async () => {
  const yaml = 'version: 1\nopen_channels: { a: { name: x } }\ngroup_channels: { a: { name: y } }\n';
  const { diagnostics } = await load({ 'a.yaml': yaml });
  expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
    ['manifest.too-short', 2],
    ['manifest.too-short', 3],
  ]);
});

describe('without need', () => {
  test('nothing of a file whose rows are in no order stays in memory', async () => {
    const count = 20_000;
    const rows = Array.from({ length: count }, (_none, number) => {
      const key = `user-with-a-long-name-${(number * 7_919) % count}`;
      return `{"user_id":"${key}","nickname":"N ${number}"${' '.repeat(1_000)}}\n`;
    });
    const files = memoryFiles({ 'a.yaml': manifestOf(['u.ndjson']), 'u.ndjson': rows.join('') });
    rows.length = 0;
    const context = { kinds: registry, cwd: memoryRoot, variables: () => undefined, files };
    setFlagsFromString('--expose_gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const { resources } = await loadManifests(['.'], context);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect(resources.at(0)?.address).toBe('user.user-with-a-long-name-0');
  });

  test('no memory is taken for a short file that only a long one needs', () => {
    const read = (into: Uint8Array, position: number) => Buffer.from('{}\n').copy(into, 0, position);
    const before = process.memoryUsage().arrayBuffers;
    const open = Array.from({ length: 20 }, () => readLines(read));
    for (const lines of open) expect(lines.next().value).toHaveLength(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1_500_000);
  });

  test('of many long rows not all are read together', () => {
    const reads: number[] = [];
    const file: OpenFile = {
      version: '',
      bytes: 200_000_000,
      read: (into) => {
        reads.push(into.length);
        return into.length;
      },
      close: () => {},
    };
    const places = Array.from({ length: 64 }, (_none, place) => ({
      start: place * 1_500_000,
      bytes: 900_000,
      line: 1,
    }));
    expect(readAgain(file, places)).toHaveLength(64);
    expect(Math.max(...reads)).toBeLessThan(20_000_000);
  });

  test('nobody looks for more rows that are alike where hardly any is', async () => {
    const looked = vi.spyOn(RowShape.prototype, 'fits');
    onTestFinished(() => looked.mockRestore());
    const rows = Array.from({ length: 10_000 }, (_none, number) => {
      const end = new Date(1_800_000_000_000 + (number % 500) * 1_000).toISOString();
      return `{"user_id":"a${10_000 + number}","nickname":"N","session_token":{"expires_at":"${end}"}}\n`;
    });
    const { diagnostics } = await load({ 'a.yaml': manifestOf(['u.ndjson']), 'u.ndjson': rows.join('') });
    expect(diagnostics).toEqual([]);
    expect(looked.mock.calls.length).toBeLessThan(30_000);
  });
});
