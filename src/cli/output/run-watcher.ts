// Shows a run in progress, writes its files (events, summary and report), and prints its result.
import { Writable } from 'node:stream';
import type { Applied } from '../../core/app/apply.ts';
import type { BegunRun, RunObserver } from '../../core/app/context/ports.ts';
import type { ExitCode } from '../../core/model/exit-code.ts';
import { createProgressView, type ProgressView } from '../../core/view/terminal/progress.ts';
import { applySummary, type RunInvocation } from '../../core/view/terminal/run-summary.ts';
import { redactEvent, redactReport } from '../../core/view/text/redact.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { viewOptions } from '../flags/view-options.ts';
import { type CommandEnvironment, isUnattended, type Output, obeysEscapes } from '../process/environment.ts';
import type { EventFile } from './event-file.ts';
import { printResult } from './result.ts';
import { type RunReport, reporting, shownReport } from './run-report.ts';

/**
 * Runs a plan for a command: with a report in every case, progress, and one document for programs. `nothingLeft` is what people
 * read when every step was already done.
 */
export function watched(
  input: CommandInput,
  environment: CommandEnvironment,
  work: (watcher: RunObserver) => Promise<Pick<Applied, 'report' | 'wasDone' | 'verification'>>,
  nothingLeft = '',
): Promise<ExitCode> {
  return reporting(input, environment, async (report) => {
    const { report: made, wasDone, verification } = await work(watcherOf(input, environment, report));
    const shown = report.withDiagnostics(await shownReport(made, input, environment));
    printResult<'report'>(
      input,
      environment,
      () => (verification === undefined ? shown : { ...shown, verification }),
      () => (wasDone ? [nothingLeft] : []),
    );
    return made.exit_code;
  });
}

function watcherOf(input: CommandInput, environment: CommandEnvironment, report: RunReport): RunObserver {
  const options = viewOptions(input, environment, environment.stderr);
  let events: EventFile | undefined;
  let progress: ProgressView | undefined;
  return {
    begin: async (plan, run) => {
      await report.begin(plan);
      const file = input.text('events');
      if (file !== undefined)
        events = await (await import('./event-file.ts')).openEventFile(file, environment, run.clock);
      if (environment.isQuiet !== true) progress = await showProgress(run.progress(), input, environment);
    },
    event: (event) => {
      progress?.take(event);
      events?.take(redactEvent(event, options));
    },
    end: async (made) => {
      progress?.end();
      await events?.close();
      if (made === undefined) return;
      const isSummarised = environment.isQuiet !== true || made.outcome !== 'done';
      const shown = redactReport(made, options);
      const invocation = made.outcome === 'done' ? undefined : await invocationOf(input, environment);
      if (isSummarised) for (const line of applySummary(shown, options, invocation)) environment.stderr.write(line);
      await report.write(shown);
    },
  };
}

/** What the commands in an advice need, too. Nobody needs advice after a run that is done. */
async function invocationOf(input: CommandInput, { env, cwd }: CommandEnvironment): Promise<RunInvocation> {
  const { repeatedFlags, repeatedPaths } = await import('./repeated-flags.ts');
  return { flags: repeatedFlags(input, env), paths: await repeatedPaths(input, cwd) };
}

type RunMeter = ReturnType<BegunRun['progress']>;

async function showProgress(
  meter: RunMeter,
  input: CommandInput,
  environment: CommandEnvironment,
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
function isRedrawn(input: CommandInput, environment: CommandEnvironment): boolean {
  if (input.flag('plain') || input.flag('verbose')) return false;
  const { stderr } = environment;
  return !isUnattended(environment) && obeysEscapes(environment, stderr) && stderr.stream !== undefined;
}

function streamTo(output: Output): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      output.write(String(chunk));
      done();
    },
  });
}
