// Tests that no request makes the emulator crash, answer 500 or reveal its internals.

import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUTES } from '../../src/emulator/routes/routes.ts';
import { type EmulatorOptions, startEmulator } from '../../src/emulator/server.ts';
import { codePoint } from '../support/code-point.ts';
import { fastTest, inSuite } from '../support/suite.ts';
import { type Api, BOT, startApi } from './support/support.ts';

/** No answer may contain a stack trace, a path of the machine or a name from the code. */
const LEAK = /\bat .*[(:]\d+|node:|\.ts\b|TypeError|SyntaxError|Cannot read|undefined is/;

async function startStrict(options: EmulatorOptions = {}): Promise<{ api: Api; bugs: string[] }> {
  const bugs: string[] = [];
  const log = (line: string): void => {
    if (line.startsWith('bug')) bugs.push(line);
  };
  const api = await startApi({ log, ...options });
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann', 'bob']);
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.ok('POST', '/bots', BOT);
  await api.ok('POST', '/applications/settings_by_channel_custom_type', { custom_type: 'sports' });
  return { api, bugs };
}

const FIELDS = `
  user_id user_ids users nickname profile_url metadata value channel_url name operator_ids invitation_status
  hidden_status is_distinct is_super is_public freeze messages message message_type timestamp sorted_metaarray
  mentioned_user_ids expires_at is_active upsert access_code inviter_id strict dedup_id bot_userid
  bot_nickname bot_profile_url bot_type bot_callback_url is_privacy_mode channel_invitation_preference
  channel_urls seconds description agent_id enabled url enabled_events auto_event_message user_leave
  custom_type domain_filter domains profanity_filter keywords regex_filters image_moderation limits __proto__
  constructor toString
`
  .trim()
  .split(/\s+/u);
const scalar = fc.oneof(
  fc.constantFrom('ann', 'bob', 'helper', 'room-1', 'lobby', 'sports', 'https://a.example', '*', 'user:ban'),
  fc.constantFrom('MESG', 'FILE', 'ADMM', 'joined', '__proto__', ''),
  fc.string({ unit: codePoint }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('any'), { maxKeys: 4 }),
  ),
})).any;
const body = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 8 });
const segment = fc.oneof(
  fc.constantFrom(
    ...['ann', 'helper', 'sports', 'room-1', 'lobby', '1', '%', '%zz', '%ff', '%00', '__proto__', '..;', '%2F'],
  ),
  fc
    .string({ unit: codePoint, minLength: 1 })
    .map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')) || 'x'),
);

test('answers any body on any route in the documented shape', async () => {
  const { api, bugs } = await startStrict();
  const { platform, token } = api.emulator;
  const query = fc.oneof(
    fc.constant(''),
    fc
      .array(fc.tuple(fc.constantFrom('token', 'limit', 'user_ids', 'order', 'message_ts'), segment), { maxLength: 3 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('&')),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...ROUTES),
      fc.array(segment, { minLength: 2, maxLength: 2 }),
      query,
      value,
      body,
      ({ method, template }, segments, asked, any, fields) => {
        let place = 0;
        const path = `/v3${template.replace(/\{\w+\}/g, () => segments[place++] ?? 'x')}`;
        for (const json of [fields, any]) {
          const answer = platform.handle(
            { method, path, query: asked, headers: { 'api-token': token }, body: { type: 'json', value: json } },
            1_700_000_000_000,
          );
          expect(bugs).toEqual([]);
          const text = JSON.stringify(answer.body);
          if (answer.status !== 200) expect(answer.body).toMatchObject({ error: true });
          expect(answer.status).not.toBe(500);
          expect(JSON.parse(text)).toBeDefined();
        }
      },
    ),
    { numRuns: inSuite(300, 1000) },
  );
});

fastTest.for([
  ['no JSON', 'application/json', '{"a":', 400403],
  ['JSON that is no object', 'application/json', '[1]', 400403],
  ['bad UTF-8', 'application/json', new Uint8Array([0x22, 0xff, 0x22]), 400403],
  ['deep nesting', 'application/json', `{"metadata":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400105],
  ['multipart without boundary', 'multipart/form-data', 'x', 400403],
  ['multipart without end', 'multipart/form-data; boundary=b', '--b\r\n\r\nx', 400403],
  ['multipart without names', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--', 400403],
  ['multipart of many delimiters', 'multipart/form-data; boundary=b', '--b\r\n'.repeat(5000), 400403],
  ['empty multipart', 'multipart/form-data; boundary=b', '--b--', 400105],
  ['empty', 'application/json', '', 400105],
] as const)('refuses a body that is %s', async ([, type, text, code]) => {
  const { api, bugs } = await startStrict();
  const { url, token } = api.emulator;
  const response = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'Api-Token': token, 'Content-Type': type },
    body: text,
  });
  expect(await response.json()).toMatchObject({ code, error: true });
  expect(bugs).toEqual([]);
});

fastTest('refuses a huge body and a long URL with an error object', async () => {
  const { api } = await startStrict();
  const { url, token } = api.emulator;
  const init = { method: 'POST', headers: { 'Api-Token': token }, body: new Uint8Array(9 * 1024 * 1024) };
  const refused = await fetch(`${url}/users`, init);
  expect([refused.status, await refused.json()]).toMatchObject([413, { error: true }]);
  const long = await api.call('GET', `/users?user_ids=${'x'.repeat(9000)}`);
  expect(long).toMatchObject({ status: 414, body: { error: true } });
  expect((await api.call('GET', '/users')).status).toBe(200);
});

test('survives garbage on the socket', async () => {
  const { api, bugs } = await startStrict();
  const { url, token } = api.emulator;
  const { port, hostname } = new URL(url);
  const exchange = (bytes: string | Uint8Array): Promise<string> =>
    new Promise((resolve) => {
      let received = '';
      const socket = connect(Number(port), hostname, () => socket.end(bytes));
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(received));
    });
  const get = `GET /v3/users?limit=1 HTTP/1.1\r\nHost: x\r\nApi-Token: ${token}\r\n\r\n`;
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        get,
        'POST /v3/users HTTP/1.1\r\nContent-Length: 9999\r\n\r\n{',
        '\r\n\r\n',
        '\0\0\0',
        'GET / HTTP/9.9\r\n\r\n',
      ),
      fc.constantFrom('GET /v3/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'),
      fc.constant('PUT /v3/users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      fc.string({ unit: codePoint }),
    ),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, async (sent) => {
      const received = await exchange(Buffer.from(sent.join(''), 'latin1'));
      expect(received).not.toMatch(LEAK);
      if (sent[0] === get) expect(received).toMatch(/^HTTP\/1\.1 [24]00/);
    }),
    { numRuns: inSuite(40, 150) },
  );
  expect(await exchange('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"error":true\}$/s);
  expect(await exchange(get + get)).toMatch(/"next".*HTTP\/1\.1 200.*"next"/s);
  await api.ok('GET', '/users');
  expect(bugs).toEqual([]);
});

fastTest('survives a client that goes away in the middle of a request', async () => {
  const emulator = await startEmulator({ latencyMs: 5 });
  const { port, hostname } = new URL(emulator.url);
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /v3/users HTTP/1.1\r\nHost: x\r\nContent-Length: ${n % 2 ? 2 : 9}\r\n\r\n{}`);
      setTimeout(() => socket.destroy(), 2);
    });
    socket.on('error', () => undefined);
  }
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect((await fetch(`${emulator.url}/users`)).status).toBe(400);
  await emulator.close();
});
