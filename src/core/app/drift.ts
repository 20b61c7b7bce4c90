// Reads what others changed on the platform since the last apply.
import { plural } from '../../lib/words.ts';
import type { LoadedManifest } from '../manifest/passes/loaded-manifest.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { usage } from '../model/errors.ts';
import type { Plan } from '../model/plan.ts';
import { refreshWord } from '../model/policy.ts';
import type { JudgedPlan } from '../planner/judges/judge.ts';
import { flagsOf, type Selection, selectionOf } from '../planner/targets.ts';
import { applyInWords } from '../view/text/notes.ts';
import { whileReading } from './context/connect.ts';
import type { Ports } from './context/ports.ts';
import { invalidManifests } from './context/refusals.ts';
import { demandObjects } from './context/state-contents.ts';
import { type DeclaredEstateOptions, openDeclaredEstate } from './opening/declared-estate.ts';
import { withPlace } from './plans/facts.ts';
import { matchedScope, nowOf, planManifests, planRepair } from './plans/plan-manifests.ts';
import { refresh } from './plans/refresh.ts';

export interface DriftRepairOptions extends DeclaredEstateOptions, Selection {}

export interface ReadDriftOptions extends DriftRepairOptions {
  /** Whether to list the whole application, and count what is not managed. */
  readonly unmanaged?: boolean | undefined;
}

/**
 * A plan with the drift but without pending changes of the manifests. Changes nothing. Refused (3) without a valid token, (64)
 * when a pattern of the selection matches nothing, and (66) when state has no objects: a nightly job with a mistyped --state would otherwise never report drift. With `unmanaged`, it
 * is not refused if nothing is declared either, because a project that begins has nothing that could drift.
 */
export async function readDrift(options: ReadDriftOptions, ports: Ports): Promise<Plan> {
  return (await readDeclaredDrift(options, ports)).plan;
}

/** `readDrift`, with the manifests that it was compared with. */
export async function readDeclaredDrift(
  options: ReadDriftOptions,
  ports: Ports,
): Promise<{ readonly plan: Plan; readonly manifest: LoadedManifest }> {
  const { unmanaged: countsUnmanaged = false } = options;
  const selection = selectionOf(options);
  const [partial] = flagsOf(selection);
  if (countsUnmanaged && partial !== undefined)
    throw usage(
      `--unmanaged and --${partial} cannot be combined.`,
      `--unmanaged lists the whole application. Run chatform drift --unmanaged without --${partial}.`,
    );
  const { manifest, application, state, live } = await readEstate(options, ports, countsUnmanaged);
  const planning = { now: nowOf(ports), selection, isComparison: true, live } as const;
  const observed = planManifests(manifest, application, state, { ...planning, isDriftAlone: true }).plan;
  const observedPlan = observationsOf(observed);
  // What an apply does is true of an apply that nothing refuses.
  const hasDrift = (observedPlan.drift?.length ?? 0) > 0;
  const planned = hasDrift && planManifests(manifest, application, state, { ...planning, judgesRules: true });
  const refused = planned === false ? [] : refusedNote(await reasonsAgainst(planned, manifest), manifest);
  const drift = { ...observedPlan, warnings: [...observedPlan.warnings, ...refused] };
  if (!countsUnmanaged) return { plan: drift, manifest };
  const { countUnmanaged, offerUnmanaged } = await import('./plans/unmanaged.ts');
  offerUnmanaged(manifest, application, state, ports);
  const unmanaged = await whileReading(application, ports, ({ reader }) =>
    countUnmanaged(manifest, state, reader, ports),
  );
  return { plan: { ...drift, unmanaged }, manifest };
}

interface WhyRefused {
  readonly why: string;
  /** What to do about it, as a sentence. */
  readonly help: string;
}

/** Why an apply of the plan is refused, the first reason first. The code of signatures is loaded only if the policy demands them. */
async function reasonsAgainst(
  { plan, problems, refusals }: JudgedPlan,
  { policy: { approvals } }: LoadedManifest,
): Promise<WhyRefused[]> {
  const reasons = [...problems, ...refusals].map(({ address, summary, code }) => ({
    why: `${address === undefined ? '' : `${address}: `}${summary} (${code})`,
    help: 'Run chatform plan --refresh to see what to do about it.',
  }));
  // A plan that is not possible does not have all of its changes.
  if (approvals?.dangers === undefined || problems.length > 0 || plan.steps.length === 0) return reasons;
  const { tooDangerous } = await import('./approvals/dangers.ts');
  const why = tooDangerous(plan, approvals);
  if (why === undefined) return reasons;
  const help = 'Save the plan with chatform plan --refresh --out plan.chatform, have it signed, and apply the file.';
  return [...reasons, { why: `The plan needs a signature: ${why} (signature.not-saved)`, help }];
}

/** That an apply is refused, with the first reason. */
function refusedNote([first, ...others]: readonly WhyRefused[], { policy }: LoadedManifest): Diagnostic[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more reason')}`;
  return [
    {
      severity: 'warning',
      code: 'drift.refused',
      summary: 'An apply would be refused',
      detail: `The drift stays, because ${applyInWords(refreshWord(policy, 'apply') === 'all')} is refused: ${first.why}${more}. ${first.help}`,
    },
  ];
}

/**
 * A plan, to be saved, that only undoes drift without an effect on access. `refusals` are the reasons against applying it. Refused as
 * `readDrift`, and (65) when an edit is not possible.
 */
export async function planDriftRepair(
  options: DriftRepairOptions,
  ports: Ports,
): Promise<Pick<JudgedPlan, 'plan' | 'refusals'>> {
  const { manifest, application, backend, state, live } = await readEstate(options, ports, false);
  const selection = selectionOf(options);
  const planned = planRepair(manifest, application, state, { now: nowOf(ports), selection, live, isToBeSaved: true });
  if (planned.problems.length > 0) throw invalidManifests(planned.problems);
  return { ...planned, plan: withPlace(planned.plan, { backend, options, statePlace: manifest.statePlace }) };
}

/** `mayBeEmpty`: neither declared objects nor objects in state are needed, but the first need the second. */
async function readEstate(options: DriftRepairOptions, ports: Ports, mayBeEmpty: boolean) {
  const { manifest, application, backend } = await openDeclaredEstate(options, ports);
  const state = await backend.read(application.identity);
  if (!mayBeEmpty || manifest.resources.length > 0) demandObjects(state, backend.name, application.identity);
  const selection = selectionOf(options);
  matchedScope(selection, manifest, state);
  const live = await refresh(manifest, application, state, { selection, onlyKnown: true }, ports);
  return { manifest, application, backend, state, live };
}

/** `plan` is planned with `isDriftAlone`. Its conditions are for an apply. */
function observationsOf({ live: _conditions, ...plan }: Plan): Plan {
  return {
    ...plan,
    isDriftAlone: true,
    warnings: plan.warnings.filter(({ code }) => notesOnReading.includes(code)),
  };
}

/** The notes on what was not read stay, so that no view takes the drift of some values for the drift of all. */
const notesOnReading: readonly string[] = [
  'plan.not-compared',
  'plan.not-shown',
  'plan.undeclared',
  'plan.unhidden',
  'plan.history-changed',
  'plan.partial',
];
