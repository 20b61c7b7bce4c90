// How does an apply go, from the manifests or a saved plan to the report?
//
// Everything that can refuse does so before the state is locked and before anything is sent: manifests, trust, token,
// safety, approval. Under the lock the plan is made again (or met again), so that it is true when it runs.
import { Refusal } from '../model/errors.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { type CommandInput, usage } from './command.ts';
import { execute } from './execute.ts';
import { intentOf } from './intent.ts';
import { stateOf } from './open-state.ts';
import { RunReport } from './run-report.ts';
import { showPlan } from './show-plan.ts';
import { isUnattended, type World } from './world.ts';

export async function runApply(input: CommandInput, world: World): Promise<ExitCode> {
  const report = new RunReport(input, world);
  try {
    const exit = await planAndExecute(input, world, report);
    await report.writeWithoutRun(exit);
    return exit;
  } catch (error) {
    await report.writeWithoutRun(error instanceof Refusal ? error.exit : exitCode.unexpected);
    throw error;
  }
}

async function planAndExecute(input: CommandInput, world: World, report: RunReport): Promise<ExitCode> {
  const times = {
    lockTimeoutMs: input.duration('lock-timeout') ?? 0,
    maxDurationMs: input.duration('max-duration'),
  };
  const intent = await intentOf(input, world, 'error');
  const isApproved = intent.isSaved || input.flag('auto-approve');
  const backend = stateOf(input, world);
  /** Under the lock once more: another run may have been faster. */
  const against = (state: StateSnapshot): Plan => {
    const plan = intent.against(state);
    checkHash(plan, intent.isSaved, input);
    checkTokens(plan, input);
    return plan;
  };
  const plan = against(await backend.read(intent.application.identity));
  if (!intent.isSaved) await showPlan(plan, input, world);
  if (plan.steps.length === 0) {
    if (intent.isSaved) world.stdout.write('Nothing is left to do of this plan.\n');
    return exitCode.done;
  }
  if (!isApproved) await demandApproval(plan, world);
  return execute({
    input,
    world,
    report,
    backend,
    application: intent.application,
    existing: intent.existing,
    plan,
    isPersonally: !isApproved,
    ...times,
    against,
  });
}

function checkHash(plan: Plan, isSaved: boolean, input: CommandInput): void {
  const approved = input.text('approved-hash');
  if (approved === undefined || approved === plan.hash) return;
  throw new Refusal(
    'plan.not-approved',
    exitCode.conflict,
    `The approved plan has the hash ${approved}, this one ${plan.hash}.`,
    isSaved
      ? 'This is another plan file than the approved one.'
      : 'The manifests or the state changed since the plan was approved. Have the new plan reviewed.',
  );
}

function checkTokens(plan: Plan, input: CommandInput): void {
  if (input.text('tokens-out') !== undefined || [...plan.steps].every(({ sink }) => sink === undefined)) return;
  throw new Refusal(
    'tokens.nowhere',
    exitCode.refused,
    'The plan issues tokens, and there is no place for them.',
    'Give --tokens-out FILE: issued tokens are written there and nowhere else. Nothing was changed.',
  );
}

async function demandApproval(plan: Plan, world: World): Promise<void> {
  if (isUnattended(world) || !world.canAsk) {
    throw usage(
      'Nobody can be asked for approval here.',
      'Give --auto-approve; or save a plan with chatform plan --out, have it reviewed, and apply the file.',
    );
  }
  const { promptFor } = await import('../view/prompt.ts');
  const answer = await world.ask(promptFor(plan));
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new Refusal('apply.declined', exitCode.refused, 'Not approved.', 'Nothing was changed.');
}
