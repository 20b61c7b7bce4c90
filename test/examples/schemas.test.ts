// Tests that each file of the examples fits its published schema, by two implementations of JSON Schema.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { schemaNames } from '../../src/tools/package-files.ts';
import { linesOf, publishedSchema, schemaOf } from '../support/published-schema.ts';

const examples = join(import.meta.dirname, '../../examples');

/** Files of other programs, and rows and reports of formats without a schema. */
const others = [
  /^ci\//u,
  /^operations\/move-from-(?:slack|anything)\/.*\.(?:nd)?json$/u,
  /\/data\/.*\.ndjson$/u,
  /^operations\/exhausted-quota\/quota\.json$/u,
  /^operations\/recover-lost-state\/history\.ndjson$/u,
];

const schemaByName: readonly (readonly [RegExp, string])[] = [
  [/\.test\.yaml$/u, 'test'],
  [/mapping\.yaml$/u, 'mapping'],
  [/\.yaml$/u, 'manifest'],
  [/\.ndjson$/u, 'history-file'],
  [/\/recorded\.json$/u, 'behaviours'],
];

const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:ya?ml|json|ndjson)$/u.test(name) && !others.some((other) => other.test(name)));

function schemaNameOf(file: string): string {
  return schemaByName.find(([pattern]) => pattern.test(file))?.[1] ?? `the schema of ${file}`;
}

/** As editors read them, which know nothing of the other documents and files. */
function documentsIn(file: string): readonly unknown[] {
  const text = readFileSync(join(examples, file), 'utf8');
  if (file.endsWith('.ndjson')) return linesOf(text);
  return parseAllDocuments(text, { merge: true }).map((document) => document.toJS() as unknown);
}

const seconds = new Map<string, Validator>();

/** Made once, because a validator looks for all references of its schema first. */
function secondOf(schema: string): Validator {
  const second = seconds.get(schema) ?? new Validator(schemaOf(schema), '2020-12', false);
  seconds.set(schema, second);
  return second;
}

function errorsOf(schema: string, document: unknown): Readonly<Record<string, readonly string[]>> {
  const second = secondOf(schema).validate(structuredClone(document));
  return {
    ajv: publishedSchema(schema)(document),
    cfworker: second.errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`),
  };
}

test.for(files)('%s fits its schema', (file) => {
  for (const document of documentsIn(file)) {
    expect(errorsOf(schemaNameOf(file), document)).toEqual({ ajv: [], cfworker: [] });
  }
});

test('both implementations read each published schema', () => {
  for (const name of schemaNames) expect(Object.keys(errorsOf(name, {}))).toHaveLength(2);
});

describe('a required key', () => {
  const bot = { bot_nickname: 'Night', bot_callback_url: 'https://bots.example.com/night' };
  const byNumber = { 'bot-night': { ...bot, bot_type: 'night' } };

  test.for([
    ['a key', { defaults: { bots: { bot_type: 'night' } }, bots: { 'bot-night': bot } }, true],
    ['no key', { bots: { 'bot-night': bot } }, false],
    ['a key that is there', { bots: byNumber }, true],
    [
      'a key of a map',
      {
        defaults: { users: { session_token: { expires_at: '2030-01-01T00:00:00Z' } } },
        users: { a: { nickname: 'A', session_token: {} } },
      },
      true,
    ],
    ['an unknown key', { defaults: { bots: {} }, bots: { 'bot-night': { ...bot, nosuch: 1 } } }, false],
  ] as const)('is demanded only without defaults: %s', ([, manifest, isValid]) => {
    const errors = errorsOf('manifest', { version: 1, ...manifest });
    for (const found of Object.values(errors)) expect(found.length === 0, found.join('\n')).toBe(isValid);
  });
});
