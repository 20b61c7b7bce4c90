// Installs the program once before the tests, from the sources as they are: a child process starts from it several times as
// fast as from the sources.
import type { TestProject } from 'vitest/node';
import { installedIn, installInto } from '../support/build.ts';
import { makeFolder, removeFolder } from '../support/folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that the program is installed in. */
    installed: string;
  }
}

export default async function installProgram(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { [installedIn]: there } = process.env;
  if (there !== undefined) {
    project.provide('installed', there);
    return undefined;
  }
  const folder = await makeFolder();
  await installInto(folder);
  // Benchmarks and tests on another Node that these tests start use the same.
  process.env[installedIn] = folder;
  project.onTestsRerun(async () => {
    await removeFolder(folder);
    await installInto(folder);
  });
  project.provide('installed', folder);
  return () => {
    delete process.env[installedIn];
    return removeFolder(folder);
  };
}
