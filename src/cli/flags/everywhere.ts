// What every command takes beside its own flags, in the short forms that people know from other tools.
import { resolve } from 'node:path';
import type { CommandEnvironment } from '../process/environment.ts';
import type { CommandDefinition, OptionDefinition } from './command.ts';
import { longName } from './flag-names.ts';

interface Shorthand {
  readonly word: string;
  readonly value?: string;
  readonly description: string;
}

/** Flags that name the file or folder that a command writes. A command has at most one. */
const outputFlags: ReadonlySet<string> = new Set(['out', 'out-dir']);

const noColour = '--no-color';

export const shorthands: readonly Shorthand[] = [
  { word: '-C', value: '<dir>', description: 'run as if chatform was started in this folder' },
  {
    word: '-o',
    value: '<path>',
    description: 'where a command writes a file or folder: the same as its --out or --out-dir',
  },
  { word: '-q', description: 'only the result, warnings and errors; no progress, remarks or summary' },
  { word: '--json', description: 'the same as --format json' },
  { word: noColour, description: 'the same as --color never' },
];

/** As the help shows a flag: with `-o` in front if it names what the command writes. Commander would read `-out` as `-o ut`. */
export function withShortFlag(flags: string): string {
  return outputFlags.has(longName(flags)) ? `-o, ${flags}` : flags;
}

/** The words that complete a word of the command, with `-o` only where it means something. */
export function shorthandsOf({ options }: Pick<CommandDefinition, 'options'>): readonly string[] {
  const hasOutput = options.some(({ flags }) => outputFlags.has(longName(flags)));
  return shorthands.map(({ word }) => word).filter((word) => word !== '-o' || hasOutput);
}

/** Replaces the words that stand for a flag of the command. Those behind `--` belong to another program. */
export function withLongFlags(words: readonly string[], options: readonly OptionDefinition[]): readonly string[] {
  const names = options.map(({ flags }) => longName(flags));
  const output = names.find((name) => outputFlags.has(name));
  const end = words.indexOf('--');
  return words.flatMap((word, at) => {
    if (end !== -1 && at > end) return [word];
    if (word === '-o' && output !== undefined) return [`--${output}`];
    // One dash before the long name is a slip, for which there is a hint.
    const isAttached = word.startsWith('-o') && word !== '-o' && !word.startsWith('-out');
    if (isAttached) return output === undefined ? ['-o', word.slice(2)] : [`--${output}=${word.slice(2)}`];
    if (word === noColour) return names.includes('color') ? ['--color=never'] : [];
    return [word];
  });
}

/** Takes the words that mean the same for all commands out of the arguments. Those behind `--` belong to another program. */
export function readShorthands(environment: CommandEnvironment): CommandEnvironment {
  const end = environment.args.indexOf('--');
  const words = end === -1 ? environment.args : environment.args.slice(0, end);
  const others = end === -1 ? [] : environment.args.slice(end);
  let { cwd } = environment;
  let isQuiet = false;
  const args: string[] = [];
  const behind: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const folder = words[at + 1];
    if (word === '-C' && folder !== undefined) {
      cwd = resolve(cwd, folder);
      at += 1;
    } else if (/^-C./su.test(word)) cwd = resolve(cwd, word.slice(2));
    else if (word === '-q') isQuiet = true;
    else if (word === noColour) behind.push(word);
    else args.push(word === '--json' ? '--format=json' : word);
  }
  return { ...environment, args: [...args, ...behind, ...others], cwd, ...(isQuiet ? { isQuiet } : {}) };
}
