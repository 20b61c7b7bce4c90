// chatform calibrate: finds out how an application behaves where the platform's documentation is unclear.

import { exitCode } from '../../model/exit-code.ts';
import { useCases } from '../../model/library/use-cases.ts';
import { type CommandDefinition, flagOptions } from '../flags/command.ts';
import { flagOf, maxBytesOption, outputOptions, platformOptions } from '../flags/options.ts';

export const calibrate: CommandDefinition = {
  name: 'calibrate',
  summary: 'find out how your application behaves where the documentation is unclear',
  help: `Examples:
  chatform calibrate --base-url https://api-TEST_APP.sendbird.com/v3
  chatform calibrate --auto-approve --format markdown > readings.md     a report to attach to an issue
  chatform calibrate --any-size                                an application with more than 1,000 users

The documentation leaves open how calls are counted against the rate limits, what happens to a message that is sent
twice, and some forty other points. calibrate asks the application itself: it creates a few users and channels whose names
begin with chatform-calibrate-, tries each point, and removes them. It changes nothing else, and needs fewer than 150 calls
and less than two minutes on the smallest plan. Use a test application. After a kill, the next run in the same folder
removes what is left.

It writes chatform-readings.json. From then on, plan and apply in this folder, or on manifests in the folder of the file,
use the measured limits, rehearse simulates this application, and chatform emulator --readings answers like it. The file
contains no secret. Commit it beside the manifests, and run it again when the platform or its plan changes. Points
that could not be decided are listed with the reason.

The application comes from the manifests in the current folder or from --base-url.`,
  exits: {
    '': {
      0: 'done',
      1: 'the platform does not respond',
      3: 'token refused',
      4: 'the objects could not be made or removed',
      5: 'not confirmed or more than 1,000 users',
      6: 'untrusted host',
      8: 'interrupted',
      64: 'usage',
    },
  },
  options: [
    { flags: '--auto-approve', description: 'do not ask for a confirmation', former: 'yes' },
    flagOf(useCases.calibrate.anySize),
    flagOf(useCases.calibrate.out),
    {
      flags: '--format <format>',
      description: 'output format',
      choices: ['human', 'json', 'markdown'],
      default: 'human',
    },
    maxBytesOption,
    ...platformOptions,
    ...outputOptions,
  ],
  schemas: { '': 'results#examined' },
  run: async (input, environment) => {
    const [{ calibratePlatform }, { portsOf }, { demandYes }, view] = await Promise.all([
      import('../../tools/calibration/calibrate.ts'),
      import('../output/ports.ts'),
      import('../output/confirm.ts'),
      import('../../view/reports/calibration.ts'),
    ]);
    const options = flagOptions(useCases.calibrate, input);
    const { readings, ...figures } = await calibratePlatform(options, portsOf(input, environment), (intent) => {
      const confirmation = {
        flag: '--auto-approve',
        isGiven: input.flag('auto-approve'),
        declined: 'calibrate.declined',
      };
      return demandYes({ what: view.intentInWords(intent), ...confirmation }, environment);
    });
    const [{ printResult }, { examinationDocument }] = await Promise.all([
      import('../output/result.ts'),
      import('../../view/json/results.ts'),
    ]);
    const print = input.text('format') === 'markdown' ? view.calibrationAsMarkdown : view.calibrationForPeople;
    printResult(
      input,
      environment,
      () => examinationDocument({ readings, ...figures }),
      () => print(readings, figures),
    );
    return figures.left.length > 0 ? exitCode.incomplete : exitCode.done;
  },
};
