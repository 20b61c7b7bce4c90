// The flags that several commands share.
import { ratePlans } from '../../model/limits.ts';
import { stateForms } from '../../model/stores/places.ts';
import type { OptionDefinition } from './command.ts';
import { longName } from './names.ts';
import { writes, writesReport } from './outputs.ts';

export const pathArgument = {
  usage: '[path...]',
  description: 'manifests: files, or folders to read recursively (default: the current folder)',
} as const;

/** For commands whose arguments are addresses. */
export const manifestsOption: OptionDefinition = {
  flags: '--path <path...>',
  description: 'manifests: files, or folders to read recursively (default: the current folder)',
};

export const eachOption: OptionDefinition = {
  flags: '--each <folder...>',
  description: 'several folders in parallel, each an application of its own; one combined report',
};

export const stateOption: OptionDefinition = {
  flags: '--state <place>',
  description: `where state is kept: ${stateForms} (default: file:.chatform/state)`,
};

export const statePatienceOption: OptionDefinition = {
  flags: '--state-patience <duration>',
  description: 'how long to wait for a state database that is unavailable',
  default: '60s',
};

/** For commands that read manifests. */
export const applicationOptions: readonly OptionDefinition[] = [
  {
    flags: '--variables <file>',
    description: 'YAML or JSON file with values for declared variables (NAME: VALUE)',
  },
  { flags: '--base-url <url>', description: "the application's address; overrides the manifest" },
  { flags: '--rate-plan <plan>', description: 'the rate plan; overrides the manifest', choices: ratePlans },
];

/** For commands that connect to the platform. */
export const platformOptions: readonly OptionDefinition[] = [
  ...applicationOptions,
  {
    flags: '--api-token-file <file>',
    description: 'file that contains the API token (default: CHATFORM_API_TOKEN from the environment)',
  },
];

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
  {
    flags: '--max-duration <duration>',
    description: 'start no new step after this time since the command began, for example 50m',
  },
  { flags: '--keep-going', description: 'continue after many failures' },
  {
    flags: '--report <file>',
    description: 'write a report, even after a failure: JSON, or a page if the name ends in .html',
    writes: writesReport,
  },
  { flags: '--events <file>', description: 'write every event as it happens (JSON lines)', writes: writes('events') },
];

export const targetOption: OptionDefinition = {
  flags: '--target <address...>',
  description: "only these objects and their dependencies: user.alice, or a pattern such as 'group_channel.support-*'",
};

export const refreshOption: OptionDefinition = {
  flags: '--refresh',
  description: 'read the live objects first and plan from their current values',
};

export const skipRefreshOption: OptionDefinition = {
  flags: '--skip-refresh',
  description: 'do not read the live objects, even if the policy asks for it',
};

export const settleTimeOption: OptionDefinition = {
  flags: '--settle-time <duration>',
  description: 'how long to wait for a call whose response was lost, since it may still take effect',
  default: '15s',
};

export const lockTimeoutOption: OptionDefinition = {
  flags: '--lock-timeout <duration>',
  description: 'how long to wait for the lock on the state',
  default: '0s',
};

/** Flags that may come before the command, as in `chatform --plain plan`. They mean the same for all commands. */
const globals: readonly OptionDefinition[] = [
  ...platformOptions,
  ...outputOptions,
  ...jsonOptions,
  stateOption,
  statePatienceOption,
];

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
