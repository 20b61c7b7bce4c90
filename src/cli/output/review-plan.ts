// Shows a plan and asks whether it may run.
import type { Approval } from '../../app/apply.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { type CommandEnvironment, isUnattended } from '../process/environment.ts';

/** Shows the plan and asks for approval, unless --auto-approve is set. `saving` is the command that saves such a plan. */
export async function reviewPlan(
  plan: Plan,
  input: CommandInput,
  environment: CommandEnvironment,
  saving = 'chatform plan --out FILE',
): Promise<Approval> {
  const [{ presentPlan }, { aside }] = await Promise.all([import('./show-plan.ts'), import('./result.ts')]);
  await presentPlan(plan, ...aside(input, environment));
  if (plan.steps.length === 0 || input.flag('auto-approve')) return 'any';
  if (isUnattended(environment) || !environment.canAsk) {
    throw usage(
      'Approval is required, but there is no terminal to ask on.',
      `Pass --auto-approve, or save a plan with ${saving}, have it reviewed, and apply that file.`,
    );
  }
  const { promptFor } = await import('../../view/terminal/plan.ts');
  const answer = await environment.ask(promptFor(plan));
  if (answer.trim() === 'yes') return 'exact';
  throw new Refusal('apply.declined', exitCode.refused, 'Not approved.', 'Nothing was changed.');
}
