// Tests that a row which is like one before is read as it would be by itself: whatever stands in it, nothing is overlooked.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LoadedManifest, loadManifests } from '../../../src/manifest/load.ts';
import { type Address, compareAddresses, kindOf } from '../../../src/model/address.ts';
import type { RecordSeries, StateRecord } from '../../../src/model/record.ts';
import { recordAsApplied } from '../../../src/planner/diff/as-applied.ts';
import { makePlan } from '../../../src/planner/plan.ts';
import { limitsOf } from '../../../src/platform/limits.ts';
import { registry } from '../../../src/resources/index.ts';
import { recordText } from '../../../src/state/records/record-text.ts';
import { memoryFiles, memoryRoot } from '../../support/memory-files.ts';

/** No text is said to be passed on, so that each row is read in full. */
const oneByOne = registry.map(({ opaqueTexts: _none, ...kind }) => kind);

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
  { weight: 2, arbitrary: fc.constantFrom('a"1', 'a\\1', 'a1"', 'a\t1', 'ä') },
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

/** What state may have in the place of what is declared; undefined: nothing. */
const changes: readonly ((record: StateRecord) => StateRecord | undefined)[] = [
  (record) => record,
  () => undefined,
  ({ address, attributes }) => ({ address, attributes: { ...attributes, nickname: 'another' } }),
  ({ address, attributes }) => ({ address, attributes: { ...attributes, metadata: { old: '1' } } }),
  ({ address, attributes }) => ({ address, attributes: { ...attributes, deactivated: true } }),
  (record) => ({ ...record, retired: true }),
  (record) => ({ ...record, creating: true }),
  (record) => ({ ...record, lifecycle: { protect: false } }),
  ({ address, attributes }) => ({ address: `${address}-more` as Address, attributes }),
];

/** `places`: which of these changes it went through, object by object; most went through none. */
function recordsOf({ resources }: LoadedManifest, places: readonly number[]): RecordSeries {
  const records = [...resources].flatMap((one, index) => {
    const kind = registry.find(({ kind }) => kind === kindOf(one.address));
    const change = changes[places[index] ?? 0] ?? changes[0];
    return (kind === undefined ? undefined : change?.(recordAsApplied(kind, one))) ?? [];
  });
  records.sort((left, right) => compareAddresses(left.address, right.address));
  const texts = records.map((record) => recordText(record));
  return Object.assign(records, { textAt: (index: number) => texts[index] });
}

function planOf({ resources, policy }: LoadedManifest, records: RecordSeries, kinds: typeof registry) {
  const { plan, ...found } = makePlan({
    kinds,
    resources,
    removed: [],
    records,
    policy,
    application: 'test',
    settings: { base_url: 'test', rate_plan: '5k_mau', limits: {}, rate_share: 1 },
    limitsOf: limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 }),
    today: '2026-01-01',
  });
  return JSON.stringify({ ...found, ...plan, changes: [...plan.changes], steps: [...plan.steps] });
}

describe('of rows that are like others', () => {
  test('all is told, and all is read, as of rows that are read one by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60, size: 'max' }),
        fc.constantFrom(...surroundings),
        fc.constantFrom('', '\ufeff'),
        fc.array(fc.nat(3 * changes.length), { maxLength: 60, size: 'max' }),
        async (rows, yaml, mark, changed) => {
          const content = mark + rows.join('\n');
          const [alike, alone] = [await load(content, yaml, registry), await load(content, yaml, oneByOne)];
          expect(alike.diagnostics).toEqual(alone.diagnostics);
          expect(JSON.stringify([...alike.resources])).toBe(JSON.stringify([...alone.resources]));
          for (const records of [[], recordsOf(alone, changed)]) {
            expect(planOf(alike, records, registry)).toBe(planOf(alone, [...records], oneByOne));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('one that is in state as its creation left it is not looked at again', async () => {
    const rows = Array.from({ length: 50 }, (_none, number) => `{"user_id":"a${number}","nickname":"N ${number}"}`);
    const loaded = await load(rows.join('\n'), source, registry);
    const records = recordsOf(loaded, []);
    const read = new Set<number>();
    const series: RecordSeries = {
      length: records.length,
      at: (index) => {
        read.add(index);
        return records.at(index);
      },
      textAt: (index) => records.textAt?.(index),
      [Symbol.iterator]: () => records[Symbol.iterator](),
    };
    expect(JSON.parse(planOf(loaded, series, registry))).toMatchObject({ changes: [], steps: [] });
    // The first row has nothing that it is like; to find where a kind begins some are looked at.
    expect(read.size).toBeLessThan(12);
  });

  test('those that are as they were count among all of which a share may be removed', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_none, number) => `{"user_id":"a${number}","nickname":"N"}`).join('\n');
    const [before, after] = [await load(rows(120), source, registry), await load(rows(109), source, registry)];
    for (const kinds of [registry, oneByOne]) {
      expect(JSON.parse(planOf(after, recordsOf(before, []), kinds))).toMatchObject({
        refusals: [],
        summary: { deactivate: 11 },
      });
    }
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
