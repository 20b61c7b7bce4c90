// Support: folders for tests and the demo: temporary, filled with files, compared.
//
// Calls are synchronous, because each asynchronous one wakes a thread, which takes most of the time for small files. Functions return
// promises all the same, so that callers need not know.
import { cpSync, type Dirent, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The caller removes the folder. Its name has a space and special characters, so that missing quotes make tests fail. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatform é 100% '));
  await writeFiles(folder, files);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export async function copyFolder(from: string, to: string): Promise<void> {
  cpSync(from, to, { recursive: true });
}

/** A copy of an example without files of earlier runs. */
export async function copyManifests(from: string, to: string): Promise<void> {
  cpSync(from, to, { recursive: true, filter: (path) => !path.includes('.chatform') });
}

/** All files below the folder with their content, to show that nothing changed. */
export async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  for (const entry of entriesBelow(folder)) {
    const path = join(entry.parentPath, entry.name);
    content[path.slice(folder.length + 1)] = entry.isFile() ? readFileSync(path, 'utf8') : 'folder';
  }
  return content;
}

/** Returns an empty list if the folder does not exist. */
function entriesBelow(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}
