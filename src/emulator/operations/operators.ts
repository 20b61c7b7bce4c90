// The calls on the operators of both kinds of channel: register, cancel, list (platform §5.1, platform §5.3).

import { ApiError } from '../api/errors.ts';
import type { Call, Operation } from '../call/call.ts';
import { takePage } from '../call/paging.ts';
import type { ChannelRecord } from '../stored/records.ts';
import { basicUserView } from '../views/user-view.ts';
import { addOperators, readOperatorIds } from './channel-fields.ts';

type Kind = ChannelRecord['kind'];

export function registerOperators(kind: Kind): Operation {
  return (call) => {
    const channel = call.channel(kind);
    const ids = readOperatorIds(call);
    if (ids === undefined) throw new ApiError('missing', 'operator_ids');
    checkOutsiders(call, channel, ids);
    call.commit([{ type: 'channel.put', channel: { ...channel, operators: addOperators(channel.operators, ids) } }]);
    return {};
  };
}

/** Former operators stay members. One id that is not an operator fails the whole call (platform §5.1). */
export function cancelOperators(kind: Kind): Operation {
  return (call) => {
    const channel = call.channel(kind);
    const all = call.query.boolean('delete_all', false);
    const ids = all ? channel.operators : call.query.strings('operator_ids');
    if (ids === undefined) throw new ApiError('missing', 'operator_ids');
    if (!ids.every((id) => channel.operators.includes(id))) {
      throw new ApiError('invalidValue', 'The list contains a non-operator id');
    }
    const operators = channel.operators.filter((id) => !ids.includes(id));
    call.commit([{ type: 'channel.put', channel: { ...channel, operators } }]);
    return {};
  };
}

/** In order of registration. */
export function listOperators(kind: Kind): Operation {
  return (call) => {
    const channel = call.channel(kind);
    const { items, next } = takePage(
      call,
      `operators:${channel.url}`,
      (position) => [...channel.operators.entries()].filter(([place]) => place > Number(position ?? -1)),
      ([place]) => String(place),
    );
    const users = items.map(([, id]) => call.state.users.get(id)).filter((user) => user !== undefined);
    return { operators: users.map(basicUserView), next };
  };
}

/** Operators of a private channel must be invited first (README, operatorOutsidePrivateChannel). */
function checkOutsiders(call: Call, channel: ChannelRecord, ids: readonly string[]): void {
  if (channel.kind === 'open' || channel.public || call.readings.operatorOutsidePrivateChannel === 'allowed') return;
  const members = call.state.members(channel.url);
  if (!ids.every((id) => members.has(id))) {
    throw new ApiError('notAuthorized', 'An operator of a private channel must be a member.');
  }
}
