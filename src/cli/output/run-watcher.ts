// Shows a run while it goes on, and writes its files: progress, events, summary, report.
import type { BegunRun, RunObserver } from '../../app/ports.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { ViewOptions } from '../../view/options.ts';
import { redactEvent, redactReport } from '../../view/redact.ts';
import type { ProgressView } from '../../view/terminal/progress.ts';
import { applySummary } from '../../view/terminal/run-summary.ts';
import type { Environment } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';
import { viewOptions } from '../flags/view-options.ts';
import { type EventFile, openEventFile } from './event-file.ts';
import type { RunReport } from './run-report.ts';
import { showProgress } from './show-progress.ts';

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
