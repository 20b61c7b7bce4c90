// Support: a repository with a remote in which the pipelines run, with chatform installed as by npm.
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { makeFolder, removeFolder, writeFiles } from '../../support/folders.ts';
import { runProgram } from '../../support/program.ts';

export interface Scratch {
  /** The working folder: a clone with a pushed branch `main`. */
  readonly folder: string;
  /** A bare repository, `origin` of the folder. */
  readonly remote: string;
  /** A minimal environment for a shell, without the environment of the test. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): Promise<string>;
  /** Commits everything. */
  commit(files: Readonly<Record<string, string>>, message: string): Promise<void>;
}

const packages = { 'package.json': '{"devDependencies":{"chatform":"file:chatform.tgz"}}\n' };

export async function scratchRepository(files: Readonly<Record<string, string>>): Promise<Scratch> {
  const root = await makeFolder();
  onTestFinished(() => removeFolder(root));
  const [folder, remote, bin, home] = ['work', 'remote.git', 'bin', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [folder, bin, home]) await mkdir(path, { recursive: true });
  const env = {
    PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    NO_COLOR: '1',
    CI: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, env });
    return stdout.trim();
  };
  const chatform = `exec ${runProgram} "$@"`;
  await script(join(bin, 'chatform'), chatform);
  await script(join(folder, 'node_modules/.bin/chatform'), chatform);
  // As npm does in a project that has chatform among its installed dependencies.
  await script(join(bin, 'npx'), `[ "$1 $2" = "--no-install chatform" ] || exit 90\nshift 2\n${chatform}`);
  // Install scripts of dependencies never run, and what is installed sees no secret.
  const install = 'mkdir -p node_modules/.bin && cp "$(command -v chatform)" node_modules/.bin/chatform';
  const secrets = '$CHATFORM_STATE_READ$CHATFORM_API_TOKEN$CHATFORM_NOTE_TOKEN';
  await script(join(bin, 'npm'), `[ "$1 $2" = "ci --ignore-scripts" ] && [ -z "${secrets}" ] || exit 91\n${install}`);
  await promisify(execFile)('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote], { env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', remote);
  const commit = async (changed: Readonly<Record<string, string>>, message: string): Promise<void> => {
    await writeFiles(folder, changed);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
  };
  await commit(
    {
      '.gitignore': 'node_modules\n.chatform\n/plan*\n/*.html\n/report.json\n/view.json\n/artifacts\n',
      ...packages,
      ...files,
    },
    'First',
  );
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');
  return { folder, remote, env, git, commit };
}

async function script(file: string, body: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
}
