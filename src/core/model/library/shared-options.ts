// Options that several use cases have in the same meaning (use-cases.ts).
import { ratePlans } from '../limits.ts';
import { stateForms } from '../stores/places.ts';
import type { Option, OptionTable } from './option.ts';

export const commonOptions = {
  cwd: {
    type: 'text',
    text: 'the folder that relative paths start from',
    comment: 'Folder that relative paths start from, absolute or relative. Default: the working folder of the process.',
  },
  signal: {
    type: 'signal',
    text: 'cancels the call',
    comment:
      'Cancels the call, which then throws a Refusal with exit code 8. Requests, waits, copies and conversions end at once. Work on local files alone is cancelled only before it begins, and tests also between two tests.',
  },
} as const satisfies OptionTable;

export const manifestOptions = {
  ...commonOptions,
  paths: {
    type: 'texts',
    text: 'manifests: files, or folders to read recursively (default: the current folder)',
    comment: 'Manifests: files, or folders to read recursively. Default: `cwd`.',
  },
  variables: {
    type: 'text',
    flag: 'variables',
    value: 'file',
    text: 'YAML or JSON file with values for declared variables (NAME: VALUE)',
  },
  env: {
    type: 'variables',
    text: 'the environment variables',
    comment:
      'Environment variables: `CHATFORM_VAR_…`, `CHATFORM_API_TOKEN`, `CHATFORM_ALLOWED_HOSTS`, and variables of stores such as `CHATFORM_STATE_PASSWORD`. Default: the variables of the process.',
  },
  onNotice: {
    type: 'function',
    typed: '(notice: Notice) => void',
    text: 'called with the lines that a command prints while it works',
    comment: 'Called with the lines that a command prints while it works: remarks, waits, progress. Must not throw.',
  },
} as const satisfies OptionTable;

/** How to reach the application, in place of what the manifests say. */
export const connectionOptions = {
  baseUrl: {
    type: 'text',
    flag: 'base-url',
    value: 'url',
    text: "the application's address; overrides the manifest",
    comment: "The application's address; overrides the manifest. Trusted: it receives the token.",
  },
  ratePlan: {
    type: 'text',
    flag: 'rate-plan',
    value: 'plan',
    choices: ratePlans,
    typed: 'RatePlan',
    text: 'the rate plan; overrides the manifest',
  },
  apiTokenFile: {
    type: 'text',
    flag: 'api-token-file',
    value: 'file',
    text: 'file that contains the API token (default: CHATFORM_API_TOKEN from the environment)',
    comment: 'File that contains the API token. Default: `CHATFORM_API_TOKEN` of `env`.',
  },
} as const satisfies OptionTable;

export const applicationOptions = { ...manifestOptions, ...connectionOptions } as const satisfies OptionTable;

export const estateOptions = {
  ...applicationOptions,
  state: {
    type: 'text',
    flag: 'state',
    value: 'place',
    text: `where state is kept: ${stateForms} (default: application.state of the manifests, or file:.chatform/state)`,
    comment: `Where state is kept: ${stateForms}. Default: \`application.state\` of the manifests, or \`file:.chatform/state\`.`,
  },
  target: {
    type: 'texts',
    flag: 'target',
    value: 'address',
    as: 'targets',
    text: "only these objects and their dependencies: user.alice, or a pattern such as 'group_channel.support-*'",
    comment: 'Only these objects and their dependencies: `user.alice`, or a pattern such as `group_channel.support-*`.',
  },
  exclude: {
    type: 'texts',
    flag: 'exclude',
    value: 'address',
    as: 'excluded',
    text: "leave out these objects: user.bob, or a pattern such as 'group_channel.old-*'",
    comment:
      'Leaves out these objects, and changes that need one of them: `user.bob`, or a pattern such as `group_channel.old-*`. With `target`, leaves them out of the objects that `target` selects.',
  },
} as const satisfies OptionTable;

const lockTimeout = {
  type: 'duration',
  flag: 'lock-timeout',
  value: 'duration',
  as: 'lockTimeoutMs',
  default: '0s',
  text: 'how long to wait for the lock on the state',
} as const satisfies Option;

export const runOptions = {
  approvedHash: {
    type: 'text',
    flag: 'approved-hash',
    value: 'hash',
    text: 'run only the plan with this hash',
    comment: 'Refuses any plan whose `hash` differs, so that only the reviewed plan runs.',
  },
  maxDuration: {
    type: 'duration',
    flag: 'max-duration',
    value: 'duration',
    as: 'maxDurationMs',
    text: 'start no new step after this time since the command began, for example 50m',
    comment: 'Time limit, counted from the call and including reads and waits: `50m`. No step starts after it.',
  },
  stopAt: {
    type: 'time',
    flag: 'stop-at',
    value: 'time',
    text: 'start no new step after this time, for example 04:00 (of this machine), 04:00Z or 04:00+02:00',
    comment:
      'Time of day, or date and time, after which no step starts: `04:00` in the zone of the machine, `04:00Z`, `2026-12-01T04:00:00Z`.',
  },
  lockTimeout,
  keepGoing: {
    type: 'switch',
    flag: 'keep-going',
    text: 'continue after many failures',
    comment: 'Continues after many failures.',
  },
  settleTime: {
    type: 'duration',
    flag: 'settle-time',
    value: 'duration',
    as: 'settleMs',
    default: '15s',
    text: 'how long to wait for a call whose response was lost, since it may still take effect',
  },
  signal: {
    type: 'signal',
    text: 'stops the run',
    comment:
      'Stops the run: no new request is sent, those under way finish, and the report has the outcome `interrupted`.',
  },
  onEvent: {
    type: 'function',
    typed: '(event: ApplyEvent) => void',
    text: 'called for every event of the run',
    comment: 'Called for every event as it happens. Must not throw.',
  },
} as const satisfies OptionTable;
