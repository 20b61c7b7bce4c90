// The tokens of devices to which notifications would be pushed (platform §12).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import type { Effect } from '../stored/effects.ts';
import type { UserRecord } from '../stored/records.ts';
import { basicUserView } from '../views/user-view.ts';

const FIELDS = { gcm: 'gcm_reg_token', huawei: 'huawei_device_token', apns: 'apns_device_token' } as const;
type TokenType = keyof typeof FIELDS;

export function addDeviceToken(call: Call): Json {
  const user = call.user(call.path('user_id'));
  const type = namedType(call);
  const token = call.body.requiredString(FIELDS[type]);
  if (token === '') throw new ApiError('notAllowedCharacter', FIELDS[type]);
  call.commit([withTokens(user, type, [...new Set([...tokensOf(user, type), token])])]);
  return { token, type: type.toUpperCase(), user: basicUserView(user) };
}

export function listDeviceTokens(call: Call): Json {
  const user = call.user(call.path('user_id'));
  const type = namedType(call);
  return { tokens: tokensOf(user, type), type: type.toUpperCase(), user: basicUserView(user) };
}

export function removeDeviceToken(call: Call): Json {
  const user = call.user(call.path('user_id'));
  const token = call.path('token');
  remove(call, [user], namedType(call), token);
  return { token, user: basicUserView(user) };
}

export function removeAllDeviceTokens(call: Call): Json {
  const { deviceTokens = {}, ...user } = call.user(call.path('user_id'));
  call.commit([{ type: 'user.put', user }]);
  return { token: Object.values(deviceTokens).flat(), user: basicUserView(user) };
}

export function viewTokenOwners(call: Call): Json {
  return ownersOf(call).map(({ userId }) => ({ user_id: userId }));
}

export function removeTokenFromOwners(call: Call): Json {
  const owners = ownersOf(call);
  remove(call, owners, namedType(call), call.path('token'));
  return owners.map(({ userId }) => ({ user_id: userId }));
}

function ownersOf(call: Call): readonly UserRecord[] {
  const type = namedType(call);
  const token = call.path('token');
  return [...call.state.users.ascending()].filter((user) => tokensOf(user, type).includes(token));
}

function remove(call: Call, owners: readonly UserRecord[], type: TokenType, token: string): void {
  const holders = owners.filter((user) => tokensOf(user, type).includes(token));
  if (holders.length === 0) throw new ApiError('notFound', 'DeviceToken');
  call.commit(
    holders.map((user) =>
      withTokens(
        user,
        type,
        tokensOf(user, type).filter((known) => known !== token),
      ),
    ),
  );
}

function withTokens(user: UserRecord, type: TokenType, tokens: readonly string[]): Effect {
  return { type: 'user.put', user: { ...user, deviceTokens: { ...user.deviceTokens, [type]: tokens } } };
}

function tokensOf({ deviceTokens }: UserRecord, type: TokenType): readonly string[] {
  return deviceTokens?.[type] ?? [];
}

function namedType(call: Call): TokenType {
  const type = call.path('token_type');
  if (type === 'gcm' || type === 'huawei' || type === 'apns') return type;
  throw new ApiError('invalidValue', 'token_type');
}
