// How does a plan of the manifests come about, and how is it saved? The same for `chatform plan` and for the library.
import { resolve } from 'node:path';
import type { Environment } from '../cli/environment.ts';
import type { CommandInput } from '../cli/flags/command.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { UpkeepBackend } from '../state/upkeep.ts';
import { inDoubt } from './in-doubt.ts';
import { demandValid, invalidManifests, loadDeclared } from './load-declared.ts';
import { planManifests } from './plan-manifests.ts';
import { type Application, resolveApplication } from './session/application.ts';
import { stateOf } from './session/open-state.ts';

export interface MadePlan {
  readonly plan: Plan;
  /** Why it may not be applied as it is. */
  readonly refusals: readonly Diagnostic[];
  /** Warnings and notes on the manifests. */
  readonly remarks: readonly Diagnostic[];
  /** The live objects were read for it. */
  readonly isRefreshed: boolean;
}

/** Takes no lock and sends nothing, but for the reads of --refresh. Refused (65) when the manifests are not valid. */
export async function planDeclared(input: CommandInput, world: Environment): Promise<MadePlan> {
  const declared = await loadDeclared(input.args, world, 'warn');
  await demandValid(declared.diagnostics, input, world);
  const ref = input.text('base-ref');
  const base =
    ref === undefined
      ? undefined
      : await (await import('./git/base-ref.ts')).readBase(ref, input.args, declared, world);
  const manifest = base?.head ?? declared;
  const resolved = resolveApplication(input, world, manifest.application, { mayBeUnknown: !input.flag('refresh') });
  const backend = await stateOf(input, world);
  const application = await asStateKnows(resolved, backend);
  const state = await backend.read(application.identity);
  const live = input.flag('refresh')
    ? await (await import('./refresh.ts')).refresh(manifest, application, state, input, world)
    : undefined;
  const planOf = (of: LoadedManifest, isComparison = false) =>
    planManifests(of, application, state, input, world, undefined, isComparison, live);
  const { plan: alone, problems, refusals } = planOf(manifest);
  if (problems.length > 0) throw invalidManifests(problems);
  const made = base === undefined ? alone : (await import('./git/base-ref.ts')).comparedWith(base, alone, planOf);
  const doubts = inDoubt(state.pending);
  const plan = doubts.length === 0 ? made : { ...made, warnings: [...doubts, ...made.warnings] };
  return { plan, refusals, remarks: declared.diagnostics, isRefreshed: live !== undefined };
}

/** Without the variable that names the application, a state that holds one alone says which it is. */
async function asStateKnows(application: Application, backend: UpkeepBackend): Promise<Application> {
  if (application.target.type !== 'unknown') return application;
  const [identity, ...others] = await backend.applications();
  return identity === undefined || others.length > 0 ? application : { ...application, identity };
}

/** For `chatform apply FILE`. Readable by its owner alone: it holds names and metadata. */
export async function savePlan(plan: Plan, file: string, { cwd }: Environment): Promise<void> {
  const [{ writeOutput }, { printPlanFile }] = await Promise.all([
    import('./output-files.ts'),
    import('../planner/plan-file/print.ts'),
  ]);
  await writeOutput(resolve(cwd, file), printPlanFile(plan), 0o600);
}
