// How do a run's events become what a person sees while it goes on?
import { Writable } from 'node:stream';
import { createProgress, type ProgressMeter } from '../../applier/report/progress.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';
import { redactEvent } from '../../view/redact.ts';
import { createProgressView, type ProgressView, type RunProgress } from '../../view/terminal/progress.ts';
import { type Environment, isUnattended, type Output } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';
import { viewOptions } from '../flags/view-options.ts';

export async function showProgress(
  plan: Plan,
  limits: LimitsOf,
  input: CommandInput,
  world: Environment,
): Promise<ProgressView> {
  const meter = createProgress(plan, limits);
  const options = viewOptions(input, world, world.stderr);
  const view = await createProgressView({
    ...options,
    mode: isRedrawn(input, world) ? 'live' : 'plain',
    stream: world.stderr.stream ?? streamTo(world.stderr),
    now: () => world.clock.now(),
    progress: () => pictureOf(meter, world.clock.now()),
  });
  return {
    take: (event) => {
      meter.see(event, world.clock.now());
      view.take(redactEvent(event, options));
    },
    end: () => view.end(),
  };
}

/** Lines of --verbose would stand in the middle of what is redrawn. */
function isRedrawn(input: CommandInput, world: Environment): boolean {
  if (input.flag('plain') || input.flag('verbose')) return false;
  return !isUnattended(world) && world.stderr.stream !== undefined;
}

function pictureOf(meter: ProgressMeter, now: number): RunProgress {
  const { ratePerS, leftS, lanes, ...counts } = meter.read(now);
  const busiest = lanes.find(({ remaining }) => remaining > 0);
  return {
    ...counts,
    perSecond: ratePerS,
    secondsLeft: leftS,
    lanes,
    ...(busiest === undefined ? {} : { busiest: laneInWords(busiest) }),
  };
}

function laneInWords({ route, ratePerS, allowedPerS }: ReturnType<ProgressMeter['read']>['lanes'][number]): string {
  const rate = Math.round(ratePerS * 10) / 10;
  return allowedPerS === undefined ? `${route} ${rate}/s` : `${route} ${rate} of ${allowedPerS}/s`;
}

function streamTo(output: Output): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      output.write(String(chunk));
      done();
    },
  });
}
