// Checks what a program passes to a function of the library, which no compiler may have checked.
import { Suggestions } from '../../../lib/suggestions.ts';
import { usage } from '../../model/errors.ts';
import type { Option, OptionTable } from '../../model/library/option.ts';
import { inWords, problemOfValue } from '../../model/library/program-options.ts';
import { type LibraryFunction, useCases } from '../../model/library/use-cases.ts';
import { demandReplaceable } from './output-files.ts';

/** Refused (64) for options that the function does not have, lacks, or cannot read. One refusal names all of them. */
export function demandOptions(name: LibraryFunction, options: unknown): void {
  const table: OptionTable = useCases[name];
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw usage(`${name} takes an object of options, but was given ${inWords(options)}.`, 'Nothing was done.');
  const values = new Map(Object.entries(options));
  const problems = [
    ...[...values.keys()].filter((key) => !Object.hasOwn(table, key)).map((key) => unknownOption(name, key, table)),
    ...Object.entries(table).flatMap(([key, option]) => problemOf(name, key, option, values.get(key)) ?? []),
  ];
  if (problems.length > 0) throw usage(problems.join(' '), `Nothing was done. The options are ${listOf(table)}.`);
}

/** Refused (64) if a file that an option names for the function to write is of another kind. */
export async function demandReplaceableFiles(name: LibraryFunction, options: object, cwd: string): Promise<void> {
  const table: OptionTable = useCases[name];
  for (const [key, file] of Object.entries(options)) {
    const writes = table[key]?.writes;
    if (writes !== undefined && typeof file === 'string') await demandReplaceable(writes, cwd, file);
  }
}

function unknownOption(name: string, key: string, table: OptionTable): string {
  const names = Object.keys(table);
  const hint = new Suggestions().sentence(key, names).replaceAll('"', '');
  return `${key} is not an option of ${name}.${hint}`;
}

function problemOf(name: string, key: string, option: Option, value: unknown): string | undefined {
  if (value !== undefined) return problemOfValue(key, option, value);
  return option.isRequired === true ? `${name} needs ${key}: ${option.text}.` : undefined;
}

function listOf(table: OptionTable): string {
  return Object.keys(table).sort().join(', ');
}
