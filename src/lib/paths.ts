// Compares paths by their names.
import { isAbsolute, relative, sep } from 'node:path';

/** Whether the absolute path is the folder or lies inside it. Links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** The first part of the way from the folder to a path inside it that is hidden, such as `.git` or `.env`. */
export function hiddenPart(folder: string, path: string): string | undefined {
  return relative(folder, path)
    .split(sep)
    .find((part) => part.startsWith('.') && part !== '.' && part !== '..');
}
