// Shows the error that ended a command, in the format of the command.

import { Refusal } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import { InternalError } from '../../lib/errors.ts';
import type { CommandInput } from '../flags/command-input.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import { hideGivenSecrets } from '../process/given-secrets.ts';

export async function showError(
  error: unknown,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<ExitCode> {
  const [{ errorForPeople }, { viewOptions }] = await Promise.all([
    import('../../core/view/terminal/error.ts'),
    import('../flags/view-options.ts'),
  ]);
  const shown = error instanceof Error ? withVariables(error, input) : new InternalError(String(error));
  if (!(shown instanceof Refusal)) (await import('./source-places.ts')).nameSources(shown);
  if (error instanceof Refusal && error.diagnostics.length > 0) {
    const { problemsForPeople } = await import('../../core/view/terminal/diagnostics.ts');
    for (const line of problemsForPeople(error, viewOptions(input, environment, environment.stderr)))
      environment.stderr.write(line);
  }
  const options = viewOptions(input, environment, environment.stderr);
  const format = input.text('format');
  if (format === 'json' && !input.isAnswered) {
    const { errorAsJson } = await import('../../core/view/terminal/error.ts');
    environment.stdout.write(await withinBytes(errorAsJson(shown, options), input));
  }
  if ((format === 'github' || format === 'sarif') && error instanceof Refusal && error.code === 'manifest.invalid') {
    const [{ diagnosticFormats }, { redactDiagnostics }] = await Promise.all([
      import('../../core/view/index.ts'),
      import('../../core/view/text/redact.ts'),
    ]);
    const diagnostics = redactDiagnostics(error.diagnostics, options);
    const print = await diagnosticFormats[format]();
    for (const text of print(diagnostics, options)) environment.stdout.write(text);
  }
  for (const line of errorForPeople(shown, options)) environment.stderr.write(line);
  const exit = error instanceof Refusal ? error.exitCode : exitCode.unexpected;
  if (!input.isAnswered && input.list('write').length > 0) await writeFailure(shown, exit, input, environment);
  return exit;
}

/** A usage error names flags. Whoever typed none of them needs the variable that set them. */
function withVariables(error: Error, input: CommandInput): Error {
  if (!(error instanceof Refusal) || error.exitCode !== exitCode.usage) return error;
  const text = `${error.message} ${error.advice}`;
  const flags = new Set(Array.from(text.matchAll(/--([a-z][a-z-]*)/gu), ([, flag = '']) => flag));
  const sentences = [...flags].flatMap((flag) => {
    const variable = input.variableOf(flag);
    return variable === undefined || text.includes(variable) ? [] : [`--${flag} comes from ${variable}.`];
  });
  if (sentences.length === 0) return error;
  const { code, exitCode: exit, message, advice, cause, diagnostics } = error;
  return new Refusal(code, exit, message, [advice, ...sentences].join(' '), { cause, diagnostics });
}

/** Shortens the lists of an error that is longer than --max-bytes. */
async function withinBytes(text: string, input: CommandInput): Promise<string> {
  const [{ jsonText }, { maxBytesOf }] = await Promise.all([import('./result.ts'), import('../flags/view-options.ts')]);
  let most: number;
  try {
    most = maxBytesOf(input) ?? Number.POSITIVE_INFINITY;
  } catch {
    // The error that is shown is about the flag itself.
    return text;
  }
  return Buffer.byteLength(text) <= most ? text : jsonText(JSON.parse(text) as object, input);
}

/** A comment on a request shows why there is no plan, instead of one of an earlier commit. */
async function writeFailure(
  error: Error,
  exit: ExitCode,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<void> {
  try {
    const [{ failureAsMarkdown }, { viewOptions }, { viewFilesOf }, { saveOutput }] = await Promise.all([
      import('../../core/view/markdown/failure.ts'),
      import('../flags/view-options.ts'),
      import('./write-views.ts'),
      import('../../core/app/context/output-files.ts'),
    ]);
    const markdown = failureAsMarkdown(error, exit, viewOptions(input, environment, environment.stderr));
    const text = hideGivenSecrets(markdown, environment);
    for (const { format, file } of viewFilesOf(input)) {
      if (format === 'markdown') await saveOutput('plan-markdown', environment.cwd, file, text);
    }
  } catch {
    // The error that ended the command is shown. It may be the reason why this file cannot be written either.
  }
}
