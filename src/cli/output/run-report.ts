// Writes the file of --report: the outcome of a run, or the reason why it did not begin.
import { resolve } from 'node:path';
import { actorOf } from '../../core/app/context/actor.ts';
import { saveOutput } from '../../core/app/context/output-files.ts';
import { reportWithoutRun, withExit } from '../../core/app/run/run-reports.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { Refusal } from '../../core/model/errors.ts';
import { type ExitCode, exitCode } from '../../core/model/exit-code.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { ApplyReport, RunOrigin } from '../../core/model/report.ts';
import { redactDiagnostics, redactReport } from '../../core/view/text/redact.ts';
import { safeJson } from '../../core/view/text/text.ts';
import { isStream } from '../../lib/output-streams.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { viewOptions } from '../flags/view-options.ts';
import { type CommandEnvironment, isInPipeline } from '../process/environment.ts';

export interface RunReport {
  /**
   * Writes an interrupted report before the work, and again when the plan is known. This report is correct if the process is
   * killed, and it replaces that of an earlier run. Rejects with a Refusal if the file cannot be written.
   */
  begin(plan?: Pick<Plan, 'steps' | 'duration' | 'application' | 'hash' | 'warnings'>): Promise<void>;
  /** Called as soon as the run has finished. */
  write(report: ApplyReport): Promise<void>;
  /** The report with the diagnostics of the plan, which a run does not know. */
  withDiagnostics(report: ApplyReport): ApplyReport;
}

/**
 * Runs work and always writes a report: that of its run, or else one with the exit code. `isReal` publishes the report to the
 * pipeline, which a rehearsal must not do.
 */
export async function reporting(
  input: CommandInput,
  environment: CommandEnvironment,
  work: (report: RunReport) => Promise<ExitCode>,
  isReal = true,
): Promise<ExitCode> {
  const { cwd, clock, stderr } = environment;
  const named = input.text('report');
  const file = named === undefined ? undefined : resolve(cwd, named);
  const startedAt = clock.date();
  let run: ApplyReport | undefined;
  let origin: RunOrigin = isReal ? { by: actorOf(environment) } : {};
  let diagnostics: readonly Diagnostic[] = [];
  const options = viewOptions(input, environment, stderr);
  const withDiagnostics = (report: ApplyReport): ApplyReport =>
    diagnostics.length === 0 ? report : { ...report, diagnostics: redactDiagnostics(diagnostics, options) };
  const withoutRun = (exit: ExitCode): ApplyReport =>
    redactReport(reportWithoutRun(exit, startedAt, clock.date(), origin), options);
  // A stream receives only the last report. Only the owner may read the file, because it names objects.
  const save = async (report: ApplyReport, what?: 'for now'): Promise<void> => {
    if (file === undefined || (what === 'for now' && (await isStream(file)))) return;
    const text = await printed(withDiagnostics(report), file, environment);
    await saveOutput(file.endsWith('.html') ? 'report-html' : 'report', cwd, file, text);
  };
  const begin: RunReport['begin'] = async (plan) => {
    diagnostics = plan?.warnings ?? [];
    if (plan !== undefined) origin = { application: plan.application, plan_hash: plan.hash, ...origin };
    if (file === undefined) return;
    const report = withoutRun(exitCode.interrupted);
    const steps = { ...report.steps, planned: plan?.steps.length ?? 0 };
    await save({ ...report, steps, lower_bound_s: plan?.duration.lower_bound_s ?? 0 }, 'for now');
  };
  const write: RunReport['write'] = async (report) => {
    run = report;
    await save(report, 'for now');
  };
  const end = async (exit: ExitCode): Promise<void> => {
    const isPublished = isReal && isInPipeline(environment);
    if (file === undefined && !isPublished) return;
    const report = run === undefined ? withoutRun(exit) : withExit(run, exit);
    await save(report);
    if (isPublished) await (await import('./pipeline.ts')).publishReport(report, input, environment);
  };
  let exit: ExitCode;
  try {
    await begin();
    const events = input.text('events');
    if (events !== undefined) await (await import('./event-file.ts')).emptyEventFile(events, cwd);
    exit = await environment.abandonable('report', () => work({ begin, write, withDiagnostics }));
  } catch (error) {
    if (error instanceof Refusal && run === undefined) diagnostics = error.diagnostics;
    // An unwritable report is an error only if nothing else failed.
    await end(error instanceof Refusal ? error.exitCode : exitCode.unexpected).catch(() => undefined);
    throw error;
  }
  await end(exit);
  return exit;
}

/** The report as a program reads it: redacted with --redact, failures with advice. */
export function shownReport(
  report: ApplyReport,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<ApplyReport> {
  return withAdvice(redactReport(report, viewOptions(input, environment, environment.stderr)));
}

/** The extension of the file selects a page or JSON. */
async function printed(report: ApplyReport, file: string, environment: CommandEnvironment): Promise<string> {
  if (!file.endsWith('.html')) return `${safeJson(await withAdvice(report), 2)}\n`;
  const { reportAsHtml } = await import('../../core/view/html/run-page.ts');
  return [...reportAsHtml(report, environment)].join('');
}

async function withAdvice(report: ApplyReport): Promise<ApplyReport> {
  if (report.failures.length === 0) return report;
  const { adviceFor } = await import('../../core/view/text/platform-advice.ts');
  const failures = report.failures.map((failure) => {
    const advice = adviceFor(failure);
    return advice === undefined ? failure : { ...failure, advice };
  });
  return { ...report, failures };
}
