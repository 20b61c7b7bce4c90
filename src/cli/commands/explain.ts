// chatform explain: where the values of one object come from, what would happen to it, and why.
import { exitCode } from '../../model/exit-code.ts';
import { applicationFlags, type CommandDefinition, stateFlags } from '../flags/command.ts';
import {
  formatOption,
  manifestsOption,
  outputOptions,
  platformOptions,
  refreshOption,
  stateOption,
} from '../flags/options.ts';
import { viewOptions } from '../flags/view-options.ts';

export const explain: CommandDefinition = {
  name: 'explain',
  arguments: [{ usage: '<address>', description: 'as user.alice or group_channel.support-42' }],
  summary: 'show where the values of one object come from, what would happen to it, and why',
  help: `Examples:
  chatform explain group_channel.support-42
  chatform explain user.alice --refresh
  chatform explain user.alice --path manifests/ --format json

For each value: the line that declares it, or that it comes from the defaults of the file or from state alone; what was
applied last; and what removing the line does. Then what an apply would do, call by call, and what each call waits for.
Sends nothing and needs no token; with --refresh it reads the one object, and says how it is on the platform.

Exit codes: 0 explained, 64 no such address, 65 manifests invalid.`,
  options: [manifestsOption, refreshOption, formatOption, ...platformOptions, stateOption, ...outputOptions],
  run: async (input, environment) => {
    const [{ explainAddress }, { portsOf }] = await Promise.all([
      import('../../app/explain.ts'),
      import('../output/ports.ts'),
    ]);
    const options = {
      ...applicationFlags(input),
      ...stateFlags(input),
      address: input.args[0] ?? '',
      paths: input.list('path'),
      refresh: input.flag('refresh'),
    };
    const explanation = await explainAddress(options, portsOf(input, environment));
    const { stdout } = environment;
    if (input.text('format') === 'json') {
      const { safeJson } = await import('../../view/text/text.ts');
      stdout.write(`${safeJson(explanation, 2)}\n`);
    } else {
      const { explanationForPeople } = await import('../../view/terminal/explanation.ts');
      for (const text of explanationForPeople(explanation, viewOptions(input, environment, stdout))) stdout.write(text);
    }
    return exitCode.done;
  },
};
