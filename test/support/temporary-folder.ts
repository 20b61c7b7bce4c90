// Support: a temporary folder that is removed after the test.
import { onTestFinished } from 'vitest';
import { makeFolder, removeFolder } from './folders.ts';

export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await makeFolder(files);
  onTestFinished(() => removeFolder(folder));
  return folder;
}
