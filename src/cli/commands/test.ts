// chatform test: runs the tests of manifests on a simulated platform.

import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { colourOption, eachOptions, flagOf, jsonOptions, plainOption } from '../flags/options.ts';
import { writes } from '../flags/outputs.ts';

export const test: CommandDefinition = {
  name: 'test',
  arguments: [{ usage: '[path...]', description: useCases.runTests.paths.text }],
  summary: 'run the tests of the manifests, on a simulated platform',
  help: `Examples:
  chatform test                          every *.test.yaml in this folder
  chatform test envs/staging             the tests of one environment
  chatform test --each envs/*            every environment, with one result
  chatform test --name departures        tests whose name contains this text
  chatform test --junit tests.xml        also write a report for CI

A test describes what was applied before, an edit, changes by others, and faults, then states the expected result. It sends
nothing and needs no token. The platform is simulated in virtual time; data files of the emulator are never touched.`,
  exits: {
    '': {
      0: 'all passed',
      4: 'some failed',
      64: 'no tests found',
      65: 'a test file is not valid',
    },
  },
  options: [
    flagOf(useCases.runTests.name),
    flagOf(useCases.runTests.passWithNoTests),
    { flags: '--junit <file>', description: 'write the results as JUnit XML', writes: writes('junit') },
    ...eachOptions,
    ...jsonOptions,
    colourOption,
    plainOption,
  ],
  schemas: { '': 'results#tested' },
  isComputed: true,
  run: async (input, environment) => {
    const [{ runTests }, { portsOf }, views, { saveOutput }, { isForPrograms, printResult }] = await Promise.all([
      import('../../tools/rehearsal/test.ts'),
      import('../output/ports.ts'),
      import('../../core/view/reports/tests.ts'),
      import('../../core/app/context/output-files.ts'),
      import('../output/result.ts'),
    ]);
    const report = await runTests(
      {
        ...flagOptions(useCases.runTests, input),
        paths: input.args,
        onResult: (result) => {
          if (!isForPrograms(input)) environment.stdout.write(views.testForPeople(result));
        },
      },
      portsOf(input, environment),
    );
    const junit = input.text('junit');
    if (junit !== undefined) await saveOutput('junit', environment.cwd, junit, views.testsAsJunit(report), 0o644);
    printResult<'tested'>(
      input,
      environment,
      () => report,
      () => [`\n${views.totalsForPeople(report)}`],
    );
    return report.tests.every(({ failures }) => failures.length === 0) ? exitCode.done : exitCode.incomplete;
  },
};
