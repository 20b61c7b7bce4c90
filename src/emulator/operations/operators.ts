// The calls on the operators of channels and of custom types: register, cancel, list (platform §5.1, platform §5.3, platform §13.2).

import { ApiError } from '../api/errors.ts';
import type { Call, Operation } from '../call/call.ts';
import { takePage } from '../call/paging.ts';
import type { Effect } from '../stored/effects.ts';
import type { ChannelRecord } from '../stored/records.ts';
import { basicUserView } from '../views/user-view.ts';
import { addOperators, readOperatorIds } from './channel-fields.ts';

/** What has operators: a channel, or all channels of a custom type. */
export interface Operated {
  /** Names the list in page tokens. */
  readonly name: string;
  readonly operators: readonly string[];
  readonly put: (operators: readonly string[]) => Effect;
  /** Throws for users who cannot become operators. */
  readonly check?: (ids: readonly string[]) => void;
}

export interface OperatorOperations {
  readonly register: Operation;
  readonly cancel: Operation;
  readonly list: Operation;
}

export function channelOperators(kind: ChannelRecord['kind']): OperatorOperations {
  return operatorOperations((call) => {
    const channel = call.channel(kind);
    return {
      name: channel.url,
      operators: channel.operators,
      put: (operators) => ({ type: 'channel.put', channel: { ...channel, operators } }),
      check: (ids) => checkOutsiders(call, channel, ids),
    };
  });
}

export function operatorOperations(operatedBy: (call: Call) => Operated): OperatorOperations {
  return {
    register: (call) => {
      const { operators, put, check } = operatedBy(call);
      const ids = readOperatorIds(call);
      if (ids === undefined) throw new ApiError('missing', 'operator_ids');
      check?.(ids);
      call.commit([put(addOperators(operators, ids))]);
      return {};
    },
    // Former operators stay members. One id that is not an operator fails the whole call (platform §5.1).
    cancel: (call) => {
      const { operators, put } = operatedBy(call);
      const all = call.query.boolean('delete_all', false);
      const ids = all ? operators : call.query.strings('operator_ids');
      if (ids === undefined) throw new ApiError('missing', 'operator_ids');
      if (!ids.every((id) => operators.includes(id))) {
        throw new ApiError('invalidValue', 'The list contains a non-operator id');
      }
      call.commit([put(operators.filter((id) => !ids.includes(id)))]);
      return {};
    },
    // In order of registration.
    list: (call) => {
      const { name, operators } = operatedBy(call);
      const { items, next } = takePage(
        call,
        `operators:${name}`,
        (position) => [...operators.entries()].filter(([place]) => place > Number(position ?? -1)),
        ([place]) => String(place),
      );
      const users = items.map(([, id]) => call.state.users.get(id)).filter((user) => user !== undefined);
      return { operators: users.map(basicUserView), next };
    },
  };
}

/** Operators of a private channel must be invited first (behaviours.md, operatorOutsidePrivateChannel). */
function checkOutsiders(call: Call, channel: ChannelRecord, ids: readonly string[]): void {
  if (channel.kind === 'open' || channel.public || call.behaviours.operatorOutsidePrivateChannel === 'allowed') return;
  const members = call.state.members(channel.url);
  if (!ids.every((id) => members.has(id))) {
    throw new ApiError('notAuthorized', 'An operator of a private channel must be a member.');
  }
}
