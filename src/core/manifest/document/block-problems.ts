// What is wrong with a declared block, and what is left of it without the parts that are refused. Names in the wrong form (a list for
// a map, a map for a list, one text for either) are an error, but are checked with the rest, so that one run reports all mistakes.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { BlockProblem, KindDefinition } from '../../kinds/definition/kind.ts';
import { printPosition } from '../../model/source.ts';
import { type TreeEntry, toJson } from '../files/tree.ts';
import { idPathsOf } from '../schema/block-schema.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { CheckedSubject, SchemaComplaint } from '../schema/sentences.ts';
import type { Check } from '../schema/validate.ts';
import { spotOfKey, spotOfMeaning, spotOfPath } from './block-spots.ts';
import { type DeclaredBlock, isSecret } from './declared-block.ts';
import { textAt } from './document.ts';
import type { LoadContext } from './load-context.ts';
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
    kind,
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

/** Returns the refused attributes that are valid in another form. */
function inMeantForm(declared: JsonValue, complaints: readonly SchemaComplaint[], check: Check): JsonObject {
  if (!isObject(declared)) return {};
  const meant: Record<string, JsonValue> = {};
  for (const { code, path } of complaints) {
    const [name = '', ...deeper] = path;
    if (code !== 'manifest.wrong-type' || deeper.length > 0 || !Object.hasOwn(declared, name)) continue;
    const names = namesIn(declared[name] ?? null);
    if (names.length === 0) continue;
    const forms: readonly JsonValue[] = [names, Object.fromEntries(names.map((text) => [text, null]))];
    const valid = forms.find((form) => isValid(name, form, check));
    if (valid !== undefined) meant[name] = valid;
  }
  return meant;
}

/** Returns nothing if the value contains more than names. */
function namesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.every((item) => typeof item === 'string') ? value : [];
  return isObject(value) && Object.values(value).every((item) => item === null) ? Object.keys(value) : [];
}

function isValid(name: string, value: JsonValue, check: Check): boolean {
  const place = `/${name}`;
  return check
    .errors({ [name]: value })
    .every(({ instancePath }) => instancePath !== place && !instancePath.startsWith(`${place}/`));
}
