// What calibrate and conformance share: both write to a test application after a confirmation, and print a report.
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CommandDefinition } from '../flags/command.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { flagOf, maxBytesOption, outputOptions, platformOptions } from '../flags/options.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** `own` are the options of one of the two. */
export function testOptions(...own: CommandDefinition['options']): CommandDefinition['options'] {
  return [
    { flags: '--auto-approve', description: 'do not ask for a confirmation' },
    flagOf(useCases.calibrate.anySize),
    ...own,
    {
      flags: '--format <format>',
      description: 'output format',
      choices: ['human', 'json', 'markdown'],
      default: 'human',
    },
    maxBytesOption,
    ...platformOptions,
    ...outputOptions,
  ];
}

/** `done` and `incomplete` are the meanings of 0 and 4. */
export function testExits(done: string, incomplete: string): CommandDefinition['exits'] {
  return {
    '': {
      0: done,
      1: 'the platform does not respond',
      3: 'token refused',
      4: incomplete,
      5: 'not confirmed or more than 1,000 users',
      8: 'interrupted',
      64: 'usage',
      65: 'manifests invalid or untrusted host',
    },
  };
}

/** Asks before anything is written: `what` says what would be. Refused (5) with the code `declined` without a yes. */
export async function demandAgreement(
  what: string,
  declined: string,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<void> {
  const { demandYes } = await import('../output/confirm.ts');
  const isGiven = input.flag('auto-approve');
  await demandYes({ what, flag: '--auto-approve', isGiven, declined }, environment);
}
