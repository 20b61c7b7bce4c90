// Sends and reads the attributes that have a separate route, such as a user's invitation preference.
import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Phase } from '../../model/step.ts';
import { rememberOne } from '../definition/attribute-table.ts';
import type { AttributeDefinition, AttributeDefinitions, KindChange, OwnCall, StepDraft } from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';

/** A kind's attribute table, and the parameters and phase of these calls. */
export interface OwnCalls {
  readonly definitions: AttributeDefinitions;
  params(key: string): Readonly<Record<string, string>>;
  readonly phase: Phase;
}

/**
 * Returns a call for each such attribute with a change. The call is safe to repeat. It sends everything declared. The
 * documents do not say whether the platform keeps fields that are not sent (platform §13.3), so it also records releases.
 */
export function ownCallSteps(
  { definitions, params, phase }: OwnCalls,
  { key, after, attributes }: KindChange,
): StepDraft[] {
  return ownCallsOf(definitions, ({ sentBy }) => sentBy).flatMap(([name, call]): StepDraft[] => {
    const changes = attributes.filter(({ path }) => path[0] === name);
    const value = changes.find(({ path }) => path.length === 1)?.after ?? after[name];
    if (changes.every(({ how }) => how === 'release') || value === undefined) return [];
    return [
      {
        action: 'update',
        phase,
        request: { method: 'PUT', route: call.route, params: params(key), body: bodyOf(call, value) },
        edits: changes.flatMap((change) => editsOf(change, definitions)),
      },
    ];
  });
}

function editsOf({ path, after, how }: AttributeChange, definitions: AttributeDefinitions): RecordEdit[] {
  if (how === 'reset' || after === undefined) return [{ op: 'unset', path }];
  return [{ op: 'set', path, value: path.length === 1 ? rememberOne(definitions[path[0] ?? ''], after) : after }];
}

function bodyOf({ field, isAlsoBare }: OwnCall, value: JsonValue): JsonObject {
  const parts = isObject(value) ? value : {};
  if (field === undefined) return parts;
  return { ...(isAlsoBare === true ? parts : {}), [field]: value };
}

/** Returns the reads of these attributes. */
export function ownReads({ definitions, params }: OwnCalls): PartRead[] {
  return ownCallsOf(definitions, readBy).map(([name, { route, query }]) => ({
    attribute: name,
    field: partField(name),
    isOneAnswer: true,
    isWhole: (answer) => answer[partField(name)] !== undefined,
    request: (key): ApiRequest => ({
      method: 'GET',
      route,
      params: params(key),
      ...(query === undefined ? {} : { query }),
    }),
  }));
}

/** Returns the values that those reads found. */
export function observeOwn(definitions: AttributeDefinitions, answer: JsonObject): JsonObject {
  return Object.fromEntries(
    ownCallsOf(definitions, readBy).flatMap(([name, { field, answerField = field }]): [string, JsonValue][] => {
      const part = answer[partField(name)];
      const value = answerField === undefined || !isObject(part) ? part : part[answerField];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns a name that no field of the object's own answer can have. */
function partField(name: string): string {
  return `own ${name}`;
}

function readBy({ shown }: AttributeDefinition): string | OwnCall | undefined {
  return shown.as === 'not' ? undefined : shown.by;
}

function ownCallsOf(
  definitions: AttributeDefinitions,
  callOf: (definition: AttributeDefinition) => string | OwnCall | undefined,
): [string, OwnCall][] {
  const calls: [string, OwnCall][] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    const call = callOf(definition);
    if (typeof call === 'object') calls.push([name, call]);
  }
  return calls;
}
