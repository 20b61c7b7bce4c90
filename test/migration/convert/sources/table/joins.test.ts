// Tests values that come from other rows: look-ups in expressions and computed columns, two in a row, conditions on them, joined tables,
// and parts of texts.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../../src/core/model/errors.ts';
import { inSuite } from '../../../../support/suite.ts';
import { convertTables } from '../../support/converted.ts';
import { jsonl } from '../../support/small-exports.ts';

const time = 1_700_000_000_000;
const message = { id: 'm1', by: 'ann', target: 7, text: 'hi', time };

interface Written {
  /** More of the table of messages. */
  readonly table?: object;
  /** More of the messages. */
  readonly fields?: object;
  /** More of the table that all targets of messages are in. */
  readonly targets?: object;
}

/** Messages name their sender by login, and their room by a row of a table of everything that receives messages. */
const mappingOf = ({ table, fields, targets }: Written): string =>
  JSON.stringify({
    version: 1,
    name: 'own',
    tables: {
      people: { files: 'people.ndjson', key: '${login}' },
      targets: { files: 'targets.ndjson', key: '${id}', ...targets },
      rooms: { files: 'rooms.ndjson', key: '${number}' },
      bodies: { files: 'bodies.ndjson', key: '${of}', omit: ['size'] },
      messages: { files: 'messages.ndjson', omit: ['by', 'target'], ...table },
    },
    channels: { from: 'rooms', id: '${id}', members: 'u1' },
    messages: {
      from: 'messages',
      id: '${id}',
      channel: 'r1',
      time: { of: '${time}', unit: 'milliseconds' },
      text: '${text}',
      ...fields,
    },
  });

const tables = {
  'people.ndjson': jsonl({ login: 'ann', id: 'u1' }, { login: 'bob', id: 'u2' }),
  'targets.ndjson': jsonl({ id: 7, kind: 'room', ref: 1 }, { id: 8, kind: 'person', ref: 2 }),
  'rooms.ndjson': jsonl({ number: 1, id: 'r1' }, { number: 2, id: 'r2' }),
  'bodies.ndjson': jsonl({ of: 'm1', text: 'joined', size: 9, lang: 'en', deep: '{"a":{"b":3}}' }),
};

const converted = (written: Written, ...messages: readonly object[]) =>
  convertTables({ ...tables, 'messages.ndjson': jsonl(...messages) }, mappingOf(written), { isAccepted: true });

describe('computes a value from other rows:', () => {
  const sender = { cel: 'lookup("people", row.by, "id")' };
  const room = { cel: 'lookup("rooms", lookup("targets", row.target, "ref"), "id")' };
  const author = { in: 'people', key: '${by}', get: '${id}' };
  const ref = { in: 'targets', key: '${target}', get: '${ref}' };
  test.for<readonly [claim: string, written: Written, row: object, expected: object]>([
    ['a look-up in an expression', { fields: { sender } }, {}, { sender: 'u1' }],
    ['two look-ups in a row', { fields: { channel: room } }, { target: 7 }, { id: 'own:r1:m1' }],
    [
      'two look-ups in a row, by a computed column',
      { table: { computed: { ref } }, fields: { channel: { in: 'rooms', key: '${ref}', get: '${id}' } } },
      {},
      { id: 'own:r1:m1' },
    ],
    [
      'a look-up of a column that is a look-up itself',
      {
        targets: { computed: { room: { in: 'rooms', key: '${ref}', get: '${id}' } } },
        fields: { channel: { in: 'targets', key: '${target}', get: '${room}' } },
      },
      {},
      { id: 'own:r1:m1' },
    ],
    [
      'a look-up within a text',
      { table: { computed: { author } }, fields: { text: '${text} by ${author}' } },
      {},
      { text: 'hi by u1' },
    ],
    [
      'a computed column in an expression',
      { table: { computed: { u: author } }, fields: { text: { cel: 'row.u + "!"' } } },
      {},
      { text: 'u1!' },
    ],
    [
      'a part of a computed column',
      { table: { computed: { all: { cel: '{"a": [row.text]}' } } }, fields: { text: '${all.a.0}?' } },
      {},
      { text: 'hi?' },
    ],
    [
      'names within a map',
      {
        fields: {
          reactions: {
            cel: 'row.reactions.map(name, {"name": name, "users": row.reactions[name].map(l, lookup("people", l, "id"))})',
          },
        },
      },
      { reactions: { ':+1:': ['ann', 'bob'] } },
      { reactions: [{ name: '+1', users: ['u1', 'u2'] }] },
    ],
    [
      'another value for a missing row',
      { fields: { sender: { cel: 'lookup("people", row.by, "id", "nobody")' } } },
      { by: 'cem' },
      { sender: 'nobody' },
    ],
    [
      'the first group of a pattern',
      { fields: { text: { cel: 'row.text.extract("see /f/(\\\\d+)")' } } },
      { text: 'see /f/12, /f/13' },
      { text: '12' },
    ],
    [
      'no text where a pattern does not match',
      { fields: { reply_to: { cel: 'row.text.extract("#(\\\\d+)")' } } },
      {},
      { text: 'hi' },
    ],
    [
      'all parts of a text',
      { fields: { text: { cel: 'row.text.extractAll("#(\\\\w+)").join("+")' } } },
      { text: '#a b #c' },
      { text: 'a+c' },
    ],
    [
      'a column of a joined row',
      { table: { join: { bodies: '${id}' } }, fields: { text: '${bodies.text}, ${bodies.deep.a.b}' } },
      {},
      { text: 'joined, 3', more: { text: 'hi', 'bodies.lang': 'en' } },
    ],
    [
      'a column of a joined row in an expression',
      {
        table: { join: { bodies: '${id}' }, omit: ['bodies.deep', 'by', 'target', 'text'] },
        fields: { text: { cel: 'row.bodies.text' } },
      },
      {},
      { text: 'joined', more: { 'bodies.lang': 'en' } },
    ],
    [
      'the existence of an optional form',
      { fields: { text: { cel: 'row.?ts[?"$date"].hasValue() ? "date" : "none"' } } },
      { ts: { $date: 1 } },
      { text: 'date' },
    ],
  ])('%s', async ([, written, row, expected]) => {
    const { facts, ledger } = await converted(written, { ...message, ...row });
    expect(facts).toMatchObject([expected]);
    if ('more' in expected) expect(facts[0]?.more).toEqual(expected.more);
    expect(ledger.flatMap(({ reason, also = [] }) => [reason, ...also])).not.toContain('row.value-dropped');
  });

  test('a condition on a looked-up value', async () => {
    const where = 'lookup("targets", row.target, "kind") == "room"';
    const { facts, ledger } = await converted({ fields: { where } }, message, { ...message, id: 'm2', target: 8 });
    expect(facts.map(({ id }) => id)).toEqual(['own:r1:m1']);
    expect(ledger.find(({ at }) => at === 'messages.ndjson#2')).toMatchObject({ reason: 'row.unmapped' });
  });
});

test('says which value was dropped because no row has the key', async () => {
  const lookup = { cel: 'lookup("people", row.by, "id")' };
  const joined = { table: { join: { bodies: '${id}' } }, fields: { text: '${bodies.text}' } };
  for (const written of [{ fields: { sender: lookup } }, joined]) {
    const { ledger } = await converted(written, { ...message, id: 'm9', by: 'cem' });
    const line = ledger.find(({ at }) => at === 'messages.ndjson#1');
    expect([line?.reason, ...(line?.also ?? [])]).toContain('row.value-dropped');
  }
});

test('says which rows repeat a key with other values', async () => {
  const written = {
    table: { join: { bodies: '${id}' } },
    fields: { text: '${bodies.text}', sender: { cel: 'lookup("people", row.by, "id")' } },
  };
  const repeated = {
    'people.ndjson': `${tables['people.ndjson']}${jsonl({ login: 'ann', id: 'u1', note: 'same id' }, { login: 'bob', id: 'u3' })}`,
    'bodies.ndjson': `${tables['bodies.ndjson']}${tables['bodies.ndjson']}${jsonl({ of: 'm1', text: 'another' })}`,
  };
  const { facts, ledger } = await convertTables(
    { ...tables, ...repeated, 'messages.ndjson': jsonl(message) },
    mappingOf(written),
  );
  expect(facts).toMatchObject([{ text: 'joined', sender: 'u1' }]);
  const places = ledger.filter(({ reason }) => reason === 'row.repeated-key').map(({ at }) => at);
  expect(places.sort()).toEqual(['bodies.ndjson#3', 'people.ndjson#4']);
});

describe('keeps what an expression does not read of', () => {
  test.for<readonly [column: string, cel: string, row: object, more: object | undefined]>([
    [
      'an element of a list',
      'has(row.files) ? row.files[0].ref : ""',
      { files: [{ ref: '5', title: 'Build' }] },
      { files: [{ title: 'Build' }] },
    ],
    [
      'all elements of a list',
      'row.files.map(f, f.ref).join(",")',
      { files: [{ ref: '5', by: 'ann' }, { ref: '6' }] },
      { files: [{ by: 'ann' }] },
    ],
    [
      'filtered elements',
      'row.files.filter(f, f.kind == "x").map(f, f.ref).join("")',
      { files: [{ ref: '5', kind: 'x', no: 1 }] },
      { files: [{ no: 1 }] },
    ],
    [
      'the values of a map',
      'row.map.map(k, k + row.map[k].a).join("")',
      { map: { x: { a: '1', b: 2 } } },
      { map: { x: { b: 2 } } },
    ],
    ['JSON in a text', 'json(row.meta).a', { meta: '{"a":"1","b":2}' }, { meta: { b: 2 } }],
    ['an optional part', 'row.?meta[?"a"].orValue("")', { meta: { a: '1', b: 2 } }, { meta: { b: 2 } }],
    ['a bound value', 'cel.bind(m, row.meta, m.a + m.a)', { meta: { a: '1', b: 2 } }, { meta: { b: 2 } }],
    ['a tested value with parts', 'row.meta == null ? "" : row.meta.a', { meta: { a: '1', b: 2 } }, { meta: { b: 2 } }],
    ['a value that is only tested', 'has(row.meta) ? "yes" : "no"', { meta: { a: '1' } }, undefined],
    ['a whole list', 'row.names.map(n, n + "!").join("")', { names: ['a', 'b'] }, undefined],
    ['a whole value', 'string(row.meta)', { meta: 'x' }, undefined],
  ])('%s', async ([, cel, row, more]) => {
    const { facts } = await converted(
      { fields: { text: { cel } }, table: { omit: ['by', 'target', 'text'] } },
      { ...message, ...row },
    );
    expect(facts[0]?.more).toEqual(more);
  });
});

describe('names the problem and the way out of', () => {
  const author = { in: 'people', key: '${by}', get: '${id}' };
  test.for<readonly [claim: string, written: Written, details: readonly RegExp[]]>([
    [
      'a table without a key',
      { fields: { text: { cel: 'lookup("messages", row.by, "id")' } } },
      [/There is no table messages with a key/u],
    ],
    [
      'a table that an expression computes',
      { fields: { text: { cel: 'lookup(row.by, "x", "id")' } } },
      [/table and the column of lookup\(\) are texts.*CREATE VIEW/u],
    ],
    [
      'another table in an expression',
      { fields: { text: { cel: 'people.id' } } },
      [/Unknown variable: people.*lookup\("TABLE", KEY, "COLUMN"\).*CREATE VIEW/u],
    ],
    [
      'look-ups that need each other',
      {
        targets: { computed: { up: { in: 'targets', key: '${ref}', get: '${up}' } } },
        fields: { text: { in: 'targets', key: '${target}', get: '${up}' } },
      },
      [/needs its own result.*CREATE VIEW/u],
    ],
    [
      'a computed column that reads itself',
      { table: { computed: { a: '${b}', b: '${a}' } }, fields: { text: '${a}' } },
      [/computed column a needs its own value/u],
    ],
    [
      'a computed column that nothing reads',
      { table: { computed: { author } } },
      [/Nothing reads the computed column author/u],
    ],
    [
      'a join of a join',
      { targets: { join: { rooms: '${ref}' } }, table: { join: { targets: '${target}' } } },
      [/targets is joined to a table already.*CREATE VIEW/u],
    ],
    [
      'a join by a looked-up key',
      { table: { computed: { author }, join: { bodies: '${author}' } } },
      [/key of a join consists of columns of the table itself.*CREATE VIEW/u],
    ],
    [
      'has() of a key in quotes',
      { fields: { text: { cel: 'has(row.ts["$date"])' } } },
      [/Write row\.\?ts\[\?"\$date"\]\.hasValue\(\)/u],
    ],
    ['two groups of a pattern', { fields: { text: { cel: 'row.text.extract("(a)(b)")' } } }, [/Only one group/u]],
    [
      'a pattern that is not valid',
      { fields: { text: { cel: 'row.text.extractAll("(a")' } } },
      [/Invalid regular expression/u],
    ],
    [
      'all faulty values at once',
      { fields: { text: '${}', sender: { cel: 'row.' }, thread: { in: 'nowhere', key: '${id}', get: '${id}' } } },
      [/not a column/u, /not valid CEL/u, /no table nowhere/u],
    ],
  ])('%s', async ([, written, details]) => {
    const error = await converted(written, message).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'convert.mapping' });
    const found = error instanceof Refusal ? error.diagnostics.map(({ detail }) => detail) : [];
    expect(found.length).toBe(details.length);
    for (const detail of details) expect(found).toContainEqual(expect.stringMatching(detail));
  });
});

test('leaves out a row whose text would take quadratic time to search', async () => {
  // Each b counts as work for every character, and none is reached, so the allowance is used up soon.
  const text = { cel: 'row.text.extractAll("a(.*b{100})?").join("")' };
  const long = { ...message, id: 'm2', text: 'a'.repeat(10_000) };
  const { facts, ledger } = await converted({ fields: { text } }, message, long);
  expect(facts.map(({ id }) => id)).toEqual(['own:r1:m1']);
  expect(ledger.find(({ at }) => at === 'messages.ndjson#2')).toMatchObject({ reason: 'row.costly' });
});

/** Few keys, so that many rows match, and some keys repeat. */
const key = fc.oneof(fc.constantFrom('a', 'b', '1', '01', 'ä', '__proto__', 'x y'), fc.nat(3), fc.constant(null));
const left = fc.array(fc.record({ key, other: fc.nat(9) }), { minLength: 1, maxLength: 20 });
const right = fc.array(fc.record({ key, value: fc.oneof(fc.nat(5), fc.constantFrom('p', 'q')) }), { maxLength: 20 });

test('finds in any two tables what a naive join finds, by look-up and by join', async () => {
  const mapping = (sender: object, table: object) => ({
    version: 1,
    name: 'own',
    tables: { r: { files: 'r.ndjson', key: '${key}' }, m: { files: 'm.ndjson', ...table } },
    channels: { from: 'm', where: 'row.id == 0', id: 'room', members: 'u1' },
    messages: {
      from: 'm',
      id: '${id}',
      channel: 'room',
      text: '${id}',
      time: { of: '${time}', unit: 'milliseconds' },
      ...sender,
    },
  });
  const ways = [
    mapping({ type: { in: 'r', key: '${key}', get: '${value}' } }, {}),
    mapping({ type: { cel: 'string(lookup("r", row.key, "value"))' } }, {}),
    mapping({ type: '${found}' }, { computed: { found: { in: 'r', key: '${key}', get: '${value}' } } }),
    mapping({ type: '${r.value}' }, { join: { r: '${key}' } }),
  ];
  const property = fc.asyncProperty(left, right, fc.constantFrom(...ways), async (rows, others, way) => {
    const messages = rows.map((row, id) => ({ id, time: time + id, ...row }));
    const files = { 'm.ndjson': jsonl(...messages), 'r.ndjson': others.length === 0 ? '' : jsonl(...others) };
    const { facts, ledger } = await convertTables(files, JSON.stringify(way));
    const partnerOf = (wanted: unknown) => others.find((row) => wanted !== null && String(row.key) === String(wanted));
    const expected = messages.map((row) => partnerOf(row.key)?.value);
    expect(facts.map(({ type }) => type)).toEqual(
      expected.map((value) => (value === undefined ? undefined : String(value))),
    );
    const repeated = others.filter((row) => row.key !== null && partnerOf(row.key)?.value !== row.value);
    expect(ledger.filter(({ reason }) => reason === 'row.repeated-key').length).toBeGreaterThanOrEqual(repeated.length);
  });
  await fc.assert(property, { numRuns: inSuite(25, 200) });
});

describe('loses nothing silently:', () => {
  test('unread columns of a table that is only looked up have a line, until omit names them', async () => {
    const people = jsonl({ login: 'ann', id: 'u1', note: 'x', tags: [] }, { login: 'bob', id: 'u2', born: 1990 });
    const convert = (omit: readonly string[]) =>
      convertTables(
        { 'people.ndjson': people, 'messages.ndjson': jsonl(message) },
        JSON.stringify({
          version: 1,
          name: 'own',
          tables: {
            people: { files: 'people.ndjson', key: '${login}', omit },
            messages: { files: 'messages.ndjson', omit: ['target'] },
          },
          channels: { from: 'messages', id: 'r1', members: 'u1' },
          messages: {
            from: 'messages',
            id: '${id}',
            channel: 'r1',
            sender: { in: 'people', key: '${by}', get: '${id}' },
            time: { of: '${time}', unit: 'milliseconds' },
            text: '${text}',
          },
        }),
      );
    const { folder, ledger, result } = await convert(['tags']);
    expect(ledger.filter(({ reason }) => reason === 'table.looked-up')).toEqual([
      {
        at: 'people.ndjson#people',
        id: 'own:people',
        outcome: 'left_out',
        reason: 'table.looked-up',
        rows: 2,
      },
    ]);
    expect(result.undecided).toContainEqual({
      code: 'table.looked-up',
      count: 1,
    });
    expect(await readFile(join(folder, 'conversion/report.md'), 'utf8')).toContain('reads nothing of born, note.');
    expect((await convert(['tags', 'note', 'born'])).result.undecided).toEqual([]);
  });

  test('a joined row whose unread column looks like a restriction', async () => {
    const bodies = jsonl({ of: 'm1', text: 'joined', is_hidden: true });
    const { ledger } = await convertTables(
      { ...tables, 'bodies.ndjson': bodies, 'messages.ndjson': jsonl(message) },
      mappingOf({
        table: { join: { bodies: '${id}' } },
        fields: { text: '${bodies.text}' },
      }),
    );
    expect(ledger.find(({ at }) => at === 'messages.ndjson#1')?.also).toContain('object.maybe-restricted');
  });

  const rows = [
    { id: 'm1', of: 'm0', room: 'r1', text: 'first' },
    { id: 'm2', of: 'm1', room: 'r1', text: 'second' },
  ];
  const twice = (files: string, source: object) =>
    JSON.stringify({
      version: 1,
      name: 'own',
      tables: {
        answers: { files, ...source, key: '${of}' },
        messages: { files, ...source, omit: ['of'] },
      },
      channels: {
        from: 'messages',
        id: '${room}',
        members: 'u1',
        repeats: true,
      },
      messages: {
        from: 'messages',
        id: '${id}',
        channel: '${room}',
        time: { of: '2024-01-01T00:00:00Z' },
        text: '${text}',
        reply_to: { cel: 'lookup("answers", row.id, "id", "")' },
      },
    });
  const insert = `-- MySQL dump 10.13\nINSERT INTO \`m\` (\`id\`,\`of\`,\`room\`,\`text\`) VALUES ${rows
    .map(({ id, of, room, text }) => `('${id}','${of}','${room}','${text}')`)
    .join(',')};\n-- Dump completed\n`;

  test.for<readonly [file: string, content: string, source: object]>([
    ['m.sql', insert, { table: 'm' }],
    ['m.json', JSON.stringify({ m: rows }), { path: 'm.*' }],
  ])('a table of %s that two tables of the mapping name', async ([file, content, source]) => {
    const { facts, ledger } = await convertTables({ [file]: content }, twice(file, source));
    expect(facts.map(({ text, reply_to }) => [text, reply_to])).toEqual([
      ['first', 'm2'],
      ['second', undefined],
    ]);
    const places = ledger.map(({ at }) => at);
    expect(new Set(places).size).toBe(places.length);
    expect(ledger.filter(({ reason }) => reason === 'row.lookup').length).toBe(2);
  });

  test('a CSV file that two tables of the mapping name is refused with the name of the first', async () => {
    const csv = 'id,of,room,text\nm1,m0,r1,first\n';
    await expect(convertTables({ 'm.csv': csv }, twice('m.csv', {}))).rejects.toMatchObject({
      diagnostics: [{ detail: 'm.csv is already in the table answers.' }],
    });
  });
});
