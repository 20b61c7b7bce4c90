// Support: the archive of npm pack, made from the installed program.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { typesTo } from '../build.ts';

const project = join(import.meta.dirname, '../../..');

export interface PackedArchive {
  readonly archive: string;
  /** The paths in the archive. */
  readonly paths: readonly string[];
}

/** Copies the project with its build to the empty folder `staged` and packs it. Managers do not look at the types. */
export async function packIn(staged: string, { hasTypes }: { readonly hasTypes: boolean }): Promise<PackedArchive> {
  cpSync(join(inject('installed'), 'dist'), join(staged, 'dist'), { recursive: true });
  if (hasTypes) await typesTo(join(staged, 'dist'));
  for (const name of ['package.json', 'README.md', 'schema', 'examples', 'src']) {
    cpSync(join(project, name), join(staged, name), { recursive: true });
  }
  mkdirSync(join(staged, 'test'));
  writeFileSync(join(staged, 'test/left-out.test.js'), '');
  // The build is already there.
  run('npm', ['pkg', 'set', 'scripts.build=true'], staged);
  const [pack] = JSON.parse(run('npm', ['pack', '--foreground-scripts=false', '--json'], staged)) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  return { archive: join(staged, pack.filename), paths: pack.files.map(({ path }) => path) };
}

/** Runs a program as CI does. Throws if it fails. */
export function run(program: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): string {
  const env = { ...process.env, NO_COLOR: '1', CI: 'true', ...more };
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
