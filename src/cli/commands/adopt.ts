// chatform adopt: takes existing objects into state, without a write to the platform.
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import {
  applicationOptions,
  colourOption,
  lockTimeoutOption,
  manifestsOption,
  plainOption,
  stateOption,
  tokenOption,
  verboseOption,
} from '../flags/options.ts';
import { applicationFlags, lockFlags } from '../flags/read-flags.ts';

export const adopt: CommandDefinition = {
  name: 'adopt',
  arguments: [{ usage: '<address...>', description: "declared objects: user.alice, or a pattern as 'user.support-*'" }],
  summary: 'take existing objects into state; no writes to the platform',
  help: `Examples:
  chatform adopt user.alice group_channel.support-42
  chatform adopt 'group_channel.*' --path manifests/

Declare the objects first. Each is read, and what is declared of it is taken into state as it is on the platform now,
so that the next plan shows every difference. Members and operators whom nobody declared stay as they are. What no
read shows (access codes, tokens) counts as declared. A pattern takes what is there and not in state yet.

Exit codes: 0 done, 3 token refused, 6 in state already or not on the platform (nothing was changed), 7 state locked,
8 interrupted, 64 no such address, 65 manifests invalid.`,
  options: [
    manifestsOption,
    {
      flags: '--format <format>',
      description: 'how the result is shown',
      choices: ['human', 'json'],
      default: 'human',
    },
    ...applicationOptions,
    tokenOption,
    stateOption,
    lockTimeoutOption,
    colourOption,
    plainOption,
    verboseOption,
  ],
  run: async (input, environment) => {
    const [{ adoptObjects }, { portsOf }, { adoptedAsJson, adoptedForPeople }] = await Promise.all([
      import('../../app/adopt.ts'),
      import('../ports.ts'),
      import('../output/adopted.ts'),
    ]);
    const options = {
      ...applicationFlags(input),
      ...lockFlags(input),
      addresses: input.args,
      paths: input.list('path'),
    };
    const adopted = await adoptObjects(options, portsOf(input, environment));
    const isJson = input.text('format') === 'json';
    for (const text of isJson ? [adoptedAsJson(adopted)] : adoptedForPeople(adopted)) environment.stdout.write(text);
    return exitCode.done;
  },
};
