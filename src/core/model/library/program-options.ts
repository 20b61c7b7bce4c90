// What a program may pass for each type of option, what is wrong with a value, and what a use case gets of it.

import { durationAdvice, parseDuration } from '../../../lib/option-values.ts';
import { parseTime, timeAdvice } from '../../../lib/time-values.ts';
import { type Option, type OptionTable, type OptionType, type UseCaseOptions, useCaseOptions } from './option.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

// A list may have gaps, which `every` skips.
const isTexts = (value: unknown): boolean => Array.isArray(value) && Array.from<unknown>(value).every(isText);

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
  if (textsIn(value).some((text) => text.includes('\0')))
    return `${name} contains a zero character, which no path, name or variable can have.`;
  if (choices !== undefined && !choices.includes(String(value)))
    return `${name} is "${String(value)}", which is not one of ${choices.join(', ')}.`;
  if (type === 'duration' && parseDuration(String(value)) === undefined)
    return `${name} is "${String(value)}", which is not a duration. ${durationAdvice}`;
  if (type === 'time' && !isTime(String(value)))
    return `${name} is "${String(value)}", which is not a time. ${timeAdvice}`;
  return undefined;
}

function textsIn(value: unknown): readonly string[] {
  if (isText(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).filter(isText) : [];
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

/** What a program passes, after it was checked, as a use case gets it. */
export function programOptions<Table extends OptionTable>(table: Table, options: object): UseCaseOptions<Table> {
  const values = new Map<string, unknown>(Object.entries(options));
  return useCaseOptions(table, (name, { type }) => {
    const value = values.get(name);
    return type === 'duration' && isText(value) ? parseDuration(value) : value;
  });
}
