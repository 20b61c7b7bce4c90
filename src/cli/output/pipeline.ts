// Publishes results to the CI pipeline around this process: a summary for people, outputs for the steps that follow.
//
// GitHub sets two files in the environment. Both are optional: a failure to write one is only a warning.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDanger } from '../../core/model/change.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { ApplyReport } from '../../core/model/report.ts';
import { appendText } from '../../lib/durable-files.ts';
import type { CommandInput } from '../flags/command-input.ts';
import type { CommandEnvironment } from '../process/environment.ts';

/** GitHub rejects a larger step summary as a whole. */
export const summaryBytes = 1_048_576;
const leastBytes = 8_192;

export async function publishPlan(
  plan: Plan,
  input: CommandInput,
  environment: CommandEnvironment,
  refusals: readonly Diagnostic[],
): Promise<void> {
  await appendSummary(input, environment, async (room) => {
    const [{ printPlan }, { planViewOptions, shareOf }] = await Promise.all([
      import('../../core/view/index.ts'),
      import('../flags/view-options.ts'),
    ]);
    const options = {
      ...planViewOptions(input, environment, environment.stdout),
      ...shareOf(input, 'markdown'),
      refusals,
    };
    const maxBytes = Math.min(room, options.maxBytes ?? room);
    return [...(await printPlan('markdown', plan, { ...options, maxBytes }))].join('');
  });
  if (!hasOutputs(environment)) return;
  await writeOutputs(environment, {
    has_changes: plan.changes.length > 0,
    has_dangers: hasDangers(plan),
    has_drift: (plan.drift?.length ?? 0) > 0,
    hash: plan.hash,
  });
}

export async function publishReport(
  report: ApplyReport,
  input: CommandInput,
  environment: CommandEnvironment,
): Promise<void> {
  await appendSummary(input, environment, async () => {
    const { reportAsMarkdown } = await import('../../core/view/markdown/run-report.ts');
    return [...reportAsMarkdown(report, environment)].join('');
  });
  const { planned, succeeded, failed, unknown, skipped } = report.steps;
  await writeOutputs(environment, { outcome: report.outcome, planned, succeeded, failed, unknown, skipped });
}

/** Values are words, numbers and hashes, which never contain a line end. */
export async function writeOutputs(
  environment: CommandEnvironment,
  outputs: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  await append('GITHUB_OUTPUT', lines.join(''), environment);
}

async function appendSummary(
  input: CommandInput,
  environment: CommandEnvironment,
  print: (maxBytes: number) => Promise<string>,
): Promise<void> {
  const file = environment.env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '' || input.text('summary') === 'never') return;
  const used = await stat(resolve(environment.cwd, file)).then(
    ({ size }) => size,
    () => 0,
  );
  const room = summaryBytes - used - 2;
  if (room < leastBytes) return;
  await append('GITHUB_STEP_SUMMARY', `${await print(room)}\n`, environment);
}

async function append(variable: string, text: string, environment: CommandEnvironment): Promise<void> {
  const file = environment.env[variable];
  if (file === undefined || file === '' || text === '') return;
  try {
    await appendText(resolve(environment.cwd, file), text);
  } catch {
    environment.stderr.write(
      `warning: the file that ${variable} names cannot be written. The run continues without it.\n`,
    );
  }
}

/** Dangers are determined only if outputs are published, because that needs a pass over all changes. */
function hasOutputs({ env }: CommandEnvironment): boolean {
  return env.GITHUB_OUTPUT !== undefined && env.GITHUB_OUTPUT !== '';
}

function hasDangers({ changes }: Plan): boolean {
  for (const change of changes) if (isDanger(change)) return true;
  return false;
}
