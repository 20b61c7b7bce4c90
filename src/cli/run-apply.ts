// How does an apply go, from the manifests or a saved plan to the report?
//
// Everything that can refuse does so before the state is locked and before anything is sent: manifests, trust, token,
// safety, approval. Under the lock the plan is made again (or met again), so that it is true when it runs.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Existing } from '../applier/options.ts';
import { Refusal } from '../model/errors.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { type Application, resolveApplication } from './application.ts';
import { type CommandInput, usage } from './command.ts';
import { demandValid, invalidManifests, loadDeclared } from './declared.ts';
import { execute } from './execute.ts';
import { stateOf } from './open-state.ts';
import { planManifests } from './prepare.ts';
import { readPlan } from './read-plan.ts';
import { refusedBySafety } from './refused.ts';
import { RunReport } from './run-report.ts';
import { checkPlanFits, planConflict, remainingWork, withoutObjects } from './saved-plan.ts';
import { showPlan } from './show-plan.ts';
import { isUnattended, type World } from './world.ts';

/** Where the plan of this run comes from: made anew against a state, or read from a file and met again. */
interface Intent {
  readonly application: Application;
  readonly existing: Existing;
  /** The plan as it stands against this state: of a saved plan, the part that is left. */
  against(state: StateSnapshot): Plan;
  /** A saved plan was reviewed before it was saved. */
  readonly approved: boolean;
}

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
  const saved = await savedPlanAmong(input.args, world);
  const intent = saved === undefined ? await intentOfManifests(input, world) : await intentOfPlan(saved, input, world);
  const backend = stateOf(input, world);
  /** Under the lock once more: another run may have been faster. */
  const against = (state: StateSnapshot): Plan => {
    const plan = intent.against(state);
    checkHash(plan, saved, input);
    checkTokens(plan, input);
    return plan;
  };
  const plan = against(await backend.read(intent.application.identity));
  if (saved === undefined) await showPlan(plan, input, world);
  if (plan.steps.length === 0) {
    if (saved !== undefined) world.stdout.write('Nothing is left to do of this plan.\n');
    return exitCode.done;
  }
  if (!intent.approved) await demandApproval(plan, world);
  return execute({
    input,
    world,
    report,
    backend,
    application: intent.application,
    existing: intent.existing,
    plan,
    isPersonally: !intent.approved,
    ...times,
    against,
  });
}

async function intentOfManifests(input: CommandInput, world: World): Promise<Intent> {
  const manifest = await loadDeclared(input.args, world, 'error');
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  return {
    application,
    existing: manifest.policy.existing,
    approved: input.flag('auto-approve'),
    against: (state) => {
      const { plan, problems, refusals } = planManifests(manifest, application, state, input, world);
      if (problems.length > 0) throw invalidManifests(problems);
      if (refusals.length > 0) throw refusedBySafety(refusals);
      return plan;
    },
  };
}

async function intentOfPlan(file: string, input: CommandInput, world: World): Promise<Intent> {
  const plan = await readPlan(file, world.cwd);
  const application = resolveApplication(input, world, plan.settings);
  return {
    application,
    existing: plan.settings.existing,
    approved: true,
    against: (state) => {
      checkPlanFits(plan, application.identity, state);
      const { steps, conflicts } = remainingWork(plan, state);
      if (conflicts.length > 0 && !input.flag('skip-conflicts')) throw planConflict(conflicts);
      return { ...plan, steps: withoutObjects(steps, conflicts) };
    },
  };
}

/** One path that is a file and no YAML is a saved plan. */
async function savedPlanAmong(paths: readonly string[], world: World): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(world.cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}

function checkHash(plan: Plan, saved: string | undefined, input: CommandInput): void {
  const approved = input.text('approved-hash');
  if (approved === undefined || approved === plan.hash) return;
  throw new Refusal(
    'plan.not-approved',
    exitCode.conflict,
    `The approved plan has the hash ${approved}, this one ${plan.hash}.`,
    saved === undefined
      ? 'The manifests or the state changed since the plan was approved. Have the new plan reviewed.'
      : 'This is another plan file than the approved one.',
  );
}

function checkTokens(plan: Plan, input: CommandInput): void {
  if (input.text('tokens-out') !== undefined || plan.steps.every(({ sink }) => sink === undefined)) return;
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
