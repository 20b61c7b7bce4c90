// Support: steps for things with a key, created by POST (not safe to repeat), changed by PUT and read by GET.
import { addressOf, keyOf } from '../../../../src/core/model/address.ts';
import type { StateEntry } from '../../../../src/core/model/record.ts';
import type { Step } from '../../../../src/core/model/step.ts';

type Extra = Partial<Step>;

/** `create('a')` is `thing.a#0`, whose outcome a GET resolves. */
export function create(key: string, extra: Extra = {}): Step {
  return {
    ...base(key, 0, extra),
    action: 'create',
    phase: 'user',
    request: { method: 'POST', route: '/things', body: { key, name: key } },
    begin: true,
    resolve: {
      request: { method: 'GET', route: '/things/{key}', params: { key } },
      absentOn: [400201],
      expect: [{ path: ['name'], is: key }],
    },
    ...extra,
  };
}

/** Safe to repeat. */
export function update(key: string, position = 1, extra: Extra = {}): Step {
  return {
    ...base(key, position, extra),
    action: 'update',
    phase: 'operators',
    request: { method: 'PUT', route: '/things/{key}', params: { key }, body: { [`field${position}`]: true } },
    begin: false,
    entry: patch(key, position),
    ...extra,
  };
}

export function stateOnly(key: string, position = 9, extra: Extra = {}): Step {
  return { ...base(key, position, extra), action: 'forget', phase: 'record', begin: false, ...extra };
}

export function patch(key: string, position: number): StateEntry {
  const address = addressOf('thing', key);
  return { type: 'patch', address, edits: [{ op: 'set', path: [`field${position}`], value: true }] };
}

function base(
  key: string,
  position: number,
  extra: Extra,
): Pick<Step, 'id' | 'address' | 'entry' | 'needs' | 'doneOn'> {
  const address = extra.address ?? addressOf('thing', key);
  const entry: StateEntry = { type: 'put', record: { address, attributes: { name: keyOf(address) } } };
  return { id: `${address}#${position}`, address, entry, needs: [], doneOn: [] };
}
