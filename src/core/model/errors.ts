// Refusals are errors for users. They are thrown, end the run and determine its exit code.
import type { Diagnostic } from './diagnostic.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** The code of the refusal of a plan, whose diagnostics are the refusals of the judges. */
export const refusedPlan = 'safety.refused';

/**
 * `message` says what happened, `advice` what it means and what to do next. `code` is stable. `exitCode` is the exit code
 * of the command and the `exit_code` of reports. A refusal never contains a token or a request body.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly advice: string;
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    code: string,
    exit: ExitCode,
    message: string,
    advice: string,
    options?: { readonly cause?: unknown; readonly diagnostics?: readonly Diagnostic[] },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    this.exitCode = exit;
    this.advice = advice;
    this.diagnostics = options?.diagnostics ?? [];
  }
}

/** A refusal of the command line (exit code 64). */
export function usage(message: string, advice: string): Refusal {
  return new Refusal('usage', exitCode.usage, message, advice);
}

/** A command was interrupted while nothing that it did has an orderly end of its own. */
export function commandInterrupted(): Refusal {
  return new Refusal(
    'command.interrupted',
    exitCode.interrupted,
    'The command was interrupted.',
    'Nothing is left half-done. Run the same command again.',
  );
}
