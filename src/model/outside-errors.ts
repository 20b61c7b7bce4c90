// Errors of the system, of Node and of missing packages, which are not bugs of chatform.
import { errorCode, isDeniedByNode, isMissingPackage } from '../lib/errors.ts';
import { Refusal } from './errors.ts';
import { exitCode } from './exit-code.ts';

const again = 'Completed steps are saved, and it is safe to run the same command again.';

/** The refusal that an error of the surroundings is shown as. Undefined for a bug. Refusals are returned unchanged. */
export function refusalOf(error: unknown): Refusal | undefined {
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
