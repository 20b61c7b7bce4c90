// Builds the ports of a use case from the environment of a command.

import type { Ports } from '../../core/app/context/ports.ts';
import { attemptForPeople } from '../../core/view/terminal/attempt.ts';
import { hiding } from '../../core/view/text/redact.ts';
import { typedText } from '../../core/view/text/typed-commands.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { viewOptions } from '../flags/view-options.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import { isHidden, noticeForPeople } from './notices.ts';

/** Notices and, with --verbose, attempts go to stderr, so that stdout has only the result. */
export function portsOf(input: CommandInput, environment: CommandEnvironment): Ports {
  const { env, cwd, clock, random, onInterrupt, stderr } = environment;
  const options = viewOptions(input, environment, stderr);
  return {
    env,
    cwd,
    variablesFile: input.text('variables'),
    clock,
    random,
    onInterrupt,
    notify: (notice) => {
      if (isHidden(notice, environment)) return;
      for (const text of noticeForPeople(notice, options)) stderr.write(typedText(text, environment));
    },
    ...(input.flag('verbose') ? { trace: (attempt) => void stderr.write(attemptForPeople(attempt)) } : {}),
    ...(input.flag('redact') ? { wordsOf: hiding(options) } : {}),
  };
}
