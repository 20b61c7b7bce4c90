// A disk that is a map: paths to contents.
import { dirname, join } from 'node:path';
import type { FileAccess, FolderEntry } from '../../src/manifest/files/access.ts';

export const memoryRoot = '/work';

/** `contents` by path below the root. */
export function memoryFiles(contents: Readonly<Record<string, string | Uint8Array>>): FileAccess {
  const files = new Map(
    Object.entries(contents).map(([name, content]) => [join(memoryRoot, name), Buffer.from(content)]),
  );
  const folders = new Set<string>([memoryRoot]);
  for (const path of files.keys()) {
    for (let folder = dirname(path); folder !== memoryRoot; folder = dirname(folder)) folders.add(folder);
  }
  const demand = (path: string): Buffer => {
    const content = files.get(path);
    if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return content;
  };
  return {
    readFile: async (path) => demand(path),
    readChunks: async function* (path) {
      yield demand(path);
    },
    realPath: async (path) => (folders.has(path) ? path : demand(path) && path),
    stat: async (path) =>
      folders.has(path) ? { type: 'folder', bytes: 0 } : { type: 'file', bytes: demand(path).length },
    listFolder: async (path) => {
      const child = (type: FolderEntry['type']) => (full: string) => ({ name: full.slice(path.length + 1), type });
      const inside = (full: string) => dirname(full) === path && full !== path;
      return [
        ...[...files.keys()].filter(inside).map(child('file')),
        ...[...folders].filter(inside).map(child('folder')),
      ];
    },
  };
}
