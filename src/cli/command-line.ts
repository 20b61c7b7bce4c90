// Parses the command line, runs one command and reports its errors.
import { existsSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command, CommanderError, type Help, Option } from 'commander';
import { folderDeleted, noFolder, trimmedVariables } from '../core/app/context/this-process.ts';
import { usage } from '../core/model/errors.ts';
import { type CommandExit, exitCode } from '../core/model/exit-code.ts';
import { startForm, typedText, typingCommands } from '../core/view/text/typed-commands.ts';
import { shellWord } from '../lib/tools/pasted-words.ts';
import { version } from '../version.ts';
import { allCommands, commands, groupOf } from './commands/index.ts';
import { askWord, type CommandDefinition, type OptionDefinition } from './flags/command.ts';
import { CommandInput } from './flags/command-input.ts';
import { readShorthands, shorthands, withLongFlags, withShortFlag } from './flags/everywhere.ts';
import { camel } from './flags/flag-names.ts';
import { flagValues } from './flags/flag-values.ts';
import { describedCommand, describedOption, formattedHelp, shortTerm } from './flags/help.ts';
import { withHint } from './flags/meant.ts';
import { commandFirst, withValues } from './flags/options.ts';
import { runCommand } from './flags/run-command.ts';
import type { CommandEnvironment } from './process/environment.ts';
import { withoutGivenSecrets } from './process/given-secrets.ts';

export async function runCommandLine(started: CommandEnvironment): Promise<CommandExit> {
  const trimmedEnvironment = { ...started, env: trimmedVariables(started.env) };
  // A shell that completes a word passes words of a line that nobody has finished.
  const within = started.args[0] === askWord ? trimmedEnvironment : readShorthands(trimmedEnvironment);
  const folder = within.cwd === started.cwd ? '' : ` -C ${shellWord(relative(started.cwd, within.cwd) || within.cwd)}`;
  const typed = typingCommands(`${startForm(started.env, started.program)}${folder}`, Object.keys(commands));
  const environment = withoutGivenSecrets({ ...within, typed });
  const { args } = environment;
  const isFlagFirst = args[0]?.startsWith('-') === true;
  const [first, ...words] = isFlagFirst ? commandFirst(args, isCommand) : args;
  if (first === askWord) {
    const { complete } = await import('./complete.ts');
    await complete(words, environment);
    return exitCode.done;
  }
  let ended: CommandExit = exitCode.done;
  let input = new CommandInput([], {});
  const definitions = await definitionsFor(first);
  try {
    const program = programOf(definitions, environment, async (definition, parsedInput) => {
      if (environment.cwd === noFolder) throw folderDeleted();
      if (folder !== '' && !existsSync(environment.cwd))
        throw usage(`The folder of -C does not exist: ${environment.cwd}.`, 'Nothing was done. Correct the path.');
      if (folder !== '' && !statSync(environment.cwd).isDirectory())
        throw usage(`-C names a file, not a folder: ${environment.cwd}.`, 'Nothing was done. Name its folder.');
      input = parsedInput;
      const isEach = parsedInput.list('each').length > 0;
      if (!isEach && parsedInput.flag('in-order'))
        throw usage(
          '--in-order needs --each.',
          'For example: chatform apply --each envs/staging envs/production --in-order',
        );
      ended = await environment.abandonable('command', async () =>
        isEach
          ? (await import('./commands/each-folder.ts')).runEach(definition, parsedInput, environment)
          : runCommand(definition, parsedInput, environment),
      );
    });
    const [only] = definitions.length === 1 ? definitions : [];
    const wordsWithValues = withValues(withLongFlags(words, only?.options ?? []), only?.options ?? []);
    await program.parseAsync(withoutHelp(first === undefined ? [] : [first, ...wordsWithValues]), { from: 'user' });
    return await publishExit(ended, environment);
  } catch (error) {
    // Commander has already printed its message. Help and version succeed. Everything else is a usage error.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCode.done;
      if (!wantsJson(environment)) return exitCode.usage;
      const { errorAsJson } = await import('../core/view/terminal/error.ts');
      const message = withHint(error.message, definitions, Object.keys(commands)).replace(/^error: /u, '');
      environment.stdout.write(errorAsJson(usage(message, 'Run chatform commands --format json, or --help.')));
      return exitCode.usage;
    }
    // Flags from the environment may fail before they are read.
    if (input.text('format') === undefined && wantsJson(environment)) input = new CommandInput([], { format: 'json' });
    const { showError } = await import('./output/show-error.ts');
    return publishExit(await showError(error, input, environment), environment);
  }
}

/** Whether the command line asks for JSON. It may be one that cannot be parsed, so this is a guess. */
function wantsJson({ args: words, env }: CommandEnvironment): boolean {
  const args = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const at = args.findLastIndex((word) => word === '--format' || word.startsWith('--format='));
  const word = at === -1 ? env.CHATFORM_FORMAT : (args[at]?.split('=')[1] ?? args[at + 1]);
  return word === 'json';
}

function isCommand(word: string): boolean {
  return Object.hasOwn(commands, word);
}

/** Makes `help nosuch` end as `nosuch` does, with a suggestion. Commander would show the help of all commands. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, name = ''] = args;
  const isUnknown = first === 'help' && /^[^-]/u.test(name) && !Object.hasOwn(commands, name);
  return isUnknown ? [name] : args;
}

/** Later steps of a job may read the exit code if a failed step does not end the job. */
async function publishExit(exit: CommandExit, environment: CommandEnvironment): Promise<CommandExit> {
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
  environment: CommandEnvironment,
  run: (definition: CommandDefinition, input: CommandInput) => Promise<void>,
): Command {
  const program = new Command('chatform')
    .description('Manages the users and channels of a hosted chat platform from YAML files.')
    .version(version)
    .showSuggestionAfterError(false)
    // Arguments are in the help of each command. Here they would leave no room for the summaries.
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      argumentTerm: (argument) => shortTerm(argument.name()),
    })
    .addHelpText(
      'after',
      `\nEverywhere:\n${shorthands.map(({ word, value = '', description }) => `  ${`${word} ${value}`.padEnd(12)} ${description}\n`).join('')}\nThe platform is reached through the proxy that HTTPS_PROXY names, except for hosts in NO_PROXY.`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => environment.stdout.write(text),
      writeErr: (text) =>
        environment.stderr.write(typedText(withHint(text, definitions, Object.keys(commands)), environment)),
      getOutHelpWidth: () => environment.stdout.width,
      getErrHelpWidth: () => environment.stderr.width,
    });
  for (const definition of definitions) {
    const command = program
      .commandsGroup(`${groupOf(definition.name)}:`)
      .command(definition.name)
      .summary(definition.summary)
      .showHelpAfterError(`See chatform ${definition.name} --help.`);
    for (const argument of definition.arguments ?? []) command.argument(argument.usage, argument.description);
    for (const option of definition.options) command.addOption(optionOf(option));
    command.configureHelp({
      ...command.configureHelp(),
      // Made on demand, because most commands run without showing their help.
      commandDescription: () => describedCommand(definition),
      optionTerm: (option) => withShortFlag(option.flags),
      optionDescription: (option) => describedOption(definition.name, option),
      formatHelp: (described, helper) => formattedHelp(definition, described as Command, helper as Help),
    });
    command.action(async () => {
      await warnOfVariables(definition, command, environment);
      const { values, variables } = flagValues(definition, command, environment.env);
      await run(definition, new CommandInput(command.args, values, variables));
    });
  }
  return program;
}

/** Shells run `completion` whenever they start. */
async function warnOfVariables(
  definition: CommandDefinition,
  command: Command,
  environment: CommandEnvironment,
): Promise<void> {
  if (definition.name === 'completion' || !Object.keys(environment.env).some(isOfChatform)) return;
  const isGiven = (flag: string): boolean => command.getOptionValueSource(camel(flag)) === 'cli';
  const { variableWarnings } = await import('./flags/variable-warnings.ts');
  for (const warning of await variableWarnings(definition, isGiven, environment.env, allCommands))
    environment.stderr.write(`warning: ${warning}\n`);
}

/** Windows does not distinguish upper and lower case in the names of variables. */
function isOfChatform(variable: string): boolean {
  return variable.toUpperCase().startsWith('CHATFORM_');
}

function optionOf({ flags, description, choices, default: value }: OptionDefinition): Option {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices([...choices]);
  return value === undefined ? option : option.default(value, value);
}
