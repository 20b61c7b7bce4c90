// What is wrong with a declared block, and what is left of it without the parts that are refused.

import type { BlockProblem, KindDefinition } from '../../kinds/definition/kind.ts';
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { printPosition } from '../../model/source.ts';
import { type TreeEntry, toJson } from '../files/tree.ts';
import { idPathsOf } from '../schema/block-schema.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { CheckedSubject } from '../schema/sentences.ts';
import type { Check } from '../schema/validate.ts';
import { spotOfKey, spotOfMeaning, spotOfPath } from './block-spots.ts';
import { type DeclaredBlock, isSecret } from './declared-block.ts';
import { textAt } from './document.ts';
import type { LoadContext } from './load-context.ts';
import { inMeantForm } from './meant-form.ts';
import { reportVariable } from './outline-variables.ts';
import { prune } from './prune.ts';

export function refuseKey(block: DeclaredBlock, context: LoadContext): void {
  const { key: check } = context.checks.of(block.kind);
  const subject = { ...subjectOf(block.kind, block.entry, check, context), title: block.kind.keyName };
  for (const { code, detail } of complaintsOf(block.key, subject)) {
    context.problems.add(code, detail, spotOfKey(block));
  }
}

/** Returns the declared value without refused parts, which are reported. Names in a wrong form are kept in the right one. */
export function fittingParts(block: DeclaredBlock, context: LoadContext): JsonObject {
  const { block: check } = context.checks.of(block.kind);
  const value = toJson(block.entry.value, idPathsOf(block.kind, context.kinds));
  const complaints = complaintsOf(value, subjectOf(block.kind, block.entry, check, context));
  for (const { code, detail, path, at } of complaints) {
    context.problems.add(code, detail, spotOfPath(block, path, at));
  }
  const fitting = prune(
    value,
    complaints.map(({ path }) => path),
  );
  return { ...(isObject(fitting) ? fitting : {}), ...inMeantForm(value, complaints, check) };
}

/** Returns the information about a block that messages need. */
export function subjectOf(kind: KindDefinition, entry: TreeEntry, check: Check, context: LoadContext): CheckedSubject {
  return {
    check,
    title: `${/^[aeio]/u.test(kind.title) ? 'an' : 'a'} ${kind.title}`,
    textAt: (path) => textAt(entry, path),
    isSecret: (path) => isSecret(kind, path),
    suggestions: context.suggestions,
  };
}

export function reportMissingSecret(
  block: DeclaredBlock,
  name: string,
  value: JsonValue | undefined,
  context: LoadContext,
): void {
  if (!isObject(value) || typeof value.env !== 'string' || (context.variables(value.env) ?? '') !== '') return;
  const path = [name, 'env'];
  reportVariable({ type: 'missing', name: value.env, path }, spotOfPath(block, path, 'value'), context);
}

/** Adds the position of the related value to a problem. */
export function withPlace(problem: BlockProblem, block: DeclaredBlock): BlockProblem {
  if (problem.beside === undefined) return problem;
  const { source, offset } = spotOfMeaning(block, problem.beside);
  return { ...problem, detail: `${problem.detail} The other is at ${printPosition(source.position(offset))}.` };
}
