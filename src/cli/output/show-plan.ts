// Shows a plan, on stdout in the wanted format, in files, and in the pipeline around the process, and asks whether it may run.

import type { Approval } from '../../core/app/apply.ts';
import { filesAddress } from '../../core/model/ci-systems.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { Refusal, usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { Plan } from '../../core/model/plan.ts';
import { type PlanFormatName, printPlan } from '../../core/view/index.ts';
import type { ViewOptions } from '../../core/view/text/options.ts';
import { safe } from '../../core/view/text/text.ts';
import { inChunks } from '../../lib/series.ts';
import { chatformCommand, pathArgument } from '../../lib/tools/pasted-words.ts';
import type { CommandInput } from '../flags/command-input.ts';
import { folderIn, planViewOptions, shareOf } from '../flags/view-options.ts';
import { type CommandEnvironment, isInPipeline, isUnattended } from '../process/environment.ts';
import { showSuccess } from './notices.ts';

/** Shows a new plan. `refusals` are the reasons why it cannot be applied. */
export async function presentPlan(
  plan: Plan,
  input: CommandInput,
  environment: CommandEnvironment,
  refusals: readonly Diagnostic[] = [],
): Promise<void> {
  const out = input.text('out');
  const applying = out === undefined || refusals.length > 0 ? {} : { applying: applyCommand(out) };
  await showPlan(plan, input, environment, { refusals, ...applying }, true);
  if (!isInPipeline(environment)) return;
  const { publishPlan } = await import('./pipeline.ts');
  await publishPlan(plan, input, environment, refusals);
}

/** Shows a plan, refuses it (5) for `refusals`, and saves it in the file of --out. `shown` is the plan with its stages. */
export async function presentMade(
  plan: Plan,
  refusals: readonly Diagnostic[],
  isRefreshed: boolean,
  input: CommandInput,
  environment: CommandEnvironment,
  shown = plan,
): Promise<void> {
  const out = input.text('out');
  const signCommand = input.text('sign-command');
  await presentPlan(shown, input, environment, refusals);
  if (refusals.length > 0) {
    const { refusedBySafety } = await import('../../core/app/context/refusals.ts');
    throw refusedBySafety(refusals);
  }
  if (out !== undefined) {
    const { savePlan } = await import('../../core/app/plans/plan-file.ts');
    await savePlan(plan, out, environment, signCommand);
    const signed = signCommand === undefined ? '' : `, and its signature to ${out}.sig`;
    showSuccess(
      `Saved to ${safe(out)}${safe(signed)}. It contains names and metadata. Apply it with: ${applyCommand(out)}\n`,
      environment,
    );
    if (!isRefreshed) {
      showSuccess('The plan was made without --refresh, so the apply will not check for live changes.\n', environment);
    }
  }
}

export function applyCommand(file: string): string {
  return chatformCommand('apply', pathArgument(file));
}

/** Shows a saved plan, which was published when it was made. */
export async function showPlan(
  plan: Plan,
  input: CommandInput,
  environment: CommandEnvironment,
  more: Pick<ViewOptions, 'refusals' | 'signature' | 'applying'> = {},
  isNew = false,
): Promise<void> {
  const writer = input.list('write').length === 0 ? undefined : await import('./write-views.ts');
  const files = writer?.viewFilesOf(input) ?? [];
  const format = (input.text('format') ?? 'human') as PlanFormatName;
  const hasPage = format === 'html' || files.some((view) => view.format === 'html');
  const writing = hasPage && !input.flag('redact') ? await writingOf(environment, isNew) : {};
  const link = hasPage ? (await import('./write-views.ts')).linking(input, environment, '.') : {};
  const isInConflict = format === 'human' && (plan.summary.conflict ?? 0) > 0;
  const blockText = isInConflict ? (await import('../../tools/format.ts')).pastedBlock : undefined;
  const viewed = planViewOptions(input, environment, environment.stdout);
  const options = { ...viewed, blockText, ...writing, ...link, ...more };
  for (const text of inChunks(await printPlan(format, plan, { ...options, ...shareOf(input, format) }))) {
    environment.stdout.write(text);
    await environment.stdout.room?.();
  }
  input.isAnswered = true;
  environment.planShown?.(plan, more.refusals ?? []);
  await writer?.writeViews(files, plan, options, input, environment);
}

/** Who writes the page, and when. Redacted pages name nobody. */
async function writingOf(
  environment: CommandEnvironment,
  isNew: boolean,
): Promise<Pick<ViewOptions, 'writing' | 'origin'>> {
  const { actorOf } = await import('../../core/app/context/actor.ts');
  const actor = actorOf(environment);
  const at = environment.clock.date().toISOString();
  if (!isNew) return { writing: { by: actor, at } };
  const { commit, ref, ...by } = actor;
  const [folder, address] = [folderIn(environment), filesAddress(environment.env)];
  const path =
    folder === undefined || folder === '' ? folder : `${folder.split('/').map(encodeURIComponent).join('/')}/`;
  const files = path === undefined || address === undefined ? undefined : address + path;
  return { writing: { by, at }, origin: { commit, ref, files } };
}

/** Shows the plan and asks for approval, unless --auto-approve is set. `saving` is the command that saves such a plan. */
export async function reviewPlan(
  plan: Plan,
  input: CommandInput,
  environment: CommandEnvironment,
  saving = 'chatform plan --out FILE',
): Promise<Approval> {
  const { aside } = await import('./result.ts');
  await presentPlan(plan, ...aside(input, environment));
  if (plan.steps.length === 0 || input.flag('auto-approve')) return 'any';
  if (isUnattended(environment) || !environment.canAsk) {
    throw usage(
      'Approval is required, but there is no terminal to ask on.',
      `Pass --auto-approve, or save a plan with ${saving}, have it reviewed, and apply that file.`,
    );
  }
  const { promptFor } = await import('../../core/view/terminal/plan.ts');
  const answer = await environment.ask(promptFor(plan));
  if (answer.trim() === 'yes') return 'exact';
  throw new Refusal('apply.declined', exitCode.refused, 'Not approved.', 'Nothing was changed.');
}
