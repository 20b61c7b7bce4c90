// chatform conformance: proves on a test application that the platform shows what is declared.

import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { demandAgreement, testExits, testOptions } from './on-test-application.ts';

export const conformance: CommandDefinition = {
  name: 'conformance',
  summary: 'prove on a test application that the platform shows what you declare',
  help: `Examples:
  chatform conformance --base-url https://api-TEST_APP.sendbird.com/v3
  chatform conformance --auto-approve --format markdown > conformance.md    a report to attach to an issue
  chatform conformance --any-size                              an application with more than 1,000 users

conformance declares some thirty objects of all kinds. It plans and applies them in three steps, as apply does, and reads each one
as a refresh does: creations, edits, removals, deactivation, freezes, hidden channels, invitations, bans and histories. For
each of some 85 declarations it prints whether it held, differs (with the request and the response), or is not in the plan
of the application. The names of the objects begin with chatform-calibrate-, and conformance removes them at the end. Use a
test application. If a run is killed, the next one in the same folder continues it.

The application comes from the manifests in the current folder or from --base-url.`,
  exits: testExits(
    'all declarations held, or are not in the plan of the application',
    'a declaration differs, or objects could not be removed',
  ),
  options: testOptions(),
  schemas: { '': 'results#conformance' },
  run: async (input, environment) => {
    const [{ proveConformance }, { portsOf }, view, { printResult }] = await Promise.all([
      import('../../tools/calibration/conformance.ts'),
      import('../output/ports.ts'),
      import('../../core/view/reports/conformance.ts'),
      import('../output/result.ts'),
    ]);
    const options = flagOptions(useCases.calibrate, input);
    const document = await proveConformance(options, portsOf(input, environment), (intent) =>
      demandAgreement(view.proofInWords(intent), 'conformance.declined', input, environment),
    );
    const print = input.text('format') === 'markdown' ? view.conformanceAsMarkdown : view.conformanceForPeople;
    printResult<'conformance'>(
      input,
      environment,
      () => ({ ...document }),
      () => print(document),
    );
    return document.counts.differs > 0 || document.left.length > 0 ? exitCode.incomplete : exitCode.done;
  },
};
