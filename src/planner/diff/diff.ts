// Compares what is declared of one object with what was last applied, attribute by attribute.
//
// Three-way, as `kubectl apply` (semantics §1): an attribute is managed while it is declared, or was declared at the last
// apply. Declared and new or different: it is set. Remembered, and its line removed: it is taken back as the kind's table
// says: reset to the neutral value, entry by entry, or released as it is. Neither: it is left alone.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';
import { type AttributeChange, printPath } from '../../model/change.ts';
import { rememberOne } from '../../resources/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition, Problem } from '../../resources/definition/kind.ts';

export interface AttributeDiff {
  readonly attributes: readonly AttributeChange[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/**
 * `before`: a record's attributes, or what a refresh found instead; `after`: a declared block. The disabled state is left
 * out.
 */
export function diffAttributes(
  kind: KindDefinition,
  before: JsonObject,
  after: JsonObject,
  ignored: readonly string[],
): AttributeDiff {
  const attributes: AttributeChange[] = [];
  const problems: Problem[] = [];
  const notes: string[] = [];
  for (const [name, definition] of Object.entries(kind.attributes)) {
    if (definition.change === 'closed' || definition.change === 'mode' || ignored.includes(name)) continue;
    const was = present(definition, before[name]);
    const declared = after[name];
    const wanted = declared === undefined ? undefined : present(definition, rememberOne(definition, declared));
    if (equalJson(was, wanted) || (wanted === undefined && definition.removed.how === 'keep')) continue;
    const problem = impossible(name, definition, was, wanted);
    if (problem !== undefined) problems.push(problem);
    else if (definition.shape === 'map') {
      const entries = diffEntries(name, definition, was, wanted);
      attributes.push(...entries);
      notes.push(...entries.filter(({ how }) => how === 'release').map(({ path }) => released(printPath(path))));
    } else if (wanted !== undefined) {
      attributes.push({ path: [name], ...(was === undefined ? {} : { before: was }), after: wanted, how: 'set' });
    } else if (was !== undefined) {
      const change = takeBack(name, definition, was);
      attributes.push(change);
      if (change.how === 'release') notes.push(released(name));
    }
  }
  return { attributes, problems, notes };
}

function released(what: string): string {
  return `${what} is no longer managed and stays as it is`;
}

/** An empty map or set is the same as none: nothing of it is managed. */
function present(definition: AttributeDefinition, value: JsonValue | undefined): JsonValue | undefined {
  if (definition.shape === undefined || value === undefined) return value;
  const isEmpty = isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
  return isEmpty ? undefined : value;
}

function takeBack(name: string, { removed, shape }: AttributeDefinition, was: JsonValue): AttributeChange {
  if (shape === 'set') return { path: [name], before: was, after: [], how: 'reset' };
  if (removed.how === 'reset' && !equalJson(was, removed.to)) {
    return { path: [name], before: was, after: removed.to, how: 'reset' };
  }
  return { path: [name], before: was, how: 'release' };
}

function diffEntries(
  name: string,
  { removed }: AttributeDefinition,
  was: JsonValue | undefined,
  wanted: JsonValue | undefined,
): AttributeChange[] {
  const left = isObject(was) ? was : {};
  const right = isObject(wanted) ? wanted : {};
  const changes: AttributeChange[] = [];
  for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()) {
    const before = own(left, key);
    const after = own(right, key);
    if (equalJson(before, after)) continue;
    changes.push({
      path: [name, key],
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      how: after !== undefined ? 'set' : removed.how === 'release' ? 'release' : 'reset',
    });
  }
  return changes;
}

/** An edit for which the platform has no call (semantics §1.3). Removing such a line is possible: the value is released. */
function impossible(
  name: string,
  definition: AttributeDefinition,
  was: JsonValue | undefined,
  wanted: JsonValue | undefined,
): Problem | undefined {
  if (wanted === undefined) return undefined;
  if (definition.change === 'create_only') {
    return {
      severity: 'error',
      code: 'plan.create-only',
      summary: 'This attribute is fixed at creation',
      detail:
        was === undefined
          ? `The object already exists, and the platform sets ${name} only at creation. Remove the line, or declare a new object under a new key.`
          : `${name} was ${JSON.stringify(was)} when the object was created, and the platform cannot change it. Set it back to ${JSON.stringify(was)}, or declare a new object under a new key.`,
      path: [name],
    };
  }
  if (definition.change === 'one_way' && was === true && wanted === false) {
    return {
      severity: 'error',
      code: 'plan.one-way',
      summary: 'This attribute cannot go back',
      detail: `${name} is true, and the platform cannot change it back to false. Set it back to true, or declare a new object under a new key.`,
      path: [name],
    };
  }
  return undefined;
}
