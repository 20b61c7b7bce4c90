// The flags that several commands share.
import type { Option, OptionTable } from '../../core/model/library/option.ts';
import {
  applicationOptions as applicationTable,
  estateOptions,
  manifestOptions,
  runOptions as runTable,
} from '../../core/model/library/shared-options.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { OptionDefinition } from './command.ts';
import { longName } from './flag-names.ts';
import { writes, writesReport } from './outputs.ts';

/** The flag of an option. `description` is that of this command, if its help says more. */
export function flagOf(option: Option & { readonly flag: string }, description = option.text): OptionDefinition {
  const { choices, alone, negated, default: standard, writes: kind } = option;
  return {
    flags: flagsText(option),
    description,
    ...(choices === undefined ? {} : { choices }),
    ...(alone === undefined ? {} : { alone }),
    ...(negated === undefined ? {} : { negated }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(kind === undefined ? {} : { writes: writes(kind) }),
  };
}

function flagsText({ type, flag, value, alone }: Option & { readonly flag: string }): string {
  if (type === 'switch') return `--${flag}`;
  return alone === undefined ? `--${flag} <${value}${type === 'texts' ? '...' : ''}>` : `--${flag} [${value}]`;
}

/** The flags of all options of the table that have one, except some. */
export function flagsOf(table: OptionTable, ...without: readonly string[]): readonly OptionDefinition[] {
  return Object.values(table).flatMap((option) => {
    const { flag } = option;
    return flag === undefined || without.includes(flag) ? [] : [flagOf({ ...option, flag })];
  });
}

export const pathArgument = { usage: '[path...]', description: manifestOptions.paths.text } as const;

/** For commands whose arguments are addresses. */
export const manifestsOption: OptionDefinition = {
  flags: '--path <path...>',
  description: manifestOptions.paths.text,
};

export const eachOptions: readonly OptionDefinition[] = [
  {
    flags: '--each <folder...>',
    description: 'several folders in parallel, each an application of its own; one combined report',
  },
  {
    flags: '--in-order',
    description: 'with --each: one folder after the other, in the order given; stops at the first that fails',
  },
];

export const stateOption = flagOf(estateOptions.state);

export const statePatienceOption: OptionDefinition = {
  flags: '--state-patience <duration>',
  description: 'how long to wait for a state database that is unavailable',
  default: '60s',
};

/** For commands that read manifests. */
export const applicationOptions = flagsOf(applicationTable, 'api-token-file');

/** For commands that connect to the platform. */
export const platformOptions = flagsOf(applicationTable);

export const colourOption: OptionDefinition = {
  flags: '--color <when>',
  description: 'when to use colour in the output',
  choices: ['auto', 'always', 'never'],
  default: 'auto',
};

export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'for screen readers: sentences without symbols, columns, colour or redrawn lines',
};

export const verboseOption: OptionDefinition = {
  flags: '--verbose',
  description: 'show attempts and timings, never a token',
};

export const outputOptions: readonly OptionDefinition[] = [colourOption, plainOption, verboseOption];

/** For commands whose result is either for people or for programs. */
const formatOption: OptionDefinition = {
  flags: '--format <format>',
  description: 'output format',
  choices: ['human', 'json'],
  default: 'human',
};

export const maxBytesOption: OptionDefinition = {
  flags: '--max-bytes <bytes>',
  description: 'maximum size of JSON (0: no limit; default: 4194304); lists are cut to fit, with the number left out',
};

export const jsonOptions: readonly OptionDefinition[] = [formatOption, maxBytesOption];

/** For commands that carry out a plan. */
export const runOptions: readonly OptionDefinition[] = [
  flagOf(runTable.maxDuration),
  flagOf(runTable.stopAt),
  flagOf(runTable.keepGoing),
  {
    flags: '--report <file>',
    description: 'write a report, even after a failure: JSON, or a page if the name ends in .html',
    writes: writesReport,
  },
  { flags: '--events <file>', description: 'write every event as it happens (JSON lines)', writes: writes('events') },
];

export const selectionOptions = [flagOf(estateOptions.target), flagOf(estateOptions.exclude)];

export const refreshOption = flagOf(useCases.plan.refresh);

export const stageOption = flagOf(useCases.apply.stage);

export const settleTimeOption = flagOf(runTable.settleTime);

export const lockTimeoutOption = flagOf(runTable.lockTimeout);

/** Flags that may come before the command, as in `chatform --plain plan`. They mean the same for all commands. */
const globals: readonly OptionDefinition[] = [
  ...platformOptions,
  ...outputOptions,
  ...jsonOptions,
  stateOption,
  statePatienceOption,
];

/** Gives flags that may stand alone, and those with `no-` in front, their value, so that none takes the next word for one. */
export function withValues(words: readonly string[], options: readonly OptionDefinition[]): readonly string[] {
  const values = new Map<string, string>();
  for (const { flags, alone, negated } of options) {
    const name = longName(flags);
    if (alone !== undefined) values.set(`--${name}`, `--${name}=${alone}`);
    if (negated !== undefined) values.set(`--no-${name}`, `--${name}=${negated}`);
  }
  const end = words.indexOf('--');
  return words.map((word, at) => (end !== -1 && at > end ? word : (values.get(word) ?? word)));
}

/** Moves the command before such flags. Unchanged if another flag comes first or no command follows. */
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
