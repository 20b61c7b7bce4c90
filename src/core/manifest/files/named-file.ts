// Finds the files that manifests name: rows, images, history files.
import { dirname, resolve } from 'node:path';
import { hiddenPart, isInside, shownPath } from '../../../lib/paths.ts';
import { quoted } from '../problems/wording.ts';
import type { FileAccess } from './access.ts';
import type { ManifestFile } from './discover.ts';
import { hiddenFile, reasonOf } from './read-failure.ts';

/** A file that a manifest names, or why it cannot be used. */
export type NamedFile =
  | { readonly type: 'file'; readonly name: string; readonly path: string; readonly bytes: number }
  | {
      readonly type: 'problem';
      readonly code: 'manifest.leaves-folder' | 'manifest.hidden-file' | 'manifest.file-missing';
      readonly detail: string;
    };

/** Finds a file relative to the manifest that names it. Links are followed inside the manifests' folder. */
export async function findNamedFile(
  named: string,
  manifest: ManifestFile,
  cwd: string,
  files: FileAccess,
): Promise<NamedFile> {
  const path = resolve(dirname(manifest.path), named);
  const name = shownPath(cwd, path);
  try {
    const real = isInside(manifest.root, path) ? await files.realPath(path) : undefined;
    if (real === undefined || !isInside(manifest.root, real)) {
      return { type: 'problem', code: 'manifest.leaves-folder', detail: leavesFolder(named, manifest, cwd) };
    }
    const hidden = hiddenPart(manifest.root, path) ?? hiddenPart(manifest.root, real);
    if (hidden !== undefined)
      return { type: 'problem', code: 'manifest.hidden-file', detail: hiddenFile(named, hidden) };
    const { type, bytes } = await files.stat(real);
    if (type === 'file') return { type, name, path: real, bytes };
    return {
      type: 'problem',
      code: 'manifest.file-missing',
      detail: `${name} is not a regular file. Name a file here.`,
    };
  } catch (error) {
    const detail = `${name} cannot be read: ${reasonOf(error)}. Paths are relative to the manifest.`;
    return { type: 'problem', code: 'manifest.file-missing', detail };
  }
}

/** Returns the message about a named file outside the folder of the manifests. */
export function leavesFolder(writtenName: string, manifest: ManifestFile, cwd: string): string {
  return `${quoted(writtenName)} is outside ${shownPath(cwd, manifest.root)}, the folder of the manifests. Move the file into that folder.`;
}
