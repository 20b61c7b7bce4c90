// The files that chatform names itself (lib/own-names.ts), refused where a link or something of another type has taken their place.
import { demandOutsideGit, demandPlain, LeadsOutsideError, ownPath } from '../../../lib/own-files.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

/** `ownPath`, refused (1) instead of an error. */
export function ownFile(...place: Parameters<typeof ownPath>): string {
  try {
    return ownPath(...place);
  } catch (error) {
    throw asLeadsOutside(error);
  }
}

/** `demandOutsideGit` for a state or the data of an emulator, refused (1) instead of an error. */
export function refuseFolderOfGit(path: string): void {
  try {
    demandOutsideGit(path);
  } catch (error) {
    throw asLeadsOutside(error);
  }
}

/** `demandPlain`, refused (1) instead of an error. */
export function refuseLinks(...place: Parameters<typeof demandPlain>): void {
  try {
    demandPlain(...place);
  } catch (error) {
    throw asLeadsOutside(error);
  }
}

/** Turns what the checks of paths throw into a refusal. Other errors pass unchanged. */
export function asLeadsOutside(error: unknown): unknown {
  if (!(error instanceof LeadsOutsideError)) return error;
  return new Refusal(
    'file.leads-outside',
    exitCode.unexpected,
    `${error.message}.`,
    `Nothing was written there. ${error.advice}`,
    { cause: error },
  );
}
