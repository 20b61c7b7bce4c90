// Support: the linters of workflows, from the path or from the registries of Python and Go.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Linter {
  readonly program: string;
  readonly args: readonly string[];
  /** Writes the program into the folder `bin` of a folder. */
  readonly install: (folder: string) => readonly [string, ...string[]];
}

export const linters: readonly Linter[] = [
  {
    program: 'actionlint',
    args: [],
    install: () => ['go', 'install', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'],
  },
  {
    program: 'zizmor',
    args: ['--offline', '--no-progress', '--persona', 'pedantic'],
    install: (folder) => ['pip', 'install', '--quiet', '--target', folder, 'zizmor==1.32.0'],
  },
];

/** The command to start, or undefined where the program is neither installed nor can be. */
export function obtain({ program, install }: Linter, folder: string): string | undefined {
  if (spawnSync(program, ['--version']).error === undefined) return program;
  const bin = join(folder, 'bin');
  const [command, ...args] = install(folder);
  spawnSync(command, args, { env: { ...process.env, GOBIN: bin, PATH: [bin, process.env.PATH].join(delimiter) } });
  return existsSync(join(bin, program)) ? join(bin, program) : undefined;
}
