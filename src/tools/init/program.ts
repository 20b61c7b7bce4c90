// The words that start chatform in a project, and the guide for agents with them.
import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, dirname, join, sep } from 'node:path';

/** Never downloads a package from a registry. */
const ofNpm = 'npx --no-install chatform';
/** By the lock file of another package manager. */
const ofOthers: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm exec chatform',
  'yarn.lock': 'yarn run chatform',
};

export interface ProgramPlace {
  /** The folder of the package.json that names chatform, or the one where it belongs. */
  readonly packageFolder: string;
  /** The folder of the repository, where a workspace has its lock file. */
  readonly root: string;
  readonly isInstalled: boolean;
  readonly path: string | undefined;
}

/** The bare name only where no package.json names chatform, and the shell finds it by itself. */
export async function programIn({ packageFolder, root, isInstalled, path = '' }: ProgramPlace): Promise<string> {
  if (!isInstalled && (await isOnPath(path))) return 'chatform';
  for (let here = packageFolder; ; here = dirname(here)) {
    const names = await readdir(here).catch((): string[] => []);
    const lock = Object.keys(ofOthers).find((name) => names.includes(name));
    if (lock !== undefined) return ofOthers[lock] ?? ofNpm;
    if (here === root || dirname(here) === here || names.includes('package-lock.json')) return ofNpm;
  }
}

/** Package managers put the programs of a project on the path of their own children, which is not that of a shell. */
async function isOnPath(path: string): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => !folder.split(sep).includes('node_modules'));
  const found: readonly boolean[] = await Promise.all(
    folders.map((folder) =>
      access(join(folder, 'chatform'), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** The guide names commands as `chatform …`. What an agent runs is written in the form that runs here. */
export function guideWith(program: string, guide: string): string {
  return guide
    .replaceAll(/^chatform (?=[a-z])/gmu, `${program} `)
    .replaceAll(/`chatform (?=commands |schema )/gu, `\`${program} `)
    .replace(`\`${ofNpm} …\``, `\`${program} …\``);
}
