// How is a plan shown: on stdout in the format that was asked for, in files, and to the pipeline around it?

import { inChunks } from '../../lib/write-whole.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { type PlanFormatName, printPlan } from '../../view/print-plan.ts';
import type { Environment } from '../environment.ts';
import type { CommandInput } from '../flags/command.ts';
import { planViewOptions } from '../flags/view-options.ts';
import { tellPlan } from './pipeline.ts';
import { viewFilesOf, writeViews } from './write-views.ts';

/** A new plan. `refusals`: why it may not be applied as it is. */
export async function presentPlan(
  plan: Plan,
  input: CommandInput,
  world: Environment,
  refusals: readonly Diagnostic[] = [],
): Promise<void> {
  await showPlan(plan, input, world, refusals);
  await tellPlan(plan, input, world, refusals);
}

/** A plan that was told before. */
export async function showPlan(
  plan: Plan,
  input: CommandInput,
  world: Environment,
  refusals: readonly Diagnostic[] = [],
): Promise<void> {
  const files = viewFilesOf(input);
  const options = { ...planViewOptions(input, world, world.stdout), refusals };
  const format = (input.text('format') ?? 'human') as PlanFormatName;
  for (const text of inChunks(await printPlan(format, plan, options))) {
    world.stdout.write(text);
    await world.stdout.room?.();
  }
  input.isAnswered = true;
  await writeViews(files, plan, options, world);
}
