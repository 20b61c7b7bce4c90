// The calls on people in all channels of a custom type: operators, bans, mutes (platform §13.2).

import { ApiError } from '../../api/errors.ts';
import type { JsonObject } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';
import { settingOfType } from '../../call/domains.ts';
import { Params } from '../../fields/params.ts';
import type { Effect, RestrictionKind } from '../../stored/effects.ts';
import { settingOfOperators } from '../../stored/records.ts';
import { memberRemoval } from '../departures.ts';
import { operatorOperations } from '../operators.ts';
import { checkNewlyRestricted, lift, listRestrictions, placeOfType, readRestriction } from '../restrictions.ts';

const MAX_PEOPLE = 100;

export const typeOperators = operatorOperations((call) => {
  const type = namedType(call);
  return {
    name: placeOfType(type),
    operators: operatorsOf(call, type),
    put: (ids) => ({ type: 'setting.put', name: settingOf(type), value: { ids } }),
  };
});

/** Members of channels of the type are removed from them. */
export function banInType(call: Call): JsonObject {
  const type = namedType(call);
  const list = call.body.list('banned_list', MAX_PEOPLE);
  if (list === undefined) throw new ApiError('missing', 'banned_list');
  const effects = list.flatMap((item, place): Effect[] => {
    const entry = Params.nested(item, `banned_list[${place}]`);
    const userId = newlyRestricted(call, type, 'ban', entry.requiredString('user_id'));
    if (operatorsOf(call, type).includes(userId)) throw new ApiError('notAuthorized', 'An operator cannot be banned.');
    const restriction = readRestriction(entry, 'ban', userId, call.nowMs);
    const joined = [...call.state.channelsOf(userId)].flatMap((url) => call.state.groupChannels.get(url) ?? []);
    return [
      { type: 'restriction.put', kind: 'ban', url: placeOfType(type), restriction },
      ...joined.filter(({ customType }) => customType === type).flatMap((channel) => memberRemoval(channel, [userId])),
    ];
  });
  call.commit(effects);
  return {};
}

export function muteInType(call: Call): JsonObject {
  const type = namedType(call);
  const effects = call.body.requiredStrings('user_ids', MAX_PEOPLE).map((id): Effect => {
    const userId = newlyRestricted(call, type, 'mute', id);
    const restriction = readRestriction(call.body, 'mute', userId, call.nowMs);
    return { type: 'restriction.put', kind: 'mute', url: placeOfType(type), restriction };
  });
  call.commit(effects);
  return {};
}

export const listTypeBans = (call: Call): JsonObject => listRestrictions(call, placeOfType(namedType(call)), 'ban');
export const listTypeMutes = (call: Call): JsonObject => listRestrictions(call, placeOfType(namedType(call)), 'mute');

export const unbanInType = (call: Call): JsonObject => liftInType(call, 'ban');
export const unmuteInType = (call: Call): JsonObject => liftInType(call, 'mute');

/** Ends the settings of a custom type, with everything that is addressed below them. */
export function endOfType(call: Call, type: string): Effect[] {
  const url = placeOfType(type);
  const lifted = (['ban', 'mute'] as const).flatMap((kind) =>
    [...call.state.restrictions[kind].of(url).keys()].map(
      (userId): Effect => ({ type: 'restriction.delete', kind, url, userId }),
    ),
  );
  return [...lifted, { type: 'setting.delete', name: settingOf(type) }];
}

function liftInType(call: Call, kind: RestrictionKind): JsonObject {
  const type = namedType(call);
  const ids = call.query.strings('user_ids', MAX_PEOPLE);
  if (ids === undefined) throw new ApiError('missing', 'user_ids');
  for (const id of ids) lift(call, placeOfType(type), kind, id);
  return {};
}

function newlyRestricted(call: Call, type: string, kind: RestrictionKind, id: string): string {
  const { userId } = call.activeUser(id);
  checkNewlyRestricted(call, placeOfType(type), kind, userId);
  return userId;
}

/** Whether a custom type without settings can have operators, bans and mutes is not documented. Here it cannot. */
function namedType(call: Call): string {
  const type = call.path('custom_type');
  if (call.state.setting(settingOfType(type)) === undefined)
    throw new ApiError('notFound', 'ChannelCustomTypeSettings');
  return type;
}

function settingOf(type: string): string {
  return `${settingOfOperators}${type}`;
}

function operatorsOf(call: Call, type: string): readonly string[] {
  const ids = call.state.setting(settingOf(type))?.ids;
  return Array.isArray(ids) ? ids.map(String) : [];
}
