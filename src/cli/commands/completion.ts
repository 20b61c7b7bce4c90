// chatform completion: prints what a shell needs to complete commands, flags, choices, files and addresses.
import { usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { askWord, type CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

/** Tells the shell to complete file names itself. */
export const filesMark = ':files';

const bash = `# Completions of chatform for bash.
_chatform() {
  local word candidate
  local -a found
  word=\${COMP_WORDS[COMP_CWORD]}
  [[ $word == "=" ]] && word=
  COMPREPLY=()
  # Without mapfile, which the bash of macOS does not have.
  while IFS= read -r candidate; do
    found+=("$candidate")
  done < <(chatform ${askWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${found[0]} == ${filesMark} ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$word")
  else
    for candidate in "\${found[@]}"; do COMPREPLY+=("$(printf %q "$candidate")"); done
  fi
}
complete -F _chatform chatform
`;

const zsh = `#compdef chatform
# Completions of chatform for zsh.
_chatform() {
  local -a found
  found=("\${(@f)$(chatform ${askWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if [[ $found[1] == ${filesMark} ]]; then
    _files
  else
    compadd -a found
  fi
}
if [[ $funcstack[1] == _chatform ]]; then
  _chatform "$@"
else
  compdef _chatform chatform
fi
`;

const fish = `# Completions of chatform for fish.
function __chatform_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (chatform ${askWord} $words[2..-1] 2>/dev/null)
    if test "$found[1]" = ${filesMark}
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c chatform -f -a '(__chatform_complete)'
`;

const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish };

const shells = Object.keys(completionScripts);

export const completion: CommandDefinition = {
  name: 'completion',
  arguments: [{ usage: `<${shells.join('|')}>`, description: 'the shell' }],
  summary: 'print completions for a shell',
  help: `Examples:
  chatform completion bash >> ~/.bashrc
  chatform completion zsh > ~/.zfunc/_chatform     with fpath+=~/.zfunc before compinit in ~/.zshrc
  chatform completion fish > ~/.config/fish/completions/chatform.fish

Completes commands, flags, choices, files, and the addresses in the state of the current folder.`,
  exits: {
    '': {
      0: 'printed',
      64: 'the shell is not supported',
    },
  },
  options: jsonOptions,
  schemas: { '': 'results#completion' },
  run: async (input, environment) => {
    const [shell = ''] = input.args;
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (script === undefined)
      throw usage(`Completions for "${shell}" are not available.`, `Choose one of ${shells.join(', ')}.`);
    const { printResult } = await import('../output/result.ts');
    printResult(
      input,
      environment,
      () => ({ shell, script }),
      () => [script],
    );
    return exitCode.done;
  },
};
