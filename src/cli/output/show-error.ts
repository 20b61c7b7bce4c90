// Shows the error that ended a command, in the format of the command.
import { InternalError } from '../../lib/errors.ts';
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { CommandInput } from '../flags/command.ts';
import type { Environment } from '../process/environment.ts';

export async function showError(error: unknown, input: CommandInput, environment: Environment): Promise<ExitCode> {
  const [{ errorForPeople }, { viewOptions }] = await Promise.all([
    import('../../view/terminal/error.ts'),
    import('../flags/view-options.ts'),
  ]);
  const shown = error instanceof Error ? error : new InternalError(String(error));
  if (!(shown instanceof Refusal)) (await import('./source-places.ts')).nameSources(shown);
  if (error instanceof Refusal && error.diagnostics.length > 0) {
    const { showRemarks } = await import('./notices.ts');
    showRemarks(error.diagnostics, input, environment);
  }
  const options = viewOptions(input, environment, environment.stderr);
  const format = input.text('format');
  if (format === 'json' && !input.isAnswered) {
    const { errorAsJson } = await import('../../view/terminal/error.ts');
    environment.stdout.write(errorAsJson(shown, options));
  }
  if ((format === 'github' || format === 'sarif') && error instanceof Refusal && error.code === 'manifest.invalid') {
    const [{ diagnosticFormats }, { redactDiagnostics }] = await Promise.all([
      import('../../view/index.ts'),
      import('../../view/text/redact.ts'),
    ]);
    const diagnostics = redactDiagnostics(error.diagnostics, options);
    const print = await diagnosticFormats[format]();
    for (const text of print(diagnostics, options)) environment.stdout.write(text);
  }
  for (const line of errorForPeople(shown, options)) environment.stderr.write(line);
  return error instanceof Refusal ? error.exitCode : exitCode.unexpected;
}
