// Tests how history files are read: in pieces of any size, compressed or not, in bounded memory, and by patterns.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { historyFileOf } from '../../../../src/core/history/lines/history-file.ts';
import { readHistoryFile } from '../../../../src/core/manifest/history-files/history-file.ts';
import { Problems } from '../../../../src/core/manifest/problems/problems.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { Suggestions } from '../../../../src/lib/suggestions.ts';
import { historyFileOfLines, historyFileText } from '../../../support/history-files.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { load } from '../support/in-memory.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const rules = { isUser: () => true, suggestions: new Suggestions() };

const hello = { user_id: 'alice', message: 'a', timestamp: 1_600_000_000_000 };
const bytesOf = (items: readonly JsonObject[]) => new TextEncoder().encode(historyFileText(items));

async function read(bytes: Uint8Array, size = 1_000_000, perCall = 100, messageLength = 5000) {
  const problems = new Problems();
  const chunks = inPieces(bytes, size);
  const file = { file: 'a.ndjson', chunks, threads: false };
  const { historyFile } = await readHistoryFile(file, perCall, { ...rules, messageLength }, problems);
  return { historyFile, problems: problems.sorted() };
}

const line = fc.oneof(
  fc.record({
    message_type: fc.constant('MESG'),
    user_id: fc.constantFrom('alice', 'bob'),
    message: fc.oneof(
      fc.constantFrom('a', 'ü€😀', ''),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary-ascii' }),
    ),
  }),
  fc.record({
    message_type: fc.constant('MESG'),
    user_id: fc.constant('bob'),
    message: fc.constant('c'),
    custom_type: fc.constantFrom('chat', 'a "quoted" one', 'back\\slash'),
  }),
  fc.record({
    message_type: fc.constant('MESG'),
    user_id: fc.constant('bob'),
    message: fc.constant('d'),
    data: fc.constantFrom('{"a": 1}', 'b'),
  }),
  fc.record({
    message_type: fc.constant('FILE'),
    user_id: fc.constant('bob'),
    url: fc.constant('https://example.com/a'),
  }),
  fc.record({ message_type: fc.constant('ADMM'), message: fc.constantFrom('a', 'b') }),
);
const lines = fc.array(fc.tuple(line, fc.nat({ max: 2 })), { maxLength: 60 }).map((items): JsonObject[] => {
  let timestamp = 1_600_000_000_000;
  return items.map(([fields, later]) => {
    timestamp += later;
    return { ...fields, timestamp, ...(later === 2 ? { dedup_id: `id "${timestamp}"` } : {}) };
  });
});

test('reports a dedup_id that appears twice, wherever it appears first', async () => {
  const ids = fc.array(fc.nat({ max: 40 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(ids, async (all) => {
      const text = all.map((id, place) => ({ ...admin(place), dedup_id: `id-${id}` }));
      const { problems } = await read(Buffer.from(historyFileText(text)));
      const again = all.flatMap((id, place) => (all.indexOf(id) < place ? [place + 1] : []));
      const told = problems
        .filter(({ code }) => code === 'manifest.history-repeated')
        .map(({ source }) => source?.line);
      expect(told).toEqual(again.slice(0, 10));
    }),
    { numRuns: inSuite(20, 40) },
  );
});

const admin = (place: number): JsonObject => ({
  message_type: 'ADMM',
  message: 'a',
  timestamp: 1_600_000_000_000 + place,
});

fastTest.for([
  [{ message: 'nul \0' }, 1],
  [{ message: 'half \ud83d' }, 1],
  [{ message: 'x', sorted_metaarray: [{ key: 'k', value: ['\udc00'] }] }, 1],
  [{ message: 'whole \ud83d\ude00 and \u001b and \\u0000' }, 0],
  [{ message: 'x', data: JSON.stringify({ text: 'half \ud83d' }) }, 0],
] as const)('%j has %i warnings about characters that nothing can store', async ([fields, count]) => {
  const ascii = JSON.stringify({ ...admin(0), ...fields }).replace(/[\u0080-\uffff]/gu, escaped);
  const { historyFile, problems } = await read(Buffer.from(`${ascii}\n`));
  expect(historyFile?.messages).toBe(1);
  expect(problems).toMatchObject(Array(count).fill({ severity: 'warning', code: 'manifest.bad-character' }));
});

/** As written by programs that escape everything but ASCII. */
function escaped(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
    .join('');
}

describe('a history file', () => {
  test('reads the same from any pieces, with any line end, and compressed', async () => {
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 20 }),
        async (all, size, perCall) => {
          const text = Buffer.from(historyFileText(all));
          const expected = historyFileOfLines('a.ndjson', all, perCall);
          expect((await read(text, size, perCall)).historyFile).toEqual(expected);
          expect((await read(gzipSync(text), size, perCall)).historyFile).toEqual({ ...expected, gzip: true });
          const unended = text.subarray(0, Math.max(0, text.length - 1));
          const { historyFile } = await read(unended, size, perCall);
          expect(historyFile?.digest).toBe(expected.digest);
        },
      ),
      { numRuns: inSuite(20, 60) },
    );
  });

  fastTest('reads the same with a byte order mark and Windows line ends', async () => {
    const all = [
      { message_type: 'ADMM', message: 'a', timestamp: 1_600_000_000_000 },
      { message_type: 'ADMM', message: 'b', timestamp: 1_600_000_000_001 },
    ];
    const text = Buffer.from(`\ufeff${historyFileText(all).replaceAll('\n', '\r\n')}`);
    expect((await read(text, 7)).historyFile?.digest).toBe(historyFileOfLines('a', all).digest);
  });

  fastTest.for([
    {
      name: 'packed, and cut off',
      bytes: gzipSync('x'.repeat(5000)).subarray(0, 30),
      says: 'cannot be read to its end',
    },
    { name: 'of one endless line', bytes: Buffer.alloc(1_200_000, 'x'), says: 'longer than 1000000 bytes' },
    { name: 'in another encoding', bytes: Buffer.from([0x7b, 0xe4, 0xff, 0x0a]), says: 'not UTF-8' },
  ])('reports $name instead of throwing', async ({ bytes, says }) => {
    const { historyFile, problems } = await read(bytes, 100_000);
    expect(historyFile).toBeUndefined();
    expect(problems.map(({ detail }) => detail).join()).toContain(says);
  });

  fastTest('shows ten of a thousand problems and their number', async () => {
    const { problems } = await read(Buffer.from('x\n'.repeat(1000)));
    expect(problems).toHaveLength(11);
    expect(problems.find(({ code }) => code === 'manifest.history-more')?.detail).toContain('1000 problems');
  });
});

fastTest('finds the history file of every channel that a pattern matches', async () => {
  const loaded = await load({
    'm.yaml': `version: 1
users: { alice: { nickname: A, profile_url: '' } }
open_channels: { lobby-1: {}, lobby-2: {} }
group_channels: { room-1: { members: { alice: } } }
sources: [{ kind: messages, file: 'history/{channel_url}.ndjson' }]
application: { base_url: 'emulator:x', limits: { messages_per_migration: 2 } }
`,
    'history/lobby-1.ndjson': historyFileText([{ message_type: 'ADMM', message: 'a', timestamp: 1_600_000_000_000 }]),
    'history/room-1.ndjson': historyFileText(
      [1, 2, 3].map((place) => ({
        message_type: 'MESG',
        user_id: 'alice',
        message: 'a',
        timestamp: 1_600_000_000_000 + place,
      })),
    ),
    'history/notes.txt': 'no archive',
  });
  expect(loaded.diagnostics).toEqual([]);
  const historyFiles = [...loaded.resources].filter(({ address }) => address.startsWith('messages.'));
  expect(
    historyFiles.map(({ address, attributes }) => [
      address,
      attributes.channel,
      historyFileOf(attributes).blocks.length,
    ]),
  ).toEqual([
    ['messages.lobby-1', 'open_channel', 1],
    ['messages.room-1', 'group_channel', 2],
  ]);
});

fastTest('a line without message_type is a text message', async () => {
  const [typed] = await Promise.all(
    [{ message_type: 'MESG' }, {}].map((type) => read(bytesOf([{ ...type, ...hello }]))),
  );
  const bare = await read(bytesOf([hello]));
  expect(bare.problems).toEqual([]);
  expect(bare.historyFile?.digest).toBe(typed?.historyFile?.digest);
  expect((await read(bytesOf([{ url: 'https://a.example', ...hello }]))).problems).toMatchObject([
    { code: 'manifest.unknown-key' },
  ]);
});

fastTest.for([
  [5000, 'é', undefined],
  [5001, '😀', undefined],
  [5000, '😀', 5001],
  [20_000, '😀', 20_000],
  [20_000, 'a', 20_001],
] as const)('a limit of %i and a text of %s: refused at %s', async ([messageLength, character, length]) => {
  const text = { ...hello, message: character.repeat(length ?? messageLength) };
  const { problems } = await read(bytesOf([text]), 1_000_000, 100, messageLength);
  expect(problems.map(({ code }) => code)).toEqual((length ?? 0) > messageLength ? ['manifest.too-long'] : []);
});
