// What an option of a use case is: one description, from which its flag, the option of the library, the argument of a tool for
// agents, and the checks of all three are made.
import { durationAdvice, parseDuration, parseTime, timeAdvice } from '../../lib/option-values.ts';

/** The types of options, and the values that use cases get. */
interface Values {
  text: string;
  texts: readonly string[];
  'text or texts': string | readonly string[];
  switch: boolean;
  /** Whole, and at least zero. */
  count: number;
  /** Written as `50m`; a use case gets milliseconds. */
  duration: number;
  /** Of a day, or with a date. A use case gets it as it is written, because its moment depends on when the use case begins. */
  time: string;
  variables: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  function: (...given: never[]) => void;
  plan: object;
}

export type OptionType = keyof Values;

export interface Option<Type extends OptionType = OptionType> {
  readonly type: Type;
  /** For the help of the flag, the argument of a tool, and refusals: begins in lower case, without a full stop. */
  readonly text: string;
  /** The comment in the types of the library, in sentences. Default: `text` as a sentence. */
  readonly comment?: string;
  /** The type for TypeScript, if it is narrower than `type`. */
  readonly typed?: string;
  /** The name of the flag, without dashes. Absent if no flag means the same. */
  readonly flag?: string;
  /** What the help calls the value of the flag. Absent for a switch. */
  readonly value?: string;
  readonly isRequired?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** The kind of the file that the option names for the use case to write. */
  readonly writes?: 'plan' | 'readings' | 'tokens';
  /** A former name of the flag, which still works and is in no help. */
  readonly formerFlag?: string;
  /** A former name, which is refused with the present one. */
  readonly former?: string;
  /** The name in the options of the use case, if it is another one. */
  readonly as?: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** Types whose values a use case gets in another form than a program or a command line gives them. */
const readTypes = ['text', 'texts', 'switch', 'count', 'duration', 'time'] as const;
type ReadType = (typeof readTypes)[number];

/**
 * The options of a table as a use case gets them, by the names and in the units of the use case. `Missing` is what a required one
 * may be instead: nothing, once it was checked.
 */
export type UseCaseOptions<Table extends OptionTable, Missing = never> = {
  readonly [Name in keyof Table as Table[Name]['type'] extends ReadType
    ? Table[Name] extends { readonly as: infer As extends string }
      ? As
      : Name
    : never]: Values[Table[Name]['type']] | (Table[Name] extends { readonly isRequired: true } ? Missing : undefined);
};

/** `read` gives the value of an option, with durations in milliseconds. */
export function useCaseOptions<Table extends OptionTable, Missing = never>(
  table: Table,
  read: (name: string, option: Option) => unknown,
): UseCaseOptions<Table, Missing> {
  const values = Object.entries(table).flatMap(([name, option]) =>
    readTypes.some((type) => type === option.type) ? [[option.as ?? name, read(name, option)]] : [],
  );
  return Object.fromEntries(values) as UseCaseOptions<Table, Missing>;
}

/** What a program passes, after it was checked, as a use case gets it. */
export function programOptions<Table extends OptionTable>(table: Table, options: object): UseCaseOptions<Table> {
  const values = new Map<string, unknown>(Object.entries(options));
  return useCaseOptions(table, (name, { type }) => {
    const value = values.get(name);
    return type === 'duration' && isText(value) ? parseDuration(value) : value;
  });
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface TypeForm {
  readonly title: string;
  readonly typed: string;
  readonly matches: (value: unknown) => boolean;
}

/** What a program may pass for each type, in words and in TypeScript. */
export const optionTypes: Readonly<Record<OptionType, TypeForm>> = {
  text: { title: 'a text', typed: 'string', matches: isText },
  texts: { title: 'a list of texts', typed: 'readonly string[]', matches: isTexts },
  'text or texts': {
    title: 'a text or a list of texts',
    typed: 'string | readonly string[]',
    matches: (value) => isText(value) || isTexts(value),
  },
  switch: { title: 'true or false', typed: 'boolean', matches: (value) => typeof value === 'boolean' },
  count: {
    title: 'a whole number of at least 0',
    typed: 'number',
    matches: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  duration: { title: 'a duration such as 50m', typed: 'string', matches: isText },
  time: { title: 'a time such as 04:00', typed: 'string', matches: isText },
  variables: {
    title: 'an object of texts',
    typed: 'Readonly<Record<string, string | undefined>>',
    matches: (value) => isRecord(value) && Object.values(value).every((text) => text === undefined || isText(text)),
  },
  signal: {
    title: 'an AbortSignal',
    typed: 'AbortSignal',
    matches: (value) => isRecord(value) && 'aborted' in value && 'addEventListener' in value,
  },
  function: {
    title: 'a function',
    typed: '(...given: never[]) => void',
    matches: (value) => typeof value === 'function',
  },
  plan: { title: 'a plan', typed: 'Plan', matches: isRecord },
};

/** Why a value cannot be that of the option, as a sentence. Does not repeat values of another type, which may be secrets. */
export function problemOfValue(name: string, { type, choices }: Option, value: unknown): string | undefined {
  const { title, matches } = optionTypes[type];
  if (!matches(value)) return `${name} must be ${title}, but is ${inWords(value)}.`;
  if (value === '' || (Array.isArray(value) && value.includes('')))
    return `${name} is empty or contains an empty text. Leave out options without a value.`;
  if (choices !== undefined && !choices.includes(String(value)))
    return `${name} is "${String(value)}", which is not one of ${choices.join(', ')}.`;
  if (type === 'duration' && parseDuration(String(value)) === undefined)
    return `${name} is "${String(value)}", which is not a duration. ${durationAdvice}`;
  if (type === 'time' && !isTime(String(value)))
    return `${name} is "${String(value)}", which is not a time. ${timeAdvice}`;
  return undefined;
}

export function isTime(text: string): boolean {
  return parseTime(text, new Date(0)) !== undefined;
}

/** The type of a value in words. */
export function inWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const words: Readonly<Record<string, string>> = {
    undefined: 'nothing',
    string: 'a text',
    boolean: 'true or false',
    number: Number.isSafeInteger(value) ? 'a number' : 'not a whole number',
    object: 'an object',
  };
  return words[typeof value] ?? `a ${typeof value}`;
}
