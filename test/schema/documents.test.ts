// Tests that test/schema/documents.ts has the types of the schemas. agreement.ts compares those with the types of the model.
import { compile } from 'json-schema-to-typescript';
import { expect, test } from 'vitest';
import { schemaOf } from '../support/published-schema.ts';
import { agreements, planted, unnamed } from './agreement.ts';

/** By the name of the schema, the name of the type. */
const documents = {
  certificate: 'CertificateDocument',
  diagnostics: 'DiagnosticsDocument',
  events: 'EventDocument',
  migration: 'MigrationDocument',
  plan: 'PlanDocument',
  report: 'ReportDocument',
} as const;

const options = {
  bannerComment: '',
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  // As the formatter of the project writes it.
  style: { singleQuote: true, printWidth: 120, semi: true, trailingComma: 'all' as const },
};

test('the types of documents are those of the schemas', async () => {
  const texts = await Promise.all(
    Object.entries(documents).map(async ([name, type]) => {
      const { title: _title, $id: _id, ...schema } = schemaOf(name);
      return (await compile(schema, type, options)).replaceAll(': {};', ': object;');
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
