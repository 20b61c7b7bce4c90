// chatform validate: is every manifest right, without a token, a state or a network?
import { hasErrors } from '../../model/diagnostic.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../command.ts';
import { colourOption, pathArgument } from '../options.ts';

export const validate: CommandDefinition = {
  name: 'validate',
  arguments: [pathArgument],
  summary: 'check manifests offline',
  help: `Examples:
  chatform validate                      the manifests in this folder
  chatform validate teams/ --format github

Reads every file, reports all problems at once, and needs neither a token nor a network.
A missing CHATFORM_VAR_ variable is a warning here, so that forks without secrets can validate.

Exit codes: 0 valid, 65 not.`,
  options: [
    {
      flags: '--format <format>',
      description: 'how problems are shown',
      choices: ['human', 'json', 'sarif', 'github'],
      default: 'human',
    },
    colourOption,
  ],
  run: async (input, world) => {
    const { loadDeclared } = await import('../declared.ts');
    const { diagnosticFormats } = await import('../../view/index.ts');
    const { viewOptions } = await import('../view-options.ts');
    const { plural } = await import('../../view/words.ts');
    const manifest = await loadDeclared(input.args, world, 'warn');
    const format = input.text('format') ?? 'human';
    const print = diagnosticFormats[format as keyof typeof diagnosticFormats];
    for (const line of print(manifest.diagnostics, viewOptions(input, world, world.stdout))) world.stdout.write(line);
    if (hasErrors(manifest.diagnostics)) return exitCode.invalid;
    if (format === 'human') {
      world.stdout.write(
        `Valid: ${plural(manifest.resources.length, 'object')} in ${plural(manifest.files.length, 'file')}.\n`,
      );
    }
    return exitCode.done;
  },
};
