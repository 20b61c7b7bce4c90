// Tests that test/schema/documents.ts has the types of the schemas. agreement.ts compares those with the types of the model.
import { compile } from 'json-schema-to-typescript';
import { expect, test } from 'vitest';
import { isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { schemaOf } from '../support/published-schema.ts';
import { agreements, planted, unnamed } from './agreement.ts';

/** By the name of the schema, the name of the type. The model has no types of the other results, which commands put together. */
const documents = {
  'results#adopted': 'AdoptedDocument',
  'results#converted': 'ConvertedDocument',
  'results#cutover': 'CutoverDocument',
  'results#examined': 'ExaminedDocument',
  'results#explained': 'ExplainedDocument',
  'results#exported': 'ExportedDocument',
  'results#files': 'FilesDocument',
  'results#rehearsed': 'RehearsedDocument',
} as const;

const options = {
  bannerComment: '',
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  // As the formatter of the project writes it.
  style: { singleQuote: true, printWidth: 120, semi: true, trailingComma: 'all' as const },
};

/** A schema, or a definition in it, with everything that it refers to. */
function definitionOf(name: string): JsonObject {
  const [file = '', definition] = name.split('#');
  const schema = schemaOf(file);
  const definitions = (schema.$defs ?? {}) as Readonly<Record<string, JsonValue>>;
  const whole = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(whole);
    if (!isObject(value)) return value;
    const { $ref: reference, ...rest } = value;
    if (typeof reference === 'string') return whole(definitions[reference.replace('#/$defs/', '')] ?? {});
    return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, whole(inner)]));
  };
  return whole(definition === undefined ? schema : (definitions[definition] ?? {})) as JsonObject;
}

test('the types of documents are those of the schemas', async () => {
  const texts = await Promise.all(
    Object.entries(documents).map(async ([name, type]) => {
      const { title: _title, $id: _id, ...schema } = definitionOf(name);
      return (await compile(schema, type, options))
        .replaceAll(': {};', ': object;')
        .replaceAll(': {}[];', ': object[];');
    }),
  );
  const head = '// Generated from the schemas by documents.test.ts --update; do not edit.\n\n';
  await expect(head + texts.join('\n')).toMatchFileSnapshot('documents.ts');
});

// The compiler decides: with a difference that is not named, agreement.ts does not compile.
test('the model differs from the documents in what is named, and nothing else', () => {
  expect(agreements).toHaveLength(Object.keys(documents).length);
  expect([...agreements, planted]).not.toContain(false);
  expect(unnamed.map(([problem]) => problem)).toEqual(['not expected', 'no longer a difference']);
});
