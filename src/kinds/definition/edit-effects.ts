// Says what an edit of an attribute means for people, by the attribute's entry in the table of its kind.
import { equalJson, isObject, type JsonObject, ownValue } from '../../lib/json.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { EditEffect } from '../../model/people/comparison.ts';
import type { AttributeDefinition, AttributeDefinitions } from './kind.ts';

/** In `parts`, precedes the name of a part of every entry. */
const everyEntry = '*.';

/** Without duplicates, in no order. */
function effectsOf(
  { people, parts = {} }: AttributeDefinition,
  { path: [, entry], before, after }: Pick<AttributeChange, 'path' | 'before' | 'after'>,
): readonly EditEffect[] {
  if (entry === undefined) return [...new Set([...people, ...Object.values(parts).flatMap((part) => part.people)])];
  if (!entry.startsWith(everyEntry) && Object.hasOwn(parts, entry)) return parts[entry]?.people ?? people;
  if (!isObject(before) || !isObject(after)) return people;
  const edited = editedFields(before, after).map((name) => ownPart(parts, name));
  if (edited.some((part) => part === undefined)) return people;
  return [...new Set(edited.flatMap((part) => part?.people ?? []))];
}

function ownPart(parts: NonNullable<AttributeDefinition['parts']>, name: string) {
  return Object.hasOwn(parts, everyEntry + name) ? parts[everyEntry + name] : undefined;
}

function editedFields(before: JsonObject, after: JsonObject): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !equalJson(ownValue(before, name) ?? null, ownValue(after, name) ?? null));
}

/** Whether the edit decides what people can do, or where data goes. What they notice, and what they may write, is not access. */
export function changesAccess(definition: AttributeDefinition, change: AttributeChange): boolean {
  return effectsOf(definition, change).some(isOfAccess);
}

/** The same for every edit of the attribute. */
export function isAccess({ people }: AttributeDefinition): boolean {
  return people.some(isOfAccess);
}

/** The attributes of an object on which rights depend. */
export interface DecidingAttributes {
  /** Concern everybody alike. */
  readonly wide: readonly string[];
  /** Maps and sets of people. */
  readonly lists: readonly string[];
}

const rightsOfPeople: ReadonlySet<EditEffect> = new Set<EditEffect>(['enter', 'read', 'write', 'moderate']);

export function decidingAttributes(definitions: AttributeDefinitions): DecidingAttributes {
  const deciding = Object.entries(definitions).filter(([, { people }]) =>
    people.some((effect) => rightsOfPeople.has(effect)),
  );
  const namesOf = (isList: boolean) =>
    deciding.flatMap(([name, { shape }]) => ((shape !== undefined) === isList ? [name] : []));
  return { wide: namesOf(false), lists: namesOf(true) };
}

/** Whether an edit changes anything for people, be it only what they notice. */
export function meansAnything({ people }: AttributeDefinition): boolean {
  return people.length > 0;
}

function isOfAccess(effect: EditEffect): boolean {
  return effect !== 'notice' && effect !== 'bound';
}
