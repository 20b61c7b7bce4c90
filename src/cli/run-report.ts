// Where does the report of a run go, and what stands in it when there was no run? Whoever asks for one gets one.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import type { RunOutcome } from '../model/event.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import { type ApplyReport, reportFormatVersion } from '../model/report.ts';
import type { CommandInput } from './command.ts';
import { tellReport } from './pipeline.ts';
import type { World } from './world.ts';
import { writeWhole } from './write-whole.ts';

/** How a run is told that was refused before it began. */
const outcomeOf: Readonly<Partial<Record<ExitCode, RunOutcome>>> = {
  [exitCode.done]: 'done',
  [exitCode.authentication]: 'authentication',
  [exitCode.incomplete]: 'incomplete',
  [exitCode.conflict]: 'conflict',
  [exitCode.interrupted]: 'interrupted',
};

export class RunReport {
  readonly #file: string | undefined;
  readonly #input: CommandInput;
  readonly #world: World;
  readonly #isReal: boolean;
  readonly #startedAt: Date;
  #written: ApplyReport | undefined;

  /** `isReal`: the pipeline around is told; a rehearsal has done nothing. */
  constructor(input: CommandInput, world: World, isReal = true) {
    const file = input.text('report');
    this.#file = file === undefined ? undefined : resolve(world.cwd, file);
    this.#input = input;
    this.#world = world;
    this.#isReal = isReal;
    this.#startedAt = world.clock.date();
  }

  async write(report: ApplyReport): Promise<void> {
    this.#written = report;
    if (this.#file !== undefined)
      await writeWhole(this.#file, `${JSON.stringify(await withAdvice(report), null, 2)}\n`);
    if (this.#isReal) await tellReport(report, this.#input, this.#world);
  }

  /** Of a command that ended before its first step, unless a report stands there already. Gives what stands there. */
  async writeWithoutRun(exit: ExitCode): Promise<ApplyReport> {
    if (this.#written !== undefined) return this.#written;
    const finishedAt = this.#world.clock.date();
    const report: ApplyReport = {
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
    await this.write(report);
    return report;
  }
}

/** Work that ends in a report, however it ends: as its own run says, or else as the exit code does. */
export async function reporting(
  input: CommandInput,
  world: World,
  work: (report: RunReport) => Promise<ExitCode>,
  isReal = true,
): Promise<ExitCode> {
  const report = new RunReport(input, world, isReal);
  try {
    const exit = await work(report);
    await report.writeWithoutRun(exit);
    return exit;
  } catch (error) {
    await report.writeWithoutRun(error instanceof Refusal ? error.exit : exitCode.unexpected);
    throw error;
  }
}

async function withAdvice(report: ApplyReport): Promise<ApplyReport> {
  if (report.failures.length === 0) return report;
  const { adviceFor } = await import('../view/platform-advice.ts');
  const failures = report.failures.map((failure) => {
    const advice = adviceFor(failure.code);
    return advice === undefined ? failure : { ...failure, advice };
  });
  return { ...report, failures };
}
