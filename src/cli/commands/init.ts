// chatform init: writes what a beginner needs into a folder.
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';

export const init: CommandDefinition = {
  name: 'init',
  arguments: [
    { usage: '[dir]', description: 'where to begin (default: the current folder); made when it is not there' },
  ],
  summary: 'write a starting manifest, its schema, a CI workflow and .gitignore',
  help: `Examples:
  chatform init                          here
  chatform init chat                     in the folder chat

Writes chatform.yaml (users and channels on the embedded platform, which needs no account), the schema that editors
complete and explain it by, lines for .gitignore, and a workflow that plans pull requests and applies what is merged.
Nothing that is there is changed but .gitignore, which gets the lines that it lacks. Running it again is safe.

Exit codes: 0 done, 1 a file cannot be written.`,
  options: [],
  run: async (input, environment) => {
    const [{ initializeFolder }, { safe }] = await Promise.all([
      import('../../app/init.ts'),
      import('../../view/text.ts'),
    ]);
    const { folder, shown, files } = await initializeFolder(input.args[0] ?? '.', environment);
    for (const { name, what, why } of files) {
      environment.stdout.write(`  ${what.padEnd(9)} ${safe(name)}${why === undefined ? '' : `  (${why})`}\n`);
    }
    const enter = folder === environment.cwd ? '' : `  cd ${safe(shown)}\n`;
    environment.stdout.write(`\nNext:\n${enter}  chatform validate      are the manifests right?
  chatform plan          what would happen?
  chatform apply         make it so

The application is a platform inside chatform; application.base_url names it. For yours, write
https://api-APP_ID.sendbird.com/v3 there, and set CHATFORM_API_TOKEN.\n`);
    return exitCode.done;
  },
};
