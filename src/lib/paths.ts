// Compares and shows absolute paths, and looks at what they name.
import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Whether the absolute path is the folder or lies inside it. Links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** Returns the form of a path in messages and plans. */
export function shownPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}

/** Returns the absolute path without links, even if only its first folders exist. */
export async function realPath(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined) return found;
  const above = dirname(path);
  return above === path ? path : join(await realPath(above), basename(path));
}

/** Returns the first hidden part, such as `.git` or `.env`, of the way from the folder to a path inside it, or undefined. */
export function hiddenPart(folder: string, path: string): string | undefined {
  return relative(folder, path)
    .split(sep)
    .find((part) => part.startsWith('.') && part !== '.' && part !== '..');
}

/** Whether a read of the path would wait for another process. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}
