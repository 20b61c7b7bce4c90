// Generates schema/manifest.md: the keys of a manifest besides the attributes of objects.

import { blockProperties, defaultsSchema, withSection } from '../../core/manifest/schema/block-schema.ts';
import { policySchema } from '../../core/manifest/schema/policy-schema.ts';
import { outlineSchema } from '../../core/manifest/schema/schema.ts';
import { forEachSchema } from '../../core/manifest/schema/variables-schema.ts';
import { policyKeys } from '../../core/model/policy.ts';
import type { PolicyKey } from '../../core/model/policy-keys.ts';
import { registry } from '../../core/resources/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { exampleOf } from './examples.ts';
import { code, listedPage, table } from './markdown.ts';
import { defaultOf, keysBelow, keyTable, longLists, meaningOf, type SchemaKey, typeOf } from './schema-rows.ts';

const opening =
  'Every key of a manifest. The attributes of users, channels and other objects are on [a page of their own](reference.md). In a path, `*` is a name of your choice and `[]` an entry of a list. `chatform schema manifest` prints the same as JSON Schema.';

/** `semantics` is the text of semantics.md, whose sections the page links to. */
export function manifestPage(semantics: string): string {
  const sections = withSection(registry);
  const { properties } = outlineSchema(registry);
  const outline = isObject(properties) ? properties : {};
  const schemas: JsonObject = { ...outline, defaults: defaultsOf(outline.defaults), policy: policySchema(registry) };
  const isSection = (name: string) => sections.some(({ section }) => section === name);
  const names = Object.keys(schemas);
  const firstSection = names.findIndex(isSection);
  const before = names.slice(0, firstSection);
  const after = names.slice(firstSection).filter((name) => !isSection(name));
  const partsOf = (name: string) => {
    const schema = schemas[name];
    return isObject(schema) ? keyParts(name, schema, semantics) : [];
  };
  return listedPage('manifest.md', opening, [
    ...before.flatMap(partsOf),
    ...sectionParts(),
    ...after.flatMap(partsOf),
    ...keyParts('for_each', forEachSchema, semantics),
    ...lifecycleParts(),
  ]);
}

/** Each section has the attributes of its blocks. */
function defaultsOf(outline: JsonValue | undefined): JsonObject {
  const bySection = withSection(registry).map((kind) => {
    const { type = 'object', description = '' } = defaultsSchema(kind);
    return [kind.section, { type, description }] as const;
  });
  return { ...(isObject(outline) ? outline : {}), properties: Object.fromEntries(bySection) };
}

function keyParts(name: string, schema: JsonObject, semantics: string): readonly string[] {
  const keys = [...ownKey(name, schema), ...keysBelow(schema, name)];
  return [
    `## ${name}`,
    meaningOf(schema),
    ...exampleOf(name),
    ...(name === 'policy' ? policyParts(keys, semantics) : keyTable(keys)),
  ];
}

/** A map needs no row of its own, because its keys have one each. */
function ownKey(path: string, schema: JsonObject): readonly SchemaKey[] {
  return schema.type === 'object' ? [] : [{ path, schema, isRequired: path === 'version', names: [] }];
}

function sectionParts(): readonly string[] {
  return [
    '## Sections of objects',
    'Each section has the objects of one kind by their keys. The section `settings` is the block of the only object of its kind.',
    ...exampleOf('sections'),
    table(
      ['Section', 'Key', 'Objects', 'Attributes'],
      withSection(registry).map(({ section, onlyKey, keyName, keySchema, description }) => [
        code(section),
        onlyKey === undefined ? `${code(keyName)}: ${typeOf(keySchema)}` : 'none',
        description,
        `[${section}](reference.md#${section})`,
      ]),
    ),
    'A block has the attributes of its kind, [for_each](#for_each) except in `settings`, and [lifecycle](#lifecycle).',
  ];
}

/** Describes `lifecycle` for all kinds: a key has the choices of all kinds, and a table has them by section. */
function lifecycleParts(): readonly string[] {
  const kinds = withSection(registry);
  const [first = {}] = kinds.map((kind) => blockProperties(kind).lifecycle).filter(isObject);
  const keys = keysBelow(first, 'lifecycle').map((key) => ({ ...key, schema: ofAnyKind(key.schema) }));
  return [
    '## lifecycle',
    meaningOf(first),
    ...exampleOf('lifecycle'),
    ...keyTable(keys),
    'Values of `lifecycle.on_remove`, by section. The first one is the default.',
    table(
      ['Section', 'Values'],
      kinds.map(({ section, removals }) => [code(section), removals.map(code).join(', ')]),
    ),
  ];
}

/** Removes the choices of one kind and its default, in which kinds differ. */
function ofAnyKind({ enum: removals, items, ...common }: JsonObject): JsonObject {
  const choices = removals === undefined ? {} : { enum: [...new Set(registry.flatMap((kind) => kind.removals))] };
  const entries = items === undefined ? {} : { items: { type: 'string' } };
  return { ...common, ...choices, ...entries, description: meaningOf(common) };
}

function policyParts(keys: readonly SchemaKey[], semantics: string): readonly string[] {
  const rows = keys.map(({ path, schema, isRequired }) => {
    const [, ...names] = path.split('.');
    return [
      code(path),
      typeOf(schema),
      defaultOf(schema),
      loosening(policyKeys, names),
      meaningOf(schema, isRequired),
      linked(explainedIn[(names[0] ?? '').replace('[]', '') as keyof typeof explainedIn], semantics),
    ];
  });
  return [
    'A manifest that extends another may not be looser than its base, except in keys that the base lists under `may_loosen`. A key without a default has no effect until you declare it.',
    table(['Key', 'Type', 'Default', 'Looser', 'Meaning', 'Explained in'], rows),
    ...longLists(keys),
  ];
}

/** `semantics §4.1` as a link to section 4 of semantics.md. */
function linked(citation: string, semantics: string): string {
  const [, number = ''] = /(\d+)/u.exec(citation) ?? [];
  const [, title = ''] = new RegExp(`^## (${number}\\. .+)`, 'mu').exec(semantics) ?? [];
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/gu, '')
    .replaceAll(/\s/gu, '-');
  return `[${citation}](../src/semantics.md#${anchor})`;
}

/** Which change of the key is looser. Empty for a key below one that is compared whole. */
function loosening(keys: Readonly<Record<string, PolicyKey>>, [name = '', ...inner]: readonly string[]): string {
  const key = keys[name];
  if (key?.type === 'group') return loosening(key.parts, inner);
  return inner.length === 0 ? (key?.loosens ?? '') : '';
}

/** The section of semantics.md that explains each key. */
const explainedIn: Readonly<Record<keyof typeof policyKeys, string>> = {
  on_remove: 'semantics §1.6',
  removals: 'semantics §4.1',
  acknowledge: 'semantics §4.2',
  existing: 'semantics §4.5',
  adopt: 'semantics §4.5',
  external: 'semantics §9',
  restrictions: 'semantics §9',
  personal_data: 'semantics §9',
  departed: 'semantics §2.3',
  reopen: 'semantics §3',
  leave_channels_on_deactivation: 'semantics §2.7',
  read_each: 'semantics §11.7',
  messages: 'semantics §7',
  history: 'semantics §7',
  notify: 'semantics §15.6',
  approvals: 'semantics §4.9',
  undo: 'semantics §14',
  refresh: 'semantics §6.1',
  diagnostics: 'semantics §9.14',
  rules: 'semantics §4.8',
  may_loosen: 'semantics §9.12',
  trust_dedup: 'semantics §5.5',
};
