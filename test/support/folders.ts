// Support: folders for tests and the demo: temporary, filled with files, compared.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The caller removes the folder. Its name has a space and special characters, so that missing quotes make tests fail. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform é 100% '));
  await writeFiles(folder, files);
  return folder;
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

export function copyFolder(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true });
}

/** A copy of an example without files of earlier runs. */
export async function copyManifests(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !path.includes('.chatform') });
}

/** All files below the folder with their content, to show that nothing changed. */
export async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    content[path.slice(folder.length + 1)] = entry.isFile() ? await readFile(path, 'utf8') : 'folder';
  }
  return content;
}
