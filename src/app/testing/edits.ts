// The edits that a test makes to its manifests before it plans.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { disk } from '../../manifest/files.ts';
import type { Edits } from './edited-files.ts';
import type { FileEdit } from './read-tests.ts';

/** The test asks for what cannot be done: an edit that fits nothing, a call that is refused. */
export class BadTest extends Error {}

/** `folder`: that of the test. */
export async function editsOf(edits: readonly FileEdit[], folder: string): Promise<Edits> {
  const made = new Map<string, string | undefined>();
  for (const { file, replace, with: by = '', write, remove } of edits) {
    const path = resolve(folder, file);
    if (write !== undefined || remove === true) {
      made.set(path, write);
      continue;
    }
    const text = made.has(path) ? made.get(path) : await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) throw new BadTest(`There is no ${file} to edit.`);
    const count = replace === undefined ? 0 : text.split(replace).length - 1;
    if (count !== 1)
      throw new BadTest(
        `${JSON.stringify(replace)} stands ${count} times in ${file}. Name a text that stands there once.`,
      );
    made.set(
      path,
      text.replace(replace ?? '', () => by),
    );
  }
  // Paths are compared with links followed.
  const real = await Promise.all([...made].map(async ([path, text]) => [await realPathOf(path), text] as const));
  return new Map(real);
}

async function realPathOf(path: string): Promise<string> {
  return disk.realPath(path).catch(async () => {
    const parent = await disk.realPath(dirname(path)).catch(() => dirname(path));
    return resolve(parent, path.slice(dirname(path).length + 1));
  });
}
