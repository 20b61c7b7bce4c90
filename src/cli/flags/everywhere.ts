// What every command takes beside its own flags, in the short forms that people know from other tools.
import { resolve } from 'node:path';
import type { CommandEnvironment } from '../process/environment.ts';
import type { CommandDefinition } from './command.ts';
import { longName } from './flag-names.ts';

interface Shorthand {
  readonly word: string;
  readonly value?: string;
  readonly description: string;
}

/** Flags of which a command has at most one: the file or folder that it writes. */
const outputFlags: ReadonlySet<string> = new Set(['out', 'out-dir']);

export const shorthands: readonly Shorthand[] = [
  { word: '-C', value: '<dir>', description: 'run as if chatform was started in this folder' },
  { word: '-o', value: '<path>', description: 'the file or folder that a command writes: its --out or --out-dir' },
  { word: '-q', description: 'no progress and no remarks on standard error' },
  { word: '--json', description: 'the same as --format json' },
  { word: '--no-color', description: 'the same as --color never' },
];

/** `-o` in front of the flag that a command has for what it writes. */
export function withShortFlag(flags: string): string {
  return outputFlags.has(longName(flags)) ? `-o, ${flags}` : flags;
}

/** The words that complete a word of the command, with `-o` only where it means something. */
export function shorthandsOf({ options }: Pick<CommandDefinition, 'options'>): readonly string[] {
  const hasOutput = options.some(({ flags }) => outputFlags.has(longName(flags)));
  return shorthands.map(({ word }) => word).filter((word) => word !== '-o' || hasOutput);
}

/** Takes the words that mean the same for all commands out of the arguments. Words behind `--` are those of another program. */
export function readShorthands(environment: CommandEnvironment): CommandEnvironment {
  const end = environment.args.indexOf('--');
  const words = end === -1 ? environment.args : environment.args.slice(0, end);
  const others = end === -1 ? [] : environment.args.slice(end);
  let { cwd, env } = environment;
  let isQuiet = false;
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const folder = words[at + 1];
    if (word === '-C' && folder !== undefined) {
      cwd = resolve(cwd, folder);
      at += 1;
    } else if (word === '-q') isQuiet = true;
    else if (word === '--no-color') env = { ...env, NO_COLOR: '1' };
    else args.push(word === '--json' ? '--format=json' : word);
  }
  return { ...environment, args: [...args, ...others], cwd, env, ...(isQuiet ? { isQuiet } : {}) };
}
