// Support: temporary folders that are removed after the test.
import { afterAll, onTestFinished } from 'vitest';
import { copyFolder, makeFolder, removeFolder } from './folders.ts';

export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await makeFolder(files);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Copies of one folder that the first test fills, for set-ups that are slower than a copy. */
export function copiesOf(fill: (folder: string) => Promise<unknown>): () => Promise<string> {
  let original: Promise<string> | undefined;
  afterAll(async () => {
    if (original !== undefined) await removeFolder(await original);
  });
  const make = async (): Promise<string> => {
    const folder = await makeFolder();
    await fill(folder);
    return folder;
  };
  return async () => {
    original ??= make();
    const copy = await temporaryFolder();
    await copyFolder(await original, copy);
    return copy;
  };
}
