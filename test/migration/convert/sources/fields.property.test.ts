// Property of all sources: a field that nobody knows, added to any row of an export, is in the result or named in the ledger, and a
// person decides about it once.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { inSuite } from '../../../support/suite.ts';
import { convertFiles } from '../support/converted.ts';
import { draft } from '../support/drafts.ts';
import { decided } from '../support/series.ts';
import type { Files } from '../support/small-exports.ts';
import { systems } from '../support/systems.ts';

/** Objects that only hold rows: a file with a channel and its messages, and a line that says what its row is. */
function isWrapper(value: JsonObject): boolean {
  return (
    isList(value.messages) || isObject(value.item) || isObject(value[String(value.type)]) || value.type === 'version'
  );
}

function rowsIn(value: JsonValue): readonly JsonObject[] {
  const inner = (isList(value) || isObject(value) ? Object.values(value) : []).flatMap(rowsIn);
  return isObject(value) && !isWrapper(value) ? [value, ...inner] : inner;
}

/** The export with the field in one of its rows, counted from the place. */
function withField(files: Files, place: number, name: string, value: JsonValue): Files {
  const parsed = Object.entries(files).map(([name, text]) => {
    const isLines = name.endsWith('.jsonl');
    const values = isLines ? text.trimEnd().split('\n') : [text];
    return { name, isLines, values: values.map((one) => JSON.parse(one) as JsonValue) };
  });
  const rows = parsed.flatMap(({ values }) => values.filter((value) => !isTeam(value)).flatMap(rowsIn));
  // An assignment to __proto__ would not make a property.
  Object.defineProperty(rows[place % rows.length] ?? {}, name, { value, enumerable: true });
  const texts = parsed.map(({ name, isLines, values }) => {
    const lines = values.map((value) => JSON.stringify(value));
    return [name, isLines ? lines.map((line) => `${line}\n`).join('') : lines.join('')];
  });
  return Object.fromEntries(texts);
}

/** Mattermost's teams are not carried. */
function isTeam(value: JsonValue): boolean {
  return isObject(value) && value.type === 'team';
}

async function textOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name)));
  return (await Promise.all(texts)).join('\n');
}

describe.for(systems)('$source', ({ source, make, restricted }) => {
  test('names an unknown field of any row, or has it in the result', async () => {
    await fc.assert(
      fc.asyncProperty(
        draft.filter(({ messages }) => messages.length > 2),
        fc.nat(1_000_000),
        fc.constantFrom<readonly [string, JsonValue]>(
          ['zq_field', 'text'],
          ['zq_field', false],
          ['zq.field with "quotes"', ['text']],
          ['__proto__', 'zq'],
          ['constructor', { inner: 'zq' }],
        ),
        async (drafted, place, [name, value]) => {
          const { files } = make(drafted);
          const withOwn = withField(files, place, name, value);
          // A field inside of an unknown one is kept with it, once a person accepts that one.
          const { folder, ledger } = await convertFiles(source, withOwn, undefined, { isAccepted: true });
          const isNamed = ledger.some(({ at, reason }) => reason === 'field.decided' && at.endsWith(`.${name}`));
          const isThere = (await textOf(folder)).includes('zq');
          if (!isNamed && !isThere) throw new Error(`${name}: ${JSON.stringify(value)} is lost`);
        },
      ),
      { numRuns: inSuite(6, 200) },
    );
  });

  test('asks about an unknown field until a person decides', async () => {
    const kinds = (['user', 'channel', 'member', 'message'] as const).filter(
      (kind) => restricted.ids[kind] !== undefined,
    );
    for (const kind of kinds) {
      const files = restricted.files({ [kind]: { zq_field: 'x' } });
      const { folder, result, ledger } = await convertFiles(source, files);
      const line = ledger.find(({ reason }) => reason === 'field.unknown');
      expect(line).toMatchObject({ at: expect.stringMatching(/\.zq_field$/u), rows: expect.any(Number) });
      const key = line?.at ?? '';
      expect(result.undecided.map(({ code }) => code)).toContain('field.unknown');
      expect(await readFile(join(folder, 'conversion/decisions.yaml'), 'utf8')).toContain(`${key}: undecided`);
      const accepted = await convertFiles(source, files, decided(`fields: { ${key}: accepted }`, source));
      expect(accepted.result.undecided.map(({ code }) => code)).not.toContain('field.unknown');
      expect(accepted.ledger.find(({ at }) => at === key)).toMatchObject({ reason: 'field.decided' });
    }
  });

  test('leaves out what a person says a field restricts', async () => {
    const files = restricted.files({ message: { zq_field: true } });
    const { historyFiles } = await convertFiles(
      source,
      files,
      decided('fields: { message.zq_field: restricts }', source),
    );
    expect(Object.values(historyFiles).flat()).toEqual([]);
  });
});
