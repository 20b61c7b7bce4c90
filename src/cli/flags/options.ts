// The flags that several commands share.
import { ratePlans } from '../../model/limits.ts';
import { longName, type OptionDefinition } from './command.ts';

export const pathArgument = {
  usage: '[path...]',
  description: 'manifests: files, or folders that are read whole (default: the current folder)',
} as const;

/** For commands whose arguments are addresses. */
export const manifestsOption: OptionDefinition = {
  flags: '--path <path...>',
  description: 'manifests: files, or folders that are read whole (default: the current folder)',
};

export const eachOption: OptionDefinition = {
  flags: '--each <folder...>',
  description: 'each folder is an application with a state of its own: side by side, in one report',
};

export const stateOption: OptionDefinition = {
  flags: '--state <place>',
  description: 'where state is kept: file:DIR, or postgres://USER@HOST/DATABASE (default: file:.chatform/state)',
};

export const statePatienceOption: OptionDefinition = {
  flags: '--state-patience <duration>',
  description: 'how long a run waits for a state database that is away',
  default: '60s',
};

/** For commands that read manifests. */
export const applicationOptions: readonly OptionDefinition[] = [
  {
    flags: '--variables <file>',
    description: 'values of the variables that the manifests declare: NAME: VALUE in YAML or JSON',
  },
  { flags: '--base-url <url>', description: "the application's address, in place of the manifest's" },
  { flags: '--rate-plan <plan>', description: "the rate plan, in place of the manifest's", choices: ratePlans },
];

/** For commands that reach the platform. */
export const platformOptions: readonly OptionDefinition[] = [
  ...applicationOptions,
  {
    flags: '--api-token-file <file>',
    description: 'a file that holds the API token (else: the environment, CHATFORM_API_TOKEN)',
  },
];

export const colourOption: OptionDefinition = {
  flags: '--color <when>',
  description: 'colour in the output',
  choices: ['auto', 'always', 'never'],
  default: 'auto',
};

export const plainOption: OptionDefinition = {
  flags: '--plain',
  description: 'for screen readers: sentences, no signs, columns, colour or redrawn lines',
};

export const verboseOption: OptionDefinition = {
  flags: '--verbose',
  description: 'show attempts and timings, never a token',
};

export const outputOptions: readonly OptionDefinition[] = [colourOption, plainOption, verboseOption];

/** For commands whose result is either for people or for programs. */
export const formatOption: OptionDefinition = {
  flags: '--format <format>',
  description: 'how the result is shown',
  choices: ['human', 'json'],
  default: 'human',
};

/** For commands that carry out a plan. */
export const runOptions: readonly OptionDefinition[] = [
  { flags: '--max-duration <duration>', description: 'start no new step this long after the command began, as 50m' },
  { flags: '--keep-going', description: 'go on after many failures' },
  {
    flags: '--report <file>',
    description: 'write what was done, also when it failed: JSON, or a page if it ends in .html',
  },
  { flags: '--events <file>', description: 'write every event as it happens (JSON lines)' },
];

export const targetOption: OptionDefinition = {
  flags: '--target <address...>',
  description: "only these objects and what they need: user.alice, or a pattern as 'group_channel.support-*'",
};

export const refreshOption: OptionDefinition = {
  flags: '--refresh',
  description: 'read the live objects first, and plan against what they are now',
};

export const skipRefreshOption: OptionDefinition = {
  flags: '--skip-refresh',
  description: "do not read the live objects, whatever the policy's refresh says",
};

export const lockTimeoutOption: OptionDefinition = {
  flags: '--lock-timeout <duration>',
  description: "how long to wait for somebody else's lock on the state",
  default: '0s',
};

/** The flags that may stand before the command, as in `chatform --plain plan`: those that mean the same for all commands. */
const globals: readonly OptionDefinition[] = [...platformOptions, ...outputOptions, stateOption, statePatienceOption];

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
