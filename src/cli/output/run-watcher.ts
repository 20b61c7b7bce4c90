// Shows a run in progress and writes its files: events, summary and report.
import { Writable } from 'node:stream';
import type { BegunRun, RunObserver } from '../../app/context/ports.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';
import { createProgressView, type ProgressView } from '../../view/terminal/progress.ts';
import { applySummary } from '../../view/terminal/run-summary.ts';
import type { ViewOptions } from '../../view/text/options.ts';
import { redactEvent, redactReport } from '../../view/text/redact.ts';
import type { CommandInput } from '../flags/command.ts';
import { viewOptions } from '../flags/view-options.ts';
import { type Environment, isUnattended, type Output } from '../process/environment.ts';
import { type EventFile, openEventFile } from './event-file.ts';
import type { RunReport } from './run-report.ts';

export class RunWatcher implements RunObserver {
  readonly #input: CommandInput;
  readonly #environment: Environment;
  readonly #report: RunReport;
  readonly #options: ViewOptions;
  #events: EventFile | undefined;
  #progress: ProgressView | undefined;

  constructor(input: CommandInput, environment: Environment, report: RunReport) {
    this.#input = input;
    this.#environment = environment;
    this.#report = report;
    this.#options = viewOptions(input, environment, environment.stderr);
  }

  async begin(plan: Plan, { clock, progress }: BegunRun): Promise<void> {
    await this.#report.begin(plan);
    this.#events = await openEventFile(this.#input.text('events'), this.#environment.cwd, clock);
    this.#progress = await showProgress(progress(), this.#input, this.#environment);
  }

  event(event: ApplyEvent): void {
    this.#progress?.take(event);
    this.#events?.take(redactEvent(event, this.#options));
  }

  async end(report: ApplyReport | undefined): Promise<void> {
    this.#progress?.end();
    await this.#events?.close();
    if (report === undefined) return;
    const shown = redactReport(report, this.#options);
    for (const line of applySummary(shown, this.#options)) this.#environment.stderr.write(line);
    await this.#report.write(shown);
  }
}

type ProgressMeter = ReturnType<BegunRun['progress']>;

async function showProgress(
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

/** No live progress with --verbose, whose lines would break the redrawn block. */
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
