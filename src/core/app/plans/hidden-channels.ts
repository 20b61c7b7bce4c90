// Compares the declared hidden statuses of members with the channels that they hide: one read for each such user (semantics §2.2).

import { isObject } from '../../../lib/json.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { type Address, keyOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';
import { maxIds } from '../../planner/live/observed-state.ts';
import { hiddenBy, isUnavailable } from '../../refresh/listing.ts';
import { ListRefused } from '../../refresh/pages.ts';
import type { LiveReader } from '../../refresh/send.ts';
import { eachOfKind } from '../visibility/histories.ts';

/** The reads that wait for each other's answers. More would only wait for the rate limit. */
const atOnce = 32;
const attribute = 'members.*.hidden_status';

/** By user, the hidden status in each channel. */
export type HidingUsers = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the members whose hidden status is in state. */
export function hidingUsers(
  state: Pick<StateSnapshot, 'records'>,
  isWanted: (address: Address) => boolean,
): HidingUsers {
  const users = new Map<string, Map<string, string>>();
  for (const { address, attributes, retired, lifecycle } of eachOfKind(state.records(), 'group_channel')) {
    const isIgnored = lifecycle?.ignore_changes?.includes('members') === true;
    if (retired === true || isIgnored || !isWanted(address)) continue;
    for (const [id, line] of Object.entries(mapOf(attributes, 'members'))) {
      const status = isObject(line) ? line.hidden_status : undefined;
      if (typeof status !== 'string') continue;
      const channels = users.get(id) ?? new Map<string, string>();
      users.set(id, channels.set(keyOf(address), status));
    }
  }
  return users;
}

export interface ReadStatuses {
  /** The number of statuses that were compared. */
  readonly compared: number;
  readonly notes: readonly PlanProblem[];
}

/** Reads nothing if there are more than `mostReads` users. Users who are deactivated or gone are not compared. */
export async function readHidden(users: HidingUsers, mostReads: number, reader: LiveReader): Promise<ReadStatuses> {
  const total = users.size;
  const unread = (problem: PlanProblem): ReadStatuses => ({ compared: 0, notes: [problem] });
  if (total > mostReads) return unread({ code: 'plan.not-compared', of: 'costly', attribute, count: total, total });
  const waiting = users.entries();
  const ids: string[] = [];
  let [compared, others] = [0, 0];
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const [id, channels] = next.value;
      const hidden = await shownTo(id, reader);
      for (const [url, status] of hidden === undefined ? [] : channels) {
        compared += 1;
        if (hidden?.get(url) === status) continue;
        if (ids.length < maxIds) ids.push(`${id} in ${url}`);
        else others += 1;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return unread({ code: 'plan.not-compared', of: 'not_offered', what: `group_channels.${attribute}`, count: total });
  }
  const notes = ids.length === 0 ? [] : [{ code: 'plan.unhidden', ids: ids.sort(), more: others } as const];
  return { compared, notes };
}

/** Returns undefined for a user whom the platform does not answer for. */
async function shownTo(id: string, reader: LiveReader): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    return await hiddenBy(id, reader);
  } catch (error) {
    if (error instanceof ListRefused && error.platformCode === platformCode.deactivatedUser) return undefined;
    throw error;
  }
}
