// Prints the result of a command: one JSON document for programs, or text for people.
import { boundedJson } from '../../core/view/json/bounded.ts';
import { typedText } from '../../core/view/text/typed-commands.ts';
import { wrapLines } from '../../core/view/text/wrap-lines.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { maxBytesOf } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import type { DocumentName, Documents, ResultDocuments } from './documents.ts';

/** Default size of a JSON result in bytes. Plans are whole unless --max-bytes is given. */
export const defaultBytes = 4_194_304;

export function isForPrograms(input: CommandInput): boolean {
  return input.text('format') === 'json';
}

/** A document that may leave out the version of its format. */
export type Unversioned<Name extends DocumentName> = Omit<(Documents & ResultDocuments)[Name], 'format_version'>;

/**
 * `Name` names the schema of the document. A call without it does not compile, because no document fits the default. `text` yields lines with their
 * ends, or nothing when they were shown before. Their commands are printed in the form in which chatform was started.
 */
export function printResult<Name extends DocumentName = never>(
  input: CommandInput,
  environment: CommandEnvironment,
  document: () => Unversioned<Name>,
  text: () => Iterable<string> = () => [],
): void {
  const { stdout } = environment;
  if (isForPrograms(input)) {
    stdout.write(jsonText({ format_version: '1.0', ...document() }, input));
    // Later errors go to stderr, because stdout already has its document.
    input.isAnswered = true;
    return;
  }
  for (const piece of text()) {
    const typed = typedText(piece, environment);
    stdout.write(stdout.isTerminal ? wrapLines(typed, stdout.width) : typed);
  }
}

/** One document, as large as --max-bytes allows. */
export function jsonText(document: object, input: CommandInput): string {
  return boundedJson(document, maxBytesOf(input) ?? defaultBytes, 'Pass --max-bytes 0 to see everything.');
}

/** The options and the environment of a command whose text for people goes to stderr. */
export function aside(input: CommandInput, environment: CommandEnvironment): [CommandInput, CommandEnvironment] {
  if (!isForPrograms(input)) return [input, environment];
  return [input.with(input.args, { format: undefined }), { ...environment, stdout: environment.stderr }];
}
