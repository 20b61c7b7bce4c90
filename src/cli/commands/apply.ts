// chatform apply: make it so, under the rate limits, resumable at any moment.
import type { CommandDefinition } from '../flags/command.ts';
import {
  applicationOptions,
  colourOption,
  lockTimeoutOption,
  plainOption,
  refreshOption,
  stateOption,
  statePatienceOption,
  targetOption,
  tokenOption,
  verboseOption,
} from '../flags/options.ts';
import { redactFlag, summaryFlag } from '../flags/view-flags.ts';

export const apply: CommandDefinition = {
  name: 'apply',
  arguments: [
    {
      usage: '[path...]',
      description: 'manifests (files or folders), or one saved plan (default: the current folder)',
    },
  ],
  summary: 'make the platform as declared',
  help: `Examples:
  chatform apply                         plan the manifests in this folder, ask, run
  chatform apply plan.json               run exactly this saved plan
  chatform apply --auto-approve --report report.json

Every call is written to the state's journal, so that a run which was interrupted, killed or cut off is continued
by the same command: nothing is done twice, nothing is lost.

Exit codes: 0 done, 3 token refused, 4 some steps failed (run it again), 5 refused by a safety rule or at the prompt,
6 plan stale or for another application, 7 state locked, 8 interrupted, 9 --max-duration reached, 64 no approval in CI,
65 manifests invalid.`,
  options: [
    { flags: '--auto-approve', description: 'do not ask' },
    { flags: '--approved-hash <hash>', description: 'run only the plan with this hash' },
    { flags: '--max-duration <duration>', description: 'start no new step this long after the command began, as 50m' },
    { flags: '--keep-going', description: 'go on after many failures' },
    { flags: '--skip-conflicts', description: 'of a saved plan, leave out objects that changed since' },
    { flags: '--report <file>', description: 'write what was done, also when it failed (JSON)' },
    { flags: '--verify', description: 'afterwards, check that every declared message arrived' },
    { flags: '--migration-report <file...>', description: 'what --verify found: .md for people, .json for machines' },
    { flags: '--events <file>', description: 'write every event as it happens (JSON lines)' },
    {
      flags: '--settle-time <duration>',
      description: 'how long a call in doubt may still take effect, before messages are looked for',
      default: '15s',
    },
    { flags: '--tokens-out <file>', description: 'where issued tokens go, one JSON line each' },
    redactFlag,
    summaryFlag,
    refreshOption,
    targetOption,
    ...applicationOptions,
    tokenOption,
    stateOption,
    statePatienceOption,
    lockTimeoutOption,
    colourOption,
    plainOption,
    verboseOption,
  ],
  run: async (input, world) => {
    const { runApply } = await import('../../app/apply.ts');
    return runApply(input, world);
  },
};
