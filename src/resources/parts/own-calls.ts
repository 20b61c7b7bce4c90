// Sends and reads the attributes that have a route to themselves, such as a user's invitation preference.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Phase } from '../../model/step.ts';
import { rememberOne } from '../definition/attribute-table.ts';
import type { AttributeDefinitions, KindChange, OwnCall, StepDraft } from '../definition/kind.ts';
import type { PartRead } from '../definition/live-reads.ts';

/** What a kind says of its own calls: their table, the parameters of their routes and when they are made. */
export interface OwnCalls {
  readonly definitions: AttributeDefinitions;
  params(key: string): Readonly<Record<string, string>>;
  readonly phase: Phase;
}

/**
 * A call for each such attribute of which something is set: twice is as good as once. It sends all that is declared, and
 * whether the platform keeps what is not sent is open (platform §13.3): so it records what is released, too.
 */
export function ownCallSteps(
  { definitions, params, phase }: OwnCalls,
  { key, after, attributes }: KindChange,
): StepDraft[] {
  return ownCallsOf(definitions, 'sentBy').flatMap(([name, call]): StepDraft[] => {
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

function bodyOf({ field }: OwnCall, value: JsonValue): JsonObject {
  if (field !== undefined) return { [field]: value };
  return isObject(value) ? value : {};
}

/** The parts of a live object that are read by these calls. */
export function ownReads({ definitions, params }: OwnCalls): PartRead[] {
  return ownCallsOf(definitions, 'shownBy').map(([name, { route }]) => ({
    attribute: name,
    field: partField(name),
    isOneAnswer: true,
    isWhole: (answer) => answer[partField(name)] !== undefined,
    request: (key): ApiRequest => ({ method: 'GET', route, params: params(key) }),
  }));
}

/** The values that those reads have brought. */
export function observeOwn(definitions: AttributeDefinitions, answer: JsonObject): JsonObject {
  return Object.fromEntries(
    ownCallsOf(definitions, 'shownBy').flatMap(([name, { field, answerField = field }]): [string, JsonValue][] => {
      const part = answer[partField(name)];
      const value = answerField === undefined || !isObject(part) ? part : part[answerField];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A name that no field of the object's own answer has. */
function partField(name: string): string {
  return `own ${name}`;
}

function ownCallsOf(definitions: AttributeDefinitions, way: 'sentBy' | 'shownBy'): [string, OwnCall][] {
  const calls: [string, OwnCall][] = [];
  for (const name in definitions) {
    const call = definitions[name]?.[way];
    if (typeof call === 'object') calls.push([name, call]);
  }
  return calls;
}
