// The options of each use case that both the library and the command line have. Flags, the types of the library, arguments of
// tools for agents, and checks are made from these tables. Flags that only shape an output (`--format`) are not among them.

import { behavioursFileName, windowKinds } from '../behaviours.ts';
import { refreshWords } from '../policy.ts';
import { copyForms } from '../stores/places.ts';
import type { Option, OptionTable } from './option.ts';
import { applicationOptions, commonOptions, estateOptions, manifestOptions, runOptions } from './shared-options.ts';

const { target: _target, exclude: _exclude, ...wholeEstate } = estateOptions;
const { apiTokenFile: _token, ...offlineEstate } = estateOptions;
const { paths: _paths, ...undeclaredEstate } = wholeEstate;
const { paths: _manifests, variables: _variables, ...undeclaredApplication } = applicationOptions;

const readsLive = {
  type: 'text',
  flag: 'refresh',
  value: 'which',
  choices: refreshWords,
  alone: 'all',
  negated: 'none',
  text: 'read live objects first and plan from their current values: all, or those that the plan would change',
  comment:
    'Which live objects to read first, to plan from their current values: all, those that the plan would change or create, or none. Reading needs a token. Default: as `policy.refresh` says.',
} as const satisfies Option;
const planFile = {
  type: 'text',
  flag: 'out',
  value: 'file',
  writes: 'plan',
  text: 'save the plan for chatform apply FILE',
  comment: 'File to save the plan in, for `apply({ paths: [file] })` or `chatform apply FILE`.',
} as const satisfies Option;
const planPaths = {
  type: 'texts',
  text: 'manifests (files or folders), or one saved plan (default: the current folder)',
  comment: 'Manifests (files or folders), or one saved plan. Default: `cwd`.',
} as const satisfies Option;

const planObject = {
  type: 'plan',
  text: 'the plan to run, in place of manifests',
  comment:
    'Plan that `plan` or `planUndo` returned, or the JSON of it, in place of `paths`, `target`, `exclude` and `refresh`. Refused if it was edited.',
} as const satisfies Option;

const { lockTimeout } = runOptions;

const skipConflicts = {
  type: 'switch',
  flag: 'skip-conflicts',
  text: 'skip objects that changed since the plan was saved',
  comment: 'Skips objects that changed since the plan was made.',
} as const satisfies Option;

const allowOlder = {
  type: 'switch',
  flag: 'allow-older',
  text: 'in CI, allow a commit that lacks the one that was applied last',
  comment: 'In CI, allows a commit whose history lacks the commit that was applied last.',
} as const satisfies Option;

const stage = {
  type: 'texts',
  flag: 'stage',
  value: 'part',
  as: 'stages',
  text: "the part that apply runs first, and the rest only if --gate or --verify passes: a kind, 'group_channel.support-*' or 10%; repeat it for several",
  comment:
    'Parts of the plan to apply one after the other, each with `gate` after it, and the rest at the end: a kind (`custom_type`), an address, a glob of addresses (`group_channel.support-*`), or whole channels as a share (`10%`).',
} as const satisfies Option;

const signCommand = {
  type: 'text',
  flag: 'sign-command',
  value: 'command',
  text: 'sign what is saved: a command that reads the file and prints its signature, for FILE.sig',
  comment:
    'With `out`: a command line that signs the saved plan. It reads the file from standard input and prints the signature, which chatform writes to the path of `out` with `.sig` appended.',
} as const satisfies Option;

const planUndo = {
  ...wholeEstate,
  run: {
    type: 'count',
    text: 'number of a run, as chatform state log prints it (default: the last run)',
    comment: 'Number of the run in the audit trail. Default: the last run.',
  },
  refresh: {
    ...readsLive,
    text: 'read the objects that the run changed first, to detect changes by people (default), or none',
    comment:
      'Whether to read the objects that the run changed first. The read detects changes by people, and needs a token. `all` and `changed` read them; `none` does not. Default: `all`.',
  },
  out: planFile,
  signCommand,
} as const satisfies OptionTable;
const { out: _out, signCommand: _signCommand, ...undo } = planUndo;

const exportOfOtherSystem = {
  source: {
    type: 'text',
    typed: 'ConversionSource',
    isRequired: true,
    text: 'the system that made the export',
  },
  exported: {
    type: 'text',
    isRequired: true,
    text: 'the export that was converted: a zip file, the unpacked folder, or a single file',
  },
} as const satisfies OptionTable;

const judgingOptions = {
  approvalsFrom: {
    type: 'text',
    flag: 'approvals-from',
    value: 'path',
    text: 'the manifests whose policy judges a saved plan (default: the manifests in the folder)',
    comment:
      'With a saved plan: the manifests whose policy and limits judge it, and whose signers count. Default: `cwd`.',
  },
  approvalsRef: {
    type: 'text',
    flag: 'approvals-ref',
    value: 'ref',
    text: 'judge by the policy, limits, behaviour and state place of this commit, such as origin/main',
    comment:
      'Judges by the policy, limits, behaviour and place of the state at this git ref. Pass it if the files on disk come from a pull request, which may have changed them.',
  },
} as const satisfies OptionTable;

/** By the name of the function of the library. */
export const useCases = {
  validate: {
    ...applicationOptions,
    online: {
      type: 'switch',
      flag: 'online',
      text: 'check by reads whether the application is ready for these manifests',
      comment: 'Also checks by reads whether the application is ready for these manifests. Needs a token.',
    },
  },
  plan: {
    ...estateOptions,
    refresh: readsLive,
    baseRef: {
      type: 'text',
      flag: 'base-ref',
      value: 'ref',
      text: 'separate the changes of this branch from those that were pending at REF',
      comment: 'Marks each change as caused by this branch or already pending at this git ref.',
    },
    stage: { ...stage, comment: 'The `stage` of the apply, so that the result also has the plan with its stages.' },
    allowOlder,
    out: planFile,
    signCommand,
  },
  apply: {
    ...estateOptions,
    ...runOptions,
    paths: planPaths,
    plan: planObject,
    refresh: readsLive,
    skipConflicts,
    allowOlder,
    requireSignature: {
      type: 'switch',
      flag: 'require-signature',
      text: 'demand that a signer of policy.approvals signed what is named (FILE.sig)',
      comment:
        'Runs only a saved plan (a path in `paths`) that a signer of `policy.approvals` has signed; the signature is in the file beside it, with `.sig` appended.',
    },
    ...judgingOptions,
    tokensOut: {
      type: 'text',
      flag: 'tokens-out',
      value: 'file',
      writes: 'tokens',
      text: 'where to write issued tokens, one JSON line each',
      comment: 'File for issued tokens, one JSON line each.',
    },
    stage,
    gate: {
      type: 'text',
      flag: 'gate',
      value: 'command',
      text: 'with --stage: run this command after each stage, and go on only if it ends with 0',
      comment:
        'With `stage`, the command line that runs after each stage. The next stage starts only if it ends with 0.',
    },
    gateTimeout: {
      type: 'duration',
      flag: 'gate-timeout',
      value: 'duration',
      as: 'gateTimeoutMs',
      default: '10m',
      text: 'end the command of --gate after this time, and treat the gate as failed',
      comment: 'Time limit of the command of `gate`. chatform then ends the command, and the gate has failed.',
    },
  },
  planUndo,
  undo: { ...undo, ...runOptions },
  rehearse: {
    ...offlineEstate,
    paths: planPaths,
    plan: planObject,
    latency: {
      type: 'count',
      flag: 'latency',
      value: 'ms',
      as: 'latencyMs',
      default: '100',
      text: 'delay of every response of the platform',
      comment: 'Delay of every response of the platform in milliseconds.',
    },
    window: {
      type: 'text',
      flag: 'window',
      value: 'algorithm',
      choices: windowKinds,
      typed: 'WindowKind',
      text: `how the platform counts requests (default: as calibrate recorded, or sliding)`,
    },
    faults: {
      type: 'text',
      flag: 'faults',
      value: 'file',
      text: 'a JSON file of faults to inject, as for chatform emulator',
    },
    seed: {
      type: 'count',
      flag: 'seed',
      value: 'number',
      default: '1',
      text: 'seed of the random numbers; the same seed gives the same run',
    },
    maxDuration: { ...runOptions.maxDuration, text: 'stop where an apply with this limit would' },
    keepGoing: { ...runOptions.keepGoing, text: 'continue after many failures, to see every one' },
    skipConflicts,
    ...judgingOptions,
  },
  drift: {
    ...estateOptions,
    unmanaged: {
      type: 'switch',
      flag: 'unmanaged',
      text: 'also list the whole application, and count what is not managed: one request for every hundred objects',
      comment:
        'Also lists the whole application, and counts what is not managed: one request for every hundred objects. Not with `target` or `exclude`.',
    },
  },
  explain: {
    ...wholeEstate,
    address: {
      type: 'text',
      isRequired: true,
      text: 'for example user.alice or group_channel.support-42',
      comment: 'Address of the object: `user.alice` or `group_channel.support-42`.',
    },
    refresh: {
      ...readsLive,
      text: 'read the live object first and plan from its current values',
      comment:
        'Also reads the live object, which needs a token. `all` and `changed` mean the same here. Default: `none`.',
    },
  },
  explainAccess: {
    ...wholeEstate,
    address: {
      type: 'text',
      isRequired: true,
      text: 'a user or a channel: user.alice or group_channel.support-42',
      comment: 'Address of a user or a channel: `user.alice` or `group_channel.support-42`.',
    },
  },
  adopt: {
    ...wholeEstate,
    addresses: {
      type: 'texts',
      isRequired: true,
      text: "declared objects: user.alice, or a pattern such as 'user.support-*'",
      comment: 'Declared objects: `user.alice`, or a pattern such as `user.support-*`.',
    },
    lockTimeout,
  },
  runTests: {
    ...manifestOptions,
    paths: {
      type: 'texts',
      text: 'files that end in .test.yaml, or folders (default: the current folder)',
      comment: 'Files that end in `.test.yaml`, or folders. Default: `cwd`.',
    },
    // The command has no such flag: a test states its variables.
    variables: { type: 'text', text: manifestOptions.variables.text },
    name: { type: 'text', flag: 'name', value: 'text', text: 'run only tests whose name contains this text' },
    passWithNoTests: {
      type: 'switch',
      flag: 'pass-with-no-tests',
      text: 'succeed where there are no tests, as in a pipeline for every repository',
    },
    onResult: {
      type: 'function',
      typed: '(result: TestResult) => void',
      text: 'called after each test',
      comment: 'Called after each test. Must not throw.',
    },
  },
  verify: {
    ...applicationOptions,
    all: {
      type: 'switch',
      flag: 'all',
      as: 'isWhole',
      text: 'compare every message, not a sample',
      comment: 'Compares every message. Default: of channels whose count is right, only a sample.',
    },
    asMember: {
      type: 'switch',
      flag: 'as-member',
      text: 'also read what each declared member of a group channel sees',
      comment: 'Also checks whether the declared members of group channels see the messages.',
    },
  },
  calibrate: {
    ...undeclaredApplication,
    out: {
      type: 'text',
      flag: 'out',
      value: 'file',
      default: behavioursFileName,
      writes: 'behaviours',
      text: 'the file to write; plan and apply look for the default name only',
    },
    anySize: {
      type: 'switch',
      flag: 'any-size',
      as: 'isAnySize',
      text: 'also examine an application with more than 1,000 users',
      comment: 'Also examines an application with more than 1,000 users. Do not examine one that people use.',
    },
  },
  exportEstate: {
    ...undeclaredEstate,
    lockTimeout,
    out: {
      type: 'text',
      flag: 'out-dir',
      value: 'folder',
      isRequired: true,
      text: 'folder for the manifests: empty, new, that of the same export, killed, or with --only any',
      comment:
        'Folder for the manifests: empty, new, or the folder of an unfinished export with the same options. With `only`, it may have manifests.',
    },
    only: {
      type: 'texts',
      flag: 'only',
      value: 'pattern',
      text: 'export only a kind, an address, a glob (group_channel.support-*) or custom_type=glob; repeat it for several',
      comment:
        'Exports only objects that one of these selects: a kind (`open_channel`), an address, a glob of addresses (`group_channel.support-*`), or `custom_type=` and a glob. Their blocks are added to the manifests in `out`. Default: everything.',
    },
    exclude: {
      ...estateOptions.exclude,
      value: 'pattern',
      text: 'leave out a kind, an address, a glob (group_channel.old-*) or custom_type=glob; repeat it for several',
      comment:
        'Leaves out objects that one of these patterns selects, written as in `only`. With `only`, leaves them out of the objects that `only` selects.',
    },
    with: {
      type: 'text',
      flag: 'with',
      value: 'what',
      choices: ['users'],
      text: 'with --only, also export the users and bots that the objects need: users',
      comment: 'With `only`, `users` also exports the users and bots that the selected objects name.',
    },
    messages: {
      type: 'switch',
      flag: 'messages',
      text: 'also export messages: one request for every 200',
      comment: 'Also exports the messages of every channel: one request for every 200.',
    },
    reactions: {
      type: 'switch',
      flag: 'reactions',
      text: 'also export reactions and pins of messages: one request per group channel',
      comment: 'Also exports reactions and pins of the messages: one request per group channel.',
    },
    threads: {
      type: 'switch',
      flag: 'threads',
      text: 'also export which messages are replies in threads, with an id on every line',
      comment: 'Also exports which messages are replies in threads, with an id on every line.',
    },
    since: {
      type: 'text',
      flag: 'since',
      value: 'folder',
      text: 'an earlier export: messages before the overlap are copied from it, not read',
      comment: 'Folder of an earlier export: messages before the overlap are copied from it, not read.',
    },
    overlap: {
      type: 'duration',
      flag: 'overlap',
      value: 'duration',
      as: 'overlapMs',
      text: 'how long before the end of the earlier export edits and deletions are read (default: 168h)',
      comment: 'How long before the end of the earlier export edits and deletions are read: `12h`. Default: `168h`.',
    },
    hiddenStatus: {
      type: 'switch',
      flag: 'hidden-status',
      text: 'also export which users have hidden a channel: one request per user',
      comment: 'Also exports which users have hidden a channel: one request per user.',
    },
    readEach: {
      type: 'switch',
      flag: 'read-each',
      text: 'also export invitation preferences, bans and mutes: one request per user and two per channel',
      comment: 'Also exports invitation preferences, bans and mutes: one request per user and two per channel.',
    },
    withoutState: {
      type: 'switch',
      flag: 'without-state',
      text: 'do not write state',
      comment: 'Writes only the manifests, no state.',
    },
  },
  convert: {
    ...commonOptions,
    source: exportOfOtherSystem.source,
    exported: {
      type: 'text or texts',
      text: 'a zip file, the unpacked folder, or a single file; several for tables, none with --from-env',
      comment: 'A zip file, the unpacked folder, or a single file; several for tables, none with `fromEnv`.',
    },
    fromEnv: {
      type: 'text',
      flag: 'from-env',
      value: 'variable',
      text: 'for tables: the environment variable with the URL of a PostgreSQL or MySQL database, which is read instead of files',
      comment:
        'For `table`: the environment variable with the URL of a PostgreSQL or MySQL database, which is read instead of files.',
    },
    env: {
      ...manifestOptions.env,
      comment: 'Environment variables, among them the one that `fromEnv` names. Default: the variables of the process.',
    },
    full: {
      type: 'switch',
      flag: 'full',
      text: 'read all rows of the database, although the mapping has since',
      comment: 'Reads all rows of the database, although the mapping has `since`.',
    },
    mapping: {
      type: 'text',
      flag: 'mapping',
      value: 'yaml',
      text: 'for tables: which columns become what',
      comment: 'For `table`: the mapping file, which assigns columns to attributes.',
    },
    out: {
      type: 'text',
      flag: 'out-dir',
      value: 'folder',
      isRequired: true,
      text: 'folder for the manifests',
    },
    covers: {
      type: 'text',
      flag: 'covers',
      value: 'range',
      text: 'the times that the export covers: 2024-01-01..2024-03-31, or all',
      comment:
        'Times that the export covers, if the export does not say so: `2024-01-01..2024-03-31`, or `all`, in UTC.',
    },
    taken: {
      type: 'text',
      flag: 'taken',
      value: 'time',
      text: 'when the export was taken: 2024-04-01, or 2024-04-01T10:00Z',
      comment: 'When the export was taken, if the export does not say so: `2024-04-01`, or `2024-04-01T10:00Z`.',
    },
    identities: {
      type: 'text',
      flag: 'identities',
      value: 'csv',
      text: 'who has which user_id: columns user_id and id, email or handle',
      comment: 'CSV file with the user_id of each person: columns `user_id` and `id`, `email` or `handle`.',
    },
    onProgress: {
      type: 'function',
      typed: '(progress: ConvertProgress) => void',
      text: 'called while the export is read',
    },
  },
  copyFiles: {
    ...commonOptions,
    env: {
      ...manifestOptions.env,
      comment:
        'Environment variables, among them those that `headersFrom` names. Default: the variables of the process.',
    },
    ...exportOfOtherSystem,
    source: { ...exportOfOtherSystem.source, typed: "Exclude<ConversionSource, 'table'>" },
    out: {
      type: 'text',
      flag: 'out-dir',
      value: 'folder',
      isRequired: true,
      text: 'folder of the conversion',
    },
    to: {
      type: 'text',
      flag: 'to',
      value: 'place',
      isRequired: true,
      text: `where to put the copies: ${copyForms}`,
    },
    publicUrl: {
      type: 'text',
      flag: 'public-url',
      value: 'url',
      isRequired: true,
      text: 'the address at which people reach the copies',
    },
    fetch: { type: 'texts', flag: 'fetch', value: 'host', text: 'hosts from which files may be fetched' },
    headersFrom: {
      type: 'texts',
      flag: 'header-from',
      value: 'host=variable',
      text: 'send the header in the variable to the host',
      comment:
        '`HOST=VARIABLE`: sends the header in the variable of `env`, such as `Authorization: Bearer …`, to the host.',
    },
    maxBytes: {
      type: 'count',
      flag: 'max-file-bytes',
      value: 'number',
      default: '5000000000',
      text: 'leave larger files where they are',
      comment: 'Largest size of a copied file in bytes. Larger files stay where they are.',
    },
    onProgress: {
      type: 'function',
      typed: '(done: number, of: number) => void',
      text: 'called after each file',
    },
  },
} as const satisfies Readonly<Record<string, OptionTable>>;

export type LibraryFunction = keyof typeof useCases;

const otherCommands: Readonly<Partial<Record<LibraryFunction, string>>> = {
  explainAccess: 'explain',
  planUndo: 'undo',
  runTests: 'test',
  exportEstate: 'export',
  copyFiles: 'convert-files',
};

/** The command that does the same as a function. */
export function commandOf(name: LibraryFunction): string {
  return otherCommands[name] ?? name;
}
