// The flags that several commands share.
import { ratePlans } from '../../model/limits.ts';
import type { OptionDefinition } from './command.ts';

export const pathArgument = {
  usage: '[path...]',
  description: 'manifests: files, or folders that are read whole (default: the current folder)',
} as const;

/** For commands whose arguments are addresses. */
export const manifestsOption: OptionDefinition = {
  flags: '--path <path...>',
  description: 'manifests: files, or folders that are read whole (default: the current folder)',
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

export const applicationOptions: readonly OptionDefinition[] = [
  { flags: '--base-url <url>', description: "the application's address, in place of the manifest's" },
  { flags: '--rate-plan <plan>', description: "the rate plan, in place of the manifest's", choices: ratePlans },
];

export const tokenOption: OptionDefinition = {
  flags: '--api-token-file <file>',
  description: 'a file that holds the API token (else: the environment, CHATFORM_API_TOKEN)',
};

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
