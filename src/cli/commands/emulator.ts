// chatform emulator: runs an emulator of the platform on this machine.
import { resolve } from 'node:path';
import { keptPath } from '../../core/app/context/output-files.ts';
import { windowKinds } from '../../core/model/behaviours.ts';
import { usage } from '../../core/model/errors.ts';
import { type CommandExit, exitCode } from '../../core/model/exit-code.ts';
import { manifestOptions } from '../../core/model/library/shared-options.ts';
import { ratePlans } from '../../core/model/limits.ts';
import { describeBehaviours } from '../../emulator/api/behaviours.ts';
import { FAULT_KINDS } from '../../emulator/faults.ts';
import type { EmulatorOptions, RunningEmulator } from '../../emulator/server.ts';
import type { EmulatorPlaces } from '../../tools/emulation/surroundings.ts';
import type { CommandDefinition } from '../flags/command.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { flagOf, verboseOption } from '../flags/options.ts';
import type { ResultDocuments } from '../output/documents.ts';
import { isForPrograms } from '../output/result.ts';
import type { CommandEnvironment } from '../process/environment.ts';

const defaultRatePlan = '5k_mau';

export const emulator: CommandDefinition = {
  name: 'emulator',
  arguments: [
    {
      usage: '[command...]',
      description: 'after --: a program and its arguments, run while the emulator runs',
    },
  ],
  summary: 'run an emulator of the platform on this machine',
  help: `Examples:
  chatform emulator --port 8080 --data .chatform/emulator
  chatform emulator --format json --port 0 | head -1     {…, "url": …, "token": …} once it listens
  chatform emulator -- npm test              with the manifests of this folder applied
  chatform emulator --seed chat/ --deliver-to http://127.0.0.1:3000 -- npm test
  chatform emulator --data test.data --seed chat/ --snapshot -- true
  chatform emulator --data test.data --reset -- npm test     starts in milliseconds
  chatform emulator --faults faults.json     inject the faults that the file describes
  chatform emulator --behaviour dedup=refuse --behaviour unknownRouteStatus=404
  chatform emulator --limit messages_per_migration=200 --limit 'POST /migration/{channel_url}=10'

Without --data, everything is kept in memory. Stop it with Ctrl-C.

The words after -- are a command, which runs until it ends. Its exit code is that of chatform, and signals are passed on to
it. The emulator is started for it on a free port, with the manifests of --seed applied, or those of the current folder. The
command gets CHATFORM_BASE_URL and CHATFORM_API_TOKEN, CHATFORM_EMULATOR_URL for the endpoints of control, CHATFORM_STATE,
CHATFORM_RATE_PLAN, and CHATFORM_TOKENS_OUT, the file of the tokens that were issued. It gets no other token of chatform.

A test controls the emulator over HTTP, from this machine alone: POST /__reset returns to the start, or to the last POST
/__snapshot, POST /__clock {"advance_s": 3600} moves the clock, GET /__deliveries lists the calls to the application.

--deliver-to takes the calls to the webhook and the bots, whatever https address the manifests declare: signed, and repeated
in the emulator's clock. Without it, only http addresses on this machine are called. The emulator's README lists the events.`,
  notes: `A file of faults, the same for chatform rehearse:

  {"seed": 7, "rules": [
    {"fault": "reset_after", "probability": 0.01},
    {"fault": "error_503", "route": "POST /users", "at": [3, 10], "times": 5},
    {"fault": "latency", "ms": 200, "distribution": "exponential"}
  ]}

Each rule names a fault and when it occurs: with a probability from 0 to 1, or at the given requests, counted from 1.
Without either, it occurs at every request. A rule can apply to one route (method and path as in the API documentation,
with {user_id} in place of an id) and can repeat several times in a row. ms is the mean latency (constant, uniform or
exponential) or the wait that a rate_limited response asks for. With "retry_after": "seconds" or "date", rate_limited and
error_503 ask for that wait by the standard Retry-After header, as gateways do; "none" leaves all headers out.
before and after say whether the request takes effect.
The faults are ${FAULT_KINDS.join(', ')}.

Where the platform's documentation is ambiguous, the emulator has a default behaviour, the first value below. --behaviour
chooses another one, and --behaviours behaves like a platform that chatform calibrate has examined. The emulator's README
explains each behaviour.

${describeBehaviours()
  .map((reading) => `  ${reading}`)
  .join('\n')}`,
  exits: {
    '': {
      0: 'stopped, or the command ended with 0, as its own code is passed on',
      1: 'the emulator could not start',
      7: 'the data file or the port is in use',
      64: 'usage, or the command cannot be started',
    },
    '--seed': {
      4: 'the manifests could not be applied',
      65: 'the manifests are not valid',
    },
  },
  options: [
    {
      flags: '--port <port>',
      description: 'port on 127.0.0.1; 0 picks a free one (default: 8080, or a free one with a command)',
    },
    { flags: '--data <file>', description: 'file to keep the data in' },
    { flags: '--seed <path...>', description: 'manifests to apply at the start: files or folders' },
    flagOf(manifestOptions.variables),
    { flags: '--snapshot', description: 'keep the data file as it is at the start, for --reset' },
    { flags: '--reset', description: 'start with the data file as --snapshot kept it, without applying manifests' },
    {
      flags: '--deliver-to <url>',
      description: 'call webhooks and bots at this http address on this machine, such as http://127.0.0.1:3000',
    },
    {
      flags: '--rate-plan <plan>',
      description: 'rate plan whose limits apply',
      choices: ratePlans,
      default: defaultRatePlan,
    },
    {
      flags: '--window <algorithm>',
      description: 'how requests are counted (default: as --behaviours says, or sliding)',
      choices: windowKinds,
    },
    {
      flags: '--limit <name=value...>',
      description: 'set a limit, named as in application.limits of manifests: messages_per_migration=200, POST=60',
    },
    { flags: '--unlimited', description: 'no rate limits' },
    { flags: '--latency <ms>', description: 'delay of every response', default: '0' },
    { flags: '--faults <file>', description: 'a JSON file of faults to inject' },
    {
      flags: '--behaviour <name=value...>',
      description: 'choose the behaviour at a point where the documentation is ambiguous',
    },
    {
      flags: '--behaviours <file>',
      description: 'behave as chatform-behaviours.json says; --behaviour and --window override it',
    },
    {
      flags: '--format <format>',
      description: 'output format of the address',
      choices: ['human', 'json'],
      default: 'human',
    },
    verboseOption,
  ],
  schemas: { '': 'results#emulator' },
  run: async (input, environment) => {
    const [{ startEmbedded }, { placesOf, keepSnapshot, returnToSnapshot }, { seedOf }] = await Promise.all([
      import('../../core/app/context/embedded-emulator.ts'),
      import('../../tools/emulation/surroundings.ts'),
      import('../../tools/emulation/seed.ts'),
    ]);
    const { args } = input;
    const options = await optionsOf(input, environment);
    const { dataFile } = options;
    demandDataFor(input);
    const isReset = input.flag('reset');
    if (isReset && dataFile !== undefined) await returnToSnapshot(dataFile);
    const seed = isReset ? [] : await seedOf(input.list('seed'), args.length > 0, environment.cwd);
    const places = args.length > 0 || seed.length > 0 ? await placesOf(dataFile) : undefined;
    let running: RunningEmulator | undefined;
    try {
      running = await startEmbedded(options);
      if (places !== undefined) await fill(seed, { running, places }, input, environment);
      if (input.flag('snapshot') && dataFile !== undefined) await keepSnapshot(dataFile);
      running.begin();
      if (places !== undefined && args.length > 0) return await runCommand({ running, places }, input, environment);
      const stopped = new Promise<void>((done) => void environment.onInterrupt(() => done()));
      environment.stdout.write(isForPrograms(input) ? addressForPrograms(running) : addressForPeople(running));
      await stopped;
      return exitCode.done;
    } finally {
      await running?.close();
      await places?.end();
    }
  },
};

interface Emulation {
  readonly running: RunningEmulator;
  readonly places: EmulatorPlaces;
}

async function fill(
  seed: readonly string[],
  { running, places }: Emulation,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<void> {
  const [{ seedEmulator, followAddress }, { portsOf }, { showSuccess }] = await Promise.all([
    import('../../tools/emulation/seed.ts'),
    import('../output/ports.ts'),
    import('../output/notices.ts'),
  ]);
  const ports = portsOf(input, environment);
  await followAddress(running, places, ports);
  if (seed.length > 0) {
    const calls = await seedEmulator(seed, running, places, ports);
    showSuccess(`Applied the manifests to the emulator: ${calls} calls.\n`, environment);
  } else if (!input.flag('reset')) {
    showSuccess('No manifests are in this folder, so nothing was applied. --seed names others.\n', environment);
  }
}

async function runCommand(
  { running, places }: Emulation,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<CommandExit> {
  const [{ environmentFor }, { runBeside }] = await Promise.all([
    import('../../tools/emulation/surroundings.ts'),
    import('../../tools/emulation/command.ts'),
  ]);
  const { cwd, env, stdout, stderr, canAsk, onInterrupt, onSecondInterrupt } = environment;
  const surroundings = { cwd, env: environmentFor(env, running, places, input.text('rate-plan') ?? defaultRatePlan) };
  const hasTerminal = canAsk || stdout.isTerminal || stderr.isTerminal;
  return runBeside(input.args, surroundings, { onInterrupt, onSecondInterrupt, hasTerminal });
}

async function optionsOf(input: CommandInput, { cwd, stderr }: CommandEnvironment): Promise<EmulatorOptions> {
  const [embedded, { readBehaviours }] = await Promise.all([
    import('../../core/app/context/embedded-emulator.ts'),
    import('../../core/app/context/behaviours-file.ts'),
  ]);
  const data = input.text('data');
  const faults = input.text('faults');
  const behavioursFile = input.text('behaviours');
  const window = input.text('window');
  const target = input.text('deliver-to');
  const hasCommand = input.args.length > 0;
  const platform =
    behavioursFile === undefined ? undefined : embedded.emulatorAs(await readBehaviours(behavioursFile, cwd));
  return {
    ...platform,
    behaviours: { ...platform?.behaviours, ...embedded.emulatorBehaviours(input.list('behaviour')) },
    port: input.count('port') ?? (hasCommand ? 0 : 8080),
    ratePlan: embedded.emulatorRatePlan(input.text('rate-plan') ?? defaultRatePlan),
    raisedLimits: embedded.limitsIn(input.list('limit')),
    rateLimits: !input.flag('unlimited'),
    ...(window === undefined ? {} : { window: embedded.emulatorWindow(window) }),
    latencyMs: input.count('latency') ?? 0,
    admin: hasCommand || target !== undefined,
    deliver: target === undefined ? {} : { to: embedded.deliveryTarget(target) },
    preparing: true,
    ...(data === undefined ? {} : { dataFile: keptPath(cwd, data, 'The data') }),
    ...(faults === undefined ? {} : { faults: await embedded.readFaults(resolve(cwd, faults)) }),
    ...(input.flag('verbose') ? { log: (line) => stderr.write(`${line}\n`) } : {}),
  };
}

function demandDataFor(input: CommandInput): void {
  const [snapshot, reset] = [input.flag('snapshot'), input.flag('reset')];
  if ((snapshot || reset) && input.text('data') === undefined) {
    throw usage(
      `--${snapshot ? 'snapshot' : 'reset'} needs --data, the file that it keeps or returns to.`,
      'Without --data the emulator begins anew at each start, and a test returns to the start by POST /__reset.',
    );
  }
  if (snapshot && reset) throw usage('--snapshot and --reset cannot be combined.', 'Pass only one of them.');
  if (reset && input.list('seed').length > 0)
    throw usage('--reset and --seed cannot be combined.', 'The snapshot contains what was applied before it was kept.');
}

function addressForPrograms({ url, token }: RunningEmulator): string {
  return `${JSON.stringify({ format_version: '1.0', url, token } satisfies ResultDocuments['emulator'])}\n`;
}

function addressForPeople({ url, token }: RunningEmulator): string {
  return `The emulator is listening.\n\n  export CHATFORM_BASE_URL=${url}\n  export CHATFORM_API_TOKEN=${token}\n\nStop it with Ctrl-C.\n`;
}
