import { isAbsolute, relative, sep } from 'node:path';

/** Whether the absolute path is the folder or lies inside it. Links are not followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}
