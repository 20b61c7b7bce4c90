// Sends and reads the attributes that have a route to themselves, such as a user's invitation preference.
import { isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import type { ApiRequest } from '../model/request.ts';
import type { Phase } from '../model/step.ts';
import { namesOf, rememberOne } from './attribute-table.ts';
import type { AttributeDefinitions, KindChange, OwnCall, PartRead, StepDraft } from './define.ts';

/** What a kind says of its own calls: their table, the parameters of their routes and when they are made. */
export interface OwnCalls {
  readonly definitions: AttributeDefinitions;
  params(key: string): Readonly<Record<string, string>>;
  readonly phase: Phase;
}

/** A call for each such attribute that is set: twice is as good as once. */
export function ownCallSteps({ definitions, params, phase }: OwnCalls, { key, attributes }: KindChange): StepDraft[] {
  return attributes.flatMap(({ path, after, how }): StepDraft[] => {
    const [name = ''] = path;
    const call = definitions[name]?.sentBy;
    if (typeof call !== 'object' || after === undefined || how === 'release') return [];
    return [
      {
        action: 'update',
        phase,
        request: { method: 'PUT', route: call.route, params: params(key), body: bodyOf(call, after) },
        edits: [
          how === 'reset'
            ? { op: 'unset', path: [name] }
            : { op: 'set', path: [name], value: rememberOne(definitions[name], after) },
        ],
      },
    ];
  });
}

function bodyOf({ field }: OwnCall, value: JsonValue): JsonObject {
  if (field !== undefined) return { [field]: value };
  return isObject(value) ? value : {};
}

/** The parts of a live object that are read by these calls. */
export function ownReads({ definitions, params }: OwnCalls): PartRead[] {
  return shownAlone(definitions).map(([name, { route }]) => ({
    attribute: name,
    field: answerField(name),
    isOneAnswer: true,
    isWhole: (answer) => answer[answerField(name)] !== undefined,
    request: (key): ApiRequest => ({ method: 'GET', route, params: params(key) }),
  }));
}

/** The values that those reads have brought. */
export function observeOwn(definitions: AttributeDefinitions, answer: JsonObject): JsonObject {
  return Object.fromEntries(
    shownAlone(definitions).flatMap(([name, { field }]): [string, JsonValue][] => {
      const part = answer[answerField(name)];
      const value = field === undefined || !isObject(part) ? part : part[field];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A name that no field of the object's own answer has. */
function answerField(name: string): string {
  return `own ${name}`;
}

function shownAlone(definitions: AttributeDefinitions): [string, OwnCall][] {
  return namesOf(definitions, ({ shownBy }) => typeof shownBy === 'object').flatMap((name): [string, OwnCall][] => {
    const call = definitions[name]?.shownBy;
    return typeof call === 'object' ? [[name, call]] : [];
  });
}
