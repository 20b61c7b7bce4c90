// Checks what a program passes to a function of the library, which no compiler may have checked.
import { durationAdvice, parseDuration } from '../../lib/option-values.ts';
import { Suggestions } from '../../manifest/problems/suggestions.ts';
import { usage } from '../../model/errors.ts';
import {
  type LibraryFunction,
  type OptionForm,
  type OptionForms,
  optionForms,
} from '../../model/library/option-forms.ts';
import { demandReplaceable } from './output-files.ts';

/** Refused (64) for options that the function does not have, lacks, or cannot read. One refusal names all of them. */
export function demandOptions(name: LibraryFunction, given: unknown): void {
  const forms: OptionForms = optionForms[name];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usage(`${name} takes an object of options, but was given ${inWords(given)}.`, 'Nothing was done.');
  const values = new Map(Object.entries(given));
  const problems = [
    ...[...values.keys()].filter((key) => !Object.hasOwn(forms, key)).map((key) => unknownOption(name, key, forms)),
    ...Object.entries(forms).flatMap(([key, form]) => problemOf(name, key, form, values.get(key)) ?? []),
  ];
  if (problems.length > 0) throw usage(problems.join(' '), `Nothing was done. The options are ${listOf(forms)}.`);
}

/** Refused (64) if a file that an option names for the function to write is of another kind. */
export async function demandReplaceableFiles(name: LibraryFunction, options: object, cwd: string): Promise<void> {
  const forms: OptionForms = optionForms[name];
  for (const [key, file] of Object.entries(options)) {
    const writes = forms[key]?.writes;
    if (writes !== undefined && typeof file === 'string') await demandReplaceable(writes, cwd, file);
  }
}

function unknownOption(name: string, key: string, forms: OptionForms): string {
  const names = Object.keys(forms);
  const renamed = names.find((known) => forms[known]?.former === key);
  const hint =
    renamed === undefined ? new Suggestions().sentence(key, names).replaceAll('"', '') : ` Did you mean ${renamed}?`;
  return `${key} is not an option of ${name}.${hint}`;
}

function problemOf(name: string, key: string, form: OptionForm, value: unknown): string | undefined {
  if (value === undefined) return form.isRequired === true ? `${name} needs ${key}: ${form.text}.` : undefined;
  const isOfType = types[form.type];
  if (!isOfType.matches(value)) return `${key} must be ${isOfType.title}, but is ${inWords(value)}.`;
  if (value === '' || (Array.isArray(value) && value.includes('')))
    return `${key} is empty or contains an empty text. Leave out options without a value.`;
  if (form.choices !== undefined && !form.choices.includes(String(value)))
    return `${key} is "${String(value)}", which is not one of ${form.choices.join(', ')}.`;
  if (form.type === 'duration' && parseDuration(String(value)) === undefined)
    return `${key} is "${String(value)}", which is not a duration. ${durationAdvice}`;
  return undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** What each type accepts. */
const types: Readonly<
  Record<OptionForm['type'], { readonly title: string; readonly matches: (value: unknown) => boolean }>
> = {
  text: { title: 'a text', matches: isText },
  texts: { title: 'a list of texts', matches: isTexts },
  'text or texts': { title: 'a text or a list of texts', matches: (value) => isText(value) || isTexts(value) },
  switch: { title: 'true or false', matches: (value) => typeof value === 'boolean' },
  count: {
    title: 'a whole number of at least 0',
    matches: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  duration: { title: 'a duration such as 50m', matches: isText },
  variables: {
    title: 'an object of texts',
    matches: (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((text) => text === undefined || isText(text)),
  },
  signal: {
    title: 'an AbortSignal',
    matches: (value) =>
      typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  },
  function: { title: 'a function', matches: (value) => typeof value === 'function' },
};

/** The type of a value. Values are not repeated, because one may be a token. */
function inWords(value: unknown): string {
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

function listOf(forms: OptionForms): string {
  return Object.keys(forms).sort().join(', ');
}
