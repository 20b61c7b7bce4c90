// chatform init: creates the files of a new project.
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

/** `--no-install` never downloads a package from a registry. */
const chatform = '  npx --no-install chatform';

export const init: CommandDefinition = {
  name: 'init',
  arguments: [
    { usage: '[dir]', description: 'folder to start in (default: the current folder); created if it does not exist' },
  ],
  summary: 'create a starter manifest, tests, schemas, CI workflows and .gitignore',
  help: `Examples:
  chatform init                          here
  chatform init chat                     in the folder chat

Writes chatform.yaml (users and channels on the built-in emulator, which needs no account), tests for it, schemas for
editors, entries for .gitignore, and three GitHub workflows. The workflows plan pull requests, apply merges to main after
approval, and report drift every night. They run the chatform version of your package.json and lock file. init does not
change existing files, except that it adds missing lines to .gitignore. It is safe to run it again.

Exit codes: 0 done, 1 a file cannot be written.`,
  options: jsonOptions,
  schemas: { '': 'results#initialised' },
  run: async (input, environment) => {
    const [{ initializeFolder }, { safe }, { version }, { inShell }] = await Promise.all([
      import('../../app/init.ts'),
      import('../../view/text/text.ts'),
      import('../../version.ts'),
      import('../output/shell-word.ts'),
    ]);
    const { folder, shown, files, isInstalled } = await initializeFolder(input.args[0] ?? '.', environment);
    const { isForPrograms, printResult } = await import('../output/result.ts');
    if (isForPrograms(input)) {
      printResult(input, environment, () => ({ format_version: '1.0', folder: shown, files, installed: isInstalled }));
      return exitCode.done;
    }
    for (const { name, what, why } of files) {
      environment.stdout.write(`  ${what.padEnd(9)} ${safe(name)}${why === undefined ? '' : `  (${why})`}\n`);
    }
    const enter = folder === environment.cwd ? '' : `  cd ${inShell(shown)}\n`;
    const install = `  npm install --save-dev ./chatform-${version}.tgz
                         made by npm pack, or from your git server or your own registry. Never install
                         it by the bare name. Commit the tarball, package.json and its lock file, because
                         the workflows run npm ci.
`;
    environment.stdout.write(`\nNext:\n${enter}${isInstalled ? '' : install}${chatform} validate      check the manifests
${chatform} plan          show what would happen
${chatform} apply         change the platform

application.base_url points to the built-in emulator. For your application, set it to
https://api-APP_ID.sendbird.com/v3 and set CHATFORM_API_TOKEN. The workflows need the secret CHATFORM_STATE,
and the environments production (with reviewers) and drift (without), each with the token and limited to main. GitHub creates
a missing environment without protection, so set them up first: examples/ci/README.md in the package says how.\n`);
    return exitCode.done;
  },
};
