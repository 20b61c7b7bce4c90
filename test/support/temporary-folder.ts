// Where may a test write? In a folder of its own, which is gone when the test is over.
import { onTestFinished } from 'vitest';
import { makeFolder, removeFolder } from './folders.ts';

export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await makeFolder(files);
  onTestFinished(() => removeFolder(folder));
  return folder;
}
