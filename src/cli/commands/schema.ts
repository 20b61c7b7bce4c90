// chatform schema: prints the JSON Schema of manifests and of everything that chatform writes.

import { usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { chatformCommand } from '../../lib/tools/pasted-words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { jsonOptions } from '../flags/options.ts';

export const schema: CommandDefinition = {
  name: 'schema',
  arguments: [
    {
      usage: '[name]',
      description:
        'manifest (default), test, plan, report, events, diagnostics, history-file, migration, decisions, mapping, ledger, envelope, results or certificate',
    },
    {
      usage: '[part]',
      description: 'a definition or a key of the schema: user, policy, adopted (default: the whole schema)',
    },
  ],
  summary: 'print a JSON Schema',
  help: `Examples:
  chatform schema > manifest.schema.json
  chatform schema manifest user          one kind of object, which is much smaller than the whole
  chatform schema results adopted

A schema that is longer than --max-bytes is not printed, because a part of its text would not be a schema.
Editors with yaml-language-server complete and explain manifests that begin with
  # yaml-language-server: $schema=manifest.schema.json`,
  exits: {
    '': {
      0: 'printed',
      64: 'unknown schema or part, or a schema longer than --max-bytes',
    },
  },
  options: jsonOptions,
  schemas: { '': 'https://json-schema.org/draft/2020-12/schema' },
  run: async (input, environment) => {
    const [{ schemaNames, schemaText }, { demandPart, partsOf }, { maxBytesOf }] = await Promise.all([
      import('../../tools/package-files.ts'),
      import('../../tools/schema-parts.ts'),
      import('../flags/view-options.ts'),
    ]);
    const [schemaName = 'manifest', part] = input.args;
    const name = schemaNames.find((known) => known === schemaName);
    if (name === undefined) {
      throw usage(`The schema "${schemaName}" does not exist.`, `Choose one of ${schemaNames.join(', ')}.`);
    }
    const text = part === undefined ? schemaText(name) : `${JSON.stringify(demandPart(name, part), undefined, 2)}\n`;
    const [length, most] = [Buffer.byteLength(text), maxBytesOf(input) ?? Number.POSITIVE_INFINITY];
    if (length > most) {
      throw usage(
        `The schema has ${length.toLocaleString('en')} bytes, and --max-bytes is ${most.toLocaleString('en')}.`,
        `Print one of its parts with ${chatformCommand('schema', name)} PART: ${partsOf(name)
          .map((known) => known.name)
          .join(', ')}.`,
      );
    }
    environment.stdout.write(text);
    return exitCode.done;
  },
};
