// Selects the ajv errors that an author needs to see, and words them.

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema } from '../../kinds/definition/kind.ts';
import { pointer, type SchemaError } from './ajv-errors.ts';
import { type CheckedSubject, complaintOf, type SchemaComplaint } from './sentences.ts';

/** Returns one message for each error that an author can fix, without errors that follow from others. */
export function complaintsOf(value: JsonValue, subject: CheckedSubject): SchemaComplaint[] {
  const errors = subject.check.errors(value);
  if (errors.length === 0) return [];
  const meant = withoutMisspelt(withoutStructure(errors), subject);
  return withoutRepetition(meant, subject).map((error) => {
    const rule = ruleOf(error, subject.check.schema);
    return rule === undefined ? complaintOf(error, subject) : explainRule(error, rule);
  });
}

/** Keeps only errors of the alternative that was probably meant. Drops `if` and `propertyNames`, which repeat other errors. */
function withoutStructure(errors: readonly SchemaError[]): readonly SchemaError[] {
  // Rules about attributes apply only to maps.
  const wrongType = errors.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === '');
  if (wrongType !== undefined) return [wrongType];
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const meant = new Map(choices.map((choice) => [choice, meantBranch(choice, errors)]));
  return errors.filter((error) => {
    if (error.keyword === 'if' || error.keyword === 'propertyNames') return false;
    if (meant.get(error) !== undefined) return false;
    const around = choices.filter((choice) => choice !== error && isBelow(error, choice));
    return around.every((choice) => meant.get(choice) === branchOf(error, choice));
  });
}

/** Drops errors about a required key that is present but misspelt, which is reported separately. */
function withoutMisspelt(errors: readonly SchemaError[], { suggestions }: CheckedSubject): readonly SchemaError[] {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
  if (unknown.length === 0) return errors;
  return errors.filter(({ keyword, instancePath, params }) => {
    if (keyword !== 'required') return true;
    const missing = String(params.missingProperty);
    return !unknown.some(
      (other) =>
        other.instancePath === instancePath &&
        suggestions.sentence(String(other.params.additionalProperty), [missing]) !== '',
    );
  });
}

/** Returns the only alternative that accepts the value's type. */
function meantBranch(choice: SchemaError, errors: readonly SchemaError[]): string | undefined {
  const below = errors.filter((error) => error !== choice && isBelow(error, choice));
  const branches = new Set(below.map((error) => branchOf(error, choice)));
  for (const error of below) {
    if (error.keyword === 'type' && error.instancePath === choice.instancePath)
      branches.delete(branchOf(error, choice));
  }
  const [only] = branches;
  return branches.size === 1 ? only : undefined;
}

function isBelow(error: SchemaError, choice: SchemaError): boolean {
  return error.schemaPath.startsWith(`${choice.schemaPath}/`) && error.instancePath.startsWith(choice.instancePath);
}

function branchOf(error: SchemaError, choice: SchemaError): string {
  return error.schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0] ?? '';
}

/** Reports several missing keys of one map, or several errors of one rule, only once. */
function withoutRepetition(errors: readonly SchemaError[], subject: CheckedSubject): SchemaError[] {
  const seen = new Set<string>();
  return errors.flatMap((error) => {
    const rule = ruleOf(error, subject.check.schema);
    if (rule === undefined && error.keyword !== 'required') return [error];
    const subjectOfMessage = rule ?? `required ${error.instancePath}`;
    if (seen.has(subjectOfMessage)) return [];
    seen.add(subjectOfMessage);
    return [rule === undefined ? withAllRequired(error, errors) : error];
  });
}

/** A key may be required by the map, and another one by a condition on its keys. */
function withAllRequired(error: SchemaError, errors: readonly SchemaError[]): SchemaError {
  const ofMap = errors.filter((other) => other.keyword === 'required' && other.instancePath === error.instancePath);
  // Those of the map have the shortest path.
  ofMap.sort((left, right) => left.schemaPath.length - right.schemaPath.length);
  const required = new Set(
    ofMap.flatMap(({ parentSchema }) => (isList(parentSchema.required) ? parentSchema.required : [])),
  );
  return { ...error, parentSchema: { ...error.parentSchema, required: [...required] } };
}

/** Returns the wording of a rule across attributes, which is the `$comment` in the schema around the error. */
function ruleOf({ keyword, schemaPath }: SchemaError, schema: JsonSchema): string | undefined {
  if (!schemaPath.startsWith('#/allOf/') || !['not', 'const', 'enum', 'required'].includes(keyword)) return undefined;
  let words: string | undefined;
  let here: JsonValue | undefined = schema;
  for (const part of pointer(schemaPath)) {
    here = Array.isArray(here) ? here[Number(part)] : isObject(here) ? here[part] : undefined;
    if (isObject(here) && typeof here.$comment === 'string') words = here.$comment;
  }
  return words;
}

/** Points at the last declared attribute of the rule. */
function explainRule(error: SchemaError, words: string): SchemaComplaint {
  const block = isObject(error.data as JsonValue) ? (error.data as JsonObject) : {};
  const declaredName = (words.match(/\w+/gu) ?? []).filter((word) => Object.hasOwn(block, word)).at(-1);
  const path = pointer(error.instancePath);
  const detail = `The platform refuses this combination: ${words}. Change or remove one of them.`;
  return {
    code: 'manifest.combination',
    detail,
    path: declaredName === undefined ? path : [...path, declaredName],
    at: 'key',
  };
}
