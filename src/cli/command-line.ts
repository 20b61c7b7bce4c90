// Runs the command that the arguments name, and shows how it ended.
import { Command, CommanderError, Option } from 'commander';
import { InternalError } from '../lib/errors.ts';
import { Refusal, usage } from '../model/errors.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import { version } from '../version.ts';
import { allCommands, commands } from './commands/index.ts';
import { askWord } from './completion/scripts.ts';
import type { Environment } from './environment.ts';
import {
  type CommandDefinition,
  CommandInput,
  environmentTwin,
  flagWord,
  type OptionDefinition,
} from './flags/command.ts';
import { commandFirst } from './flags/global-flags.ts';

export async function runCommandLine(environment: Environment): Promise<ExitCode> {
  const [first, ...words] = commandFirst(environment.args, isCommand);
  if (first === askWord) {
    const { complete } = await import('./completion/complete.ts');
    await complete(words, environment);
    return exitCode.done;
  }
  let ended: ExitCode = exitCode.done;
  let input = new CommandInput([], {});
  try {
    const program = programOf(await definitionsFor(first), environment, async (definition, given) => {
      input = given;
      ended = await definition.run(given, environment);
    });
    await program.parseAsync(withoutHelp(first === undefined ? [] : [first, ...words]), { from: 'user' });
    return await publishExit(ended, environment);
  } catch (error) {
    // Commander has printed its message already: help and version end well, everything else is a usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    return publishExit(await showError(error, input, environment), environment);
  }
}

function isCommand(word: string): boolean {
  return Object.hasOwn(commands, word);
}

/** `help nosuch` ends as `nosuch` does, with a suggestion; commander would show the help of all commands. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, name = ''] = args;
  const isUnknown = first === 'help' && /^[^-]/u.test(name) && !Object.hasOwn(commands, name);
  return isUnknown ? [name] : args;
}

/** Later steps of a job may ask for the exit code where a failed step does not end the job. */
async function publishExit(exit: ExitCode, environment: Environment): Promise<ExitCode> {
  if (environment.env.GITHUB_OUTPUT === undefined) return exit;
  const { writeOutputs } = await import('./output/pipeline.ts');
  await writeOutputs(environment, { exit_code: exit });
  return exit;
}

/** Only the named command is loaded. Help and suggestions need all. */
async function definitionsFor(first: string | undefined): Promise<readonly CommandDefinition[]> {
  const load = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  return load === undefined ? allCommands() : [await load()];
}

function programOf(
  definitions: readonly CommandDefinition[],
  environment: Environment,
  run: (definition: CommandDefinition, input: CommandInput) => Promise<void>,
): Command {
  const program = new Command('chatform')
    .description('Declares users and channels of a hosted chat platform in YAML, and makes it so.')
    .version(version)
    .showSuggestionAfterError()
    // The arguments of a command are in its own help; here they would push the summaries out of the window.
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      argumentTerm: (argument) => shortTerm(argument.name()),
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => environment.stdout.write(text),
      writeErr: (text) => environment.stderr.write(text),
      getOutHelpWidth: () => environment.stdout.width,
      getErrHelpWidth: () => environment.stderr.width,
    });
  for (const definition of definitions) {
    const command = program
      .command(definition.name)
      .summary(definition.summary)
      .description(`${capital(definition.summary)}.\n\n${flowing(definition.help)}`)
      .showHelpAfterError(`See chatform ${definition.name} --help.`);
    for (const argument of definition.arguments ?? []) command.argument(argument.usage, argument.description);
    for (const option of definition.options) command.addOption(optionOf(option));
    command.action(() => {
      const values = { ...command.opts(), ...environmentValues(definition, command, environment) };
      checkChoices(definition, values);
      return run(definition, new CommandInput(command.args, values));
    });
  }
  return program;
}

function optionOf({ flags, description, choices, default: value }: OptionDefinition): Option {
  const option = new Option(flags, `${description} [${environmentTwin(flags)}]`);
  if (choices !== undefined) option.choices([...choices]);
  return value === undefined ? option : option.default(value, value);
}

/**
 * A flag beats its environment twin, which beats the default. An empty twin is refused (64): in CI a secret that is not
 * set is an empty text, and the default in its place would be more than was meant.
 */
function environmentValues(
  { options }: CommandDefinition,
  command: Command,
  { env }: Environment,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { flags } of options) {
    const name = new Option(flags).attributeName();
    const value = env[environmentTwin(flags)];
    if (value === undefined || command.getOptionValueSource(name) === 'cli') continue;
    if (value === '') {
      throw usage(
        `${environmentTwin(flags)} is empty: it probably comes from a secret or a variable that is not set.`,
        'Nothing was done. Unset it or give it a value.',
      );
    }
    values[name] = value;
  }
  return values;
}

/** Commander checks flags; what came from the environment is checked here, and only for the command that runs. */
function checkChoices({ options }: CommandDefinition, values: Readonly<Record<string, unknown>>): void {
  for (const { flags, choices } of options) {
    const value = values[new Option(flags).attributeName()];
    if (typeof value !== 'string') continue;
    // A word that is not understood must not mean `--auto-approve`.
    const isMeant = flags.includes('<') ? choices?.includes(value) !== false : flagWord(value) !== undefined;
    if (isMeant) continue;
    const words = choices ?? ['true', 'false'];
    throw usage(`${environmentTwin(flags)} is "${value}".`, `It must be one of ${words.join(', ')}.`);
  }
}

async function showError(error: unknown, input: CommandInput, environment: Environment): Promise<ExitCode> {
  const [{ errorForPeople }, { viewOptions }] = await Promise.all([
    import('../view/terminal/error.ts'),
    import('./flags/view-options.ts'),
  ]);
  const shown = error instanceof Error ? error : new InternalError(String(error));
  if (error instanceof Refusal && error.diagnostics.length > 0) {
    const { showRemarks } = await import('./output/remarks.ts');
    await showRemarks(error.diagnostics, input, environment);
  }
  const options = viewOptions(input, environment, environment.stderr);
  const format = input.text('format');
  if (format === 'json' && !input.isAnswered) {
    const { errorAsJson } = await import('../view/terminal/error.ts');
    environment.stdout.write(errorAsJson(shown, options));
  }
  if ((format === 'github' || format === 'sarif') && error instanceof Refusal && error.code === 'manifest.invalid') {
    const [{ diagnosticFormats }, { redactDiagnostics }] = await Promise.all([
      import('../view/index.ts'),
      import('../view/redact.ts'),
    ]);
    const diagnostics = redactDiagnostics(error.diagnostics, options);
    const print = await diagnosticFormats[format]();
    for (const text of print(diagnostics, options)) environment.stdout.write(text);
  }
  for (const line of errorForPeople(shown, options)) environment.stderr.write(line);
  return error instanceof Refusal ? error.exitCode : exitCode.unexpected;
}

const longestTerm = 32;

/** `list|show|…`: descriptions begin behind the longest term. The usage line names all verbs. */
function shortTerm(name: string): string {
  return name.length <= longestTerm ? name : `${name.slice(0, name.lastIndexOf('|', longestTerm))}|…`;
}

/** Without the line ends of the source, since the window may be narrower; examples keep theirs. */
function flowing(help: string): string {
  return help.replaceAll(/(?<=^\S.*)\n(?=\S)/gmu, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
