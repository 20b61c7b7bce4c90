// Tests that a row which is like one before is read as it would be by itself: whatever stands in it, nothing is overlooked.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LoadedManifest, loadManifests } from '../../src/manifest/load.ts';
import { makePlan } from '../../src/planner/plan.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { registry } from '../../src/resources/index.ts';
import { memoryFiles, memoryRoot } from './memory-files.ts';

/** No text is said to be passed on, so that each row is read in full. */
const oneByOne = registry.map(({ passesOn: _none, ...kind }) => kind);

function load(rows: string, yaml: string, kinds: typeof registry): Promise<LoadedManifest> {
  const files = memoryFiles({ 'a.yaml': yaml, 'u.ndjson': rows, 'face.png': '\x89PNG\r\n\x1a\n' });
  return loadManifests(['.'], { kinds, cwd: memoryRoot, variables: () => undefined, files });
}

const source = 'version: 1\nsources: [{ kind: user, file: u.ndjson }]\n';
const surroundings = [
  source,
  `${source}defaults: { users: { metadata: { team: none, plan: free }, profile_url: "https://x" } }\n`,
  `${source}policy: { restrictions: [{ files: "**", keys: { users: "a*" }, fields: { users: [nickname] } }] }\n`,
  `${source}policy: { personal_data: warn }\nopen_channels: { hall: { operators: [a1, a2] } }\n`,
];

const word = fc.constantFrom('', 'N', 'User number', 'ünï', '김철수', '🙂', 'a,b', '\u2028', '\u007f', '\uE0000\uE001');
const odd = fc.constantFrom(
  'N'.repeat(81),
  '김'.repeat(40),
  '🙂'.repeat(80),
  'anna@example.com',
  '@',
  '"',
  '\\',
  '\n',
  '\u0000',
  '\ud800',
);
const text = fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: odd });
const id = fc.oneof(
  { weight: 30, arbitrary: fc.nat(60).map((number) => `a${number}`) },
  { weight: 1, arbitrary: fc.constantFrom('', '.', 'ä', 'a@b.cd', 'x'.repeat(81), '__proto__', 'b1') },
);

/** Rows of a few forms, so that most of them are like others. */
const forms: readonly ((key: string, one: string, two: string) => string)[] = [
  (key, one) => `{"user_id":${key},"nickname":${one}}`,
  (key, one, two) =>
    `{"user_id":${key},"metadata":{"team":${one},"plan":${two}},"nickname":${one},"profile_url":${two}}`,
  (key, one, two) => `{ "nickname" : ${one}, "user_id": ${key},  "metadata": {"김": ${two}} }`,
  (key, one) => `{"metadata":{"2":${one},"1":"x"},"nickname":"N","user_id":${key},"deactivated":false}`,
  (key, one) => `{"user_id":${key},"nickname":${one},"profile_file":"face.png","lifecycle":{"protect":true}}`,
  (key, one) => `{"user_id":${key},"nickname":${one},"issue_access_token":true}`,
  (key, one, two) => `{"user_id":${key},"nickname":${one},"nickname":${two}}`,
  (key, one, two) => `{"user_id":${key},"nickname":${one},${two}:7}`,
  (key, one, two) => `{"user_id":${key},"nickname":${one},"metadata":{${two}:"x"}}`,
  (key, one) => `{"user_id":${key},"nickname":${one}}\r`,
  (key, one) => `\t{"user_id":${key},"nickname":${one}}`,
];

/** In the row as it is spelled, one sign is put in, left out or made another one. */
const flaw = fc.option(
  fc.record({ at: fc.nat(), cut: fc.nat(1), sign: fc.constantFrom('', '"', '\\', ',', '}', 'x', 'é', '\t', '\u0001') }),
  {
    freq: 12,
    nil: undefined,
  },
);
const row = fc.tuple(fc.nat(), id, text, text, flaw).map(([form, key, one, two, wrong]) => {
  const make = forms[form % 23] ?? forms[form % 2];
  const whole = make?.(JSON.stringify(key), JSON.stringify(one), JSON.stringify(two)) ?? '';
  if (wrong === undefined) return whole;
  const at = wrong.at % (whole.length + 1);
  return whole.slice(0, at) + wrong.sign + whole.slice(at + wrong.cut);
});

function planOf({ resources, policy }: LoadedManifest, kinds: typeof registry) {
  const { plan } = makePlan({
    kinds,
    resources,
    removed: [],
    records: [],
    policy,
    application: 'test',
    settings: { base_url: 'test', rate_plan: '5k_mau', limits: {}, rate_share: 1 },
    limitsOf: limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 }),
    today: '2026-01-01',
  });
  return JSON.stringify({ ...plan, changes: [...plan.changes], steps: [...plan.steps] });
}

describe('of rows that are like others', () => {
  test('all is told, and all is read, as of rows that are read one by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60, size: 'max' }),
        fc.constantFrom(...surroundings),
        fc.constantFrom('', '\ufeff'),
        async (rows, yaml, mark) => {
          const content = mark + rows.join('\n');
          const [alike, alone] = [await load(content, yaml, registry), await load(content, yaml, oneByOne)];
          expect(alike.diagnostics).toEqual(alone.diagnostics);
          expect(JSON.stringify([...alike.resources])).toBe(JSON.stringify([...alone.resources]));
          expect(planOf(alike, registry)).toBe(planOf(alone, oneByOne));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('the texts come without the row being parsed, also where some are not ASCII', async () => {
    const rows = ['a1', 'a2', 'ä3'].map(
      (key) => `{"nickname":"N ${key}","user_id":"${key}","metadata":{"t":"김 ${key}"}}`,
    );
    const { resources } = await load(rows.join('\n'), source, registry);
    const found = Array.from(resources, ({ address, alike }) => [address, alike?.texts, alike?.areAscii]);
    expect(found).toEqual([
      ['user.a1', undefined, undefined],
      ['user.a2', ['N a2', '김 a2'], false],
      ['user.ä3', ['N ä3', '김 ä3'], false],
    ]);
    const [, second, third] = resources;
    expect(second?.alike?.shape).toBe(third?.alike?.shape);
    expect(third?.attributes).toEqual({ nickname: 'N ä3', metadata: { t: '김 ä3' } });
  });

  test.for([
    ['an id that may not be one', '{"user_id":"..","nickname":"N"}', 'manifest.bad-format'],
    ['a text that is too long', `{"user_id":"a2","nickname":"${'N'.repeat(81)}"}`, 'manifest.too-long'],
    ['an address of e-mail', '{"user_id":"anna@example.com","nickname":"N"}', 'manifest.personal-data'],
    ['the same id', '{"user_id":"a1","nickname":"N"}', 'manifest.duplicate-resource'],
  ] as const)('%s is told', async ([, wrong, code]) => {
    const { diagnostics } = await load(`{"user_id":"a1","nickname":"N"}\n${wrong}\n`, source, registry);
    expect(diagnostics.map((one) => [one.code, one.source?.line])).toEqual([[code, 2]]);
  });
});
