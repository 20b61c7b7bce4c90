// Whether a path lies in a folder.
import { isAbsolute, relative, sep } from 'node:path';

/** Also the folder itself. Links are not followed. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}
