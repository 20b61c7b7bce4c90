// Reads the entries of `policy.rules`, without compiling their conditions.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { Rule } from '../../model/policy.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';

/** Returns the rules without refused parts. */
export function rulesIn(document: ManifestDocument): readonly Rule[] {
  return declaredRules(document).map(({ item, path }) => ruleOf(item, document, path));
}

export function declaredRules({
  outline,
}: ManifestDocument): { readonly item: JsonObject; readonly path: readonly string[] }[] {
  const list = isObject(outline.policy) && isList(outline.policy.rules) ? outline.policy.rules : [];
  return list.flatMap((item: JsonValue, index) =>
    isObject(item) && typeof item.when === 'string' && typeof item.name === 'string'
      ? [{ item, path: ['policy', 'rules', String(index)] }]
      : [],
  );
}

export function ruleOf(item: JsonObject, document: ManifestDocument, path: readonly string[]): Rule {
  const { source, offset } = spotIn(document, [...path, 'name']);
  return {
    name: String(item.name),
    when: String(item.when),
    message: String(item.message ?? ''),
    level: item.level === 'warning' ? 'warning' : 'error',
    ...(isList(item.on) ? { on: item.on.map(String) } : {}),
    source: source.position(offset),
  };
}
