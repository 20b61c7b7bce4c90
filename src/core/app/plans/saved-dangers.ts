// The dangers of the steps of a plan as a whole. For a saved plan they are found again, because whoever writes a file can leave its
// warnings out.

import { sendsMessages } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { channelsOfUser } from '../../model/limits.ts';
import { baseWarnings, type Plan } from '../../model/plan.ts';
import { emptyState, type StateSnapshot } from '../../model/ports.ts';
import { addsMembers } from '../../planner/judges/channel-limit.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import type { Reach } from '../visibility/visibility.ts';

interface FoundFrom {
  readonly state: StateSnapshot;
  /** Whether the live objects of the steps were read, so that the channels of users count. Default: as the plan says. */
  readonly isRead?: boolean;
  readonly application: Pick<Application, 'decided'>;
  /** Called only if the plan may have a danger that the platform shows. */
  reach(): Promise<Reach>;
}

/** Loads nothing for a plan that cannot have such dangers. */
export async function dangersOfSteps(
  plan: Plan,
  { state, application, isRead, reach: open }: FoundFrom,
  ports: Pick<Ports, 'clock'>,
): Promise<Diagnostic[]> {
  const isSending = sendsMessages(plan.requests);
  // Without a read, nobody is in more channels than there are objects.
  const isLarge = state.size + (plan.origins?.length ?? 0) > channelsOfUser.most;
  const mayCrowd = addsMembers(plan) && (isRead ?? (plan.basis?.isRefreshed === true || isLarge));
  if (!isSending && !mayCrowd) return [];
  const [{ readSavedHistory }, { savedJoins }, reach] = await Promise.all([
    import('./history-dangers.ts'),
    import('./joined-channels.ts'),
    open(),
  ]);
  const joins = mayCrowd ? await savedJoins(plan, state, reach) : [];
  return isSending ? [...joins, ...(await readSavedHistory(plan, application, state, reach, ports))] : joins;
}

/**
 * The plan of a file with the dangers that can be told without its state and platform. A danger that its content shows is added, and one
 * that the file names is marked as one. Whether people see messages is a warning if the file does not say it: only the platform knows.
 */
export async function withSavedDangers(plan: Plan, ports: Pick<Ports, 'clock'>): Promise<Plan> {
  const unread: Reach = async (_check, otherwise) =>
    otherwise('to show a plan, neither its state nor the platform is read');
  const dangers = await dangersOfSteps(plan, { state: emptyState, application: {}, reach: async () => unread }, ports);
  const judged = (warning: Diagnostic): Diagnostic =>
    isDangerOfPlan(warning, plan.settings) ? { ...warning, severity: 'warning', dangerous: true } : warning;
  const groups = new Set(plan.warnings.map(groupOf));
  const further = dangers
    .filter((warning) => !groups.has(groupOf(warning)))
    .map(({ dangerous: _found, ...warning }) => judged(warning));
  return { ...plan, warnings: [...plan.warnings.map(judged), ...further] };
}

/** Whether a warning is a danger in every plan, unless the policy of the plan accepts it. */
function isDangerOfPlan({ code }: Pick<Diagnostic, 'code'>, { history = {} }: Plan['settings']): boolean {
  if (code === 'history.hidden') return history.hidden !== 'accept';
  if (code === 'history.expires') return history.expires !== 'accept';
  return code === baseWarnings.stateMoved || code === 'user.too-many-channels';
}

/** Findings about message histories replace each other. */
function groupOf({ code }: Pick<Diagnostic, 'code'>): string {
  return code.startsWith('history.') ? 'history' : code;
}
