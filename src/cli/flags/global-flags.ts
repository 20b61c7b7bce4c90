// The flags that may stand before the command, as in `chatform --plain plan`: those that mean the same for all commands.
import { longName, type OptionDefinition } from './command.ts';
import {
  applicationOptions,
  colourOption,
  plainOption,
  stateOption,
  statePatienceOption,
  tokenOption,
  verboseOption,
} from './options.ts';

const globals: readonly OptionDefinition[] = [
  ...applicationOptions,
  colourOption,
  plainOption,
  stateOption,
  statePatienceOption,
  tokenOption,
  verboseOption,
];

/** The arguments with the command first. As they are when another flag stands before it, or no command follows. */
export function commandFirst(args: readonly string[], isCommand: (word: string) => boolean): readonly string[] {
  const flags: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (isCommand(word)) return [word, ...flags, ...args.slice(at + 1)];
    const option = globals.find(({ flags: name }) => `--${longName(name)}` === word.split('=')[0]);
    if (option === undefined) return args;
    if (!option.flags.includes('<') || word.includes('=')) flags.push(word);
    else {
      at += 1;
      flags.push(`${word}=${args[at] ?? ''}`);
    }
  }
  return args;
}
