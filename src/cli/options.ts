// Which flags do several commands share?
import { ratePlans } from '../platform/limits.ts';
import type { OptionDefinition } from './command.ts';

export const pathArgument = {
  usage: '[path...]',
  description: 'manifests: files, or folders that are read whole (default: the current folder)',
} as const;

export const stateOption: OptionDefinition = {
  flags: '--state <place>',
  description: 'where state is kept',
  default: 'file:.chatform/state',
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

export const verboseOption: OptionDefinition = {
  flags: '--verbose',
  description: 'show attempts and timings, never a token',
};

export const targetOption: OptionDefinition = {
  flags: '--target <address...>',
  description: 'only these objects and what they need, as user.alice or group_channel.support-42',
};

export const lockTimeoutOption: OptionDefinition = {
  flags: '--lock-timeout <duration>',
  description: "how long to wait for somebody else's lock on the state",
  default: '0s',
};
