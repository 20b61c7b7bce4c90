// chatform schema: prints the JSON Schema of manifests and of everything that chatform writes.

import { usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

export const schema: CommandDefinition = {
  name: 'schema',
  arguments: [
    {
      usage: '[name]',
      description:
        'manifest (default), test, plan, report, events, diagnostics, archive, migration, decisions, mapping, ledger, envelope, results or certificate',
    },
  ],
  summary: 'print a JSON Schema',
  help: `Examples:
  chatform schema > manifest.schema.json
  chatform schema report

Editors with yaml-language-server complete and explain manifests that begin with
  # yaml-language-server: $schema=manifest.schema.json`,
  exits: {
    '': {
      0: 'printed',
      64: 'unknown schema',
    },
  },
  options: jsonOptions,
  schemas: { '': 'https://json-schema.org/draft/2020-12/schema' },
  run: async (input, environment) => {
    const { schemaNames, schemaText } = await import('../../tools/package-files.ts');
    const [schemaName = 'manifest'] = input.args;
    const name = schemaNames.find((known) => known === schemaName);
    if (name === undefined) {
      throw usage(`The schema "${schemaName}" does not exist.`, `Choose one of ${schemaNames.join(', ')}.`);
    }
    environment.stdout.write(schemaText(name));
    return exitCode.done;
  },
};
