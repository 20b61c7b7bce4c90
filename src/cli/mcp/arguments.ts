// The definition of a tool, and how its arguments are read: strictly, because a client that means something else must not get a
// result.
import type { Ports } from '../../core/app/context/ports.ts';
import { usage } from '../../core/model/errors.ts';
import type { Option, OptionType } from '../../core/model/library/option.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import type { CommandInput } from '../flags/command-input.ts';

export interface ToolCall {
  readonly callArguments: ToolArguments;
  /** The flags of the server. */
  readonly input: CommandInput;
  readonly ports: Ports;
  readonly maxBytes: number;
  /** Call it before writing a file. Refused (8) if the call was stopped, so that a stopped call leaves nothing. */
  demandToSave(): void;
}

export interface Tool {
  readonly description: string;
  /** The arguments, by name. */
  readonly takes: Readonly<Record<string, ToolArgument>>;
  readonly required?: readonly string[];
  readonly timeoutMs: number;
  /** The schema of the result, which is that of the command: `plan`, or `results#tested` for a definition in a file. */
  readonly result: string;
  /** Whether it reads the platform. */
  readonly isOnline: boolean;
  run(call: ToolCall): Promise<object>;
}

interface ToolArgument {
  readonly type: 'paths' | 'path' | 'texts' | 'text' | 'flag' | 'count';
  readonly description: string;
}

type ArgumentType = ToolArgument['type'];

/** The types of arguments by those of options. */
const argumentTypes = { text: 'text', texts: 'texts', switch: 'flag' } as const satisfies Partial<
  Record<OptionType, ArgumentType>
>;

/** The argument that means the same as the option. `remark` says what is different for tools. */
export function argumentOf(
  { type, text }: Option & { readonly type: keyof typeof argumentTypes },
  remark?: string,
): ToolArgument {
  return { type: argumentTypes[type], description: remark === undefined ? text : `${text}; ${remark}` };
}

/** The same for an option that names files, which tools confine: the instructions of the server say so once. */
export function pathArgumentOf({ type, text }: Option & { readonly type: 'text' | 'texts' }): ToolArgument {
  return { type: type === 'text' ? 'path' : 'paths', description: text };
}

const maxItems = 1_000;
const maxCharacters = 4_096;
const mostCounted = 100;

export class ToolArguments {
  readonly #values: JsonObject;
  /** All paths among the arguments. */
  readonly paths: readonly string[];

  /** Refused (64) for an unknown argument, another type, an empty text, and texts or lists that are too long. */
  constructor(name: string, { takes, required = [] }: Pick<Tool, 'takes' | 'required'>, argumentsGiven: unknown) {
    const values = argumentsGiven ?? {};
    const wrong = (what: string) =>
      usage(`The tool ${name} received invalid arguments: ${what}.`, `It takes ${Object.keys(takes).join(', ')}.`);
    if (!isObject(values)) throw wrong('they are not an object');
    for (const [key, value] of Object.entries(values)) {
      const argument = Object.hasOwn(takes, key) ? takes[key] : undefined;
      if (argument === undefined) throw wrong(`"${key.slice(0, 100)}" is unknown`);
      if (!fits(argument.type, value)) throw wrong(`"${key}" is not ${inWords[argument.type]}`);
    }
    const missing = required.find((key) => values[key] === undefined);
    if (missing !== undefined) throw wrong(`"${missing}" is missing`);
    this.#values = values;
    this.paths = Object.entries(takes).flatMap(([key, { type }]) =>
      type === 'paths' || type === 'path' ? [...this.list(key), this.text(key) ?? []].flat() : [],
    );
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  count(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === 'number' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }
}

const inWords: Readonly<Record<ArgumentType, string>> = {
  path: 'a text',
  paths: 'a list of texts',
  texts: 'a list of texts',
  text: 'a text',
  flag: 'true or false',
  count: 'a whole number from 1 to 100',
};

function fits(type: ArgumentType, value: unknown): boolean {
  if (type === 'flag') return typeof value === 'boolean';
  if (type === 'count') return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostCounted;
  if (type === 'text' || type === 'path') return isText(value);
  return Array.isArray(value) && value.length <= maxItems && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= maxCharacters;
}

/** The JSON Schema of the arguments. */
export function inputSchema({
  takes,
  required = [],
}: Pick<Tool, 'takes' | 'required'>): JsonObject & { type: 'object' } {
  const text = { type: 'string', minLength: 1, maxLength: maxCharacters };
  const properties = Object.entries(takes).map(([name, { type, description }]) => {
    if (type === 'flag') return [name, { type: 'boolean', description }];
    if (type === 'count') return [name, { type: 'integer', minimum: 1, maximum: mostCounted, description }];
    if (type === 'text' || type === 'path') return [name, { ...text, description }];
    return [name, { type: 'array', items: text, maxItems, description }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
