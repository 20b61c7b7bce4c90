// Tests that another notation of the same instants gives the same history files, so that a later export is no edit of everything.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../../src/lib/json.ts';
import { isSameValue } from '../../../../../src/migration/convert/notations.ts';
import { inSuite } from '../../../../support/suite.ts';
import { convertTables } from '../../support/converted.ts';

const mapping = `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", edited: "\${edited}", text: "\${body}" }
`;

interface Instant {
  readonly ms: number;
  /** Digits after those of the milliseconds. */
  readonly finer: string;
}

interface Notation {
  /** In minutes. */
  readonly offset: number;
  readonly between: 'T' | ' ';
  readonly zeros: number;
  readonly zone: 'Z' | '+00' | '+00:00' | '+0000';
}

const instant = fc.record({
  ms: fc.integer({ min: 1_600_000_000_000, max: 1_700_000_000_000 }),
  finer: fc.constantFrom('', '1', '000', '120', '123456'),
});
const notation = fc.record({
  offset: fc.constantFrom(0, 120, -330, 345),
  between: fc.constantFrom('T' as const, ' ' as const),
  zeros: fc.nat(2),
  zone: fc.constantFrom('Z' as const, '+00' as const, '+00:00' as const, '+0000' as const),
});

function written({ ms, finer }: Instant, { offset, between, zeros, zone }: Notation): string {
  const local = new Date(ms + offset * 60_000).toISOString().replace('T', between).replace('Z', '');
  const digits = `${finer}${'0'.repeat(finer.length + zeros > 6 ? 0 : zeros)}`;
  const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
  return `${local}${digits}${offset === 0 ? zone : `${offset < 0 ? '-' : '+'}${hours}:${minutes}`}`;
}

const message = fc.record({ at: instant, edited: fc.option(instant, { nil: undefined }), read: instant });
type Message = Parameters<typeof tableOf>[0][number];

function tableOf(
  messages: readonly { at: Instant; edited: Instant | undefined; read: Instant }[],
  notationOf: (place: number) => Notation,
  { quote, end }: { readonly quote: string; readonly end: string },
): string {
  const q = (text: string): string => (text === '' ? '' : `${quote}${text}${quote}`);
  const rows = messages.map(({ at, edited, read }, place) => {
    const form = notationOf(place);
    return [
      String(place + 1),
      '7',
      '1',
      q(written(at, form)),
      q(edited === undefined ? '' : written(edited, form)),
      q(`text ${place}`),
      q(written(read, form)),
    ].join(',');
  });
  return ['id,room,user,at,edited,body,read_at', ...rows, ''].join(end);
}

test('another zone, notation, quoting or line end changes no history file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 6 }),
      fc.array(notation, { minLength: 1, maxLength: 4 }),
      async (messages: readonly Message[], notations) => {
        const common = { 'users.csv': 'id,name\n1,Ann\n', 'rooms.csv': 'id,name,members\n7,Desk,1\n' };
        const plain = tableOf(messages, () => utc, { quote: '', end: '\n' });
        const other = tableOf(messages, (place) => notations[place % notations.length] ?? utc, {
          quote: '"',
          end: '\r\n',
        });
        const first = await convertTables({ ...common, 'messages.csv': plain }, mapping, { isAccepted: true });
        const second = await convertTables({ ...common, 'messages.csv': other }, mapping, { isAccepted: true });
        expect(second.historyFiles).toEqual(first.historyFiles);
        expect(JSON.stringify(first.historyFiles)).toContain('read_at');
      },
    ),
    { numRuns: inSuite(10, 60) },
  );
});

const utc: Notation = { offset: 0, between: 'T', zeros: 0, zone: 'Z' };

const flag = fc.constantFrom(
  { value: 'yes', words: ['t', 'true', 'TRUE', '1', 'yes'] },
  { value: 'no', words: ['f', 'false', 'False', '0', 'no'] },
);
const number = fc.record({
  whole: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  tenth: fc.nat(9),
  zeros: fc.nat(3),
});
const row = fc.record({ flag, number, words: fc.tuple(fc.nat(), fc.nat()), moreZeros: fc.nat(3) });

/** `place` chooses among the notations. */
function rowOf(
  id: number,
  { flag: { words }, number: { whole, tenth, zeros }, words: places, moreZeros }: FormRow,
  place: 0 | 1,
) {
  const fraction = `${tenth}${'0'.repeat(place === 0 ? zeros : moreZeros)}`;
  const isWhole = /^0*$/u.test(fraction) && place === 1 && moreZeros === 0;
  return {
    id: String(id),
    room: '7',
    user: '1',
    at: '2024-01-01T10:00:00Z',
    body: `text ${id}`,
    // A word on one side, so that both columns can be told from numbers.
    seen: place === 0 ? (words[places[0] % 3] ?? '') : (words[places[1] % words.length] ?? ''),
    score: isWhole ? String(whole) : `${whole}.${fraction}`,
  };
}
type FormRow = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

test('another notation of booleans and numbers, and another format, change nothing that was converted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), fc.boolean(), async (made, isJson) => {
      const common = { 'users.csv': 'id,name\n1,Ann\n' };
      const columns = ['id', 'room', 'user', 'at', 'body', 'seen', 'score'] as const;
      const inCsv = (place: 0 | 1) => {
        const rows = made.map((one, id) => rowOf(id, one, place));
        return [columns.join(','), ...rows.map((one) => columns.map((name) => one[name]).join(',')), ''].join('\n');
      };
      const inJson = made.map((one, id) => {
        const written = rowOf(id, one, 1);
        const isSeen = one.flag.value === 'yes';
        return `${JSON.stringify({ ...written, seen: isSeen }).replace(/"score":"([^"]*)"/u, '"score":$1')}\n`;
      });
      const rooms = { 'rooms.csv': 'id,name,members,topic_on\n7,Desk,1,t\n' };
      const first = await convertTables({ ...common, ...rooms, 'messages.csv': inCsv(0) }, mappingOf('messages.csv'), {
        isAccepted: true,
      });
      const before = readHistoryFiles(first.folder);
      const file = isJson ? 'messages.ndjson' : 'messages.csv';
      const second = await convertTables(
        {
          ...common,
          ...{ 'rooms.csv': 'id,name,members,topic_on\r\n"7",Desk,"1",true\r\n' },
          ...(isJson ? { [file]: inJson.join('') } : { [file]: inCsv(1) }),
        },
        mappingOf(file),
        { into: first.folder },
      );
      expect(readHistoryFiles(second.folder)).toEqual(before);
      expect(JSON.stringify(second.historyFiles)).toContain('score');
    }),
    { numRuns: inSuite(15, 80) },
  );
});

function mappingOf(file: string): string {
  return mapping.replace('messages.csv', file).replace(/ edited: "[^"]*",/u, '');
}

/** What is declared, too. */
function readHistoryFiles(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const kept = files.filter((name) => /^history\/.*\.ndjson$|^[a-z_]+\.yaml$/u.test(name));
  return Object.fromEntries(kept.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test.for<readonly [left: JsonValue, right: JsonValue, isSame: boolean]>([
  ['t', true, true],
  ['FALSE', 0, true],
  [1, '1', true],
  [1, true, true],
  [1, 0, false],
  ['t', 'f', false],
  ['5', 5, true],
  ['5.00', '5', true],
  ['-0.0', 0, true],
  ['1.10', '1.1', true],
  ['1.1', '1.11', false],
  ['007', 7, false],
  ['12345678901234567890', '12345678901234567891', false],
  ['12345678901234567890', '12345678901234567890.0', true],
  ['', null, false],
  ['tea', 't', false],
  [[1, 't'], ['1', true], true],
  [[1], [1, 1], false],
  [{ a: { b: '1' } }, { a: { b: 1 } }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
])('%j and %j are one value in two notations: %j', ([left, right, isSame]) => {
  expect([isSameValue(left, right), isSameValue(right, left)]).toEqual([isSame, isSame]);
});
