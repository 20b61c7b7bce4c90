// Checks before the first write that the live objects have not changed since a saved plan was made (semantics §6.1).

import { type Address, compareAddresses } from '../../model/address.ts';
import { printPath } from '../../model/change.ts';
import type { LiveCondition, Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Step } from '../../model/step.ts';
import { absence, brokenConditions } from '../../planner/live/conditions.ts';
import type { ReadSubject } from '../../refresh/subjects.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';

/** An object that changed on the platform since the plan was made. */
export interface LiveConflict {
  readonly address: Address;
  /** The changed attribute paths, or whether the object appeared or disappeared. */
  readonly what: string;
}

/** Checks the objects of the remaining steps. A plan made without a refresh has nothing to check. */
export async function findLiveConflicts(
  plan: Plan,
  remaining: Iterable<Step>,
  state: StateSnapshot,
  application: Application,
  ports: Ports,
): Promise<LiveConflict[]> {
  const { live } = plan;
  if (live === undefined) return [];
  const begun = new Set(state.pending.map(({ address }) => address));
  const created = new Set<Address>();
  const touched = new Set<Address>();
  for (const { address, action, request } of remaining) {
    if (action === 'create') created.add(address);
    else if (request !== undefined) touched.add(address);
  }
  // The object must be absent until its create has begun.
  const absent = [...created].filter((address) => !begun.has(address)).sort(compareAddresses);
  const subjects = () => subjectsOf(absent, live, ({ address }) => touched.has(address) && !created.has(address));
  const { readSubjects } = await import('./refresh.ts');
  const conflicts: LiveConflict[] = [];
  await readSubjects(subjects, { application, mostEach: 0 }, ports, (kind, { address, conditions }, liveObject) => {
    const broken = brokenConditions(kind, conditions, liveObject);
    if (broken.length === 0) return;
    const concernsExistence = broken.some(({ path }) => path.length === 0);
    const what = concernsExistence
      ? liveObject.exists
        ? 'is there'
        : 'is gone'
      : broken.map(({ path }) => printPath(path)).join(', ');
    conflicts.push({ address, what });
  });
  return conflicts;
}

interface Conditioned extends ReadSubject {
  readonly conditions: readonly LiveCondition[];
}

/** Merges objects that must be absent and objects with conditions, both sorted by address. */
function* subjectsOf(
  absent: readonly Address[],
  live: NonNullable<Plan['live']>,
  isWanted: (subject: Conditioned) => boolean,
): Generator<Conditioned> {
  let next = 0;
  const absentBefore = function* (end?: Address): Generator<Conditioned> {
    for (let address = absent[next]; address !== undefined; address = absent[next]) {
      if (end !== undefined && compareAddresses(address, end) > 0) return;
      yield { address, isKnown: false, wants: () => false, conditions: absence };
      next += 1;
    }
  };
  for (const [address, conditions] of live) {
    yield* absentBefore(address);
    const names = new Set(conditions.map(({ path }) => path[0]));
    const subject = { address, isKnown: true, wants: (name: string) => names.has(name), conditions };
    if (isWanted(subject)) yield subject;
  }
  yield* absentBefore();
}
