// chatform rehearse: how an apply would go, and how long it would take.

import { setFlagsFromString } from 'node:v8';
import type { ExitCode } from '../../core/model/exit-code.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import {
  applicationOptions,
  colourOption,
  flagOf,
  jsonOptions,
  plainOption,
  selectionOptions,
  stateOption,
} from '../flags/options.ts';
import { writes, writesReport } from '../flags/outputs.ts';
import type { EventFile } from '../output/event-file.ts';
import type { RunReport } from '../output/run-report.ts';

const { latency, window, faults, seed, maxDuration, keepGoing, skipConflicts, approvalsFrom, approvalsRef } =
  useCases.rehearse;

export const rehearse: CommandDefinition = {
  name: 'rehearse',
  arguments: [
    {
      usage: '[path...]',
      description: useCases.rehearse.paths.text,
    },
  ],
  summary: 'run the plan against a simulated platform in virtual time',
  help: `Examples:
  chatform rehearse                      the manifests in this folder
  chatform rehearse plan.chatform        a saved plan
  chatform rehearse --latency 300 --window gcra --format json
  chatform rehearse --faults faults.json --seed 7

Sends nothing, changes nothing and needs no token. Hours pass in seconds. The simulated platform contains the objects in
state, so it cannot show changes that others made on the real platform. It answers as chatform-behaviours.json says, which
chatform calibrate writes. The policy judges the plan as it does for an apply; a signature that an apply would need is a
warning. It exits with the code of the apply that is rehearsed, once the plan is signed.`,
  exits: {
    '': {
      0: 'done',
      4: 'some steps would fail',
      5: 'refused by a safety rule',
      6: 'plan stale or for another application',
      9: '--max-duration would be reached',
      65: 'manifests invalid or untrusted host',
    },
  },
  options: [
    ...jsonOptions,
    flagOf(latency),
    flagOf(window),
    flagOf(faults),
    flagOf(seed),
    flagOf(maxDuration),
    flagOf(keepGoing),
    flagOf(skipConflicts),
    flagOf(approvalsFrom),
    flagOf(approvalsRef),
    {
      flags: '--report <file>',
      description: 'write a report: JSON, or a page if the name ends in .html',
      writes: writesReport,
    },
    {
      flags: '--events <file>',
      description: 'write every event with its virtual time (JSON lines)',
      writes: writes('events'),
    },
    ...selectionOptions,
    ...applicationOptions,
    stateOption,
    colourOption,
    plainOption,
  ],
  schemas: { '': 'results#rehearsed' },
  run: async (input, environment) => {
    // The simulated platform fills the heap, and V8 would keep as much garbage as live data.
    setFlagsFromString('--heap-growing-percent=20');
    const [{ rehearseApply }, { portsOf }, { openEventFile }, { reporting }] = await Promise.all([
      import('../../tools/rehearsal/rehearse.ts'),
      import('../output/ports.ts'),
      import('../output/event-file.ts'),
      import('../output/run-report.ts'),
    ]);
    const rehearseAndShow = async (report: RunReport): Promise<ExitCode> => {
      const options = {
        ...flagOptions(useCases.rehearse, input),
        paths: input.args,
      };
      let events: EventFile | undefined;
      const rehearsed = await rehearseApply(options, portsOf(input, environment), {
        begin: async (_plan, { clock }) => {
          const file = input.text('events');
          if (file !== undefined) events = await openEventFile(file, environment, clock);
        },
        event: (event) => events?.take(event),
        end: async () => events?.close(),
      });
      await report.write(rehearsed.report);
      const [{ rehearsalForPeople }, { rehearsalDocument }, { printResult }] = await Promise.all([
        import('../../core/view/terminal/rehearsal.ts'),
        import('../../core/view/json/results.ts'),
        import('../output/result.ts'),
      ]);
      printResult<'rehearsed'>(
        input,
        environment,
        () => rehearsalDocument(rehearsed),
        () => rehearsalForPeople(rehearsed),
      );
      return rehearsed.report.exit_code;
    };
    return reporting(input, environment, rehearseAndShow, false);
  },
};
