// Are the live objects still as a saved plan saw them? Read again before the first write (semantics §6.1).
import { type Address, compareAddresses } from '../model/address.ts';
import { printPath } from '../model/change.ts';
import type { LiveCondition, Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { Step } from '../model/step.ts';
import { absence, brokenConditions } from '../planner/conditions.ts';
import type { Subject } from '../refresh/subjects.ts';
import type { Application } from './application.ts';
import type { CommandInput } from './command.ts';
import type { World } from './world.ts';

/** What was changed on the platform since the plan was made: the address, and where. */
export interface LiveConflict {
  readonly address: Address;
  readonly what: string;
}

/** Of the objects of the steps that are left. A plan that was made without a refresh has nothing to check. */
export async function findLiveConflicts(
  plan: Plan,
  left: Iterable<Step>,
  state: StateSnapshot,
  application: Application,
  input: CommandInput,
  world: World,
): Promise<LiveConflict[]> {
  if (plan.live === undefined) return [];
  const conditions = new Map(plan.live);
  const begun = new Set(state.pending.map(({ address }) => address));
  const expected = new Map<Address, readonly LiveCondition[]>();
  for (const { address, action, request } of left) {
    if (action === 'create') {
      // Nothing was there, which holds until the create was begun.
      if (!begun.has(address)) expected.set(address, absence);
    } else if (request !== undefined && !expected.has(address)) {
      const own = conditions.get(address);
      if (own !== undefined) expected.set(address, own);
    }
  }
  const addresses = [...expected.keys()].sort(compareAddresses);
  const subjects = function* (): Generator<Subject> {
    for (const address of addresses) {
      const own = expected.get(address) ?? [];
      const names = new Set(own.map(({ path }) => path[0]));
      yield { address, isKnown: own !== absence, wants: (name) => names.has(name) };
    }
  };
  const { read } = await import('./refresh.ts');
  const conflicts: LiveConflict[] = [];
  await read(subjects, application, input, world, (kind, { address }, live) => {
    const broken = brokenConditions(kind, expected.get(address) ?? [], live);
    if (broken.length === 0) return;
    const whole = broken.some(({ path }) => path.length === 0);
    const what = whole ? (live.exists ? 'is there' : 'is gone') : broken.map(({ path }) => printPath(path)).join(', ');
    conflicts.push({ address, what });
  });
  return conflicts;
}
