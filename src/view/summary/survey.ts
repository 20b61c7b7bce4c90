// What a view must know about all changes before it shows the first, collected as positions in one pass.
import type { Change } from '../../model/change.ts';
import { DangerCounter, type DangerGroup } from './dangers.ts';
import { type ChangeGroup, GroupCounter } from './groups.ts';
import { isPending } from './verdict.ts';

export interface Survey {
  readonly dangers: readonly DangerGroup[];
  /** Everything that was not pending before this request. */
  readonly requested: readonly ChangeGroup[];
  readonly pending: readonly ChangeGroup[];
}

export function surveyOf(changes: Iterable<Change>): Survey {
  const [dangers, requested, pending] = [new DangerCounter(), new GroupCounter(), new GroupCounter()];
  let position = 0;
  for (const change of changes) {
    dangers.add(change, position);
    (isPending(change) ? pending : requested).add(change, position);
    position += 1;
  }
  return { dangers: dangers.end(), requested: requested.end(), pending: pending.end() };
}
