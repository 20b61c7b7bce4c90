// Where does the report of a run go, and what stands in it when there was no run? Whoever asks for one gets one.
import { resolve } from 'node:path';
import { writeOutput } from '../../app/output-files.ts';
import { isStream } from '../../lib/write-whole.ts';
import { Refusal } from '../../model/errors.ts';
import type { RunOutcome } from '../../model/event.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import { type ApplyReport, reportFormatVersion } from '../../model/report.ts';
import type { Environment } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';
import { emptyEventFile } from './event-file.ts';
import { tellReport } from './pipeline.ts';

/** How a run is told that was refused before it began. */
const outcomeOf: Readonly<Partial<Record<ExitCode, RunOutcome>>> = {
  [exitCode.done]: 'done',
  [exitCode.authentication]: 'authentication',
  [exitCode.incomplete]: 'incomplete',
  [exitCode.conflict]: 'conflict',
  [exitCode.interrupted]: 'interrupted',
  [exitCode.outOfTime]: 'out_of_time',
};

export class RunReport {
  readonly #file: string | undefined;
  readonly #input: CommandInput;
  readonly #world: Environment;
  readonly #isReal: boolean;
  readonly #startedAt: Date;
  #run: ApplyReport | undefined;

  /** `isReal`: the pipeline around is told; a rehearsal has done nothing. */
  constructor(input: CommandInput, world: Environment, isReal = true) {
    const file = input.text('report');
    this.#file = file === undefined ? undefined : resolve(world.cwd, file);
    this.#input = input;
    this.#world = world;
    this.#isReal = isReal;
    this.#startedAt = world.clock.date();
  }

  /**
   * Before the work, and once more when its plan is known: what the file says should the process be killed, in place of
   * what an earlier run left there. Rejects with a Refusal where nothing can be written.
   */
  async begin(plan?: Pick<Plan, 'steps' | 'duration'>): Promise<void> {
    const report = this.#withoutRun(exitCode.interrupted);
    const steps = { ...report.steps, planned: plan?.steps.length ?? 0 };
    await this.#save({ ...report, steps, lower_bound_s: plan?.duration.lower_bound_s ?? 0 }, 'for now');
  }

  /** Of a run, as soon as it is over. */
  async write(report: ApplyReport): Promise<void> {
    this.#run = report;
    await this.#save(report, 'for now');
  }

  /** As the command ends: of its run, or of none when it ended before its first step. Gives what was written. */
  async end(exit: ExitCode): Promise<ApplyReport> {
    const run = this.#run ?? this.#withoutRun(exit);
    // What comes after a run (--verify) can end otherwise than the run did.
    const report = run.exit_code === exit ? run : { ...run, outcome: outcomeOf[exit] ?? run.outcome, exit_code: exit };
    await this.#save(report);
    if (this.#isReal) await tellReport(report, this.#input, this.#world);
    return report;
  }

  /** A stream is told the last word alone. */
  async #save(report: ApplyReport, what?: 'for now'): Promise<void> {
    if (this.#file === undefined || (what === 'for now' && (await isStream(this.#file)))) return;
    await writeOutput(this.#file, `${JSON.stringify(await withAdvice(report), null, 2)}\n`);
  }

  #withoutRun(exit: ExitCode): ApplyReport {
    const finishedAt = this.#world.clock.date();
    return {
      format_version: reportFormatVersion,
      outcome: outcomeOf[exit] ?? 'refused',
      exit_code: exit,
      steps: { planned: 0, succeeded: 0, failed: 0, unknown: 0, skipped: 0 },
      requests: [],
      started_at: this.#startedAt.toISOString(),
      finished_at: finishedAt.toISOString(),
      duration_s: (finishedAt.getTime() - this.#startedAt.getTime()) / 1000,
      lower_bound_s: 0,
      failures: [],
    };
  }
}

/** Work that ends in a report, however it ends: as its own run says, or else as the exit code does. */
export async function reporting(
  input: CommandInput,
  world: Environment,
  work: (report: RunReport) => Promise<ExitCode>,
  isReal = true,
): Promise<ExitCode> {
  const report = new RunReport(input, world, isReal);
  let exit: ExitCode;
  try {
    await report.begin();
    await emptyEventFile(input.text('events'), world);
    exit = await work(report);
  } catch (error) {
    // That the report cannot be written is told by itself only when nothing else is wrong.
    await report.end(error instanceof Refusal ? error.exit : exitCode.unexpected).catch(() => undefined);
    throw error;
  }
  await report.end(exit);
  return exit;
}

async function withAdvice(report: ApplyReport): Promise<ApplyReport> {
  if (report.failures.length === 0) return report;
  const { adviceFor } = await import('../../view/platform-advice.ts');
  const failures = report.failures.map((failure) => {
    const advice = adviceFor(failure.code);
    return advice === undefined ? failure : { ...failure, advice };
  });
  return { ...report, failures };
}
