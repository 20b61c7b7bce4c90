// Generates schema/reference.md: what may be declared, the policy, and the rate limits.

import type { AttributeDefinition, KindDefinition } from '../../core/kinds/definition/kind.ts';
import { policySchema } from '../../core/manifest/schema/policy-schema.ts';
import { ratePlans } from '../../core/model/limits.ts';
import { policyKeys } from '../../core/model/policy.ts';
import type { PolicyKey } from '../../core/model/policy-keys.ts';
import type { Method } from '../../core/model/request.ts';
import { limitsOf, strictRules } from '../../core/platform/limits.ts';
import { registry } from '../../core/resources/index.ts';
import { shownInWords } from '../../core/view/summary/not-compared.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { code, page, table } from './markdown.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

export function referencePage(): string {
  const opening =
    'What each kind declares, the keys of the policy, and the rate limits that plans assume. Only what is declared is managed: an attribute that was never declared is left alone.';
  return page('Reference', opening, [
    ...registry.filter(({ isChild }) => isChild !== true).flatMap(kindParts),
    '## policy',
    'A manifest that extends another may not be looser than its base, except in keys that the base names under `may_loosen`. A key without a default says nothing until it is declared.',
    table(
      ['Key', 'Values', 'Default', 'What is looser', 'Meaning', 'Explained in'],
      policyRows(policyKeys, policySchema(registry), ''),
    ),
    '## Rate limits',
    'Calls a second for each endpoint, by rate plan; `application.limits` raises them, `rate_share` limits chatform to a share of them.',
    table(
      ['Rate plan', ...methods],
      ratePlans.map((plan) => [code(plan), ...methods.map((method) => callsOf(plan, method))]),
    ),
    'Stricter rules, the same in every plan:',
    table(
      ['Endpoint', 'Calls a second', 'Counted'],
      strictRules.map(({ route, calls, scope }) => [code(route), String(calls), `for each ${scope}`]),
    ),
  ]);
}

function callsOf(ratePlan: string, method: Method): string {
  const [bucket] = limitsOf({ ratePlan, limits: {}, share: 1 })({ method, route: '/' });
  return String(bucket?.calls ?? '');
}

function kindParts(kind: KindDefinition): string[] {
  const attributes = Object.entries(kind.attributes).map(([name, definition]) => [
    code(name),
    typeOf(definition.schema),
    changes[definition.change],
    removals(definition.removed),
    shownInWords(definition.shown),
    String(definition.schema.description ?? ''),
  ]);
  const removed = kind.removals.map((removal) => code(removal));
  return [
    `## ${kind.section}`,
    `${kind.description} The key is the ${code(kind.keyName)}: ${typeOf(kind.keySchema)}. Required: ${listed(kind.required.map(code))}. When its block is removed: ${removed.join(', ')}; the first is the default.`,
    table(
      ['Attribute', 'Type', 'When it is edited', 'When its line is removed', 'In a refresh', 'Meaning'],
      attributes,
    ),
    ...spelled(kind),
  ];
}

/** Returns a sentence about the spellings that the platform uses, and one about those that it deprecates. */
function spelled({ spellings = {} }: KindDefinition): string[] {
  const named = (isDeprecated: boolean) =>
    Object.entries(spellings)
      .filter(([, spelling]) => (spelling.isDeprecated === true) === isDeprecated)
      .map(([name, { use, form }]) => `${code(name)} (${form === 'opposite' ? 'the opposite of ' : ''}${code(use)})`);
  return [
    ...(named(false).length === 0
      ? []
      : [`Other spellings, from the platform's documents: ${named(false).join(', ')}.`]),
    ...(named(true).length === 0
      ? []
      : [`The platform deprecates these, so they get a warning: ${named(true).join(', ')}.`]),
  ];
}

/** The item of semantics.md that explains each key. */
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

function policyRows(keys: Readonly<Record<string, PolicyKey>>, schema: JsonObject, before: string): string[][] {
  const schemas = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(keys).flatMap(([name, key]) => {
    const path = before + name;
    const part = schemas[name];
    if (!isObject(part)) return [];
    const described = [String(part.description ?? ''), explanationOf(path)];
    if (key.type === 'group')
      return [[code(path), 'map', '', '', ...described], ...policyRows(key.parts, part, `${path}.`)];
    const standard = part.default === undefined ? '' : code(String(part.default));
    return [[code(path), typeOf(part), standard, key.loosens, ...described]];
  });
}

function explanationOf(path: string): string {
  const [key = ''] = path.split('.');
  return explainedIn[key as keyof typeof explainedIn];
}

const changes: Readonly<Record<AttributeDefinition['change'], string>> = {
  mutable: 'changed by a call',
  create_only: 'an error: fixed at creation',
  one_way: 'only to true',
  start: 'sent again',
  closed: 'by a call of its own, last',
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

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  object: 'map',
  array: 'list',
  integer: 'whole number',
  number: 'number',
  null: 'nothing',
};

/** `text, 1 to 80`; the limits that the schema sets. */
function typeOf(schema: JsonObject): string {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(alternatives)) return alternatives.filter(isObject).map(typeOf).join(', or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value: JsonValue) => code(String(value))).join(', ');
  const type = [schema.type ?? []]
    .flat()
    .map((name) => typeNames[String(name)] ?? String(name))
    .join(' or ');
  const least = schema.minLength ?? schema.minItems ?? schema.minProperties ?? schema.minimum;
  const most = schema.maxLength ?? schema.maxItems ?? schema.maxProperties ?? schema.maximum;
  if (schema['x-file'] !== undefined) return 'path of a file';
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  // The codes of diagnostics have a page of their own.
  if (names.length > 20) return type;
  if (names.length > 0) return `${type} of ${names.map(code).join(', ')}`;
  if (most === undefined) return least === undefined ? type : `${type}, at least ${String(least)}`;
  return `${type}, ${least === undefined ? 'at most' : `${String(least)} to`} ${String(most)}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}
