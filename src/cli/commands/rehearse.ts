// chatform rehearse: how would an apply go, and how long would it take?
import type { CommandDefinition } from '../flags/command.ts';
import { applicationOptions, colourOption, plainOption, stateOption, targetOption } from '../flags/options.ts';

export const rehearse: CommandDefinition = {
  name: 'rehearse',
  arguments: [
    {
      usage: '[path...]',
      description: 'manifests (files or folders), or one saved plan (default: the current folder)',
    },
  ],
  summary: 'run the plan against a simulated platform, in virtual time',
  help: `Examples:
  chatform rehearse                      of the manifests in this folder
  chatform rehearse plan.json            of this saved plan
  chatform rehearse --latency 300 --window gcra --format json
  chatform rehearse --faults faults.json --seed 7

Sends nothing, changes nothing and needs no token; hours pass in seconds. The simulated platform holds what state
knows, so that it cannot show what others have changed on the real one.

Exit codes: those of the apply that is rehearsed. 0 done, 4 some steps would fail, 5 refused by a safety rule,
6 plan stale or for another application, 9 --max-duration would be reached, 65 manifests invalid.`,
  options: [
    { flags: '--format <format>', description: 'how it is told', choices: ['human', 'json'], default: 'human' },
    { flags: '--latency <ms>', description: 'how long the platform takes for every answer', default: '100' },
    {
      flags: '--window <algorithm>',
      description: 'how the platform counts requests',
      choices: ['fixed', 'sliding', 'gcra', 'token_bucket'],
      default: 'sliding',
    },
    { flags: '--faults <file>', description: 'a JSON file of faults, as for chatform emulator' },
    { flags: '--seed <number>', description: 'what chance is drawn from; the same seed, the same run', default: '1' },
    { flags: '--max-duration <duration>', description: 'where would apply stop, with this long for its steps?' },
    { flags: '--keep-going', description: 'go on after many failures, to be told of every one' },
    { flags: '--skip-conflicts', description: 'of a saved plan, leave out objects that changed since' },
    { flags: '--report <file>', description: 'write what was rehearsed, in the form of the report of apply (JSON)' },
    { flags: '--events <file>', description: 'write every event, at its virtual time (JSON lines)' },
    targetOption,
    ...applicationOptions,
    stateOption,
    colourOption,
    plainOption,
  ],
  run: async (input, world) => {
    const { runRehearse } = await import('../../app/rehearse.ts');
    return runRehearse(input, world);
  },
};
