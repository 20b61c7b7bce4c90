// chatform init: a folder in which to begin.
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
  run: async (input, world) => {
    const { runInit } = await import('../init/init.ts');
    await runInit(input.args[0] ?? '.', world);
    return exitCode.done;
  },
};
