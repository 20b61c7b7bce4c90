// chatform commands: describes the commands to programs.
import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { Suggestions } from '../../lib/suggestions.ts';
import { listOf } from '../../lib/words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

/** `all` loads every definition. */
export function describing(all: () => Promise<readonly CommandDefinition[]>): CommandDefinition {
  return {
    name: 'commands',
    arguments: [{ usage: '[name...]', description: 'commands to describe (default: all)' }],
    summary: 'describe commands, flags, exit codes and schemas',
    help: `Examples:
  chatform commands                      the commands and the schemas of their JSON
  chatform commands --format json        everything that --help says, for programs
  chatform commands plan show --format json

Every command takes --format json and then prints one JSON document on standard output, also when it fails. A schema such
as results#adopted is in the file schema/results.schema.json of the package, under $defs.`,
    exits: {
      '': {
        0: 'printed',
        64: 'usage',
      },
    },
    options: jsonOptions,
    schemas: { '': 'results#commands' },
    run: async (input, environment) => {
      const [{ printResult }, { describeCommands }, definitions] = await Promise.all([
        import('../output/result.ts'),
        import('../output/describe.ts'),
        all().then((every) => selected(every, input.args)),
      ]);
      printResult<'commands'>(
        input,
        environment,
        () => describeCommands(definitions),
        () => definitions.map(({ name, schemas }) => `${name.padEnd(14)}${schemasIn(schemas)}\n`),
      );
      return exitCode.done;
    },
  };
}

/** Refused (64) for a name that no command has. */
function selected(all: readonly CommandDefinition[], names: readonly string[]): readonly CommandDefinition[] {
  if (names.length === 0) return all;
  const commandNames = all.map(({ name }) => name);
  const unknown = names.filter((name) => !commandNames.includes(name));
  if (unknown.length > 0)
    throw usage(
      `No command is named ${listOf(unknown)}.${new Suggestions().sentence(unknown[0] ?? '', commandNames)}`,
      `The commands are ${listOf(commandNames)}.`,
    );
  return all.filter(({ name }) => names.includes(name));
}

function schemasIn(schemas: CommandDefinition['schemas']): string {
  return Object.entries(schemas)
    .map(([when, schema]) => (when === '' ? schema : `${when}: ${schema}`))
    .join(', ');
}
