// What a plan says besides its changes. Facts are found after the plan was judged, only add to it, and are never part of its hash.
import type { Series } from '../../../lib/series.ts';
import { addressAt, addressesIn } from '../../model/addressed-series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { DeclaredPlace } from '../../model/stores/declared-place.ts';
import type { Application } from '../context/application.ts';
import type { StateOptions } from '../context/ports.ts';
import type { Live } from './refresh.ts';
import { noteOfDoubt, withNewState } from './state-notes.ts';

/** What a plan was made from. */
export interface MadeFrom {
  /** The state, by its name. */
  readonly backend: { readonly name: string };
  readonly state: StateSnapshot;
  readonly options: StateOptions;
  readonly application: Pick<Application, 'identity' | 'target'>;
  /** The place of the state that the manifests or a saved plan name. */
  readonly statePlace: DeclaredPlace | undefined;
  /** The declared objects. Absent for a saved plan and an undo. */
  readonly declared?: Series<Resource> | undefined;
  readonly live?: Live | undefined;
  /** Which plans need a signature. */
  readonly approvals?: Pick<ApprovalsPolicy, 'dangers' | 'signatures'> | undefined;
  /** What the use case found besides. */
  readonly warnings?: readonly Diagnostic[];
}

type Fact = (plan: Plan, madeFrom: MadeFrom) => Plan | Promise<Plan>;

/** The name of the state, if one is declared, and the place for an apply of the saved plan, if it is that one. */
export function withPlace(
  plan: Plan,
  { backend, statePlace, options }: Pick<MadeFrom, 'backend' | 'statePlace' | 'options'>,
): Plan {
  if (statePlace === undefined) return plan;
  const settings = options.state === undefined ? { ...plan.settings, state: statePlace.place } : plan.settings;
  return { ...plan, settings, state: backend.name };
}

const newState: Fact = (plan, { backend, state, declared, live }) =>
  declared === undefined ? plan : withNewState(plan, backend.name, state, declared, live);

const unknownApplication: Fact = (plan, { application: { target, identity } }) => {
  if (target.type !== 'unknown') return plan;
  const isFromState = !identity.endsWith(target.lacks);
  return {
    ...plan,
    unknown_application: { variable: target.lacks, ...(isFromState ? { from_state: true } : {}) },
  };
};

const furtherWarnings: Fact = (plan, { warnings = [] }) =>
  warnings.length === 0 ? plan : { ...plan, warnings: [...plan.warnings, ...warnings] };

const doubt: Fact = (plan, { state }) => {
  const notes = noteOfDoubt(state.pending);
  return notes.length === 0 ? plan : { ...plan, warnings: [...notes, ...plan.warnings] };
};

/** A warning if an apply of the plan will demand a signature. Its code is loaded only then. */
const signature: Fact = async (plan, { approvals }) => {
  if (approvals?.dangers === undefined || plan.steps.length === 0) return plan;
  const { signatureWarning } = await import('../approvals/dangers.ts');
  const wanted = signatureWarning(plan, approvals);
  if (wanted.length === 0) return plan;
  return { ...plan, signatures: approvals.signatures ?? 1, warnings: [...plan.warnings, ...wanted] };
};

/** Declared objects and changes are sorted by address. */
const unchanged: Fact = (plan, { declared }) => {
  if (declared === undefined) return plan;
  let [place, amount] = [0, 0];
  for (const address of addressesIn(declared)) {
    while ((addressAt(plan.changes, place) ?? address) < address) place += 1;
    if (addressAt(plan.changes, place) !== address) amount += 1;
  }
  return { ...plan, unchanged: amount };
};

/** For a plan that is shown or saved, and for one that is about to run, whose calls in doubt and signature were looked at. */
const facts = {
  shown: [newState, unknownApplication, withPlace, furtherWarnings, doubt, signature, unchanged],
  run: [newState, withPlace, furtherWarnings],
} as const;

export async function withFacts(plan: Plan, purpose: keyof typeof facts, madeFrom: MadeFrom): Promise<Plan> {
  let complete = plan;
  for (const fact of facts[purpose]) complete = await fact(complete, madeFrom);
  return complete;
}
