// Shows the progress of a run while it goes on.
import { Writable } from 'node:stream';
import type { BegunRun } from '../../app/ports.ts';
import { redactEvent } from '../../view/redact.ts';
import { createProgressView, type ProgressView } from '../../view/terminal/progress.ts';
import { type Environment, isUnattended, type Output } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';
import { viewOptions } from '../flags/view-options.ts';

type ProgressMeter = ReturnType<BegunRun['progress']>;

export async function showProgress(
  meter: ProgressMeter,
  input: CommandInput,
  environment: Environment,
): Promise<ProgressView> {
  const options = viewOptions(input, environment, environment.stderr);
  const view = await createProgressView({
    ...options,
    mode: isRedrawn(input, environment) ? 'live' : 'plain',
    stream: environment.stderr.stream ?? streamTo(environment.stderr),
    now: () => environment.clock.now(),
    progress: () => meter.read(environment.clock.now()),
  });
  return {
    take: (event) => {
      meter.see(event, environment.clock.now());
      view.take(redactEvent(event, options));
    },
    end: () => view.end(),
  };
}

/** Not with --verbose, whose lines would appear in the middle of what is redrawn. */
function isRedrawn(input: CommandInput, environment: Environment): boolean {
  if (input.flag('plain') || input.flag('verbose')) return false;
  return !isUnattended(environment) && environment.stderr.stream !== undefined;
}

function streamTo(output: Output): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      output.write(String(chunk));
      done();
    },
  });
}
