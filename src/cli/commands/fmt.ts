// chatform fmt: puts manifests into their canonical order and layout.

import { hasErrors } from '../../core/model/diagnostic.ts';
import { usage } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import { typedText } from '../../core/view/text/typed-commands.ts';
import type { FormattedFile, FormattedFiles } from '../../tools/format.ts';
import type { CommandDefinition } from '../flags/command.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { colourOption, jsonOptions, plainOption } from '../flags/options.ts';
import { viewOptions } from '../flags/view-options.ts';
import { showRemarks, showSuccess } from '../output/notices.ts';
import { isForPrograms, printResult } from '../output/result.ts';
import type { CommandEnvironment } from '../process/environment.ts';

export const fmt: CommandDefinition = {
  name: 'fmt',
  arguments: [
    { usage: '[path...]', description: 'files or folders (default: the current folder); - for standard input' },
  ],
  summary: 'format manifests in the canonical order and layout',
  help: `Examples:
  chatform fmt                           the manifests in this folder
  chatform fmt --check                   in CI: list the files that would change, write nothing
  chatform fmt --check --diff            also show the changes
  chatform fmt - < chat.yaml             to standard output, for editors

Sections and attributes are put in the order of the reference; ids, members and lists keep your order. fmt indents by
two spaces, quotes only where necessary, and writes user_ids, users and operator_ids as members and operators. It keeps
comments, anchors, blank lines and line endings. It never writes a file whose meaning would change, and leaves a file
that cannot be read unchanged.

prettier agrees with printWidth: 100, and yamllint with braces: {max-spaces-inside: 1}.`,
  exits: {
    '': {
      0: 'done',
      65: 'a file cannot be read, or would change (--check)',
    },
  },
  options: [
    { flags: '--check', description: 'write nothing; list the files that would change' },
    { flags: '--diff', description: 'show what changes' },
    ...jsonOptions,
    colourOption,
    plainOption,
  ],
  schemas: { '': 'results#formatted' },
  run: async (input, environment) => {
    const { args } = input;
    if (!args.includes('-')) return formatInPlace(input, environment);
    if (args.length === 1) return formatStandardInput(input, environment);
    throw usage('Standard input (-) cannot be combined with other paths.', 'Pass - alone.');
  },
};

/** Prints the names of changed files to stdout. */
async function formatInPlace(input: CommandInput, environment: CommandEnvironment): Promise<ExitCode> {
  const [{ formatFiles }, { safe }] = await Promise.all([
    import('../../tools/format.ts'),
    import('../../core/view/text/text.ts'),
  ]);
  const isCheck = input.flag('check');
  const changed: string[] = [];
  const formatted = await formatFiles(
    {
      paths: input.args,
      isCheck,
      onChange: async (file) => {
        changed.push(file.name);
        if (isForPrograms(input)) return;
        environment.stdout.write(`${safe(file.name)}\n`);
        if (input.flag('diff')) await showDiff(file, input, environment);
      },
    },
    environment,
  );
  showRemarks(formatted.diagnostics, input, environment);
  const { diagnostics } = formatted;
  const summary = await summaryOf(formatted, isCheck);
  if (hasErrors(diagnostics) || (isCheck && formatted.changed > 0))
    environment.stderr.write(typedText(summary, environment));
  else showSuccess(summary, environment);
  printResult<'formatted'>(input, environment, () => ({
    files: formatted.files,
    changed,
    written: !isCheck,
    diagnostics,
  }));
  const isClean = !hasErrors(formatted.diagnostics) && !(isCheck && formatted.changed > 0);
  return isClean ? exitCode.done : exitCode.invalid;
}

/** Prints the result to stdout, except with --check. */
async function formatStandardInput(input: CommandInput, environment: CommandEnvironment): Promise<ExitCode> {
  const { formatBytes } = await import('../../tools/format.ts');
  const isCheck = input.flag('check');
  const { file, diagnostics } = formatBytes('<stdin>', await environment.readInput());
  showRemarks(diagnostics, input, environment);
  if (isForPrograms(input)) {
    const isChanged = file !== undefined && file.after !== file.before;
    printResult<'formatted'>(input, environment, () => ({
      files: 1,
      changed: isChanged ? [file.name] : [],
      written: false,
      diagnostics,
      ...(file === undefined ? {} : { text: file.after }),
    }));
    return file === undefined || (isCheck && isChanged) ? exitCode.invalid : exitCode.done;
  }
  if (file === undefined) return exitCode.invalid;
  if (!isCheck) environment.stdout.write(file.after);
  else if (input.flag('diff')) await showDiff(file, input, environment);
  return isCheck && file.after !== file.before ? exitCode.invalid : exitCode.done;
}

async function showDiff(
  { name, before, after }: FormattedFile,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<void> {
  const { fileDiff } = await import('../../core/view/diff/value-diff.ts');
  const { stdout } = environment;
  for (const line of fileDiff(name, before, after, viewOptions(input, environment, stdout))) stdout.write(line);
}

async function summaryOf({ changed, files, diagnostics }: FormattedFiles, isCheck: boolean): Promise<string> {
  const { plural } = await import('../../lib/words.ts');
  if (hasErrors(diagnostics)) {
    const what = isCheck ? 'would change' : 'rewritten';
    return `${plural(changed, 'file')} of ${files} ${what}; unreadable files were skipped.\n`;
  }
  if (changed === 0) return `${plural(files, 'file')}, all in canonical form.\n`;
  return isCheck
    ? `${changed} of ${plural(files, 'file')} would change. Run: chatform fmt\n`
    : `${changed} of ${plural(files, 'file')} rewritten.\n`;
}
