// Tests that objects in NDJSON and CSV mean the same as in YAML, for files of any size and with any change.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { disk } from '../../../../src/core/manifest/files/access.ts';
import type { LoadedManifest } from '../../../../src/core/manifest/passes/loaded-manifest.ts';
import { makePlan } from '../../../../src/core/planner/plan.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { planWords } from '../../../../src/core/view/text/plan-problems.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { errorsIn, load, memoryFiles, objectsIn, placesOf } from '../support/in-memory.ts';

const manifest = (...sources: readonly string[]) =>
  `version: 1\nsources:\n${sources.map((source) => `  - ${source}\n`).join('')}`;
const users = (file: string) => `{ kind: user, file: ${file} }`;

function planOf(loaded: LoadedManifest) {
  const { plan } = makePlan({
    kinds: registry,
    resources: loaded.resources,
    removed: [],
    records: [],
    policy: loaded.policy,
    application: 'test',
    settings: { base_url: 'test', rate_plan: '5k_mau', limits: {}, rate_share: 1 },
    limitsOf: limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 }),
    now: '2026-01-01',
    words: planWords,
  });
  return { hash: plan.hash, addresses: Array.from(plan.changes, ({ address }) => address) };
}

type Objects = Readonly<Record<string, JsonObject>>;

describe('the same estate as YAML, NDJSON and CSV', () => {
  const text = fc
    .string({ unit: fc.constantFrom(...'ab1 ,;"\'\n:#{}[]&*!|>%@`-?.=öß😀\t\\/'), minLength: 1, maxLength: 12 })
    // To a reader of tables a text that contains only spaces is an empty one.
    .filter((value) => value.trim() !== '');
  const id = fc
    .oneof(
      fc.constantFrom('00123', '1e5', 'yes', 'null', '0x1F', 'true', 'alice', 'ünï', '~'),
      fc.string({ unit: fc.constantFrom(...'abc019_.@-é'), minLength: 1, maxLength: 8 }),
    )
    .filter((value) => !/^\.{1,2}$|@/u.test(value));
  const flag = fc.boolean();
  const user = fc.record(
    {
      nickname: text,
      // Other schemes than http and https are refused.
      profile_url: text.filter((value) => !value.includes(':')),
      metadata: fc.dictionary(
        fc.constantFrom('team', 'a.b', '007', 'level'),
        text.filter((value) => !value.includes('@')),
        { minKeys: 1, maxKeys: 4 },
      ),
      issue_access_token: flag,
      session_token: fc.constant({ expires_at: '2027-01-01T00:00:00Z' }),
      deactivated: flag,
      lifecycle: fc.record({ protect: flag }),
    },
    { requiredKeys: ['nickname'] },
  );
  const estate = fc.dictionary(id, user, { minKeys: 1, maxKeys: 6 }).chain((people) => {
    const ids = Object.keys(people);
    const group = fc.record(
      {
        name: text,
        members: fc
          .subarray(ids, { minLength: 1 })
          .map((members) => Object.fromEntries(members.map((member) => [member, null]))),
        // An empty list, which declares that there are none, cannot be written in a table.
        operators: fc.subarray(ids, { minLength: 1 }),
        is_public: flag,
        strict: flag,
        inviter_id: fc.constantFrom(...ids),
      },
      { requiredKeys: ['members'] },
    );
    const key = fc.string({ unit: fc.constantFrom(...'abcd_-019'), minLength: 4, maxLength: 8 });
    return fc.record({ people: fc.constant(people), groups: fc.dictionary(key, group, { maxKeys: 4 }) });
  });

  function asRows(objects: Objects, keyName: string): string {
    return Object.entries(objects)
      .map(([key, value]) => `${JSON.stringify({ ...value, [keyName]: key })}\n`)
      .join('');
  }

  function asTable(objects: Objects, keyName: string): string {
    const rows = Object.entries(objects).map(([key, value]) => ({ [keyName]: key, ...flat(value) }));
    const columns = [...new Set([keyName, ...rows.flatMap((row) => Object.keys(row))])];
    const lines = [
      columns,
      ...rows.map((row: Readonly<Record<string, string>>) => columns.map((column) => row[column] ?? '')),
    ];
    return lines
      .map((cells) =>
        cells.map((cell) => (/[",\n\r]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
      )
      .join('\r\n');
  }

  function flat(value: JsonObject): Record<string, string> {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]): [string, string][] => {
        if (Array.isArray(inner)) return [[name, inner.join(';')]];
        if (!isObject(inner)) return [[name, String(inner)]];
        if (name === 'members') return [[name, Object.keys(inner).join(' ; ')]];
        return Object.entries(inner).map(([key, part]): [string, string] => [`${name}.${key}`, String(part)]);
      }),
    );
  }

  test('gives the same resources and the same plan', async () => {
    await fc.assert(
      fc.asyncProperty(estate, async ({ people, groups }) => {
        const [userBlocks, groupBlocks] = [people as never as Objects, groups as never as Objects];
        const files = (ending: string) => manifest(users(`u.${ending}`), `{ kind: group_channel, file: g.${ending} }`);
        const loaded = await Promise.all([
          load({ 'a.yaml': stringify({ version: 1, users: userBlocks, group_channels: groupBlocks } as JsonValue) }),
          load({
            'a.yaml': files('ndjson'),
            'u.ndjson': asRows(userBlocks, 'user_id'),
            'g.ndjson': asRows(groupBlocks, 'channel_url'),
          }),
          load({
            'a.yaml': files('csv'),
            'u.csv': asTable(userBlocks, 'user_id'),
            'g.csv': asTable(groupBlocks, 'channel_url'),
          }),
        ]);
        expect(loaded.map(errorsIn)).toEqual([[], [], []]);
        const [yaml, ...others] = loaded.map(objectsIn);
        for (const other of others) expect(other).toEqual(yaml);
        const [plan, ...otherPlans] = loaded.map(planOf);
        for (const other of otherPlans) expect(other).toEqual(plan);
      }),
      { numRuns: inSuite(5, 60) },
    );
  });
});

fastTest('applies defaults of the manifest to rows of its sources', async () => {
  const loaded = await load({
    'a.yaml': `${manifest(users('u.ndjson'))}defaults: { users: { metadata: { team: support, level: "1" }, lifecycle: { protect: true } } }\n`,
    'u.ndjson': '{"user_id":"alice","nickname":"A","metadata":{"level":"2"}}\n',
    'b.yaml': 'version: 1\nusers: { bob: { nickname: B } }\n',
  });
  expect(loaded.diagnostics).toEqual([]);
  expect(objectsIn(loaded)).toEqual([
    {
      address: 'user.alice',
      attributes: { nickname: 'A', metadata: { team: 'support', level: '2' } },
      lifecycle: { protect: true },
    },
    { address: 'user.bob', attributes: { nickname: 'B' }, lifecycle: {} },
  ]);
});

fastTest('sorts rows from several files and YAML, any number of times', async () => {
  const keys = Array.from({ length: 5000 }, (_none, index) => `u${String((index * 7919) % 5000).padStart(4, '0')}`);
  const rows = (from: number, to: number) =>
    keys
      .slice(from, to)
      .map((key) => `{"user_id":"${key}","nickname":"Ü ${key}"}\n`)
      .join('');
  const loaded = await load({
    'a.yaml': `${manifest(users('u.ndjson'), users('v.csv'))}users:\n${keys
      .slice(4000)
      .map((key) => `  ${key}: { nickname: Ü ${key} }\n`)
      .join('')}`,
    'u.ndjson': rows(0, 2500),
    'v.csv': `nickname,user_id\n${keys
      .slice(2500, 4000)
      .map((key) => `Ü ${key},${key}`)
      .join('\n')}`,
  });
  expect(loaded.diagnostics).toEqual([]);
  const sorted = [...keys].sort();
  expect(loaded.resources.length).toBe(5000);
  for (let round = 0; round < 2; round += 1) {
    expect(Array.from(loaded.resources, ({ address, attributes }) => [address, attributes.nickname])).toEqual(
      sorted.map((key) => [`user.${key}`, `Ü ${key}`]),
    );
  }
  for (const at of [4999, 0, 1234, 1233, 4096]) expect(loaded.resources.at(at)?.address).toBe(`user.${sorted[at]}`);
  expect([loaded.resources.at(-1), loaded.resources.at(5000)]).toEqual([undefined, undefined]);
  expect(loaded.files).toEqual([
    { file: 'a.yaml', counts: { user: 1000 } },
    { file: 'u.ndjson', counts: { user: 2500 } },
    { file: 'v.csv', counts: { user: 1500 } },
  ]);
});

fastTest('gives exact places in long files, and shows a hundred of many problems', async () => {
  const wrong = (index: number) =>
    index % 2 === 0 ? `{"user_id":"u${index}","nickname":${index}}` : `{"user_id":"u${index}","nickname":"ö"}`;
  const loaded = await load({
    'a.yaml': manifest(users('u.ndjson')),
    'u.ndjson': `${Array.from({ length: 5_000 }, (_none, index) => wrong(index)).join('\n')}\n{"user_id":"last","nickname":"x"`,
  });
  const ofType = loaded.diagnostics.filter(({ code }) => code === 'manifest.wrong-type');
  expect(ofType.length).toBe(101);
  expect(ofType.at(-1)?.detail).toBe(
    '… and 2,400 more problems of this kind after this line, 2,500 in the file. Fix the listed ones first, because the others probably have the same cause.',
  );
  expect(ofType.at(-1)?.source).toEqual({ file: 'u.ndjson', line: 201, column: 30 });
  expect(loaded.diagnostics.find(({ code }) => code === 'manifest.bad-row')?.source).toEqual({
    file: 'u.ndjson',
    line: 5_001,
    column: 33,
  });
  expect(loaded.resources.length).toBe(5_000);
});

fastTest.for([
  [
    'a line that is too long',
    'u.ndjson',
    `{"user_id":"a","nickname":"${'x'.repeat(3_000_000)}"}\n{"user_id":"b","nickname":"B"}`,
    ['manifest.row-too-long u.ndjson:1'],
  ],
  [
    'one without an end',
    'u.ndjson',
    `{"user_id":"b","nickname":"B"}\n${'['.repeat(2_500_000)}`,
    ['manifest.row-too-long u.ndjson:2'],
  ],
  [
    'a record that is too long',
    'u.csv',
    `user_id,nickname\nb,B\na,"${'x'.repeat(3_000_000)}"`,
    ['manifest.row-too-long u.csv:3'],
  ],
  [
    'a quote that is never closed',
    'u.csv',
    `user_id,nickname\nx,"X\n${`b,${'B'.repeat(70)}\n`.repeat(16_000)}`,
    ['manifest.bad-row u.csv:2', 'manifest.duplicate-resource'],
  ],
] as const)('reports one problem for %s, and reads the other rows', async ([, name, text, expected]) => {
  const loaded = await load({ 'a.yaml': manifest(users(name)), [name]: text });
  expect([
    ...new Set(
      placesOf(loaded).map((code) => (code.startsWith('manifest.duplicate') ? 'manifest.duplicate-resource' : code)),
    ),
  ]).toEqual(expected);
  expect(Array.from(loaded.resources, ({ address }) => address)).toEqual(['user.b']);
});

test('suggests sources for more than ten thousand objects in YAML', async () => {
  const blocks = Array.from({ length: 10_001 }, (_none, index) => `  u${index}: { nickname: U }\n`).join('');
  const loaded = await load({ 'a.yaml': `version: 1\nusers:\n${blocks}` });
  expect(loaded.diagnostics.map(({ severity, code, source }) => [severity, code, source?.line])).toEqual([
    ['note', 'manifest.many-in-yaml', 2],
  ]);
  if (inSuite(true, false)) return;
  const fewer = blocks.slice(blocks.indexOf('\n') + 1);
  expect((await load({ 'a.yaml': `version: 1\nusers:\n${fewer}` })).diagnostics).toEqual([]);
});

fastTest('refuses a manifest that is too large to be read as a whole', async () => {
  const files = memoryFiles({ 'a.yaml': 'version: 1\n' });
  const huge = { ...files, stat: async (path: string) => ({ ...(await files.stat(path)), bytes: 3e8 }) };
  const loaded = await load({}, { files: huge });
  expect(placesOf(loaded)).toEqual(['manifest.file-too-big a.yaml:1']);
  // The anchor is in the first chunk, so nothing of the long line is parsed.
  const users = `users:\n  alice: &a { nickname: A }\n  # ${'x'.repeat(5_000)}\n  bob: { nickname: B }\n`;
  const anchored = await load({ 'a.yaml': `version: 1\n${users}# ${'x'.repeat(8_400_000)}\n` });
  expect(placesOf(anchored)).toEqual(['manifest.file-too-big a.yaml:1']);
});

describe('a row that cannot be read', () => {
  const rooms =
    'group_channels: { room: { members: { alice: , bob: , carl: , dora: , nobody: } } }\nusers: { zoe: { nickname: Z } }\n';
  const undeclared = ({ diagnostics }: LoadedManifest) =>
    diagnostics.filter(({ code }) => code === 'manifest.undeclared-user').map(({ detail }) => detail.split(' ')[0]);
  const good = Array.from({ length: 3_000 }, (_none, index) => `{"user_id":"u${index}","nickname":"U"}\n`).join('');

  fastTest.for([
    // The key is known, so only references to it are ignored.
    ['u.ndjson', '{"user_id":"alice","nickname":"A\n{"nickname":"B", "user_id" : "bob"\n', ['carl', 'dora', 'nobody']],
    ['u.ndjson', '{"user_id":"bob","user_id":"alice"}\n', ['carl', 'dora', 'nobody']],
    ['u.ndjson', '{"user_id":alice,"nickname":"A"}\n', ['bob', 'carl', 'dora', 'nobody']],
    ['u.csv', 'user_id,nickname\nalice,A,x\nbob\ncarl,C\n', ['dora', 'nobody']],
    // A problem inside an object leaves its key known, so it hides no other object.
    ['u.ndjson', `{"user_id":"alice","nickname":5}\n${good}`, ['bob', 'carl', 'dora', 'nobody']],
    // The keys of unreadable rows are unknown, so any user may be among them.
    ['u.ndjson', '{"nickname":"A"}\n', []],
    ['u.ndjson', `${'x'.repeat(1_100_000)}\n{"user_id":"alice","nickname":"A"}\n`, []],
    ['u.csv', 'nickname,user_id\nA,"x,alice\n', []],
    ['u.csv', 'user_id,nickname,nonsense\nalice,A,x\n', []],
  ] as const)('in %s hides what it may have declared, row %#', async ([file, text, expected]) => {
    const loaded = await load({ 'a.yaml': `${manifest(users(file))}${rooms}`, [file]: text });
    expect(loaded.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    expect(undeclared(loaded)).toEqual(expected);
  });

  test('reports as undeclared exactly the users without a row, whichever rows are broken', async () => {
    const rowsOf: Readonly<Record<string, Readonly<Record<string, (id: string) => string>>>> = {
      'u.ndjson': {
        whole: (id) => `{"user_id":"${id}","nickname":"N"}\n`,
        wrong: (id) => `{"user_id":"${id}","nickname":7}\n`,
        cut: (id) => `{"nickname":"N","user_id":"${id}","metad\n`,
        absent: () => '\n',
      },
      'u.csv': {
        whole: (id) => `${id},N\n`,
        wrong: (id) => `${id},${'N'.repeat(100)}\n`,
        cut: (id) => `${id}\n`,
        absent: () => '',
      },
    };
    const state = fc.constantFrom('whole', 'wrong', 'cut', 'absent');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('u.ndjson', 'u.csv'),
        fc.array(state, { minLength: 1 }),
        async (file, states) => {
          const ids = states.map((_state, at) => `u${at}`);
          const text = states.map((name, at) => rowsOf[file]?.[name]?.(`u${at}`) ?? '').join('');
          const loaded = await load({
            'a.yaml': `${manifest(users(file))}open_channels: { hall: { operators: [${ids.join(', ')}] } }\n`,
            [file]: file === 'u.csv' ? `user_id,nickname\n${text}` : text,
          });
          expect(undeclared(loaded)).toEqual(ids.filter((_id, at) => states[at] === 'absent'));
        },
      ),
      { numRuns: inSuite(5, 60) },
    );
  });

  fastTest('of channels does not hide references to users', async () => {
    const files = {
      'a.yaml': `${manifest('{ kind: group_channel, file: g.ndjson }')}${rooms}`,
      'g.ndjson': '{"name":"x"}\n',
    };
    expect(undeclared(await load(files))).toEqual(['alice', 'bob', 'carl', 'dora', 'nobody']);
  });
});

describe('compressed with gzip', () => {
  const rows = Array.from(
    { length: 3_000 },
    (_none, index) => `{"user_id":"ü${(index * 7) % 3_000}","nickname":${index % 500 === 0 ? index : `"Ö ${index}"`}}`,
  ).join('\n');
  const table = `user_id,nickname,deactivated\nx1,"A, ""a""\nb",true\nx2,B,perhaps\n`;

  fastTest('means the same as the plain file, at the same places', async () => {
    const named = (suffix: string, pack: (text: string) => string | Uint8Array) =>
      load({
        'a.yaml': manifest(users(`u.ndjson${suffix}`), users(`u.csv${suffix}`)),
        [`u.ndjson${suffix}`]: pack(rows),
        [`u.csv${suffix}`]: pack(table),
      });
    const plain = await named('', (text) => text);
    expect(plain.diagnostics.length).toBeGreaterThan(5);
    for (const [suffix, packed] of [
      ['.gz', await named('.gz', gzipSync)],
      // Like history files, they are recognised by their first bytes.
      ['', await named('', gzipSync)],
      ['.gz', await named('.gz', (text) => text)],
    ] as const) {
      const withoutSuffix = (text: string) => JSON.parse(text.replaceAll(suffix, '')) as unknown;
      expect(withoutSuffix(JSON.stringify(packed.diagnostics))).toEqual(plain.diagnostics);
      const { resources } = plain;
      expect(withoutSuffix(JSON.stringify([...packed.resources]))).toEqual(JSON.parse(JSON.stringify([...resources])));
    }
  });

  const packed = gzipSync(rows);
  fastTest.for([
    ['cut short', packed.subarray(0, packed.length - 100), 'u.ndjson.gz cannot be read: its gzip data is cut short.'],
    ['damaged', packed.with(50, 0x55).fill(0x55, 60, 90), 'u.ndjson.gz cannot be read: its gzip data is damaged.'],
    [
      'made to fill the disk',
      gzipSync(new Uint8Array(17_000_000)),
      'u.ndjson.gz cannot be read: it unpacks to more than 200 times its size.',
    ],
  ] as const)('reports a file that is %s', async ([, bytes, detail]) => {
    const loaded = await load({
      'a.yaml': `${manifest(users('u.ndjson.gz'))}group_channels: { room: { members: { nobody: } } }\n`,
      'u.ndjson.gz': bytes,
    });
    // Rows before the damage are checked as well.
    const others = placesOf(loaded).filter((code) => !code.startsWith('manifest.wrong-type'));
    expect(others).toEqual(['manifest.unreadable u.ndjson.gz:1']);
    expect(loaded.diagnostics[0]?.detail).toBe(detail);
  });
});

fastTest('uses the checked rows, whatever happens to the file', async () => {
  const cwd = await temporaryFolder({
    'estate/a.yaml': manifest(users('u.ndjson')),
    'estate/u.ndjson': '{"user_id":"alice","nickname":"A"}\n',
  });
  const { resources } = await load({}, { paths: ['estate'], cwd, files: disk });
  await rm(join(cwd, 'estate/u.ndjson'));
  expect(Array.from(resources, ({ address }) => address)).toEqual(['user.alice']);
});

test('never throws for changed bytes', async () => {
  const rows =
    '{"user_id":"alice","nickname":"Ä","metadata":{"a":"b"}}\r\n{"user_id":"bob","nickname":"B","lifecycle":{"protect":true}}\n';
  const table = '\ufeffuser_id,nickname,metadata.a,deactivated\r\nalice2,"Ä ""q""\r\n, z",b,true\r\nbob2,B,,\n';
  const rooms = '{"channel_url":"room-1","members":{"alice":{},"bob":null},"operators":["bob"],"is_distinct":true}\n';
  const files = { 'u.ndjson': rows, 'u.csv': table, 'g.ndjson': rooms };
  const edit = fc.record({
    file: fc.constantFrom('u.ndjson' as const, 'u.csv' as const, 'g.ndjson' as const),
    edits: fc.array(fc.record({ at: fc.nat(300), cut: fc.nat(4), put: fc.uint8Array({ maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  await fc.assert(
    fc.asyncProperty(edit, async ({ file, edits }) => {
      let bytes = Buffer.from(files[file]);
      for (const { at, cut, put } of edits) {
        const place = at % (bytes.length + 1);
        bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)]);
      }
      const loaded = await load({
        'a.yaml': manifest(users('u.ndjson'), users('u.csv'), '{ kind: group_channel, file: g.ndjson }'),
        ...files,
        [file]: bytes,
      });
      expect([...loaded.resources].length).toBe(loaded.resources.length);
    }),
    { numRuns: inSuite(10, 250) },
  );
});
