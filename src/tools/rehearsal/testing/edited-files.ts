// The edits of a test, applied in memory on top of the disk. Nothing is written.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { disk, type FileAccess, type FolderEntry } from '../../../core/manifest/files/access.ts';
import type { FileEdit } from './read-tests.ts';

/** By absolute path, the new content, or undefined for a removed file. */
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

function missing(path: string): Error {
  return Object.assign(new Error(`no ${path}`), { code: 'ENOENT', syscall: 'open' });
}

/** A test that cannot run, for example because an edit matches nothing or a call is refused. */
export class BadTest extends Error {}

/** `folder` is the folder of the test. */
export async function editsOf(edits: readonly FileEdit[], folder: string): Promise<Edits> {
  const made = new Map<string, string | undefined>();
  for (const { file, replace, with: by = '', write, remove } of edits) {
    const path = resolve(folder, file);
    if (write !== undefined || remove === true) {
      made.set(path, write);
      continue;
    }
    const text = made.has(path) ? made.get(path) : await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) throw new BadTest(`The file ${file} to edit does not exist.`);
    const count = replace === undefined ? 0 : text.split(replace).length - 1;
    if (count !== 1)
      throw new BadTest(
        `${JSON.stringify(replace)} occurs ${count} times in ${file}. Use text that occurs exactly once.`,
      );
    made.set(
      path,
      text.replace(replace ?? '', () => by),
    );
  }
  // Paths are compared after resolving links.
  const real = await Promise.all([...made].map(async ([path, text]) => [await realPathOf(path), text] as const));
  return new Map(real);
}

async function realPathOf(path: string): Promise<string> {
  return disk.realPath(path).catch(async () => {
    const parent = await disk.realPath(dirname(path)).catch(() => dirname(path));
    return resolve(parent, path.slice(dirname(path).length + 1));
  });
}
