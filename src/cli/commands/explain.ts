// chatform explain: where the values of one object come from, what would happen to it, and why.
import { usage } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { type CommandInput, flagOptions } from '../flags/command-input.ts';
import { flagOf, jsonOptions, manifestsOption, outputOptions, platformOptions, stateOption } from '../flags/options.ts';
import { viewOptions } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';

export const explain: CommandDefinition = {
  name: 'explain',
  arguments: [{ usage: '<address>', description: useCases.explain.address.text }],
  summary: 'show where the values of one object come from and what would happen to it',
  help: `Examples:
  chatform explain group_channel.support-42
  chatform explain user.alice --refresh
  chatform explain user.alice --path manifests/ --format json
  chatform explain --access user.alice

Shows for each value its source (a line, the defaults of the file, or only state), the last applied value, and the
effect of removing its line. Then shows what an apply would do, call by call, and what each call waits for. Sends nothing
and needs no token. With --refresh it reads the object and also shows its current value on the platform.

With --access it shows instead what a user can read, write and moderate in each channel, or who can in one channel, now and after an apply,
each with the line that grants or withholds it. That is never read from the platform.`,
  exits: {
    '': {
      0: 'explained',
      64: 'usage',
      65: 'manifests invalid',
      66: 'the address matches nothing',
    },
  },
  options: [
    manifestsOption,
    flagOf(useCases.explain.refresh),
    { flags: '--access', description: 'show what a user can do in channels, or who can in a channel' },
    ...jsonOptions,
    ...platformOptions,
    stateOption,
    ...outputOptions,
  ],
  schemas: { '': 'results#explained', '--access': 'results#access' },
  run: async (input, environment) => {
    if (input.flag('access')) return await showAccess(input, environment);
    const [{ explainAddress }, { portsOf }, { printResult }, { explanationForPeople }, { hideSecretsOfExplanation }] =
      await Promise.all([
        import('../../core/app/explain.ts'),
        import('../output/ports.ts'),
        import('../output/result.ts'),
        import('../../core/view/terminal/explanation.ts'),
        import('../../core/view/text/hidden-secrets.ts'),
      ]);
    const options = {
      ...flagOptions(useCases.explain, input),
      address: input.args[0] ?? '',
      paths: input.list('path'),
    };
    const explanation = hideSecretsOfExplanation(await explainAddress(options, portsOf(input, environment)));
    printResult<'explained'>(
      input,
      environment,
      () => explanation,
      () => explanationForPeople(explanation, viewOptions(input, environment, environment.stdout)),
    );
    return exitCode.done;
  },
};

async function showAccess(input: CommandInput, environment: CommandEnvironment): Promise<ExitCode> {
  if ((input.text('refresh') ?? 'none') !== 'none')
    throw usage(
      '--access and --refresh cannot be combined.',
      'Access is of what is declared and in state. Leave out --refresh.',
    );
  const [{ explainAccess }, { portsOf }, { printResult }, { accessForPeople }] = await Promise.all([
    import('../../core/app/explain-access.ts'),
    import('../output/ports.ts'),
    import('../output/result.ts'),
    import('../../core/view/terminal/access.ts'),
  ]);
  const options = {
    ...flagOptions(useCases.explainAccess, input),
    address: input.args[0] ?? '',
    paths: input.list('path'),
  };
  const explanation = await explainAccess(options, portsOf(input, environment));
  printResult<'access'>(
    input,
    environment,
    () => explanation,
    () => accessForPeople(explanation, viewOptions(input, environment, environment.stdout)),
  );
  return exitCode.done;
}
