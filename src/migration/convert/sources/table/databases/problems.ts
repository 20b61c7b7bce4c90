// Refusals of a database that cannot be read. Nothing is written then. None of them contains a user or a password.

import { Refusal, usage } from '../../../../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../../../../core/model/exit-code.ts';
import { isMissingPackage } from '../../../../../lib/errors.ts';

export function wrongAddress(variable: string, what: string, advice: string): Refusal {
  return usage(`The URL of the database, in ${variable}, ${what}.`, `${advice} Nothing was written.`);
}

/** `what` continues a sentence about the database. */
export function unreadableDatabase(
  name: string,
  variable: string,
  { what, advice, isLogin = false }: { readonly what: string; readonly advice: string; readonly isLogin?: boolean },
  cause: unknown,
): Refusal {
  const [code, exit]: [string, ExitCode] = isLogin
    ? ['convert.login-refused', exitCode.authentication]
    : ['convert.database', exitCode.unexpected];
  return new Refusal(
    code,
    exit,
    `The database ${name} (${variable}) could not be read: ${what}.`,
    `${advice} Nothing was written. Run the same command again.`,
    { cause },
  );
}

/** Loads the driver of a database when it is first needed. Refused (64) with the command that installs its package. */
export async function loadDriver<T>(system: string, packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw new Refusal(
      'convert.package-missing',
      exitCode.usage,
      `Reading ${system} needs a package that is not installed here.`,
      `Run: npm install ${packages}. Beside chatform, so that your lock file has its version.`,
      { cause },
    );
  }
}
