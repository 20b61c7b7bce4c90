// The words that start chatform in a project, and those that install it in a pipeline.
import { access, constants, readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join, sep } from 'node:path';

export interface PackageManager {
  /** Its lock file, and what distinguishes it from another one with that name. */
  readonly lock: string;
  readonly says?: RegExp;
  /** The words that start chatform, and never download it. */
  readonly program: string;
  /** The same in a pipeline, which has Node with npm. */
  readonly pipelineProgram: string;
  /** What installs the packages of the lock file in a pipeline, and runs no scripts of theirs. One command, so that `env` may precede it. */
  readonly install: string;
  /** Whether programs are in `node_modules/.bin`. */
  readonly hasFolder: boolean;
}

const file = 'node_modules/.bin/chatform';

/** The examples are those of npm. */
export const npm = {
  lock: 'package-lock.json',
  program: 'npx --no-install chatform',
  pipelineProgram: 'npx --no-install chatform',
  install: 'npm ci --ignore-scripts',
  hasFolder: true,
} as const satisfies PackageManager;

const bun: PackageManager = {
  ...npm,
  lock: 'bun.lock',
  install: 'npx --yes bun@1 install --frozen-lockfile --ignore-scripts',
};

const yarn: PackageManager = {
  lock: 'yarn.lock',
  program: 'yarn run chatform',
  pipelineProgram: file,
  install: 'npx --yes @yarnpkg/cli-dist@4 install --immutable --mode=skip-build',
  hasFolder: true,
};

const managers: readonly PackageManager[] = [
  {
    lock: 'pnpm-lock.yaml',
    program: 'pnpm exec chatform',
    pipelineProgram: file,
    install: 'npx --yes pnpm@10 install --frozen-lockfile --ignore-scripts',
    hasFolder: true,
  },
  {
    ...yarn,
    says: /^# yarn lockfile v1$/mu,
    install: 'npx --yes yarn@1 install --frozen-lockfile --ignore-scripts',
  },
  yarn,
  bun,
  { ...bun, lock: 'bun.lockb' },
  npm,
];

/** Its usual linker, which keeps packages in archives. */
const withPlugAndPlay: PackageManager = {
  ...yarn,
  pipelineProgram: 'npx --yes @yarnpkg/cli-dist@4 run chatform',
  hasFolder: false,
};

export interface ProgramPlace {
  /** The folder of the package.json that names chatform, or the one where it belongs. */
  readonly packageFolder: string;
  /** The folder of the repository, where a workspace has its lock file. */
  readonly root: string;
  readonly isInstalled: boolean;
  readonly path: string | undefined;
}

export interface FoundProgram {
  /** The words that start chatform: `npx --no-install chatform`. */
  readonly program: string;
  readonly manager: PackageManager;
}

/** The bare name only where no package.json names chatform, and the shell finds it by itself. */
export async function programIn({ packageFolder, root, isInstalled, path = '' }: ProgramPlace): Promise<FoundProgram> {
  const manager = await managerIn(packageFolder, root);
  return { program: !isInstalled && (await isOnPath(path)) ? 'chatform' : manager.program, manager };
}

/** By the nearest lock file. A workspace has it at the root of the repository. */
async function managerIn(folder: string, root: string): Promise<PackageManager> {
  for (let here = folder; ; here = dirname(here)) {
    const textOf = (name: string) => readFile(join(here, name), 'utf8').catch(() => '');
    const names = await readdir(here).catch((): string[] => []);
    for (const manager of managers) {
      const { lock, says } = manager;
      if (!names.includes(lock) || (says !== undefined && !says.test(await textOf(lock)))) continue;
      const isLinked =
        manager !== yarn || /^nodeLinker: *["']?(?:node-modules|pnpm)\b/mu.test(await textOf('.yarnrc.yml'));
      return isLinked ? manager : withPlugAndPlay;
    }
    if (here === root || dirname(here) === here) return npm;
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
