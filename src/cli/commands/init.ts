// chatform init: writes what a beginner needs into a folder.
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';

/** Never from a registry: only what is installed. */
const chatform = '  npx --no-install chatform';

export const init: CommandDefinition = {
  name: 'init',
  arguments: [
    { usage: '[dir]', description: 'where to begin (default: the current folder); made when it is not there' },
  ],
  summary: 'write a starting manifest, its tests and schemas, CI workflows and .gitignore',
  help: `Examples:
  chatform init                          here
  chatform init chat                     in the folder chat

Writes chatform.yaml (users and channels on the embedded platform, which needs no account), tests of it, the schemas that editors
complete and explain both by, lines for .gitignore, and three workflows for GitHub: they plan pull requests, apply what is
merged to main once it is approved, and report drift every night. They run the chatform of your package.json and lock file.
Nothing that is there is changed but .gitignore, which gets the lines that it lacks. Running it again is safe.

Exit codes: 0 done, 1 a file cannot be written.`,
  options: [],
  run: async (input, environment) => {
    const [{ initializeFolder }, { safe }, { version }] = await Promise.all([
      import('../../app/init.ts'),
      import('../../view/text/text.ts'),
      import('../../version.ts'),
    ]);
    const { folder, shown, files, isInstalled } = await initializeFolder(input.args[0] ?? '.', environment);
    for (const { name, what, why } of files) {
      environment.stdout.write(`  ${what.padEnd(9)} ${safe(name)}${why === undefined ? '' : `  (${why})`}\n`);
    }
    const enter = folder === environment.cwd ? '' : `  cd ${safe(shown)}\n`;
    const install = `  npm install --save-dev ./chatform-${version}.tgz
                         made by npm pack; or from your git server or your own registry, never by the bare
                         name. Commit the tarball, package.json and its lock file: the workflows run npm ci.
`;
    environment.stdout.write(`\nNext:\n${enter}${isInstalled ? '' : install}${chatform} validate      are the manifests right?
${chatform} plan          what would happen?
${chatform} apply         make it so

The application is a platform inside chatform; application.base_url names it. For yours, write
https://api-APP_ID.sendbird.com/v3 there, and set CHATFORM_API_TOKEN. The workflows need the secret CHATFORM_STATE.\n`);
    return exitCode.done;
  },
};
