// Counts on the platform the group channels of users whom a plan adds to more of them: a user can join 2,000 (platform §5.7),
// and those that nobody declares count, too.

import { MappedSeries, type Series } from '../../../lib/series.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import { crowdedMembers, groupChannels } from '../../manifest/checks/memberships.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { addressAt, firstPlace } from '../../model/addressed-series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type CrowdedUser, channelsOfUser } from '../../model/limits.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import { noPosition, type SourcePosition } from '../../model/source.ts';
import { diagnosticOf } from '../../planner/draft/finding.ts';
import { addsMembers, overChannelLimit } from '../../planner/judges/channel-limit.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import { eachOfKind } from '../visibility/histories.ts';
import type { Ask, Reach } from '../visibility/visibility.ts';

/** The reads that wait for each other's answers. More would only wait for the rate limit. */
const atOnce = 32;
/** The default of `policy.read_each`, which a saved plan does not contain. */
const mostSavedReads = 1000;

interface Joins {
  readonly id: string;
  channels: number;
  /** The first channel that adds the user. */
  readonly source: SourcePosition;
}

export interface CountedChannels {
  /** Users in 1,900 channels or more once the plan is applied, sorted by id. */
  readonly crowded: readonly CrowdedUser[];
  readonly remarks: readonly Diagnostic[];
}

export interface JoinsOf extends Pick<LoadedManifest, 'resources'> {
  readonly state: Pick<StateSnapshot, 'get'>;
  readonly isWanted: (address: Address) => boolean;
}

/** One read for each user who exists and joins a channel by the plan, but none if there are more than `mostReads` of them. */
export async function countJoined(from: JoinsOf, mostReads: number, ask: Ask): Promise<CountedChannels> {
  const joining = joiningUsers(from, mostReads);
  if (joining === undefined) return { crowded: [], remarks: [notCounted(mostReads)] };
  const crowded: CrowdedUser[] = [];
  for (let from = 0; from < joining.length; from += atOnce) {
    const counted = await Promise.all(joining.slice(from, from + atOnce).map((user) => countOf(user, ask)));
    crowded.push(...counted.filter(({ channels }) => channels >= channelsOfUser.many));
  }
  return { crowded, remarks: crowded.filter(({ channels }) => channels <= channelsOfUser.most).map(nearLimit) };
}

/** Undefined if there are more than `mostUsers`. A user whom the plan creates is in no channel yet. */
function joiningUsers({ resources, state, isWanted }: JoinsOf, mostUsers: number): Joins[] | undefined {
  const joining = new Map<string, Joins>();
  const isDeclared = (address: Address) => addressAt(resources, firstPlace(resources, address)) === address;
  const exists = (id: string): boolean =>
    state.get(addressOf('user', id)) !== undefined ||
    !(isDeclared(addressOf('user', id)) || isDeclared(addressOf('bot', id)) || state.get(addressOf('bot', id)));
  for (const { address, attributes, source } of eachOfKind(resources, 'group_channel')) {
    if (!isWanted(address)) continue;
    const appliedMembers = mapOf(state.get(address)?.attributes ?? {}, 'members');
    for (const id of Object.keys(mapOf(attributes, 'members'))) {
      if (Object.hasOwn(appliedMembers, id)) continue;
      const joins = joining.get(id);
      if (joins !== undefined) joins.channels += 1;
      else if (exists(id)) joining.set(id, { id, channels: 1, source });
      if (joining.size > mostUsers) return undefined;
    }
  }
  return [...joining.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** A platform that does not answer the call says nothing about the user. */
async function countOf({ id, channels: joins, source }: Joins, ask: Ask): Promise<CrowdedUser> {
  const route = '/users/{user_id}/group_channel_count';
  const answer = await ask({ method: 'GET', route, params: { user_id: id }, query: { state: 'joined_only' } });
  const count = 'body' in answer ? answer.body.group_channel_count : 0;
  return { id, channels: joins + (typeof count === 'number' ? count : 0), source, isCounted: true };
}

/**
 * For an apply of a saved plan, because whoever writes a file can leave its warnings out: users in too many channels of state, once
 * its objects are as the plan leaves them. Counts on the platform, too, if the plan was made so.
 */
export async function savedJoins(plan: Plan, state: StateSnapshot, reach: Reach): Promise<Diagnostic[]> {
  if (!addsMembers(plan)) return [];
  const { origins = [], basis } = plan;
  const resources = new MappedSeries(origins, ({ address, resource }): Resource => {
    return resource ?? { address, attributes: {}, lifecycle: {}, source: noPosition };
  });
  const from = { resources, state, isWanted: () => true };
  const nobody: readonly CrowdedUser[] = [];
  const counted =
    basis?.isRefreshed === true
      ? await reach(
          async (ask) => (await countJoined(from, mostSavedReads, ask)).crowded,
          () => nobody,
        )
      : nobody;
  const users = crowdedUsers(crowdedMembers(channelsAfter(resources, state)), counted);
  return overChannelLimit(plan, users, false).map((finding) => diagnosticOf(finding, planWords));
}

/** Sorted by id. The platform's count contains the declared channels. */
export function crowdedUsers(declared: readonly CrowdedUser[], counted: readonly CrowdedUser[]): CrowdedUser[] {
  const users = new Map([...declared, ...counted].map((user) => [user.id, user]));
  return [...users.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function* channelsAfter(planned: Series<Resource>, state: StateSnapshot) {
  const changed = new NameTable();
  for (const channel of groupChannels(planned)) {
    changed.add(channel.address);
    yield channel;
  }
  for (const record of groupChannels(state.records())) if (changed.find(record.address) === undefined) yield record;
}

function nearLimit({ id, channels, source }: CrowdedUser): Diagnostic {
  const most = channelsOfUser.most.toLocaleString('en');
  return {
    severity: 'warning',
    code: 'user.many-channels',
    summary: 'A user is in nearly as many group channels as possible',
    detail: `With this plan, ${id} is in ${channels.toLocaleString('en')} group channels, counted on the platform. The vendor's pages allow ${most} for one user; beyond that, invitations are declined and creations may fail. Remove ${id} from channels that have ended.`,
    address: addressOf('user', id),
    source,
  };
}

function notCounted(mostReads: number): Diagnostic {
  return {
    severity: 'note',
    code: 'plan.channels-not-counted',
    summary: 'The channels of users were not counted on the platform',
    detail: `The plan adds more than ${mostReads.toLocaleString('en')} existing users to group channels, and each count costs one request. The platform may decline the invitation of a user who is in ${channelsOfUser.most.toLocaleString('en')} of them. Raise policy.read_each to count them.`,
  };
}
