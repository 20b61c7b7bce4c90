// Reads fields of the platform's requests that a block uses instead of attributes.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { spotOfMeaning, spotOfPath } from './block-spots.ts';
import type { DeclaredBlock } from './declared-block.ts';
import type { LoadContext } from './load-context.ts';

/** Returns the block with attributes in place of aliases, and reports each alias. */
export function readAliases(block: DeclaredBlock, declared: JsonObject, { problems }: LoadContext): JsonObject {
  const attributes = withoutAliases(block.kind, declared);
  for (const [name, { use, problems: problemsOf }] of Object.entries(block.kind.aliases ?? {})) {
    const value = declared[name];
    if (value === undefined) continue;
    const detail = `${name} is the name used in platform requests. chatform reads it as ${use}. Write ${use} instead.`;
    problems.add('manifest.deprecated', detail, spotOfPath(block, [name], 'key'), 'warning');
    for (const problem of problemsOf?.(value, { ...declared, ...attributes }) ?? []) {
      problems.put(problem, spotOfMeaning(block, problem.path));
    }
  }
  return attributes;
}

/** Replaces the aliases in a block by attributes. A line of the attribute itself takes precedence. */
export function withoutAliases({ aliases = {} }: Pick<KindDefinition, 'aliases'>, declared: JsonObject): JsonObject {
  const block: Record<string, JsonValue> = { ...declared };
  const used = Object.entries(aliases).filter(([name]) => declared[name] !== undefined);
  for (const [name, { use, read }] of used) {
    const meant = read(declared[name] ?? null, block);
    if (meant !== undefined) block[use] = joined(block[use], meant);
  }
  for (const [name] of used) delete block[name];
  return block;
}

function joined(declared: JsonValue | undefined, meant: JsonValue): JsonValue {
  if (declared === undefined || declared === null) return meant;
  if (isList(declared) && isList(meant)) return [...declared, ...meant];
  if (!isObject(declared) || !isObject(meant)) return declared;
  const parts = Object.entries(meant).map(([key, value]): [string, JsonValue] => [key, joined(declared[key], value)]);
  return { ...declared, ...Object.fromEntries(parts) };
}
