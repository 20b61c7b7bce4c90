// chatform calibrate: finds out how an application behaves where the platform's documentation is unclear.

import { exitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { flagOf } from '../flags/options.ts';
import { demandAgreement, testExits, testOptions } from './on-test-application.ts';

export const calibrate: CommandDefinition = {
  name: 'calibrate',
  summary: 'find out how your application behaves where the documentation is unclear',
  help: `Examples:
  chatform calibrate --base-url https://api-TEST_APP.sendbird.com/v3
  chatform calibrate --auto-approve --format markdown > behaviour.md     a report to attach to an issue
  chatform calibrate --any-size                                an application with more than 1,000 users

The documentation leaves open how calls are counted against the rate limits, what happens to a message that is sent
twice, and some forty other points. calibrate asks the application itself: it creates a few users and channels whose names
begin with chatform-calibrate-, tries each point, and removes them. It changes nothing else. Before it starts, it prints the
maximum number of calls and how long they take. Both depend on the plan of the application and on whether responses have
rate-limit headers. Use a test application. After a kill, the next run in the same folder removes what is left.

It writes chatform-behaviours.json. From then on, plan and apply in this folder, or on manifests in the folder of the file,
use the measured limits, rehearse simulates this application, and chatform emulator --behaviours answers like it. The file
contains no secret. Commit it beside the manifests, and calibrate again when the platform or its plan changes. Points
that could not be decided are listed with the reason.

The application comes from the manifests in the current folder or from --base-url.`,
  exits: testExits('done', 'objects could not be created or removed'),
  options: testOptions(flagOf(useCases.calibrate.out)),
  schemas: { '': 'results#examined' },
  run: async (input, environment) => {
    const [{ calibratePlatform }, { portsOf }, view, { printResult }, { examinationDocument }] = await Promise.all([
      import('../../tools/calibration/calibrate.ts'),
      import('../output/ports.ts'),
      import('../../core/view/reports/calibration.ts'),
      import('../output/result.ts'),
      import('../../core/view/json/results.ts'),
    ]);
    const options = flagOptions(useCases.calibrate, input);
    const { behaviours, ...figures } = await calibratePlatform(options, portsOf(input, environment), (intent) =>
      demandAgreement(view.intentInWords(intent), 'calibrate.declined', input, environment),
    );
    const print = input.text('format') === 'markdown' ? view.calibrationAsMarkdown : view.calibrationForPeople;
    printResult<'examined'>(
      input,
      environment,
      () => examinationDocument({ behaviours, ...figures }),
      () => print(behaviours, figures),
    );
    return figures.left.length > 0 ? exitCode.incomplete : exitCode.done;
  },
};
