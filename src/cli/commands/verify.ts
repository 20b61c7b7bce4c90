// chatform verify: checks that declared history files are on the platform, each message once.

import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { eachOptions, flagOf, jsonOptions, outputOptions, pathArgument, platformOptions } from '../flags/options.ts';
import { writesVerification } from '../flags/outputs.ts';

export const verify: CommandDefinition = {
  name: 'verify',
  arguments: [pathArgument],
  summary: 'check that every declared message arrived, once and in order',
  help: `Examples:
  chatform verify                                   counts, and a sample of every channel
  chatform verify --all --report migration.html     every message, with a page to print and sign
  chatform verify --as-member                       also through the eyes of every declared member
  chatform verify --each envs/*                     every environment (see chatform plan --help)
  chatform verify --format json | jq .totals

Reads the platform and changes nothing. If the message count of a channel differs from its history file, every message is
compared; otherwise the first, the last and a sample between them. Fields that the platform does not show cannot be
compared; the report lists them with a count. Message retrieval must be enabled for the application.

The messages of a channel are the administrator's view. With --as-member, the channels of each declared member of a group
channel with a history file are read too, a hundred a request. If the platform hides messages from a member, or refuses to show
what a member sees, the exit code is 4.`,
  exits: {
    '': {
      0: 'all messages match',
      3: 'token refused',
      4: 'messages are missing, duplicated, changed, unreadable, hidden from a member, or not verified for one',
      8: 'interrupted',
      65: 'manifests invalid or untrusted host',
    },
  },
  options: [
    flagOf(useCases.verify.all),
    flagOf(useCases.verify.asMember),
    {
      flags: '--report <file...>',
      description: 'write the results for every channel: .md or .html for people, .json for programs',
      writes: writesVerification,
    },
    ...eachOptions,
    ...jsonOptions,
    ...platformOptions,
    ...outputOptions,
  ],
  schemas: { '': 'migration' },
  run: async (input, environment) => {
    const [
      { verifyMessages },
      { portsOf },
      { demandReportEndings, writeMigrationReport },
      { printResult },
      { migrationForPeople },
    ] = await Promise.all([
      import('../../core/app/verify.ts'),
      import('../output/ports.ts'),
      import('../output/migration-files.ts'),
      import('../output/result.ts'),
      import('../../core/view/reports/migration.ts'),
    ]);
    const files = input.list('report');
    demandReportEndings(files);
    const options = { ...flagOptions(useCases.verify, input), paths: input.args };
    const report = await verifyMessages(options, portsOf(input, environment));
    await writeMigrationReport(report, files, environment.cwd);
    printResult<'migration'>(
      input,
      environment,
      () => report,
      () => migrationForPeople(report),
    );
    return report.exit_code;
  },
};
