// Writes the file of --report: the outcome of a run, or the reason why it did not begin.
import { resolve } from 'node:path';
import { actorOf } from '../../app/context/actor.ts';
import { outputPath, writeOutput } from '../../app/context/output-files.ts';
import { reportWithoutRun, withExit } from '../../app/run/run-reports.ts';
import { isStream } from '../../lib/write-whole.ts';
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport, RunOrigin } from '../../model/report.ts';
import { redactReport } from '../../view/text/redact.ts';
import type { CommandInput } from '../flags/command.ts';
import { viewOptions } from '../flags/view-options.ts';
import type { Environment } from '../process/environment.ts';
import { emptyEventFile } from './event-file.ts';
import { publishReport } from './pipeline.ts';

export class RunReport {
  readonly #file: string | undefined;
  readonly #input: CommandInput;
  readonly #environment: Environment;
  readonly #isReal: boolean;
  readonly #startedAt: Date;
  #run: ApplyReport | undefined;
  #origin: RunOrigin;

  /** `isReal` publishes the report to the pipeline, which a rehearsal must not do. */
  constructor(input: CommandInput, environment: Environment, isReal: boolean) {
    const file = input.text('report');
    this.#file = file === undefined ? undefined : resolve(environment.cwd, file);
    this.#input = input;
    this.#environment = environment;
    this.#isReal = isReal;
    this.#startedAt = environment.clock.date();
    this.#origin = isReal ? { by: actorOf(environment) } : {};
  }

  /**
   * Writes an interrupted report before the work, and again when the plan is known. This report is correct if the process is
   * killed, and it replaces that of an earlier run. Rejects with a Refusal if the file cannot be written.
   */
  async begin(plan?: Pick<Plan, 'steps' | 'duration' | 'application' | 'hash'>): Promise<void> {
    if (plan !== undefined) this.#origin = { application: plan.application, plan_hash: plan.hash, ...this.#origin };
    const report = this.#withoutRun(exitCode.interrupted);
    const steps = { ...report.steps, planned: plan?.steps.length ?? 0 };
    await this.#save({ ...report, steps, lower_bound_s: plan?.duration.lower_bound_s ?? 0 }, 'for now');
  }

  /** Called as soon as the run has finished. */
  async write(report: ApplyReport): Promise<void> {
    this.#run = report;
    await this.#save(report, 'for now');
  }

  /** Called when the command ends, with or without a run. */
  async end(exit: ExitCode): Promise<void> {
    const report = this.#run === undefined ? this.#withoutRun(exit) : withExit(this.#run, exit);
    await this.#save(report);
    if (this.#isReal) await publishReport(report, this.#input, this.#environment);
  }

  /** A stream receives only the last report. Only the owner may read the file, because it names objects. */
  async #save(report: ApplyReport, what?: 'for now'): Promise<void> {
    if (this.#file === undefined || (what === 'for now' && (await isStream(this.#file)))) return;
    await writeOutput(await outputPath(this.#environment.cwd, this.#file), await printed(report, this.#file), 0o600);
  }

  #withoutRun(exit: ExitCode): ApplyReport {
    return redactReport(
      reportWithoutRun(exit, this.#startedAt, this.#environment.clock.date(), this.#origin),
      viewOptions(this.#input, this.#environment, this.#environment.stderr),
    );
  }
}

/** Runs work and always writes a report: that of its run, or else one with the exit code. */
export async function reporting(
  input: CommandInput,
  environment: Environment,
  work: (report: RunReport) => Promise<ExitCode>,
  isReal = true,
): Promise<ExitCode> {
  const report = new RunReport(input, environment, isReal);
  let exit: ExitCode;
  try {
    await report.begin();
    await emptyEventFile(input.text('events'), environment.cwd);
    exit = await work(report);
  } catch (error) {
    // An unwritable report is an error only if nothing else failed.
    await report.end(error instanceof Refusal ? error.exitCode : exitCode.unexpected).catch(() => undefined);
    throw error;
  }
  await report.end(exit);
  return exit;
}

/** The report as a program reads it: redacted with --redact, failures with advice. */
export function shownReport(report: ApplyReport, input: CommandInput, environment: Environment): Promise<ApplyReport> {
  return withAdvice(redactReport(report, viewOptions(input, environment, environment.stderr)));
}

/** The extension of the file selects a page or JSON. */
async function printed(report: ApplyReport, file: string): Promise<string> {
  if (!file.endsWith('.html')) return `${JSON.stringify(await withAdvice(report), null, 2)}\n`;
  const { reportAsHtml } = await import('../../view/html/run-page.ts');
  return [...reportAsHtml(report)].join('');
}

async function withAdvice(report: ApplyReport): Promise<ApplyReport> {
  if (report.failures.length === 0) return report;
  const { adviceFor } = await import('../../view/text/platform-advice.ts');
  const failures = report.failures.map((failure) => {
    const advice = adviceFor(failure.code);
    return advice === undefined ? failure : { ...failure, advice };
  });
  return { ...report, failures };
}
