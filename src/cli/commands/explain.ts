// chatform explain: where does each value of one object come from, what would happen to it, and why?
import type { CommandDefinition } from '../flags/command.ts';
import {
  applicationOptions,
  colourOption,
  manifestsOption,
  plainOption,
  refreshOption,
  stateOption,
  tokenOption,
  verboseOption,
} from '../flags/options.ts';

export const explain: CommandDefinition = {
  name: 'explain',
  arguments: [{ usage: '<address>', description: 'as user.alice or group_channel.support-42' }],
  summary: 'say of one object where its values come from, what would happen to it, and why',
  help: `Examples:
  chatform explain group_channel.support-42
  chatform explain user.alice --refresh
  chatform explain user.alice --path manifests/ --format json

For each value: the line that declares it, or that it comes from the defaults of the file or from state alone; what was
applied last; and what removing the line does. Then what an apply would do, call by call, and what each call waits for.
Sends nothing and needs no token; with --refresh it reads the one object, and says how it is on the platform.

Exit codes: 0 explained, 64 no such address, 65 manifests invalid.`,
  options: [
    manifestsOption,
    refreshOption,
    { flags: '--format <format>', description: 'how it is shown', choices: ['human', 'json'], default: 'human' },
    ...applicationOptions,
    tokenOption,
    stateOption,
    colourOption,
    plainOption,
    verboseOption,
  ],
  run: async (input, world) => {
    const { runExplain } = await import('../../app/explain.ts');
    return runExplain(input, world);
  },
};
