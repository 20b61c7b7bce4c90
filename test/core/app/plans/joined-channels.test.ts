// Tests that an apply of a saved plan finds users in too many channels by itself (semantics §6.4).
import { expect, test } from 'vitest';
import { savedJoins } from '../../../../src/core/app/plans/joined-channels.ts';
import { withSavedDangers } from '../../../../src/core/app/plans/saved-dangers.ts';
import { type Address, compareAddresses } from '../../../../src/core/model/address.ts';
import { emptyState } from '../../../../src/core/model/ports.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { planFor, resources, stateOf } from '../../../support/planning/planning.ts';

const users = { ann: { nickname: 'A' }, bob: { nickname: 'B' } };
const rooms = (count: number, members: readonly string[] = ['ann']) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `room-${at}`,
      { members: Object.fromEntries(members.map((id) => [id, {}])) },
    ]),
  );

test.for([
  ['creates 2,000 channels', 0, 2000, []],
  ['creates 2,001 channels', 0, 2001, ['ann']],
  ['adds a channel to 2,000 of state', 2000, 2001, ['ann']],
  ['adds none to 2,001 of state', 2001, 2001, []],
] as const)('a plan that %s is a danger for those in more than 2,000', async ([, before, after, named]) => {
  const applied = resources({ user: users, ...(before === 0 ? {} : { group_channel: rooms(before) }) });
  const records = before === 0 ? (new Map() as ReturnType<typeof stateOf>) : stateOf(applied);
  const sorted = [...records.values()].sort((left, right) => compareAddresses(left.address, right.address));
  const state = { ...emptyState, get: (address: Address) => records.get(address), records: () => sorted };
  const { plan } = planFor(
    resources({ user: { ...users, eve: { nickname: 'E' } }, group_channel: rooms(after) }),
    records,
  );
  const dangers = await savedJoins({ ...plan, warnings: [] }, state, async (_check, otherwise) =>
    otherwise('no token'),
  );
  expect(dangers.map(({ code, dangerous }) => [code, dangerous])).toEqual(
    named.map(() => ['user.too-many-channels', true]),
  );
  // Without its state, a file shows those who are in too many channels of the plan alone.
  const clock = new VirtualClock(new Date('2026-06-01T00:00:00Z'));
  const { warnings } = await withSavedDangers({ ...plan, warnings: [] }, { clock });
  expect(warnings.map(({ code, dangerous }) => [code, dangerous])).toEqual(
    before === 0 ? named.map(() => ['user.too-many-channels', true]) : [],
  );
  for (const [place, id] of named.entries()) expect(dangers[place]?.detail).toContain(`${id} (2,001 channels)`);
});
