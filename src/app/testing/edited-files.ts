// The disk with edits in memory, for tests that change manifests without writing them.
import { Buffer } from 'node:buffer';
import { basename, dirname } from 'node:path';
import { disk, type FileAccess, type FolderEntry, type OpenFile } from '../../manifest/files.ts';

/** By absolute path: the new content, or undefined for a file that is gone. */
export type Edits = ReadonlyMap<string, string | undefined>;

export function editedFiles(edits: Edits): FileAccess {
  const editOf = (path: string): { readonly text: string } | 'gone' | undefined => {
    if (!edits.has(path)) return undefined;
    const text = edits.get(path);
    return text === undefined ? 'gone' : { text };
  };
  const contentOf = (path: string): Buffer | undefined => {
    const edit = editOf(path);
    if (edit === 'gone') throw missing(path);
    return edit === undefined ? undefined : Buffer.from(edit.text);
  };
  const holdsNew = (path: string) =>
    [...edits.keys()].some((file) => file.startsWith(`${path}/`) && edits.get(file) !== undefined);
  return {
    readFile: async (path) => contentOf(path) ?? disk.readFile(path),
    async *readChunks(path) {
      const content = contentOf(path);
      if (content === undefined) yield* disk.readChunks(path);
      else yield content;
    },
    open: (path) => {
      const content = contentOf(path);
      return content === undefined ? disk.open(path) : openedText(content);
    },
    async listFolder(path) {
      const found = await disk.listFolder(path).catch((error: unknown) => {
        if (holdsNew(path)) return [];
        throw error;
      });
      const entries = new Map(found.map((entry): [string, FolderEntry] => [entry.name, entry]));
      for (const [file, text] of edits) {
        if (dirname(file) === path) {
          if (text === undefined) entries.delete(basename(file));
          else entries.set(basename(file), { name: basename(file), type: 'file' });
        } else if (file.startsWith(`${path}/`) && text !== undefined) {
          const [name = ''] = file.slice(path.length + 1).split('/');
          if (!entries.has(name)) entries.set(name, { name, type: 'folder' });
        }
      }
      return [...entries.values()];
    },
    async realPath(path) {
      if (contentOf(path) !== undefined) return path;
      return disk.realPath(path).catch((error: unknown) => {
        if (holdsNew(path)) return path;
        throw error;
      });
    },
    async stat(path) {
      const content = contentOf(path);
      if (content !== undefined) return { type: 'file', bytes: content.length };
      return disk.stat(path).catch((error: unknown) => {
        if (holdsNew(path)) return { type: 'folder' as const, bytes: 0 };
        throw error;
      });
    },
  };
}

function openedText(content: Buffer): OpenFile {
  return {
    version: '',
    bytes: content.length,
    read: (into, position) => content.copy(into, 0, position),
    close: () => {},
  };
}

function missing(path: string): Error {
  return Object.assign(new Error(`no ${path}`), { code: 'ENOENT', syscall: 'open' });
}
