// Tests that values are read from JSON of any size, whatever pieces it arrives in.
import { expect, test } from 'vitest';
import { type StreamedValue, streamJson } from '../../src/lib/json-stream.ts';

async function valuesOf(text: string, paths: readonly string[], pieceBytes: number): Promise<readonly StreamedValue[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const found: StreamedValue[] = [];
  for await (const { values } of streamJson(pieces(), paths)) found.push(...values);
  return found;
}

const text = '{"head": {"é": "😀"}, "messages": [{"a": [1, {"b": null}]}, 2], "tail": true}';

test.for([1, 3, 7, 1000])('reads values from pieces of %i bytes', async (pieceBytes) => {
  expect(await valuesOf(text, ['$.head', '$.messages.*'], pieceBytes)).toEqual([
    { key: 'head', value: { é: '😀' } },
    { key: 0, value: { a: [1, { b: null }] } },
    { key: 1, value: 2 },
  ]);
});

test('distinguishes truncated text from invalid text', async () => {
  await expect(valuesOf(text.slice(0, -9), ['$.*'], 5)).rejects.toMatchObject({ name: 'JsonStreamError', isCut: true });
  for (const invalid of ['{"a": nonsense}', `${text} {}`, `[${text}, ${'['.repeat(1100)}`])
    await expect(valuesOf(invalid, ['$.*'], 5)).rejects.toMatchObject({ name: 'JsonStreamError', isCut: false });
});
