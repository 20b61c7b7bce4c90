// Tests the order of messages of one millisecond: by the source's finer time, its own number, or ids that grow, whatever order the files
// of the export have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/lib/json.ts';
import { inSourceOrder } from '../../../src/migration/convert/order.ts';
import { inSuite } from '../../support/suite.ts';
import { convertTables } from './support/converted.ts';

interface Tie {
  readonly id: string;
  readonly time?: JsonValue;
  readonly order?: JsonValue;
}

const orderOf = (ties: readonly Tie[]) =>
  inSourceOrder(ties, ({ id, time = 5, order }) => ({ id, time, ...(order === undefined ? {} : { order }) }));

describe('decides by', () => {
  const at = (digits: string) => `2024-01-01T10:00:00.123${digits}Z`;
  test.for<[string, readonly Tie[]]>([
    [
      'the finer time, before the ids',
      [
        { id: 'm:9', time: at('1') },
        { id: 'm:8', time: at('12') },
        { id: 'm:7', time: at('9') },
      ],
    ],
    ['no finer digits before some', [{ id: 'm:9' }, { id: 'm:8', time: at('001') }]],
    [
      'order, before the ids',
      [
        { id: 'm:3', order: 9 },
        { id: 'm:2', order: 10 },
        { id: 'm:1', order: '11' },
      ],
    ],
    [
      'negative numbers, by value',
      [
        { id: 'm:9', order: -3 },
        { id: 'm:8', order: -2 },
        { id: 'm:7', order: 1 },
      ],
    ],
    [
      'times in any zone',
      [
        { id: 'm:3', order: '2024-01-01T10:00:00.000001+02:00' },
        { id: 'm:2', order: '2024-01-01T08:00:00.000002Z' },
        { id: 'm:1', order: '2024-01-01 08:00:01+00' },
      ],
    ],
    [
      'numbers, by value',
      [{ id: 'own:7:9' }, { id: 'own:7:10' }, { id: 'own:7:9007199254740993' }, { id: 'own:7:9007199254740994' }],
    ],
    ['numbers with a point', [{ id: 'slack:C1:1452800000.000002' }, { id: 'slack:C1:1452800000.0001' }]],
    ['the number in a text', [{ id: 'c:msg-9' }, { id: 'c:msg-10' }]],
    ['the time of a ULID', [{ id: 'c:01ARZ3NDEKTSV4RRFFQ69G5FZZ' }, { id: 'c:01ARZ3NDEMTSV4RRFFQ69G5FAV' }]],
    [
      'the time of a UUIDv7',
      [{ id: 'c:017f22e2-79b0-7fff-98c4-dc0c0c07398f' }, { id: 'c:017f22e2-79b1-7cc3-98c4-dc0c0c07398f' }],
    ],
    [
      'the counter of ObjectIds of one process',
      [{ id: 'c:507f1f77bcf86cd799439011' }, { id: 'c:507f1f77bcf86cd7994390ff' }],
    ],
  ])('%s', ([, ties]) => {
    expect(orderOf(ties)).toEqual({ messages: ties, undecided: 0 });
    expect(orderOf([...ties].reverse())).toEqual({ messages: ties, undecided: 0 });
  });
});

describe('leaves the order of the file to', () => {
  test.for<[string, readonly Tie[]]>([
    ['words', [{ id: 'c:zoe' }, { id: 'c:adam' }]],
    [
      'random UUIDs',
      [{ id: 'c:9b2d7b3e-8f4b-4a6e-9c1d-111111111111' }, { id: 'c:1b2d7b3e-8f4b-4a6e-9c1d-111111111111' }],
    ],
    ['ids of several forms', [{ id: 'c:12' }, { id: 'c:m-3' }]],
    ['ULIDs of one millisecond', [{ id: 'c:01ARZ3NDEKTSV4RRFFQ69G5FZZ' }, { id: 'c:01ARZ3NDEKTSV4RRFFQ69G5FAV' }]],
    ['ObjectIds of several processes', [{ id: 'c:507f1f77bcf86cd799439011' }, { id: 'c:507f1f77aaf86cd799439012' }]],
  ])('%s', ([, ties]) => {
    for (const order of [ties, [...ties].reverse()])
      expect(orderOf(order)).toEqual({ messages: order, undecided: ties.length });
  });
});

const mapping = (order: string) => `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: "messages*.csv" } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}"${order} }
`;

type By = 'finer time' | 'order' | 'growing ids' | 'nothing';

/** Few instants, so that most messages have a tie. */
const rows = fc.array(fc.record({ second: fc.nat(2), finer: fc.nat(999) }), { minLength: 2, maxLength: 8 });

/** Each row is the header's columns; `place` is its place in the true order. */
function rowsOf(drawn: readonly { second: number; finer: number }[], by: By): string[] {
  const sorted = [...drawn].sort((left, right) => left.second - right.second || left.finer - right.finer);
  return sorted.map(({ second, finer }, place) => {
    const digits = by === 'finer time' ? `.123${String(finer).padStart(3, '0')}` : '.123';
    const id = by === 'growing ids' ? String(place + 8) : `word-${'zyxwvuts'[place]}`;
    return `${id},7,1,2024-01-01T10:00:0${second}${digits}Z,text ${place},${by === 'order' ? place + 8 : ''}`;
  });
}

test.for<By>(['finer time', 'order', 'growing ids', 'nothing'])(
  'rows and files in any order give the same history, decided by %s',
  async (by) => {
    await fc.assert(
      fc.asyncProperty(rows, fc.infiniteStream(fc.nat()), fc.nat(7), async (drawn, numbers, cut) => {
        const ordered = rowsOf(drawn, by);
        const isUnique =
          by !== 'finer time' || new Set(drawn.map(({ second, finer }) => second * 1000 + finer)).size === drawn.length;
        fc.pre(isUnique);
        const keys = new Map(ordered.map((row) => [row, numbers.next().value ?? 0]));
        const shuffled = [...ordered].sort((left, right) => (keys.get(left) ?? 0) - (keys.get(right) ?? 0));
        const head = 'id,room,user,at,body,seq';
        const common = { 'users.csv': 'id,name\n1,Ann\n', 'rooms.csv': 'id,name,members\n7,Desk,1\n' };
        const convert = (first: readonly string[], second: readonly string[]) =>
          convertTables(
            {
              ...common,
              'messages-1.csv': [head, ...first, ''].join('\n'),
              'messages-2.csv': [head, ...second, ''].join('\n'),
            },
            mapping(by === 'order' ? `, order: "\${seq}"` : ''),
          );
        const [straight, other] = [
          await convert(ordered, []),
          await convert(shuffled.slice(cut), shuffled.slice(0, cut)),
        ];
        const tied = drawn.filter(({ second }) => drawn.filter((one) => one.second === second).length > 1).length;
        for (const { result } of [straight, other]) expect(result.unordered).toBe(by === 'nothing' ? tied : 0);
        if (by !== 'nothing' || tied === 0) expect(other.historyFiles).toEqual(straight.historyFiles);
        const texts = Object.values(straight.historyFiles)[0]?.map(({ message }) => message);
        expect(texts).toEqual(ordered.map((_row, place) => `text ${place}`));
      }),
      { numRuns: inSuite(6, 60) },
    );
  },
);

const common = { 'users.csv': 'id,name\n1,Ann\n', 'rooms.csv': 'id,name,members\n7,Desk,1\n' };
const textsOf = (historyFiles: Awaited<ReturnType<typeof convertTables>>['historyFiles']) =>
  Object.values(historyFiles).flatMap((lines) => lines.map(({ message }) => String(message)));

test('a tie has one order, whatever else the channel has', async () => {
  const tie = ['9,7,1,2024-01-01T10:00:00Z,A,1', '8,7,1,2024-01-01T10:00:00Z,B,2', '10,7,1,2024-01-01T10:00:00Z,C,'];
  const later = ['12,7,1,2024-01-01T11:00:00Z,E,2', '11,7,1,2024-01-01T11:00:00Z,D,1'];
  const convert = async (...list: string[]) => {
    const files = { ...common, 'messages-1.csv': ['id,room,user,at,body,seq', ...list, ''].join('\n') };
    return textsOf((await convertTables(files, mapping(`, order: "\${seq}"`))).historyFiles);
  };
  expect((await convert(...tie, ...later)).slice(0, 3)).toEqual(await convert(...tie));
  expect((await convert(...tie, ...later)).slice(3)).toEqual(['D', 'E']);
});

test('a message whose facts are spread over lines keeps its finer time', async () => {
  const long = (sign: string, length: number) => sign.repeat(length);
  const rows = [
    'zoe,7,1,2024-01-01T10:00:00.1231Z,FIRST,',
    `adam,7,1,2024-01-01T10:00:00.1239Z,SECOND ${long('x', 15_000)},${long('y', 16_500)}`,
    'carl,7,1,2024-01-01T10:00:00.12395Z,THIRD,',
    'b,7,1,2024-01-01T11:00:00.1239Z,FIFTH,',
    'c,7,1,2024-01-01T11:00:00.1231Z,FOURTH,',
  ];
  const files = { ...common, 'messages-1.csv': ['id,room,user,at,body,extra', ...rows, ''].join('\n') };
  const { historyFiles, facts } = await convertTables(files, mapping(''), { isAccepted: true });
  const starts = textsOf(historyFiles).map((text) => text.slice(0, 6).trim());
  expect([starts[0], starts[1], ...starts.slice(-3)]).toEqual(['FIRST', 'SECOND', 'THIRD', 'FOURTH', 'FIFTH']);
  expect(facts[1]).toMatchObject({ time: '2024-01-01T10:00:00.1239Z', more: { extra: long('y', 16_500) } });
});

test('an order that is neither a number nor a time is refused, or counted with its first place', async () => {
  const row = (id: number, seq: string) => `${id},7,1,2024-01-01T10:00:0${id % 10}Z,text,${seq}`;
  const convert = (...seqs: readonly string[]) =>
    convertTables(
      {
        ...common,
        'messages.csv': ['id,room,user,at,body,seq', ...seqs.map((seq, id) => row(id, seq)), ''].join('\n'),
      },
      mapping(`, order: "\${seq}"`),
    );
  await expect(convert('first', 'second', 'third')).rejects.toMatchObject({
    diagnostics: [
      { detail: expect.stringContaining('"first" here, which is not a number, a time or an id that grows') },
    ],
  });
  const { folder } = await convert('1', '2', 'last', '');
  const report = readFileSync(join(folder, 'conversion/report.md'), 'utf8');
  expect(report).toContain(
    '1 of 3 values of messages.order are not a number, a time or an id that grows: the first is "last" at messages.csv#4.',
  );
});
