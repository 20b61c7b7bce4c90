// Arbitrary content of an emulator, made by arbitrary calls: names that need quotes, disabled objects, former members.
import fc from 'fast-check';
import type { RunningEmulator } from '../../src/emulator/server.ts';
import { codePoint } from './code-point.ts';

export interface PlatformCall {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

/** Texts with a special meaning in YAML, URLs or programs, or that manifests refuse. */
const oddIds = [
  ...['alice', 'bob', 'carol', '00123', '1e5', 'yes', 'null', '~', 'a,b', 'a: b', '#a', '- a', '"quoted"', "it's"],
  ...['two words ', 'x@example.com', '__proto__', 'constructor', '.', '..', 'a/b?c=d&e%20', '^a.b$(c)|[d]{1}+*\\'],
  ...['ключ', '𝒳\u2028\u0085', 'tab\tline\nend', '\ufeffmark', 'long'.repeat(20)],
];
const id = fc.constantFrom(...oddIds);
const text = fc.oneof(
  id,
  fc.string({ unit: codePoint, maxLength: 12 }),
  fc.string({ maxLength: 90 }),
  fc.constantFrom(
    ...['', ' ', '|', '>', '$'.concat('{HOME}'), '$'.concat('{var.region} $', '{each.value}'), '\0', '\ud800'],
    ...['x'.repeat(200), '<b>&amp;</b>', '{ a: [1, 2] }'],
  ),
);
const url = fc.constantFrom('room-1', 'room-2', 'room_3', 'lobby', 'hall-yes', '0000', '1e55', 'null', 'true');
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 6 });
const flag = fc.boolean();
const invitation = fc.constantFrom('joined', 'invited_by_friend', 'invited_by_non_friend');
const hidden = fc.constantFrom('unhidden', 'hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide');
const metadata = fc.dictionary(text, text, { maxKeys: 5 });

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Each `*` of the path is one of `names`. Fields of the body that are not required are sometimes absent. */
function calls(
  method: string,
  path: string,
  names: readonly fc.Arbitrary<string>[],
  body: Fields,
  requiredKeys = Object.keys(body),
): fc.Arbitrary<PlatformCall> {
  return fc.tuple(fc.tuple(...names), fc.record(body, { requiredKeys })).map(([parts, made]) => {
    const left = parts.map(encodeURIComponent);
    return { method, path: path.replaceAll('*', () => left.shift() ?? ''), body: made };
  });
}

const channel = { channel_url: url, name: text, custom_type: text, data: text, cover_url: text, operator_ids: ids };
const groupChannel = {
  ...channel,
  user_ids: ids,
  is_super: flag,
  is_distinct: flag,
  is_public: flag,
  access_code: fc.constant('geheim'),
  is_ephemeral: flag,
  strict: fc.constant(false),
  invitation_status: fc.dictionary(id, invitation, { maxKeys: 3 }),
  hidden_status: fc.dictionary(id, hidden, { maxKeys: 3 }),
};
const timestamp = fc.integer({ min: 1_600_000_000_000, max: 1_600_000_000_005 });
const textMessage = { message_type: fc.constant('MESG'), user_id: id, message: text, timestamp };
const fileMessage = {
  message_type: fc.constant('FILE'),
  user_id: id,
  url: fc.constant('https://example.com/a.png'),
  file_name: text,
  timestamp: fc.constant(1_600_000_000_100),
};
const welcome = fc.constant({ message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_100 });
const profile_url = fc.oneof(fc.constant(''), text);

const oneCall: fc.Arbitrary<PlatformCall> = fc.oneof(
  { weight: 6, arbitrary: calls('POST', '/users', [], { user_id: id, nickname: text, profile_url, metadata }) },
  calls('PUT', '/users/*', [id], { is_active: flag, leave_all_when_deactivated: fc.constant(false) }),
  calls('DELETE', '/users/*', [id], {}),
  calls('PUT', '/users/*/channel_invitation_preference', [id], { auto_accept: flag }),
  {
    weight: 2,
    arbitrary: calls('POST', '/open_channels', [], { ...channel, is_ephemeral: flag }, ['channel_url']),
  },
  { weight: 5, arbitrary: calls('POST', '/group_channels', [], groupChannel, ['channel_url', 'user_ids']) },
  calls('POST', '/group_channels/*/invite', [url], { user_ids: ids }),
  calls('PUT', '/group_channels/*/leave', [url], { user_ids: ids }),
  calls('PUT', '/group_channels/*/hide', [url], { user_id: id, allow_auto_unhide: fc.constant(false) }),
  calls('PUT', '/*_channels/*/freeze', [fc.constantFrom('open', 'group'), url], { freeze: flag }),
  calls('POST', '/migration/*', [url], { messages: fc.tuple(fc.record(textMessage)) }),
  calls('POST', '/migration/*', [url], { messages: fc.tuple(fc.record(fileMessage), welcome) }),
);

export const oddContent = fc.array(oneCall, { minLength: 1, maxLength: 40 });

/** Refused calls change nothing, which is fine. */
export function fill({ platform, token }: RunningEmulator, calls: readonly PlatformCall[]): void {
  for (const { method, path, body } of calls) {
    platform.handle(
      {
        method,
        path: `/v3${path}`,
        query: '',
        headers: { 'api-token': token },
        body: { type: 'json', value: JSON.parse(JSON.stringify(body)) },
      },
      1_700_000_000_000,
    );
  }
}
