// Which command is asked for, with which flags, and how does it end?
import { Command, CommanderError, Option } from 'commander';
import { InternalError } from '../lib/errors.ts';
import { Refusal } from '../model/errors.ts';
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
  usage,
} from './flags/command.ts';

export async function runCommandLine(world: Environment): Promise<ExitCode> {
  const [first, ...words] = world.args;
  if (first === askWord) {
    const { complete } = await import('./completion/complete.ts');
    await complete(words, world);
    return exitCode.done;
  }
  let ended: ExitCode = exitCode.done;
  let input = new CommandInput([], {});
  try {
    const program = programOf(await definitionsFor(first), world, async (definition, given) => {
      input = given;
      ended = await definition.run(given, world);
    });
    await program.parseAsync(withoutHelp(world.args), { from: 'user' });
    return await tellExit(ended, world);
  } catch (error) {
    // Commander has said it all itself: help and version end well, everything else is a usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    return tellExit(await tell(error, input, world), world);
  }
}

/** `help nosuch` ends as `nosuch` does, with the word and its nearest; commander would show the help of all. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, name = ''] = args;
  const isUnknown = first === 'help' && /^[^-]/u.test(name) && !Object.hasOwn(commands, name);
  return isUnknown ? [name] : args;
}

/** Steps that follow may ask for it where a failed one does not end the job. */
async function tellExit(exit: ExitCode, world: Environment): Promise<ExitCode> {
  if (world.env.GITHUB_OUTPUT === undefined) return exit;
  const { writeOutputs } = await import('./output/pipeline.ts');
  await writeOutputs(world, { exit_code: exit });
  return exit;
}

/** A command that is named runs alone; help and "did you mean" know them all. */
async function definitionsFor(first: string | undefined): Promise<readonly CommandDefinition[]> {
  const load = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  return load === undefined ? allCommands() : [await load()];
}

function programOf(
  definitions: readonly CommandDefinition[],
  world: Environment,
  run: (definition: CommandDefinition, input: CommandInput) => Promise<void>,
): Command {
  const program = new Command('chatform')
    .description('Declares users and channels of a hosted chat platform in YAML, and makes it so.')
    .version(version)
    .showSuggestionAfterError()
    // What a command takes stands in its own help; here it would push the summaries out of the window.
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      argumentTerm: (argument) => shortTerm(argument.name()),
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      getOutHelpWidth: () => world.stdout.width,
      getErrHelpWidth: () => world.stderr.width,
    });
  for (const definition of definitions) {
    const command = program
      .command(definition.name)
      .summary(definition.summary)
      .description(`${capital(definition.summary)}.\n\n${flowing(definition.help)}`)
      .showHelpAfterError(`See chatform ${definition.name} --help.`);
    for (const argument of definition.arguments ?? []) command.argument(argument.usage, argument.description);
    for (const option of definition.options) command.addOption(optionOf(option, world));
    command.action(() => {
      checkChoices(definition, command.opts());
      return run(definition, new CommandInput(command.args, command.opts()));
    });
  }
  return program;
}

/** A flag beats its environment twin, which beats the default. An empty twin is none. */
function optionOf({ flags, description, choices, default: value }: OptionDefinition, world: Environment): Option {
  const twin = environmentTwin(flags);
  const fromEnvironment = world.env[twin] === '' ? undefined : world.env[twin];
  const option = new Option(flags, `${description} [${twin}]`);
  if (choices !== undefined) option.choices([...choices]);
  const preset = fromEnvironment ?? value;
  return preset === undefined ? option : option.default(preset, value === undefined ? undefined : value);
}

/** Commander checks flags; what came from the environment is checked here, and only for the command that runs. */
function checkChoices({ options }: CommandDefinition, values: Readonly<Record<string, unknown>>): void {
  for (const { flags, choices } of options) {
    const value = values[new Option(flags).attributeName()];
    if (typeof value !== 'string') continue;
    // `--auto-approve` must not follow from a word that nobody understood.
    const isMeant = flags.includes('<') ? choices?.includes(value) !== false : flagWord(value) !== undefined;
    if (isMeant) continue;
    const words = choices ?? ['true', 'false'];
    throw usage(`${environmentTwin(flags)} is "${value}".`, `It must be one of ${words.join(', ')}.`);
  }
}

async function tell(error: unknown, input: CommandInput, world: Environment): Promise<ExitCode> {
  const [{ errorForPeople }, { viewOptions }] = await Promise.all([
    import('../view/terminal/error.ts'),
    import('./flags/view-options.ts'),
  ]);
  const shown = error instanceof Error ? error : new InternalError(String(error));
  if (error instanceof Refusal && error.diagnostics.length > 0) {
    const { showRemarks } = await import('../app/load-declared.ts');
    await showRemarks(error.diagnostics, input, world);
  }
  const options = viewOptions(input, world, world.stderr);
  const format = input.text('format');
  if (format === 'json' && !input.isAnswered) {
    const { errorAsJson } = await import('../view/terminal/error.ts');
    world.stdout.write(errorAsJson(shown, options));
  }
  if ((format === 'github' || format === 'sarif') && error instanceof Refusal && error.code === 'manifest.invalid') {
    const [{ diagnosticFormats }, { redactDiagnostics }] = await Promise.all([
      import('../view/index.ts'),
      import('../view/redact.ts'),
    ]);
    const diagnostics = redactDiagnostics(error.diagnostics, options);
    const print = await diagnosticFormats[format]();
    for (const text of print(diagnostics, options)) world.stdout.write(text);
  }
  for (const line of errorForPeople(shown, options)) world.stderr.write(line);
  return error instanceof Refusal ? error.exit : exitCode.unexpected;
}

const longestTerm = 32;

/** `list|show|…`: what describes a term begins behind the longest of them. The usage line names them all. */
function shortTerm(name: string): string {
  return name.length <= longestTerm ? name : `${name.slice(0, name.lastIndexOf('|', longestTerm))}|…`;
}

/** Without the line ends of the source, for which the window may be too narrow; examples keep theirs. */
function flowing(help: string): string {
  return help.replaceAll(/(?<=^\S.*)\n(?=\S)/gmu, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
