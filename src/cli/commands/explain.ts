// chatform explain: where the values of one object come from, what would happen to it, and why.
import { exitCode } from '../../model/exit-code.ts';
import { useCases } from '../../model/library/use-cases.ts';
import { type CommandDefinition, flagOptions } from '../flags/command.ts';
import {
  jsonOptions,
  manifestsOption,
  outputOptions,
  platformOptions,
  refreshOption,
  stateOption,
} from '../flags/options.ts';
import { viewOptions } from '../flags/view-options.ts';

export const explain: CommandDefinition = {
  name: 'explain',
  arguments: [{ usage: '<address>', description: useCases.explain.address.text }],
  summary: 'show where the values of one object come from and what would happen to it',
  help: `Examples:
  chatform explain group_channel.support-42
  chatform explain user.alice --refresh
  chatform explain user.alice --path manifests/ --format json

Shows for each value its source (a line, the defaults of the file, or only state), the last applied value, and the
effect of removing its line. Then shows what an apply would do, call by call, and what each call waits for. Sends nothing
and needs no token. With --refresh it reads the object and also shows its current value on the platform.`,
  exits: {
    '': {
      0: 'explained',
      64: 'the address matches nothing',
      65: 'manifests invalid',
    },
  },
  options: [manifestsOption, refreshOption, ...jsonOptions, ...platformOptions, stateOption, ...outputOptions],
  schemas: { '': 'results#explained' },
  run: async (input, environment) => {
    const [{ explainAddress }, { portsOf }, { printResult }, { explanationForPeople }, { hideSecretsOfExplanation }] =
      await Promise.all([
        import('../../app/explain.ts'),
        import('../output/ports.ts'),
        import('../output/result.ts'),
        import('../../view/terminal/explanation.ts'),
        import('../../view/text/secret-values.ts'),
      ]);
    const options = {
      ...flagOptions(useCases.explain, input),
      address: input.args[0] ?? '',
      paths: input.list('path'),
    };
    const explanation = hideSecretsOfExplanation(await explainAddress(options, portsOf(input, environment)));
    printResult(
      input,
      environment,
      () => explanation,
      () => explanationForPeople(explanation, viewOptions(input, environment, environment.stdout)),
    );
    return exitCode.done;
  },
};
