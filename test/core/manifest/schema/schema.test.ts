// Tests that the published schema is valid and agrees with the loader, and that the generated validators match the kinds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { validatorFiles } from '../../../../src/cli/reference/generate-validators.ts';
import { settingKeys } from '../../../../src/core/manifest/document/foreign-files.ts';
import { withSection } from '../../../../src/core/manifest/schema/block-schema.ts';
import { manifestSchema, outlineSchema, renderSchema } from '../../../../src/core/manifest/schema/schema.ts';
import { registry } from '../../../../src/core/resources/index.ts';

const schema = manifestSchema(registry);

const ajv = new Ajv2020({
  strictTypes: false,
  strictRequired: false,
  validateFormats: false,
  code: { optimize: false },
});
ajv.addVocabulary(['x-file', 'deprecationMessage']);
const isValid = ajv.compile(schema);

test.for([
  ['version: 1', true],
  ['version: 2', false],
  ['users: {}', false],
  ['{ version: 1, users: { alice: { nickname: Alice } } }', true],
  ['{ version: 1, users: { alice: {} } }', false],
  ['{ version: 1, defaults: { users: { nickname: Alice } } }', true],
  ['{ version: 1, defaults: { users: { nick: Alice } } }', false],
  ['{ version: 1, open_channels: { lobby: {} } }', true],
  ['{ version: 1, open_channels: { a: {} } }', false],
  ['{ version: 1, policy: { acknowledge: [{ effect: user.deactivate, count: 3, expires: "2026-12-01" }] } }', true],
  ['{ version: 1, policy: { acknowledge: [{ effect: user.explode, count: 3 }] } }', false],
  ['{ version: 1, removed: [{ address: user.mallory, on_remove: delete }] }', true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
  ['{ version: 1, users: { alice: { nickname: "${var.name}", deactivated: "${each.closed}" } } }', true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
  ['{ version: 1, users: { "u-${each.id}": { for_each: [a], nickname: A } } }', true],
  ['{ version: 1, users: { alice: { nickname: Alice, deactivated: maybe } } }', false],
  ['{ version: 1, users: { alice: { nickname: null } } }', false],
  [
    '{ version: 1, extends: ../base, users: { alice: { nickname: { absent: true }, metadata: { a: { absent: true } } }, bob: { absent: true } } }',
    true,
  ],
  ['{ version: 1, extends: ../base, users: { alice: { nickname: null } } }', false],
  ['{ version: 1, extends: ../base, users: { bob: { absent: false } } }', false],
  ['{ version: 1, extends: ../base, users: { alice: { nick: { absent: true } } } }', false],
  ['{ version: 1, users: { alice: { absent: true } } }', false],
  [
    '{ version: 1, extends: ../base, open_channels: { lobby: { operators: { bob: { absent: true }, carol: null } } } }',
    true,
  ],
  ['{ version: 1, open_channels: { lobby: { operators: { bob: { absent: true } } } } }', false],
  [
    '{ version: 1, extends: ../base, application: { rate_share: { absent: true } }, policy: { existing: { absent: true } } }',
    true,
  ],
  ['{ version: 1, application: { rate_share: { absent: true } } }', false],
  ['{ version: 1, variables: { region: { type: string, allowed: [eu] } } }', true],
  ['{ version: 1, variables: { region: eu } }', false],
] as const)('%s', ([text, expected]) => {
  expect(isValid(parse(text))).toBe(expected);
});

test('has a hover text for every key that an author can write', () => {
  const silent: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || 'deprecated' in value) return;
    for (const [key, inner] of Object.entries(value)) {
      const isProperty = path.endsWith('/properties') && !/\/(?:allOf|reopen|if|oneOf)\b/u.test(path);
      const isSilent = typeof inner === 'object' && inner !== null && !('description' in inner) && !('$ref' in inner);
      if (isProperty && isSilent) silent.push(`${path}/${key}`);
      visit(inner, `${path}/${key}`);
    }
  };
  visit(schema, '');
  expect(silent).toEqual([]);
});

test('renders a stable text that ends with a line end', () => {
  expect(renderSchema(schema)).toBe(renderSchema(manifestSchema(registry)));
  expect(renderSchema(schema).endsWith('}\n')).toBe(true);
});

test('recognises a manifest by every key of the schema', () => {
  const sections = withSection(registry).map(({ section }) => section);
  expect(Object.keys(outlineSchema(registry).properties ?? {}).sort()).toEqual(
    ['version', ...settingKeys, ...sections].sort(),
  );
});

test('no validator is older than its schema', async () => {
  const folder = join(import.meta.dirname, '../../../../src/core/manifest/schema/generated');
  const files = await validatorFiles();
  expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
  const stale = [...files].filter(([name, text]) => readFileSync(join(folder, name), 'utf8') !== text);
  expect(
    stale.map(([name]) => name),
    'stale: run npm run schema',
  ).toEqual([]);
});
