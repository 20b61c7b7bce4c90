// How does an apply go, from the manifests or a saved plan to the report?
//
// Everything that can refuse does so before the state is locked and before anything is sent: manifests, trust, token,
// safety, approval. Under the lock the plan is made again (or met again), so that it is true when it runs.

import { type Environment, isUnattended } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import { type RunReport, reporting } from '../cli/output/run-report.ts';
import { presentPlan } from '../cli/output/show-plan.ts';
import { Refusal } from '../model/errors.ts';
import type { ApplyEvent } from '../model/event.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { execute } from './execute.ts';
import { type PlanSource, planSourceOf } from './plan-source.ts';
import { stateOf } from './session/open-state.ts';
import { TimeLimit } from './session/time-limit.ts';
import { settledState } from './session/under-lock.ts';

export function runApply(input: CommandInput, world: Environment): Promise<ExitCode> {
  return reporting(input, world, (report) => planAndExecute(input, world, report));
}

/** Everything but the report of a run that never began. `watch` is told of every event. */
export async function planAndExecute(
  input: CommandInput,
  world: Environment,
  report: RunReport,
  watch?: (event: ApplyEvent) => void,
): Promise<ExitCode> {
  const limit = new TimeLimit(input, world);
  return limit.within(world, 'its first step', (reading) => carryOut(input, world, reading, limit, report, watch));
}

/** `reading`: the same world, in which the end of the time is an interrupt. */
async function carryOut(
  input: CommandInput,
  world: Environment,
  reading: Environment,
  limit: TimeLimit,
  report: RunReport,
  watch?: (event: ApplyEvent) => void,
): Promise<ExitCode> {
  const lockTimeoutMs = input.duration('lock-timeout') ?? 0;
  const intent = await planSourceOf(input, reading, 'error');
  checkVerification(intent, input);
  const isApproved = intent.isSaved || input.flag('auto-approve');
  const backend = await stateOf(input, reading);
  /** Under the lock once more: another run may have been faster. */
  const against = (state: StateSnapshot): Plan => {
    const plan = intent.against(state);
    checkHash(plan, intent.isSaved, input);
    checkTokens(plan, input);
    return plan;
  };
  const opening = { input, world, backend, application: intent.application, lockTimeoutMs, limit };
  const before = await settledState(opening);
  await intent.look(before);
  const plan = against(before);
  if (!intent.isSaved) await presentPlan(plan, input, world);
  if (plan.steps.length === 0) {
    if (intent.isSaved) world.stdout.write('Nothing is left to do of this plan.\n');
    return verifyAfter(exitCode.done, intent, limit, input, world);
  }
  if (!isApproved) await demandApproval(plan, world);
  const { existing } = intent;
  const exit = await execute({ ...opening, report, existing, plan, isPersonally: !isApproved, watch, against });
  return verifyAfter(exit, intent, limit, input, world);
}

/** What was not applied cannot be verified yet. */
async function verifyAfter(
  exit: ExitCode,
  { declared, application }: PlanSource,
  limit: TimeLimit,
  input: CommandInput,
  world: Environment,
): Promise<ExitCode> {
  if (exit !== exitCode.done || declared === undefined || !input.flag('verify')) return exit;
  const { verifyDeclared } = await import('./verify.ts');
  return limit.within(world, 'every message was verified', (reading) =>
    verifyDeclared(declared, application, input, reading),
  );
}

/** Before anything is done. */
function checkVerification({ declared }: PlanSource, input: CommandInput): void {
  if (!input.flag('verify') || declared !== undefined) return;
  throw usage(
    'A saved plan does not hold the message archives that --verify compares.',
    'Apply it without --verify, and give the manifests to: chatform verify',
  );
}

function checkHash(plan: Plan, isSaved: boolean, input: CommandInput): void {
  const approved = input.text('approved-hash');
  if (approved === undefined || approved === plan.hash) return;
  throw new Refusal(
    'plan.not-approved',
    exitCode.conflict,
    `The approved plan has the hash ${approved}, this one ${plan.hash}.`,
    adviceOnHash(plan.hash.startsWith(approved), isSaved),
  );
}

function adviceOnHash(isBeginning: boolean, isSaved: boolean): string {
  if (isBeginning) return 'That is only its beginning, which is what people are shown: give the whole of it.';
  return isSaved
    ? 'This is another plan file than the approved one.'
    : 'The manifests or the state changed since the plan was approved. Have the new plan reviewed.';
}

function checkTokens(plan: Plan, input: CommandInput): void {
  if (input.text('tokens-out') !== undefined || !issuesTokens(plan)) return;
  throw new Refusal(
    'tokens.nowhere',
    exitCode.refused,
    'The plan issues tokens, and there is no place for them.',
    'Give --tokens-out FILE: issued tokens are written there and nowhere else. Nothing was changed.',
  );
}

function issuesTokens({ steps }: Plan): boolean {
  for (const { sink } of steps) if (sink !== undefined) return true;
  return false;
}

async function demandApproval(plan: Plan, world: Environment): Promise<void> {
  if (isUnattended(world) || !world.canAsk) {
    throw usage(
      'Nobody can be asked for approval here.',
      'Give --auto-approve; or save a plan with chatform plan --out, have it reviewed, and apply the file.',
    );
  }
  const { promptFor } = await import('../view/terminal/plan.ts');
  const answer = await world.ask(promptFor(plan));
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new Refusal('apply.declined', exitCode.refused, 'Not approved.', 'Nothing was changed.');
}
