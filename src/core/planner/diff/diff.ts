// Compares the declaration of one object with the last apply, attribute by attribute.
//
// The comparison is three-way, as in `kubectl apply` (semantics §1). An attribute is managed while it is declared, or was
// declared at the last apply. A new or different declared value is set. If the line was removed, the value is reset,
// removed entry by entry, or released, as the kind's table says. Other attributes are left alone.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { rememberOne } from '../../kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { PlannedProblem } from '../draft/draft.ts';

export interface AttributeDiff {
  readonly attributes: readonly AttributeChange[];
  readonly problems: readonly PlannedProblem[];
}

/**
 * `before` are a record's attributes, or the values that a refresh found. `after` is the declared block. The disabled state
 * is left out. The value at an `unknown` path is reset even if `before` has the value of a reset.
 */
export function diffAttributes(
  kind: KindDefinition,
  before: JsonObject,
  after: JsonObject,
  ignored: readonly string[],
  unknown: readonly (readonly string[])[] = [],
): AttributeDiff {
  const attributes: AttributeChange[] = [];
  const problems: PlannedProblem[] = [];
  for (const [name, definition] of Object.entries(kind.attributes)) {
    if (definition.change === 'closed' || definition.change === 'mode' || ignored.includes(name)) continue;
    const was = present(definition, before[name]);
    const declared = after[name];
    const wanted = declared === undefined ? undefined : present(definition, rememberOne(definition, declared));
    if (equalJson(was, wanted) || (wanted === undefined && definition.removed.how === 'keep')) continue;
    if (was === undefined && isStated(definition, wanted)) continue;
    const problem = impossible(name, definition, was, wanted);
    if (problem !== undefined) problems.push(problem);
    else if (definition.shape === 'map') {
      attributes.push(...diffEntries(name, definition, was, wanted));
    } else if (wanted !== undefined) {
      attributes.push({ path: [name], ...(was === undefined ? {} : { before: was }), after: wanted, how: 'set' });
    } else if (was !== undefined) {
      const isUnknown = unknown.some((path) => path.length === 1 && path[0] === name);
      attributes.push(takeBack(name, definition, was, isUnknown));
    }
  }
  return { attributes, problems };
}

/** Whether the line states the value that a creation without the line gives, and which no later call can change. */
function isStated({ change, initial = false }: AttributeDefinition, wanted: JsonValue | undefined): boolean {
  return (change === 'create_only' || change === 'noted') && wanted !== undefined && equalJson(wanted, initial);
}

/** Treats an empty map or set as absent, because nothing of it is managed. */
function present(definition: AttributeDefinition, value: JsonValue | undefined): JsonValue | undefined {
  if (definition.shape === undefined || value === undefined) return value;
  const isEmpty = isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
  return isEmpty ? undefined : value;
}

function takeBack(
  name: string,
  { removed, shape }: AttributeDefinition,
  was: JsonValue,
  isUnknown: boolean,
): AttributeChange {
  if (shape === 'set') return { path: [name], before: was, after: [], how: 'reset' };
  if (removed.how === 'reset' && (isUnknown || !equalJson(was, removed.to))) {
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
    const before = ownValue(left, key);
    const after = ownValue(right, key);
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

/** Reports an edit that the platform cannot make (semantics §1.3). Removing such a line is possible and releases the value. */
function impossible(
  name: string,
  definition: AttributeDefinition,
  was: JsonValue | undefined,
  wanted: JsonValue | undefined,
): PlannedProblem | undefined {
  if (wanted === undefined) return undefined;
  if (definition.change === 'create_only') {
    return {
      severity: 'error',
      problem: { code: 'plan.create-only', attribute: name, ...(was === undefined ? {} : { was }) },
      path: [name],
    };
  }
  if (definition.change === 'one_way' && was === true && wanted === false) {
    return {
      severity: 'error',
      problem: { code: 'plan.one-way', attribute: name },
      path: [name],
    };
  }
  return undefined;
}
