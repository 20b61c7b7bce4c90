// chatform completion: prints what a shell needs to complete commands, flags, choices, files and addresses.
import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { askWord, type CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

/** Tells the shell to complete file names itself. */
export const filesMark = ':files';

// The words after chatform are asked of the command that was typed before them. For npx that is always `npx --no-install`,
// because without it npx would install a package that is missing, while somebody presses Tab.

const bash = `# Completions of chatform and npx --no-install chatform for bash.
_chatform() {
  local word candidate at=0
  local -a found command=(chatform)
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    for ((at = 1; at <= COMP_CWORD; at++)); do [[ \${COMP_WORDS[at]} == -* ]] || break; done
    [[ $at -lt $COMP_CWORD && \${COMP_WORDS[at]} == chatform ]] || return 1
    command=(npx --no-install chatform)
  fi
  word=\${COMP_WORDS[COMP_CWORD]}
  [[ $word == "=" ]] && word=
  COMPREPLY=()
  # Without mapfile, which the bash of macOS does not have.
  while IFS= read -r candidate; do
    found+=("$candidate")
  done < <("\${command[@]}" ${askWord} "\${COMP_WORDS[@]:at + 1:COMP_CWORD - at}" 2>/dev/null)
  if [[ \${found[0]} == ${filesMark} ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$word")
  else
    for candidate in "\${found[@]}"; do COMPREPLY+=("$(printf %q "$candidate")"); done
  fi
}
complete -F _chatform chatform
complete -p npx >/dev/null 2>&1 || complete -o bashdefault -o default -F _chatform npx
`;

const zsh = `#compdef chatform npx
# Completions of chatform and npx --no-install chatform for zsh.
_chatform() {
  local at=1
  local -a found command=(chatform)
  if [[ $words[1] == npx ]]; then
    for ((at = 2; at <= CURRENT; at++)); do [[ $words[at] == -* ]] || break; done
    if [[ $at -ge $CURRENT || $words[at] != chatform ]]; then _files; return; fi
    command=(npx --no-install chatform)
  fi
  found=("\${(@f)$($command ${askWord} "\${(@)words[at + 1,CURRENT]}" 2>/dev/null)}")
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
  (( \${+_comps[npx]} )) || compdef _chatform npx
fi
`;

const fish = `# Completions of chatform and npx --no-install chatform for fish.
function __chatform_words
    set -l words (commandline -opc)
    test "$words[1]" = npx; or begin; printf '%s\\n' chatform; return; end
    for word in $words[2..-1]
        string match -q -- '-*' $word; and continue
        test "$word" = chatform; and printf '%s\\n' npx --no-install chatform
        return
    end
end
function __chatform_complete
    set -l command (__chatform_words)
    set -l words (commandline -opc) (commandline -ct)
    set -l place (contains -i -- chatform $words)
    set -l found ($command ${askWord} $words[(math $place + 1)..-1] 2>/dev/null)
    if test "$found[1]" = ${filesMark}
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c chatform -f -a '(__chatform_complete)'
complete -c npx -n 'test (count (__chatform_words)) -gt 1' -f -a '(__chatform_complete)'
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

Completes commands, flags, choices, files, and the addresses in the state of the current folder, after chatform and after npx
--no-install chatform. A project that has chatform only in node_modules prints the script with npx --no-install chatform.`,
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
    printResult<'completion'>(
      input,
      environment,
      () => ({ shell, script }),
      () => [script],
    );
    return exitCode.done;
  },
};
