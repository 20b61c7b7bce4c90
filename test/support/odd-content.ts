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
  'alice',
  'bob',
  'carol',
  '00123',
  '1e5',
  'yes',
  'null',
  '~',
  'a,b',
  'a: b',
  '#a',
  '- a',
  '"quoted"',
  "it's",
  'two words ',
  'x@example.com',
  '__proto__',
  'constructor',
  '.',
  '..',
  'a/b?c=d&e%20',
  '^a.b$(c)|[d]{1}+*\\',
  'ключ',
  '𝒳\u2028\u0085',
  'tab\tline\nend',
  '\ufeffmark',
  `${'long'.repeat(20)}`,
];
const id = fc.constantFrom(...oddIds);
const text = fc.oneof(
  id,
  fc.string({ unit: codePoint, maxLength: 12 }),
  fc.string({ maxLength: 90 }),
  fc.constantFrom(
    '',
    ' ',
    '|',
    '>',
    '$'.concat('{HOME}'),
    '$'.concat('{var.region} $', '{each.value}'),
    '\0',
    '\ud800',
    'x'.repeat(200),
    '<b>&amp;</b>',
    '{ a: [1, 2] }',
  ),
);
const url = fc.constantFrom('room-1', 'room-2', 'room_3', 'lobby', 'hall-yes', '0000', '1e55', 'null', 'true');
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 6 });
const flag = fc.boolean();
const segment = encodeURIComponent;

function call(method: string, path: string, body: object): PlatformCall {
  return { method, path, body };
}

const invitation = fc.constantFrom('joined', 'invited_by_friend', 'invited_by_non_friend');
const hidden = fc.constantFrom('unhidden', 'hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide');
const metadata = fc.dictionary(text, text, { maxKeys: 5 });

const oneCall: fc.Arbitrary<PlatformCall> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ user_id: id, nickname: text, profile_url: fc.oneof(fc.constant(''), text), metadata })
      .map((body) => call('POST', '/users', body)),
  },
  fc
    .record({ id, is_active: flag })
    .map(({ id: user, is_active }) =>
      call('PUT', `/users/${segment(user)}`, { is_active, leave_all_when_deactivated: false }),
    ),
  id.map((user) => call('DELETE', `/users/${segment(user)}`, {})),
  fc
    .record({ id, auto_accept: flag })
    .map(({ id: user, auto_accept }) =>
      call('PUT', `/users/${segment(user)}/channel_invitation_preference`, { auto_accept }),
    ),
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          channel_url: url,
          name: text,
          custom_type: text,
          data: text,
          cover_url: text,
          operator_ids: ids,
          is_ephemeral: flag,
        },
        { requiredKeys: ['channel_url'] },
      )
      .map((body) => call('POST', '/open_channels', body)),
  },
  {
    weight: 5,
    arbitrary: fc
      .record(
        {
          channel_url: url,
          user_ids: ids,
          name: text,
          custom_type: text,
          data: text,
          operator_ids: ids,
          is_super: flag,
          is_distinct: flag,
          is_public: flag,
          access_code: fc.constant('geheim'),
          is_ephemeral: flag,
          strict: fc.constant(false),
          invitation_status: fc.dictionary(id, invitation, { maxKeys: 3 }),
          hidden_status: fc.dictionary(id, hidden, { maxKeys: 3 }),
        },
        { requiredKeys: ['channel_url', 'user_ids'] },
      )
      .map((body) => call('POST', '/group_channels', body)),
  },
  fc
    .record({ url, ids })
    .map(({ url: room, ids: user_ids }) => call('POST', `/group_channels/${room}/invite`, { user_ids })),
  fc
    .record({ url, ids })
    .map(({ url: room, ids: user_ids }) => call('PUT', `/group_channels/${room}/leave`, { user_ids })),
  fc
    .record({ url, id })
    .map(({ url: room, id: user_id }) =>
      call('PUT', `/group_channels/${room}/hide`, { user_id, allow_auto_unhide: false }),
    ),
  fc
    .record({ url, freeze: flag, kind: fc.constantFrom('open', 'group') })
    .map(({ url: room, freeze, kind }) => call('PUT', `/${kind}_channels/${room}/freeze`, { freeze })),
  fc
    .record({ url, id, text, at: fc.integer({ min: 0, max: 5 }) })
    .map(({ url: room, id: user_id, text: message, at }) =>
      call('POST', `/migration/${room}`, {
        messages: [{ message_type: 'MESG', user_id, message, timestamp: 1_600_000_000_000 + at }],
      }),
    ),
  fc.record({ url, id, text }).map(({ url: room, id: user_id, text: name }) =>
    call('POST', `/migration/${room}`, {
      messages: [
        {
          message_type: 'FILE',
          user_id,
          url: 'https://example.com/a.png',
          file_name: name,
          timestamp: 1_600_000_000_100,
        },
        { message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_100 },
      ],
    }),
  ),
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
