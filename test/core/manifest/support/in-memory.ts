// Support: loads manifests from a disk that is a map of paths to contents.
import { dirname, join } from 'node:path';
import type { FileAccess, FolderEntry } from '../../../../src/core/manifest/files/access.ts';
import { loadManifests } from '../../../../src/core/manifest/load.ts';
import type { LoadedManifest, LoadOptions } from '../../../../src/core/manifest/passes/loaded-manifest.ts';
import { registry } from '../../../../src/core/resources/index.ts';

const memoryRoot = '/work';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Loads all files, or those of `paths`, without variables of the environment if `options` have none. */
export function load(
  files: Files,
  { paths = ['.'], ...options }: Partial<LoadOptions> & { readonly paths?: readonly string[] } = {},
): Promise<LoadedManifest> {
  const usual = { kinds: registry, cwd: memoryRoot, variables: () => undefined };
  return loadManifests(paths, { ...usual, files: memoryFiles(files), ...options });
}

/** The objects without their places. */
export function objectsIn({ resources }: LoadedManifest) {
  return Array.from(resources, ({ address, attributes, lifecycle }) => ({ address, attributes, lifecycle }));
}

export function codesOf({ diagnostics }: LoadedManifest): string[] {
  return diagnostics.map(({ code }) => code);
}

/** Each problem as `code file:line`. */
export function placesOf({ diagnostics }: LoadedManifest): string[] {
  return diagnostics.map(({ code, source }) => `${code} ${source?.file}:${source?.line}`);
}

export function errorsIn({ diagnostics }: LoadedManifest) {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** `contents` by path below the root. */
export function memoryFiles(contents: Files): FileAccess {
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
