// chatform fmt: every manifest in its canonical order and layout.
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { colourOption, plainOption } from '../flags/options.ts';

export const fmt: CommandDefinition = {
  name: 'fmt',
  arguments: [
    { usage: '[path...]', description: 'files or folders (default: the current folder); - for standard input' },
  ],
  summary: 'put manifests into their canonical order and layout',
  help: `Examples:
  chatform fmt                           the manifests in this folder
  chatform fmt --check                   in CI: lists the files that would change, writes nothing
  chatform fmt --check --diff            and shows how
  chatform fmt - < chat.yaml             to standard output, for editors

Sections and attributes go into the order of the reference; ids, members and lists stay in yours. Two spaces a
level, quotes only where they are needed, user_ids, users and operator_ids as members and operators. Comments,
anchors, blank lines and the file's line ends are kept. A file that would come to mean something else is never
written, and one that cannot be read is left alone with what is wrong with it.

Exit codes: 0 done, 65 a file cannot be read, or would change (--check).`,
  options: [
    { flags: '--check', description: 'write nothing; list the files that would change' },
    { flags: '--diff', description: 'show what changes' },
    colourOption,
    plainOption,
  ],
  run: async (input, world) => {
    const { formatFiles, formatInput } = await import('../../app/format.ts');
    const [path, ...more] = input.args;
    const isClean = path === '-' && more.length === 0 ? formatInput : formatFiles;
    return (await isClean(input, world)) ? exitCode.done : exitCode.invalid;
  },
};
