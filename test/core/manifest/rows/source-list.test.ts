// Tests rows of source files: a row means the same in a long file as alone, and nothing is kept or read unnecessarily.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { load, memoryFiles } from '../support/in-memory.ts';

const picture = { 'face.png': '\x89PNG\r\n\x1a\n' };

function manifestOf(names: readonly string[], more = ''): string {
  return `version: 1\nsources: [${names.map((file) => `{ kind: user, file: ${file} }`).join(', ')}]\n${more}`;
}

const surroundings = fc.constantFrom(
  '',
  'defaults: { users: { metadata: { team: none, plan: free, "2": two }, profile_url: "https://x" } }\n',
  'policy: { restrictions: [{ files: "**", users: ["^a10"], fields: { users: [nickname, metadata] } }] }\n',
  'policy: { personal_data: warn }\n',
);
const usual = fc.constantFrom(
  ...['', 'N', 'ünï', '김철수', '🙂', 'a,b', '},{', 'user_id', '\u2028', '\ufeff', '\uE0000\uE001'],
);
const unusual = fc.constantFrom(
  ...['N'.repeat(81), '🙂'.repeat(80), 'anna@example.com', '"', '\\', '\n', '\u0000', '\ud800'],
);
const text = fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: unusual });
const oddId = fc.constantFrom(
  ...['', '.', '..', 'a@b.cd', 'x'.repeat(81), '__proto__', 'toString', '01', '1e5', 'a"1', 'a\t1'],
);
const forms: readonly ((key: string, one: string, two: string) => string)[] = [
  (key, one) => `{"user_id":${key},"nickname":${one}}`,
  (key, one, two) =>
    `{ "metadata":{"team":${one},"2":${two}}, "nickname" : ${one},"user_id":${key},"profile_url":${two}}`,
  (key, one) => `{"user_id":${key},"nickname":${one},"profile_file":"face.png","lifecycle":{"protect":true}}`,
  (key, one) => `{"user_id":${key},"nickname":${one},"issue_access_token":true}${' '.repeat(70_000)}`,
  (key, one, two) => `{"user_id":${key},"nickname":${one},"nickname":${two}}`,
  (key, one, two) => `{"user_id":${key},"nickname":${one},${two}:7}`,
  (key, one, two) => `{"user_id":${key},"nickname":${one},"metadata":{${two}:"x","__proto__":"x"}}`,
  (key) => `{"user_id":${key}}`,
];
/** Inserts, removes or replaces one character of the row's text. */
const flaw = fc.option(
  fc.record({ at: fc.nat(), cut: fc.nat(1), sign: fc.constantFrom('', '"', '\\', ',', '}', 'x', 'é', '\t', '\u0001') }),
  { freq: 12, nil: undefined },
);
const row = fc
  .tuple(
    fc.nat(),
    fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: oddId }),
    text,
    text,
    flaw,
  )
  .map(([form, odd, one, two, wrong]) => (place: number) => {
    const make = forms[form % 29] ?? forms[form % 2];
    const key = odd === '' ? `a${1_000 + place}` : odd;
    const whole = make?.(JSON.stringify(key), JSON.stringify(one), JSON.stringify(two)) ?? '';
    if (wrong === undefined) return whole;
    const at = wrong.at % (whole.length + 1);
    return whole.slice(0, at) + wrong.sign + whole.slice(at + wrong.cut);
  });
/** Broken rows may seem to have the key of another row. */
const rows = fc
  .array(row, { maxLength: 40, size: 'max' })
  .map((all) => all.map((rowAt, place) => rowAt(place)))
  .filter((all) => all.every((one) => !/[\n]/u.test(one)));

/** Returns the objects and the problems of one file of rows, in line order. */
async function found(content: string | Uint8Array, name: string, yaml: string) {
  const { resources, diagnostics } = await load({ ...picture, 'a.yaml': manifestOf([name], yaml), [name]: content });
  return {
    resources: Array.from(resources, (resource) => JSON.stringify(resource)).sort(),
    problems: diagnostics.map((problem) => JSON.stringify(problem)).sort(),
  };
}

/** Two rows may declare one user. The problem belongs to the file, not to either row. */
const isTwice = (problem: string) => problem.includes('"manifest.duplicate-resource"');

describe('a file of rows', () => {
  test('means the same as its single rows, also compressed', async () => {
    await fc.assert(
      fc.asyncProperty(rows, surroundings, fc.constantFrom('\n', '\r\n'), async (all, yaml, end) => {
        const content = all.map((one) => one + end).join('');
        const whole = await found(content, 'u.ndjson', yaml);
        fc.pre(!whole.problems.some(isTwice));
        // Empty lines, which keep the line numbers.
        const alone = await Promise.all(
          all.map((one, place) => found(end.repeat(place) + one + end, 'u.ndjson', yaml)),
        );
        expect(whole.resources).toEqual(alone.flatMap(({ resources }) => resources).sort());
        expect(whole.problems).toEqual(alone.flatMap(({ problems }) => problems).sort());
        const packed = await found(gzipSync(`\ufeff${content}`), 'u.ndjson.gz', yaml);
        expect(packed.resources).toEqual(whole.resources.map((one) => one.replaceAll('u.ndjson', 'u.ndjson.gz')));
      }),
      { numRuns: inSuite(6, 30) },
    );
  });

  fastTest.for([
    ['an id that may not be one', '{"user_id":"..","nickname":"N"}', 'manifest.bad-format'],
    ['a text that is too long', `{"user_id":"a2","nickname":"${'N'.repeat(81)}"}`, 'manifest.too-long'],
    ['an e-mail address', '{"user_id":"anna@example.com","nickname":"N"}', 'manifest.personal-data'],
    ['the same id', '{"user_id":"a1","nickname":"N"}', 'manifest.duplicate-resource'],
  ] as const)('reports %s', async ([, wrong, code]) => {
    const content = `{"user_id":"a1","nickname":"N"}\n${wrong}\n`;
    const { diagnostics } = await load({ 'a.yaml': manifestOf(['u.ndjson']), 'u.ndjson': content });
    expect(diagnostics.map((one) => [one.code, one.source?.line])).toEqual([[code, 2]]);
  });

  fastTest('is refused if it changes while it is read', async () => {
    const files = memoryFiles({ 'a.yaml': manifestOf(['u.ndjson']), 'u.ndjson': '{"user_id":"a1","nickname":"N"}\n' });
    let reads = 0;
    const stat = async (path: string) => {
      reads += path.endsWith('u.ndjson') ? 1 : 0;
      return { ...(await files.stat(path)), version: String(reads) };
    };
    await expect(load({}, { files: { ...files, stat } })).rejects.toThrow(
      'u.ndjson changed while chatform was reading it.',
    );
  });
});

fastTest('reports an invalid key rather than a duplicate', async () => {
  const yaml = 'version: 1\nopen_channels: { a: { name: x } }\ngroup_channels: { a: { name: y } }\n';
  const { diagnostics } = await load({ 'a.yaml': yaml });
  expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
    ['manifest.too-short', 2],
    ['manifest.too-short', 3],
  ]);
});

describe('memory', () => {
  fastTest('does not keep the text of rows', async () => {
    const count = 20_000;
    const rows = Array.from({ length: count }, (_none, number) => {
      const key = `user-with-a-long-name-${(number * 7_919) % count}`;
      return `{"user_id":"${key}","nickname":"N ${number}"${' '.repeat(1_000)}}\n`;
    });
    const files = memoryFiles({ 'a.yaml': manifestOf(['u.ndjson']), 'u.ndjson': rows.join('') });
    rows.length = 0;
    setFlagsFromString('--expose_gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const { resources } = await load({}, { files });
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect(resources.at(0)?.address).toBe('user.user-with-a-long-name-0');
  });
});
