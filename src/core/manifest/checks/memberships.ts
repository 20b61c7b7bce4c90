// Counts the declared group channels of users who may be in too many: a user can join 2,000 (platform §5.7).

import { isObject } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import { IntColumn, NameTable } from '../../../lib/typed-arrays.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { addressAt, firstPlace } from '../../model/addressed-series.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type CrowdedUser, channelsOfUser } from '../../model/limits.ts';
import type { Resource } from '../../model/resource.ts';
import { noPosition } from '../../model/source.ts';

/** Sorted by id. Reads every channel, so call it only for at least `channelsOfUser.many`. */
export function crowdedUsers(resources: Series<Resource>): CrowdedUser[] {
  return crowdedMembers(groupChannels(resources)).map((user) => ({
    ...user,
    source: sourceOf(user.id, resources) ?? user.source,
  }));
}

/** Reads no other objects. `sorted` is sorted by address. */
export function* groupChannels<T extends { readonly address: Address }>(sorted: Series<T>): Generator<T> {
  const [from, to] = [firstPlace(sorted, 'group_channel.'), firstPlace(sorted, 'group_channel/')];
  for (let place = from; place < to; place += 1) {
    const channel = sorted.at(place);
    if (channel !== undefined) yield channel;
  }
}

/** Sorted by id. Records of state have no position. */
export function crowdedMembers(
  channels: Iterable<Pick<Resource, 'attributes'> & Partial<Pick<Resource, 'source'>>>,
): CrowdedUser[] {
  const names = new NameTable();
  const counts = new IntColumn();
  const crowded = new Map<string, CrowdedUser>();
  for (const { attributes, source = noPosition } of channels) {
    const { members } = attributes;
    for (const id of isObject(members) ? Object.keys(members) : []) {
      const number = names.add(id);
      const channels = (counts.at(number) ?? 0) + 1;
      counts.set(number, channels);
      if (channels < channelsOfUser.many) continue;
      crowded.set(id, { id, channels, source: crowded.get(id)?.source ?? source });
    }
  }
  return [...crowded.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** The position of the user's own block. Users who are managed elsewhere have none. */
function sourceOf(id: string, resources: Series<Resource>): Resource['source'] | undefined {
  const address = addressOf('user', id);
  const place = firstPlace(resources, address);
  return addressAt(resources, place) === address ? resources.at(place)?.source : undefined;
}

export function crowdWarnings(users: readonly CrowdedUser[]): Diagnostic[] {
  return users.map(({ id, channels, source }) => ({
    severity: 'warning',
    code: 'user.many-channels',
    summary: 'A user is in nearly as many group channels as possible',
    detail: `${id} is a declared member of ${channels.toLocaleString('en')} group channels. The vendor's pages allow ${channelsOfUser.most.toLocaleString('en')} for one user, joined ones that nobody declared included; beyond that, invitations are declined and creations may fail. Remove ${id} from channels that have ended.`,
    address: addressOf('user', id),
    source,
  }));
}
