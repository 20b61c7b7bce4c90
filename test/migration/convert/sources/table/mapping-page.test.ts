// Tests the reference of mappings: every key has an example, and a mapping with it loads.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappingSchema } from '../../../../../src/core/manifest/schema/mapping-schema.ts';
import { mappingSections } from '../../../../../src/core/model/tables/mapping.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../../src/lib/json.ts';
import { readMapping } from '../../../../../src/migration/conversion/read-mapping.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const propertiesOf = (schema: JsonValue | undefined): JsonObject => {
  const properties = isObject(schema) ? schema.properties : undefined;
  return isObject(properties) ? properties : {};
};
const formsOf = (schema: JsonValue | undefined): readonly JsonValue[] => {
  const forms = isObject(schema) ? schema.anyOf : undefined;
  return isList(forms) ? forms : [];
};
function examplesIn(schema: JsonValue | undefined): Readonly<Record<string, JsonValue | undefined>> {
  const properties = Object.entries(propertiesOf(schema));
  return Object.fromEntries(
    properties.map(([name, property]) => {
      const examples = isObject(property) ? property.examples : undefined;
      return [name, isList(examples) ? examples[0] : undefined];
    }),
  );
}

const top = propertiesOf(mappingSchema);
const entryOf = (section: string) => formsOf(top[section])[0];
const table = isObject(top.tables) ? top.tables.additionalProperties : undefined;
const valueForm = formsOf(propertiesOf(entryOf('users')).name)[1];
const timeForm = formsOf(propertiesOf(entryOf('messages')).time)[1];

const names = ['users', 'rooms', 'memberships', 'messages', 'reactions', 'uploads'];
const tables = Object.fromEntries(names.map((name) => [name, { files: `${name}.csv`, key: '${login}' }]));
const base = { version: 1, name: 'acme', tables, users: { from: 'users', id: '${id}' } };

const usesOf: Readonly<
  Record<string, readonly [schema: JsonValue | undefined, mappingWith: (key: string, example: JsonValue) => object]>
> = {
  'of the mapping': [
    mappingSchema,
    (key, example) => ({ ...base, [key]: key === 'tables' ? { ...tables, ...(example as JsonObject) } : example }),
  ],
  'of a table': [
    table,
    (key, example) => ({
      ...base,
      tables: {
        ...tables,
        logins: { files: 'logins.csv', ...(key === 'latest' ? { key: '${login}' } : {}), [key]: example },
      },
      // Only tables of messages have since.
      ...(key === 'since'
        ? { messages: { from: 'logins', id: '${id}', channel: '${room}', sender: '${author}', time: '${at}' } }
        : { members: { from: 'logins', channel: '${room}', user: key === 'computed' ? '${author_id}' : '${author}' } }),
    }),
  ],
  'of a value': [valueForm, (key) => ({ ...base, users: { ...base.users, name: valueWith(key) } })],
  'of a time': [
    timeForm,
    (key, example) => ({
      ...base,
      messages: {
        from: 'messages',
        id: '${id}',
        channel: '${room}',
        time: {
          of: '${at}',
          ...(key === 'format' ? { zone: 'UTC' } : {}),
          ...(key === 'language' ? { format: 'd. MMMM yyyy', zone: 'UTC' } : {}),
          [key]: example,
        },
      },
    }),
  ],
  ...Object.fromEntries(
    mappingSections.map((section) => {
      const entry = entryOf(section);
      const required = isObject(entry) && isList(entry.required) ? entry.required.map(String) : [];
      const examples = examplesIn(entry);
      const others = Object.fromEntries(required.map((name) => [name, examples[name]]));
      return [
        `of ${section}`,
        [entry, (key: string, example: JsonValue) => ({ ...base, [section]: { ...others, [key]: example } })],
      ];
    }),
  ),
};

function valueWith(key: string): object {
  const { cel, ...lookup } = examplesIn(valueForm);
  return key === 'cel' ? { cel } : lookup;
}

async function load(mapping: object): Promise<void> {
  const folder = await temporaryFolder({ 'mapping.yaml': JSON.stringify(mapping) });
  await readMapping(join(folder, 'mapping.yaml'));
}

describe.for(Object.entries(usesOf))('a key %s', ([, [schema, mappingWith]]) => {
  test.for(Object.entries(examplesIn(schema)))('%s has an example that loads', async ([key, example]) => {
    if (example === undefined) throw new Error(`Write an example of ${key}.`);
    await load(mappingWith(key, example));
  });
});

test('every expression of the page is valid', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../../schema/mapping.md'), 'utf8');
  const [, section = ''] = page.split('| Expression | Value |');
  const expressions = [...(section.split('\n\n')[0] ?? '').matchAll(/^\| `(.+?)` \|/gmu)].map(([, text]) => text);
  expect(expressions.length).toBeGreaterThan(5);
  for (const cel of expressions) await load({ ...base, users: { ...base.users, name: { cel } } });
});
