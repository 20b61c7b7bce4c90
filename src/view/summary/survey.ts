// What has a view to know of all changes before it shows the first one? Gathered in one pass, and as positions alone.
import type { Change } from '../../model/change.ts';
import { DangerCounter, type DangerGroup } from './dangers.ts';
import { type ChangeGroup, GroupCounter } from './groups.ts';
import { isPending } from './verdict.ts';

export interface Survey {
  readonly dangers: readonly DangerGroup[];
  /** Everything that does not wait since before this request. */
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
