// Support: git repositories in temporary folders, independent of the user's settings.
import { execFileSync } from 'node:child_process';

const settings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  // `git fetch --refetch` starts a clean-up in the background, which writes into the folder while it is removed.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'gc.autoDetach',
  GIT_CONFIG_VALUE_0: 'false',
};

export function git(cwd: string, ...args: readonly string[]): string {
  return output('git', args, cwd);
}

/** A repository with everything in the folder as its first commit, on the branch `main`. */
export function startRepository(cwd: string): void {
  shell(cwd, `git init --quiet --initial-branch main && ${commit}`, 'first');
}

/** The commit. */
export function commitAll(cwd: string, message: string): string {
  return shell(cwd, `${commit} && git rev-parse HEAD`, message);
}

const commit = 'git add --all && git commit --quiet --allow-empty --message "$1"';

/** Starts one process for several commands, because starting one from a process as large as a worker takes long. */
function shell(cwd: string, commands: string, message: string): string {
  return output('sh', ['-c', commands, 'sh', message], cwd);
}

function output(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, env: { PATH: process.env.PATH, ...settings }, stdio: 'pipe' })
    .toString('utf8')
    .trim();
}
