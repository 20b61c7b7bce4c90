// Says what an edit of an attribute means for people, by the attribute's entry in the table of its kind.
import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { EditDanger, EditEffect } from '../../model/people/comparison.ts';
import type { AttributeDefinition, AttributeDefinitions } from './kind.ts';
import { linesOf } from './values.ts';

/** In `parts`, precedes the name of a part of every entry. */
const everyEntry = '*.';

/** Without duplicates, in no order. */
function effectsOf(
  { people, parts = {} }: AttributeDefinition,
  { path: [, entry], before, after }: Entry,
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

/** An edit of a value, or of one entry of a map or a set. */
export interface DangerousEdit {
  readonly danger: EditDanger;
  readonly how: 'added' | 'removed' | 'changed';
}

/**
 * The dangers of an edit of an existing object, each once (semantics §4.10). A token is issued to one person, who can connect
 * with or without it, so only its call knows whether it ends another one.
 */
export function dangersOfEdit(definition: AttributeDefinition, edit: AttributeChange): readonly DangerousEdit[] {
  if (edit.how === 'release' || definition.change === 'start' || definition.change === 'noted') return [];
  const dangers = new Map<string, DangerousEdit>();
  for (const entry of entriesOf(definition, edit)) {
    const one = dangerOfEntry(definition, entry, edit);
    if (one !== undefined) dangers.set(`${one.danger} ${one.how}`, one);
  }
  return [...dangers.values()];
}

interface Entry extends Pick<AttributeChange, 'path'> {
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}

function entriesOf({ shape }: AttributeDefinition, { path, before, after }: AttributeChange): readonly Entry[] {
  if (shape === undefined || path.length > 1) return [{ path, before, after }];
  const [left, right] = [linesOf(before), linesOf(after)];
  const entries = [...new Set([...left.keys(), ...right.keys()])].map((key) => {
    return { path: [...path, key], before: left.get(key), after: right.get(key) };
  });
  return entries.filter((entry) => !equalJson(entry.before, entry.after));
}

/** The entry may be a part of the edit. */
function dangerOfEntry(
  definition: AttributeDefinition,
  entry: Entry,
  edit: Pick<AttributeChange, 'before' | 'after'>,
): DangerousEdit | undefined {
  const effects = effectsOf(definition, entry);
  if (!effects.some(isOfAccess)) return undefined;
  const [, name = ''] = entry.path;
  const { initial, parts = {} } = definition;
  const inNewObject = isObject(initial) ? ownValue(initial, name) : initial;
  const [was, is] = [isThere(entry.before ?? inNewObject), isThere(entry.after)];
  const isAsNew = entry.before === undefined && equalJson(inNewObject, entry.after);
  if (isAsNew || (!was && !is)) return undefined;
  const how = was ? (is ? 'changed' : 'removed') : 'added';
  const { rights = definition.rights } = ownValue(parts, name) ?? {};
  if (effects.some(isRight)) {
    if (how === 'changed' || rights === undefined) return { danger: 'may_change', how };
    return { danger: (rights === 'grants') === (how === 'added') ? 'opens' : 'restricts', how };
  }
  if (effects.includes('elsewhere')) return { danger: 'sends', how };
  // An empty list lets everybody call, so the first entry locks the others out, and the end of the last one lets them in.
  const isFurther = how === 'added' && isThere(edit.before);
  const isEmptied = how === 'removed' && !isThere(edit.after);
  return { danger: isFurther || isEmptied ? 'opens' : 'locks_out', how };
}

function isThere(value: JsonValue | undefined): boolean {
  return Boolean(value) && !(isList(value) && value.length === 0);
}

/** The attributes of an object on which rights depend. */
export interface DecidingAttributes {
  /** Concern everybody alike. */
  readonly wide: readonly string[];
  /** Maps and sets of people. */
  readonly lists: readonly string[];
}

const rightsOfPeople: ReadonlySet<EditEffect> = new Set<EditEffect>(['enter', 'read', 'write', 'moderate']);

function isRight(effect: EditEffect): boolean {
  return rightsOfPeople.has(effect) || effect === 'connect' || effect === 'history' || effect === 'push';
}

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
