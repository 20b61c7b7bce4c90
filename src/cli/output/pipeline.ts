// What is the pipeline around this process told by itself? A summary for people, and outputs for the steps that follow.
//
// GitHub names two files in the environment. Both are a convenience: what cannot be written there is said and ends nothing.
import { appendFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApplyReport } from '../../model/report.ts';
import type { Environment } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';

/** GitHub takes no summary of a step that is larger, not even a part of it. */
const summaryBytes = 1_048_576;
const leastBytes = 8_192;

export async function tellPlan(
  plan: Plan,
  input: CommandInput,
  world: Environment,
  refusals: readonly Diagnostic[],
): Promise<void> {
  await appendSummary(input, world, async (room) => {
    const [{ printPlan }, { planViewOptions }] = await Promise.all([
      import('../../view/print-plan.ts'),
      import('../flags/view-options.ts'),
    ]);
    const options = { ...planViewOptions(input, world, world.stdout), refusals };
    const maxBytes = Math.min(room, options.maxBytes ?? room);
    return [...(await printPlan('markdown', plan, { ...options, maxBytes }))].join('');
  });
  await writeOutputs(world, {
    has_changes: plan.changes.length > 0,
    has_dangers: hasDangers(plan),
    has_drift: (plan.drift?.length ?? 0) > 0,
    hash: plan.hash,
  });
}

export async function tellReport(report: ApplyReport, input: CommandInput, world: Environment): Promise<void> {
  await appendSummary(input, world, async () => {
    const { reportAsMarkdown } = await import('../../view/markdown/run-report.ts');
    return [...reportAsMarkdown(report)].join('');
  });
  const { planned, succeeded, failed, unknown, skipped } = report.steps;
  await writeOutputs(world, { outcome: report.outcome, planned, succeeded, failed, unknown, skipped });
}

/** Values are words, numbers and hashes of ours: none has a line end. */
export async function writeOutputs(
  world: Environment,
  outputs: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  await append('GITHUB_OUTPUT', lines.join(''), world);
}

async function appendSummary(
  input: CommandInput,
  world: Environment,
  print: (maxBytes: number) => Promise<string>,
): Promise<void> {
  const file = world.env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '' || input.text('summary') === 'never') return;
  const used = await stat(resolve(world.cwd, file)).then(
    ({ size }) => size,
    () => 0,
  );
  const room = summaryBytes - used - 2;
  if (room < leastBytes) return;
  await append('GITHUB_STEP_SUMMARY', `${await print(room)}\n`, world);
}

async function append(variable: string, text: string, world: Environment): Promise<void> {
  const file = world.env[variable];
  if (file === undefined || file === '' || text === '') return;
  try {
    await appendFile(resolve(world.cwd, file), text);
  } catch {
    world.stderr.write(`warning: the file that ${variable} names cannot be written. The run goes on without it.\n`);
  }
}

function hasDangers({ changes }: Plan): boolean {
  for (const { dangerous, reversibility } of changes) if (dangerous || reversibility === 'irreversible') return true;
  return false;
}
