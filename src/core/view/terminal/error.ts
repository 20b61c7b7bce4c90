// The error that ended a run: a refusal, an error of the system, of Node or of a missing package, or a bug.

import { errorCode, InternalError, isDeniedByNode, isMissingPackage } from '../../../lib/errors.ts';
import type { ErrorDocument } from '../../model/documents.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { groupedDiagnostics } from '../json/diagnostics.ts';
import { proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { painter } from '../text/paint.ts';
import { redactDiagnostics } from '../text/redact.ts';
import { safe, safeJson, safeLines } from '../text/text.ts';
import { typedText } from '../text/typed-commands.ts';

const bugAdvice =
  'This is a bug in chatform. Completed steps are saved, and it is safe to run the same command again. Please report the bug with the lines above, but check them for names first.';
const again = 'Completed steps are saved, and it is safe to run the same command again.';
const maxColumns = 100;

/** The diagnostics of a refusal are printed above this, by their own view. */
export function errorForPeople(error: unknown, options: ViewOptions): Generator<string> {
  const refusal = refusalOf(error);
  return withEnds(refusal === undefined ? bugLines(error, options) : refusalLines(refusal, options));
}

/** `{format_version, error: {code, message, advice, exit_code}}` on one line, for `--format json`. */
export function errorAsJson(error: unknown, options: Pick<ViewOptions, 'redactionKey'> = {}): string {
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    const { code, message, advice, exitCode } = refusal;
    const { groups, diagnostics } = groupedDiagnostics(redactDiagnostics(refusal.diagnostics, options));
    const causes = groups.length === 0 ? {} : { groups };
    return printedError({ code, message, advice, exit_code: exitCode, ...causes, diagnostics });
  }
  const code = codeOf(error);
  const message = messageOf(error);
  return printedError({ code, message, advice: bugAdvice, exit_code: exitCode.unexpected, diagnostics: [] });
}

function printedError(error: ErrorDocument['error']): string {
  return `${safeJson({ format_version: '1.0', error } satisfies ErrorDocument)}\n`;
}

function* refusalLines(refusal: Refusal, options: ViewOptions): Generator<string> {
  const { code } = refusal;
  const [message, advice] = [typedText(refusal.message, options), typedText(refusal.advice, options)];
  const paint = painter(options.color);
  if (options.plain === true) {
    yield `error, code ${safe(code)}: ${safe(message)}`;
    yield* safeLines(advice);
    return;
  }
  yield `${paint(['bold', 'red'], `error[${safe(code)}]`)}${paint('bold', `: ${safe(message)}`)}`;
  for (const paragraph of safeLines(advice)) {
    for (const line of wrap(paragraph, columnsOf(options) - 4)) yield `    ${line}`;
  }
}

function* bugLines(error: unknown, options: ViewOptions): Generator<string> {
  const paint = painter(options.color);
  yield `${paint(['bold', 'red'], `error[${codeOf(error)}]`)}${paint('bold', `: ${safe(messageOf(error))}`)}`;
  for (const line of traceOf(error)) yield `    ${paint('dim', safe(line))}`;
  yield* wrap(bugAdvice, columnsOf(options));
}

function columnsOf({ width, whole }: ViewOptions): number {
  return proseColumns(Math.min(width, maxColumns), whole);
}

function codeOf(error: unknown): string {
  return error instanceof InternalError ? 'internal' : 'unexpected';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The lines of the stack without the message, then those of the causes. */
function traceOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const cause = error.cause === undefined ? [] : [`caused by: ${messageOf(error.cause)}`, ...traceOf(error.cause)];
  return [...places.map((line) => line.trim()), ...cause];
}

/** The refusal that an error of the surroundings is shown as. Undefined for a bug. Refusals are returned unchanged. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return undefined;
  const make = (code: string, message: string, advice: string) =>
    new Refusal(code, exitCode.unexpected, message, `${advice} ${again}`, { cause: error });
  if (isDeniedByNode(error)) {
    const { resource } = error as { readonly resource?: unknown };
    const place = typeof resource === 'string' && resource !== '' ? ` (${resource})` : '';
    return make(
      'system.denied',
      `The permission model of Node refuses a call: ${error.message}${place}`,
      'Start Node without --permission, or with the rights to read and write the files of the command, and to start git.',
    );
  }
  if (isMissingPackage(error)) {
    return make(
      'system.package-missing',
      `A package cannot be found: ${firstLine(error.message)}`,
      'Install chatform again with its dependencies, or the package beside it.',
    );
  }
  if (errorCode(error) === undefined || !('syscall' in error)) return undefined;
  return make('system.call-failed', `The system refuses a call: ${error.message}`, 'Check what the message names.');
}

/** Plug'n'Play explains itself in many lines, and writes some line feeds as `\n`. */
function firstLine(message: string): string {
  return message.split(/\\n|\n/u)[0] ?? '';
}
