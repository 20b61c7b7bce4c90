// Writes the file of --report, which says how a run ended, or why there was none.
import { resolve } from 'node:path';
import { writeOutput } from '../../app/context/output-files.ts';
import { reportWithoutRun, withExit } from '../../app/run/run-reports.ts';
import { isStream } from '../../lib/write-whole.ts';
import { Refusal } from '../../model/errors.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { CommandInput } from '../flags/command.ts';
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

  /** `isReal`: the report is published to the pipeline; a rehearsal has done nothing. */
  constructor(input: CommandInput, environment: Environment, isReal: boolean) {
    const file = input.text('report');
    this.#file = file === undefined ? undefined : resolve(environment.cwd, file);
    this.#input = input;
    this.#environment = environment;
    this.#isReal = isReal;
    this.#startedAt = environment.clock.date();
  }

  /**
   * Before the work, and again when its plan is known: the file then says that the run was interrupted, as it was if the
   * process is killed, and holds nothing of an earlier run. Rejects with a Refusal where nothing can be written.
   */
  async begin(plan?: Pick<Plan, 'steps' | 'duration'>): Promise<void> {
    const report = this.#withoutRun(exitCode.interrupted);
    const steps = { ...report.steps, planned: plan?.steps.length ?? 0 };
    await this.#save({ ...report, steps, lower_bound_s: plan?.duration.lower_bound_s ?? 0 }, 'for now');
  }

  /** As soon as the run is over. */
  async write(report: ApplyReport): Promise<void> {
    this.#run = report;
    await this.#save(report, 'for now');
  }

  /** As the command ends, after its run or without one. */
  async end(exit: ExitCode): Promise<void> {
    const report = this.#run === undefined ? this.#withoutRun(exit) : withExit(this.#run, exit);
    await this.#save(report);
    if (this.#isReal) await publishReport(report, this.#input, this.#environment);
  }

  /** A stream gets the last report alone. */
  async #save(report: ApplyReport, what?: 'for now'): Promise<void> {
    if (this.#file === undefined || (what === 'for now' && (await isStream(this.#file)))) return;
    await writeOutput(this.#file, await printed(report, this.#file));
  }

  #withoutRun(exit: ExitCode): ApplyReport {
    return reportWithoutRun(exit, this.#startedAt, this.#environment.clock.date());
  }
}

/** Work that ends in a report, however it ends: as its own run says, or else as the exit code does. */
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
    // An unwritable report is mentioned by itself only when nothing else is wrong.
    await report.end(error instanceof Refusal ? error.exitCode : exitCode.unexpected).catch(() => undefined);
    throw error;
  }
  await report.end(exit);
  return exit;
}

/** By the ending of the file: a page for people, or JSON. */
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
