// Queries on a kind's attribute table: which calls send attributes, which answers show them, and what state keeps.
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { AttributeDefinition, AttributeDefinitions, KindDefinition } from './kind.ts';

const sentBy: Readonly<Record<'create' | 'update', ReadonlySet<AttributeDefinition['change']>>> = {
  create: new Set(['mutable', 'create_only', 'noted', 'one_way']),
  update: new Set(['mutable', 'one_way']),
};

/** Returns the attributes that the body of the call contains unchanged. */
export function sentFields(definitions: AttributeDefinitions, call: 'create' | 'update'): readonly string[] {
  const isCarried = ({ sentBy: by }: AttributeDefinition) => by === undefined || (by === 'update' && call === 'update');
  return namesOf(definitions, (definition) => isCarried(definition) && sentBy[call].has(definition.change));
}

/** Returns the attributes that an answer shows unchanged. */
export function shownFields(definitions: AttributeDefinitions): readonly string[] {
  return namesOf(definitions, ({ shown }) => shown.as === 'compared' && shown.by === undefined);
}

/** Whether reading the attribute costs one request per object. */
export function isReadEach(definition: AttributeDefinition | undefined): boolean {
  return definition !== undefined && definition.shown.as !== 'not' && definition.shown.costs === 'each';
}

/** Whether an answer shows the whole value. */
export function isShownWhole({ shown }: AttributeDefinition): boolean {
  return shown.as === 'compared';
}

/** Whether the edit sends a value with `comesFirst`. */
export function isSentFirst({ attributes }: Pick<KindDefinition, 'attributes'>, edit: RecordEdit): boolean {
  const [name = '', entry] = edit.path;
  const { comesFirst, parts = {} } = attributes[name] ?? {};
  if (edit.op !== 'set' || comesFirst === true) return edit.op === 'set';
  const entries = entry === undefined ? Object.keys(isObject(edit.value) ? edit.value : {}) : [entry];
  return entries.some((key) => Object.hasOwn(parts, key) && parts[key]?.comesFirst === true);
}

/** Returns the attributes that only the update after a create can send. */
export function sentAfterCreate(definitions: AttributeDefinitions): readonly string[] {
  return namesOf(definitions, ({ sentBy: by }) => by === 'update');
}

/** Returns the names of all attributes with a property, in the order of the table. */
export function namesOf(all: AttributeDefinitions, isMeant: (definition: AttributeDefinition) => boolean): string[] {
  const names: string[] = [];
  for (const name in all) {
    const definition = all[name];
    if (definition !== undefined && isMeant(definition)) names.push(name);
  }
  return names;
}

/** Returns the declared attributes that `isMeant` accepts as state keeps them, without secrets and with digests of files. */
export function rememberAll(
  definitions: AttributeDefinitions,
  attributes: JsonObject,
  isMeant: (definition: AttributeDefinition | undefined) => boolean = () => true,
): JsonObject {
  const remembered: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(attributes)) {
    const definition = definitions[name];
    if (definition?.change === 'mode' || !isMeant(definition)) continue;
    remembered.push([name, rememberOne(definition, value)]);
  }
  return Object.fromEntries(remembered);
}

/** The same for a create, without attributes that a later step sets: the disabled state, and those that its body cannot contain. */
export function rememberCreated(definitions: AttributeDefinitions, attributes: JsonObject): JsonObject {
  return rememberAll(definitions, attributes, (definition) => !isLater(definition));
}

function isLater(definition: AttributeDefinition | undefined): boolean {
  const sent = definition?.sentBy;
  return definition?.change === 'closed' || sent === 'update' || typeof sent === 'object';
}

/** Returns a value as state keeps it. */
export function rememberOne(definition: AttributeDefinition | undefined, value: JsonValue): JsonValue {
  return definition?.remember === undefined ? value : definition.remember(value);
}
