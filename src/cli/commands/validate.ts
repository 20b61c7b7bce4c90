// chatform validate: checks manifests, without a token, a state or a network unless --online asks for more.

import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import { diagnosticFormats } from '../../core/view/index.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { eachOptions, flagOf, maxBytesOption, outputOptions, pathArgument, platformOptions } from '../flags/options.ts';
import { viewOptions } from '../flags/view-options.ts';

export const validate: CommandDefinition = {
  name: 'validate',
  arguments: [pathArgument],
  summary: 'check manifests, offline unless --online is given',
  help: `Examples:
  chatform validate                      the manifests in this folder
  chatform validate teams/ --format github
  chatform validate --each envs/*        every environment on its own
  chatform validate --online             also check token, rate plan and features, by reads only

Reads every file and reports all problems at once, without a token or a network connection.
Environments that extend one base declare the same objects, so validate them with --each.
A missing CHATFORM_VAR_ variable is only a warning, so that forks without secrets can validate.`,
  exits: {
    '': {
      0: 'valid',
      65: 'manifests invalid or untrusted host',
    },
    '--online': {
      1: 'unreachable',
      3: 'token refused',
    },
  },
  options: [
    {
      flags: '--format <format>',
      description: 'output format of the problems',
      choices: Object.keys(diagnosticFormats),
      default: 'human',
    },
    maxBytesOption,
    flagOf(useCases.validate.online),
    ...eachOptions,
    ...platformOptions,
    ...outputOptions,
  ],
  schemas: { '': 'diagnostics' },
  isComputed: true,
  run: async (input, environment) => {
    const [{ validateManifests }, { portsOf }] = await Promise.all([
      import('../../core/app/validate.ts'),
      import('../output/ports.ts'),
    ]);
    const format = input.text('format') ?? 'human';
    const print = await diagnosticFormats[format as keyof typeof diagnosticFormats]();
    const options = { ...flagOptions(useCases.validate, input), paths: input.args };
    const validated = await validateManifests(options, portsOf(input, environment));
    const { isValid, diagnostics, objects, files, state } = validated;
    const { stdout } = environment;
    if (format === 'json') {
      const [{ printResult }, { validationDocument }] = await Promise.all([
        import('../output/result.ts'),
        import('../../core/view/json/results.ts'),
      ]);
      printResult<'diagnostics'>(input, environment, () => validationDocument(validated));
      return isValid ? exitCode.done : exitCode.invalid;
    }
    for (const line of print(diagnostics, viewOptions(input, environment, stdout))) stdout.write(line);
    if (!isValid) return exitCode.invalid;
    if (format === 'human') {
      const [{ plural }, { safe }] = await Promise.all([
        import('../../lib/words.ts'),
        import('../../core/view/text/text.ts'),
      ]);
      stdout.write(`Valid: ${plural(objects, 'object')} in ${plural(files.length, 'file')}.\n`);
      if (state !== undefined) stdout.write(`Declared place of the state: ${safe(state)}\n`);
    }
    return exitCode.done;
  },
};
