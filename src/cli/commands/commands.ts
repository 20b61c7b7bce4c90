// chatform commands: describes the commands to programs.
import { exitCode } from '../../core/model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

/** `all` loads every definition. */
export function describing(all: () => Promise<readonly CommandDefinition[]>): CommandDefinition {
  return {
    name: 'commands',
    summary: 'describe commands, flags, exit codes and schemas',
    help: `Examples:
  chatform commands                      the commands and the schemas of their JSON
  chatform commands --format json        everything that --help says, for programs

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
        all(),
      ]);
      printResult<'commands'>(
        input,
        environment,
        () => describeCommands(definitions),
        () => definitions.map(({ name, schemas }) => `${name.padEnd(12)}${schemasIn(schemas)}\n`),
      );
      return exitCode.done;
    },
  };
}

function schemasIn(schemas: CommandDefinition['schemas']): string {
  return Object.entries(schemas)
    .map(([when, schema]) => (when === '' ? schema : `${when}: ${schema}`))
    .join(', ');
}
