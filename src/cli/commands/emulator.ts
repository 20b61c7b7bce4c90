// chatform emulator: runs an emulator of the platform on this machine.
import { resolve } from 'node:path';
import { describeReadings } from '../../emulator/api/readings.ts';
import { FAULT_KINDS } from '../../emulator/faults.ts';
import { exitCode } from '../../model/exit-code.ts';
import { ratePlans } from '../../model/limits.ts';
import { windowKinds } from '../../model/readings.ts';
import { localPath } from '../../model/stores/places.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { verboseOption } from '../flags/options.ts';

export const emulator: CommandDefinition = {
  name: 'emulator',
  summary: 'run an emulator of the platform on this machine',
  help: `Examples:
  chatform emulator --port 8080 --data .chatform/emulator
  chatform emulator --format json --port 0 | head -1     {…, "url": …, "token": …} once it listens
  chatform emulator --faults faults.json     inject the faults that the file describes
  chatform emulator --reading dedup=refuse --reading unknownRouteStatus=404

Without --data, everything is kept in memory. Stop it with Ctrl-C.

A file of faults, the same for chatform rehearse:

  {"seed": 7, "rules": [
    {"fault": "reset_after", "probability": 0.01},
    {"fault": "error_503", "route": "POST /users", "at": [3, 10], "times": 5},
    {"fault": "latency", "ms": 200, "distribution": "exponential"}
  ]}

Each rule names a fault and when it occurs: with a probability from 0 to 1, or at the given requests, counted from 1.
Without either, it occurs at every request. A rule can apply to one route (method and path as in the API documentation,
with {user_id} in place of an id) and can repeat several times in a row. ms is the mean latency (constant, uniform or
exponential) or the wait that a rate_limited response asks for. With "retry_after": "seconds" or "date", rate_limited and
error_503 ask for that wait by the standard Retry-After header, as gateways do; "none" leaves all headers out. before and after say whether the request takes effect.
The faults are ${FAULT_KINDS.join(', ')}.

Where the platform's documentation is ambiguous, the emulator has a default behaviour, the first value below. --reading
chooses another one, and --readings behaves like a platform that chatform calibrate has examined. The emulator's README
explains each behaviour.

${describeReadings()
  .map((reading) => `  ${reading}`)
  .join('\n')}`,
  exits: {
    '': {
      0: 'stopped',
      1: 'the emulator could not start',
      64: 'usage',
    },
  },
  options: [
    { flags: '--port <port>', description: 'port on 127.0.0.1; 0 picks a free one', default: '8080' },
    { flags: '--data <file>', description: 'file to keep the data in' },
    { flags: '--rate-plan <plan>', description: 'rate plan whose limits apply', choices: ratePlans, default: '5k_mau' },
    {
      flags: '--window <algorithm>',
      description: 'how requests are counted (default: as --readings says, or sliding)',
      choices: windowKinds,
    },
    { flags: '--window-length <s>', description: 'window of the limits in seconds', default: '1' },
    { flags: '--latency <ms>', description: 'delay of every response', default: '0' },
    {
      flags: '--jitter <ms>',
      description: 'maximum delay between the arrival of a request and its count',
      default: '0',
    },
    { flags: '--faults <file>', description: 'a JSON file of faults to inject' },
    {
      flags: '--reading <name=value...>',
      description: 'choose the behaviour at a point where the documentation is ambiguous',
    },
    {
      flags: '--readings <file>',
      description: 'behave as chatform-readings.json says; --reading and --window override it',
    },
    { flags: '--admin', description: 'allow PUT /_emulator/faults to replace the faults at run time' },
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
    const [embedded, { readReadings }] = await Promise.all([
      import('../../app/context/embedded-emulator.ts'),
      import('../../app/context/readings-file.ts'),
    ]);
    const data = input.text('data');
    const faults = input.text('faults');
    const readingsFile = input.text('readings');
    const window = input.text('window');
    const platform =
      readingsFile === undefined ? undefined : embedded.emulatorAs(await readReadings(readingsFile, environment.cwd));
    const running = await embedded.startEmbedded({
      ...platform,
      readings: { ...platform?.readings, ...embedded.emulatorReadings(input.list('reading')) },
      port: input.count('port') ?? 0,
      ratePlan: embedded.emulatorRatePlan(input.text('rate-plan') ?? '5k_mau'),
      windowS: input.count('window-length') ?? 1,
      ...(window === undefined ? {} : { window: embedded.emulatorWindow(window) }),
      latencyMs: input.count('latency') ?? 0,
      jitterMs: input.count('jitter') ?? 0,
      admin: input.flag('admin'),
      ...(data === undefined ? {} : { dataFile: resolve(environment.cwd, localPath(data, 'The data')) }),
      ...(faults === undefined ? {} : { faults: await embedded.readFaults(resolve(environment.cwd, faults)) }),
      ...(input.flag('verbose') ? { log: (line) => environment.stderr.write(`${line}\n`) } : {}),
    });
    const stopped = new Promise<void>((done) => void environment.onInterrupt(done));
    if (input.text('format') === 'json') {
      environment.stdout.write(
        `${JSON.stringify({ format_version: '1.0', url: running.url, token: running.token })}\n`,
      );
    } else {
      environment.stdout.write(
        `The emulator is listening.\n\n  export CHATFORM_BASE_URL=${running.url}\n  export CHATFORM_API_TOKEN=${running.token}\n\nStop it with Ctrl-C.\n`,
      );
    }
    await stopped;
    await running.close();
    return exitCode.done;
  },
};
