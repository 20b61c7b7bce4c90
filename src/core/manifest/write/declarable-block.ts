// Makes a block from a live object, and lists the parts that no manifest may contain.

import {
  equalJson,
  isList,
  isObject,
  isUnusableText,
  type JsonObject,
  type JsonValue,
  ownValue,
  reservedKeys,
} from '../../../lib/json.ts';
import { Suggestions } from '../../../lib/suggestions.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { prune } from '../document/prune.ts';
import { complaintsOf } from '../schema/schema-errors.ts';
import type { CheckedSubject, SchemaComplaint } from '../schema/sentences.ts';
import type { Check, Checks } from '../schema/validate.ts';

/** A part of a live object that a manifest cannot contain. */
export interface UndeclarablePart {
  /** Empty for the whole object. */
  readonly path: readonly string[];
  readonly why: string;
}

export interface Declarable {
  /** Undefined if the object cannot be declared at all. */
  readonly block: JsonObject | undefined;
  readonly leftOut: readonly UndeclarablePart[];
}

/**
 * Returns the block of a live object. Attributes with their initial value are left out and so stay unmanaged, except those
 * in `unsure`, whose initial value differs in this application.
 */
export function declarable(
  kind: KindDefinition,
  key: string,
  live: JsonObject,
  checks: Checks,
  unsure: ReadonlySet<string> = new Set(),
): Declarable {
  const { key: keyCheck, block: blockCheck } = checks.of(kind);
  const ofKey = isUnusable(key)
    ? [unusable([])]
    : refusals(keyCheck, key, kind.keyName).map(({ detail }) => ({ path: [], why: detail }));
  if (ofKey.length > 0) return { block: undefined, leftOut: ofKey.slice(0, 1) };
  const leftOut = [...unusableParts(live, [])].map((part) => upToList(kind, live, part));
  let block = without(withoutNeutral(kind, live, unsure), leftOut);
  for (;;) {
    const complaints = refusals(blockCheck, block, kind.title);
    const [first] = complaints;
    if (first === undefined) return { block, leftOut };
    const parts = complaints.filter(({ path }) => path.length > 0 && !isRequired(kind, path));
    // Leaving parts out would not help.
    if (parts.length === 0) return { block: undefined, leftOut: [...leftOut, { path: [], why: first.detail }] };
    const refused = parts.map(({ path, detail }) => upToList(kind, block, { path, why: detail }));
    leftOut.push(...refused);
    block = without(block, refused);
  }
}

/** Leaves out the whole list if it is one value, because declaring a part would change it. */
function upToList(
  { attributes }: KindDefinition,
  block: JsonObject,
  { path, why }: UndeclarablePart,
): UndeclarablePart {
  if (attributes[path[0] ?? '']?.shape === 'set') return { path, why };
  let part: JsonValue | undefined = block;
  for (const [depth, name] of path.entries()) {
    if (isList(part)) {
      const item = part[Number(name)];
      const isShort = typeof item === 'string' && !isUnusableText(item);
      const reason = isShort ? `It contains ${JSON.stringify(item)}, which no manifest may contain.` : why;
      return { path: path.slice(0, depth), why: `${reason} The list is left unchanged.` };
    }
    part = isObject(part) ? ownValue(part, name) : undefined;
  }
  return { path, why };
}

function withoutNeutral(
  { attributes, required }: KindDefinition,
  live: JsonObject,
  unsure: ReadonlySet<string>,
): JsonObject {
  const isNeutral = (value: JsonValue | undefined) =>
    value === undefined ||
    value === false ||
    value === '' ||
    (isList(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, { change, removed, initial }]): [string, JsonValue][] => {
      const value = live[name];
      if (value === undefined) return [];
      if (initial !== undefined) return equalJson(value, initial) && !unsure.has(name) ? [] : [[name, value]];
      // The platform assigns its own value to an undeclared name or cover.
      const isAssigned = value === '' && change === 'mutable' && removed.how === 'release';
      return isNeutral(value) && !isAssigned && !required.includes(name) ? [] : [[name, value]];
    }),
  );
}

/** Removes the parts, and maps and lists that become empty. */
function without(block: JsonObject, leftOut: readonly UndeclarablePart[]): JsonObject {
  const remaining = prune(
    block,
    leftOut.map(({ path }) => path),
  );
  if (!isObject(remaining)) return {};
  return Object.fromEntries(
    Object.entries(remaining).flatMap(([name, value]): [string, JsonValue][] => {
      if (!isList(value)) return isObject(value) && Object.keys(value).length === 0 ? [] : [[name, value]];
      // Pruning keeps null for removed items of a list.
      const items = value.filter((item) => item !== null);
      return items.length === 0 ? [] : [[name, items]];
    }),
  );
}

function isRequired({ required }: KindDefinition, path: readonly string[]): boolean {
  return path.length === 1 && required.includes(path[0] ?? '');
}

function refusals(check: Check, value: JsonValue, title: string): SchemaComplaint[] {
  if (check.fits(value)) return [];
  const subject: CheckedSubject = {
    check,
    title,
    textAt: () => undefined,
    isSecret: () => false,
    suggestions: new Suggestions(),
  };
  return complaintsOf(value, subject);
}

/** Yields texts and keys that no manifest may contain, at any depth. */
function* unusableParts(value: JsonValue, path: readonly string[]): Generator<UndeclarablePart> {
  if (typeof value === 'string') {
    if (isUnusableText(value)) yield unusable(path);
  } else if (isList(value)) {
    for (const [index, item] of value.entries()) yield* unusableParts(item, [...path, String(index)]);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (isUnusable(key)) yield unusable([...path, key]);
      else yield* unusableParts(inner, [...path, key]);
    }
  }
}

function unusable(path: readonly string[]): UndeclarablePart {
  return {
    path,
    why: 'It contains a NUL character, half of a surrogate pair or a reserved key, which no manifest may contain.',
  };
}

function isUnusable(key: string): boolean {
  return reservedKeys.has(key) || isUnusableText(key);
}
