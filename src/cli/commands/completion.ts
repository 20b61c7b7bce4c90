// chatform completion: prints what a shell needs to complete commands, flags, choices, files and addresses.

import { usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { completionScripts } from '../completion/scripts.ts';
import type { CommandDefinition } from '../flags/command.ts';

const shells = Object.keys(completionScripts);

export const completion: CommandDefinition = {
  name: 'completion',
  arguments: [{ usage: `<${shells.join('|')}>`, description: 'the shell' }],
  summary: 'print completions for a shell',
  help: `Examples:
  chatform completion bash >> ~/.bashrc
  chatform completion zsh > ~/.zfunc/_chatform     with fpath+=~/.zfunc before compinit in ~/.zshrc
  chatform completion fish > ~/.config/fish/completions/chatform.fish

Completes commands, flags, their choices and files, and the addresses that the state in the current folder holds.

Exit codes: 0 printed, 64 not one of these shells.`,
  options: [],
  run: async (input, environment) => {
    const [shell = ''] = input.args;
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (script === undefined)
      throw usage(`There are no completions for "${shell}".`, `There are: ${shells.join(', ')}.`);
    environment.stdout.write(script);
    return exitCode.done;
  },
};
