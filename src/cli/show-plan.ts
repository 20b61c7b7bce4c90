// How is a plan written to stdout, in the format that was asked for?
import type { Plan } from '../model/plan.ts';
import { planFormats } from '../view/index.ts';
import type { CommandInput } from './command.ts';
import { viewOptions } from './view-options.ts';
import type { World } from './world.ts';

export async function showPlan(plan: Plan, input: CommandInput, world: World): Promise<void> {
  const format = (input.text('format') ?? 'human') as keyof typeof planFormats;
  for (const text of planFormats[format](plan, viewOptions(input, world, world.stdout))) world.stdout.write(text);
}
