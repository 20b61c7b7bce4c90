// Names files from the root of their repository, as annotations and code scanning expect them.
import { posix } from 'node:path';

/** `folder`: the working folder in the repository, with slashes. A path that leaves the repository stays as it is. */
export function repositoryPath(file: string, folder: string | undefined): string {
  if (folder === undefined || posix.isAbsolute(file)) return file;
  const whole = posix.join(folder, file);
  return whole.startsWith('../') ? file : whole;
}
