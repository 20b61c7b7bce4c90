// Tests that schemas say what types and their comments say, and that a type that has no schema is refused.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentSchemas } from '../../src/cli/reference/generate-documents.ts';
import type { PlantedDocuments, Undescribable, WithMethod } from './planted-documents.ts';

const file = join(import.meta.dirname, 'planted-documents.ts');

test('a schema has the members, values, tags and comments of its type', async () => {
  const { document } = documentSchemas<PlantedDocuments>(file, 'PlantedDocuments');
  await expect(`${JSON.stringify(document, undefined, 2)}\n`).toMatchFileSnapshot('goldens/planted-document.json');
});

test('a type that has no schema is refused with its place', () => {
  expect(() => documentSchemas<Undescribable>(file, 'Undescribable')).toThrow(
    /planted-documents\.ts: no schema can be/u,
  );
  expect(() => documentSchemas<WithMethod>(file, 'WithMethod')).toThrow('no schema can be made of read(): string');
  expect(() => documentSchemas(file, 'Missing')).toThrow('has no interface Missing');
});
