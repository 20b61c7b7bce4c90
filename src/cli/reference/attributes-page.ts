// Generates schema/reference.md: the attributes of each kind.

import type { AttributeDefinition, KindDefinition } from '../../core/kinds/definition/kind.ts';
import { withSection } from '../../core/manifest/schema/block-schema.ts';
import { registry } from '../../core/resources/index.ts';
import { shownInWords } from '../../core/view/summary/not-compared.ts';
import type { JsonObject } from '../../lib/json.ts';
import { exampleOf } from './examples.ts';
import { code, listedPage, table } from './markdown.ts';
import { keysBelow, keyTable, meaningOf, typeOf } from './schema-rows.ts';

const opening =
  'The attributes of each kind. [The manifest](manifest.md) has every other key. chatform manages only values that you declare, and does not change others. In a path, `*` is a name of your choice and `[]` an entry of a list.';

export function attributesPage(): string {
  return listedPage('reference.md', opening, withSection(registry).flatMap(kindParts));
}

function kindParts(kind: KindDefinition): string[] {
  const attributes = Object.entries(kind.attributes).map(([name, definition]) => [
    code(name),
    typeOf(definition.schema),
    changes[definition.change],
    removals(definition.removed),
    shownInWords(definition.shown),
    meaningOf(definition.schema),
  ]);
  const schemas = Object.entries(kind.attributes).map(([name, { schema }]) => [name, schema] as const);
  const parts: JsonObject = { properties: { ...Object.fromEntries(schemas), ...kind.children } };
  const innerKeys = keysBelow(parts, '').filter(({ path }) => kind.attributes[path] === undefined);
  return [
    `## ${kind.section}`,
    `${kind.description} ${keyInWords(kind)} Required: ${listed(kind.required.map(code))}.`,
    `When its block is removed: ${listed(kind.removals.map(code))}; the first is the default.`,
    ...exampleOf(kind.section),
    table(
      ['Attribute', 'Type', 'When it is edited', 'When its line is removed', 'In a refresh', 'Meaning'],
      attributes,
    ),
    ...spelled(kind),
    ...(innerKeys.length === 0 ? [] : [`Further keys of a block of ${code(kind.section)}:`, ...keyTable(innerKeys)]),
    'A block also has [lifecycle](manifest.md#lifecycle)'.concat(
      kind.onlyKey === undefined ? ' and [for_each](manifest.md#for_each).' : '.',
    ),
  ];
}

/** Returns a sentence about the spellings that the platform uses, and one about those that it deprecates. */
function spelled({ spellings = {} }: KindDefinition): string[] {
  const spellingNames = (isDeprecated: boolean) =>
    Object.entries(spellings)
      .filter(([, spelling]) => (spelling.isDeprecated === true) === isDeprecated)
      .map(([name, { use, form }]) => `${code(name)} (${form === 'opposite' ? 'the opposite of ' : ''}${code(use)})`);
  return [
    ...(spellingNames(false).length === 0
      ? []
      : [`Other spellings, from the platform's documents: ${spellingNames(false).join(', ')}.`]),
    ...(spellingNames(true).length === 0
      ? []
      : [`The platform deprecates these, so they get a warning: ${spellingNames(true).join(', ')}.`]),
  ];
}

function keyInWords({ section, onlyKey, keyName, keySchema }: KindDefinition): string {
  if (onlyKey === undefined) return `The key is the ${code(keyName)}: ${typeOf(keySchema)}.`;
  return `There is one set of them, so it has no key: write its attributes directly below ${code(`${section}:`)}.`;
}

const changes: Readonly<Record<AttributeDefinition['change'], string>> = {
  mutable: 'changed by a request',
  create_only: 'an error: fixed at creation',
  one_way: 'only to true',
  start: 'sent again',
  closed: 'by a separate request, last',
  mode: 'nothing is sent',
  noted: 'recorded in state',
};

function removals(removed: AttributeDefinition['removed']): string {
  switch (removed.how) {
    case 'reset':
      return `set to ${code(JSON.stringify(removed.to))}`;
    case 'release':
      return 'left as it is, no longer managed';
    case 'keep':
      return 'left as it is and kept in state';
    case 'each':
      return 'its entries are removed';
    case 'required':
      return 'cannot be removed';
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}
