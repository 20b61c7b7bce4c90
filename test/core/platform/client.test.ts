// Tests that the client classifies every outcome of an attempt, fills placeholders and never shows a token, against a
// node:http server on loopback.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { Attempt } from '../../../src/core/model/event.ts';
import type { Answer, Clock } from '../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { type OpenedPlatform, openPlatform, type PlatformOptions } from '../../../src/core/platform/client.ts';
import { digestText } from '../../../src/lib/digest.ts';
import { InternalError } from '../../../src/lib/errors.ts';

const token = 'api-token-0123456789';
const secret = 'open-sesame-4711';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let seen: Seen[] = [];
let reply: Reply = json(200, {});
let platform: OpenedPlatform;
let tokens: { readonly user_id: string; readonly field: string; readonly value: string }[] = [];
let attempts: Attempt[] = [];

/** A delay that no other timer has. */
const timeoutMs = 4_321;

const clock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

const image = new TextEncoder().encode('not really a picture');

function open(more: Partial<PlatformOptions> = {}): OpenedPlatform {
  return openPlatform({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`,
    token,
    clock,
    version: '1.2.3',
    variables: (name) => (name === 'CODE' ? secret : undefined),
    readFile: (file) => (file === 'images/a.png' ? Promise.resolve(image) : Promise.reject(new Error('no such file'))),
    sink: {
      write: (issued) => {
        tokens.push(issued);
        return Promise.resolve();
      },
    },
    trace: (attempt) => attempts.push(attempt),
    ...more,
  });
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      seen.push({ method: request.method, url: request.url, headers: request.headers, text });
      reply(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform = open();
});

afterAll(async () => {
  await platform.abort();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  seen = [];
  tokens = [];
  attempts = [];
  reply = json(200, {});
});

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return text(status, JSON.stringify(body), headers);
}

function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

const rateHeaders = {
  'X-RateLimit-Limit': '40;w=1',
  'X-RateLimit-Remaining': '39',
  'X-RateLimit-Reset': '0.975',
  'X-RateLimit-RetryAfter': '0.5',
};
/** The date counts from that of the answer, whatever time it is here. */
const until = { Date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'Retry-After': 'Thu, 01 Jan 2026 00:01:30 GMT' };
const later = 'Thu, 01 Jan 2026 00:02:00 GMT';
const rate = { calls: 40, windowS: 1, remaining: 39, resetS: 0.975, retryAfterS: 0.5 };

const create: ApiRequest = { method: 'POST', route: '/users', body: { user_id: 'ann', nickname: 'Ann' } };
const read: ApiRequest = { method: 'GET', route: '/users/{user_id}', params: { user_id: 'a/b ?#é%' } };
const code = { type: 'secret', field: 'access_code', variable: 'CODE' } as const;
const withCode: ApiRequest = { ...create, placeholders: [code] };
const withFile: ApiRequest = {
  ...create,
  body: { user_id: 'ann', nickname: 'Ann "A"', operator_ids: ['a,b', 'c'], is_super: true },
  placeholders: [
    code,
    { type: 'file', field: 'profile_file', file: 'images/a.png', digest: digestText(image), mediaType: 'image/png' },
  ],
};

describe('a request', () => {
  test('carries the token, the content type and the user agent', async () => {
    await platform.send(create);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v3/users', text: '{"user_id":"ann","nickname":"Ann"}' });
    expect(seen[0]?.headers).toMatchObject({
      'api-token': token,
      'content-type': 'application/json; charset=utf8',
      'user-agent': 'chatform/1.2.3',
    });
  });

  test.for(['as JSON', 'with a file'])('is not sent when it may no longer leave, %s', async (form) => {
    const request = form === 'as JSON' ? create : withFile;
    await platform.send(request, { mayLeave: () => true });
    const answer = await platform.send(request, { mayLeave: () => false });
    expect(answer).toMatchObject({ type: 'unsent', message: 'the lock may be lost' });
    expect((await platform.send(request)).type).toBe('ok');
    expect(seen).toHaveLength(2);
  });

  test('leaves in the same turn in which permission was given', async () => {
    const handed: string[] = [];
    const mayLeave = () => {
      handed.push('asked');
      queueMicrotask(() => handed.push('next turn'));
      return true;
    };
    const write = Socket.prototype.write;
    const watched = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...written) {
      if (String(written[0]).startsWith('POST ')) handed.push('written');
      return Reflect.apply(write, this, written);
    });
    for (const request of [create, withFile]) await platform.send(request, { mayLeave });
    watched.mockRestore();
    const once = ['asked', 'written', 'next turn'];
    expect(handed).toEqual([...once, ...once]);
  });

  test('encodes ids and values once and whole, is traced without them, and reports when it left', async () => {
    const before = clock.now();
    const { leftAt } = await platform.send({ ...read, query: { user_ids: 'a,b c&d', include: 'true' } });
    expect(leftAt).toBeGreaterThanOrEqual(before);
    expect(leftAt).toBeLessThanOrEqual(clock.now());
    const url = '/v3/users/a%2Fb%20%3F%23%C3%A9%25?user_ids=a%2Cb%20c%26d&include=true';
    expect(seen).toMatchObject([{ url, text: '' }]);
    expect(attempts).toEqual([
      { route: 'GET /users/{user_id}', attempt: 1, type: 'ok', status: 200, durationMs: expect.any(Number) },
    ]);
  });

  test('is traced with its history and the name that the platform has for it', async () => {
    const replies: readonly Reply[] = [
      text(503, '', { 'x-request-id': 'a-1' }),
      text(503, '', { 'x-request-id': 'a b\u00a0' }),
      json(400, { message: 'no', code: 400201 }, { 'x-request-id': 'a-3' }),
      json(200, {}),
    ];
    for (const next of replies) {
      reply = next;
      await platform.send(read);
    }
    expect(attempts.map(({ durationMs: _, route: _route, ...attempt }) => attempt)).toEqual([
      { attempt: 1, type: 'unknown', status: 503, requestId: 'a-1' },
      { attempt: 2, type: 'unknown', status: 503 },
      { attempt: 3, type: 'refused', status: 400, code: 400201, requestId: 'a-3' },
      { attempt: 1, type: 'ok', status: 200 },
    ]);
  });
});

describe('an answer', () => {
  const taken = { message: '"user_id" violates unique constraint.', code: 400202 };
  const busy = { message: 'Too many requests.', code: 500910, error: true };
  const moved = text(302, '', { location: 'http://127.0.0.1:1/v3/users' });

  test.for<[name: string, given: Reply, expected: object]>([
    ['200 with an object', json(200, { a: [1] }), { type: 'ok', body: { a: [1] } }],
    ['200 with rate headers', json(200, {}, rateHeaders), { type: 'ok', body: {}, rate }],
    ['200 with 16,000 bytes of headers', json(200, {}, { 'X-Long': 'x'.repeat(16_000) }), { type: 'ok' }],
    ['200 with more than 16,384', json(200, {}, { 'X-Long': 'x'.repeat(16_384) }), { type: 'unknown' }],
    ['200 with a list', json(200, []), { type: 'unknown', status: 200 }],
    ['200 without a body', text(200, ''), { type: 'unknown', status: 200 }],
    ['200 with a cut object', text(200, '{"a":'), { type: 'unknown', status: 200 }],
    ['200 with HTML', text(200, '<html>'), { type: 'unknown', status: 200 }],
    ['400 with an error object', json(400, { ...taken, error: true }), { type: 'refused', status: 400, ...taken }],
    ['403 with HTML', text(403, '<html>'), { type: 'refused', status: 403, code: 0 }],
    ['302', moved, { type: 'refused', status: 302, code: 0, message: expect.stringContaining('redirect') }],
    [
      '500 with an error object',
      json(500, { message: 'No.', code: 1 }),
      { type: 'unknown', status: 500, message: 'No.' },
    ],
    ['503 with HTML', text(503, '<html>'), { type: 'unknown', status: 503 }],
    ['429 with headers', json(429, busy, rateHeaders), { type: 'limited', retryAfterS: 0.5, rate }],
    ['429 without headers', text(429, ''), { type: 'limited', retryAfterS: undefined }],
    ['400 with the code of 429', json(400, busy), { type: 'limited' }],
    ['429 with Retry-After', text(429, '', { 'Retry-After': '120' }), { type: 'limited', retryAfterS: 120 }],
    ['429 with Retry-After as a date', text(429, '', until), { type: 'limited', retryAfterS: 90 }],
    ['429 with a date that has passed', text(429, '', { ...until, Date: later }), { type: 'limited', retryAfterS: 0 }],
    [
      '429 with a rounded Retry-After',
      text(429, '', { 'X-RateLimit-RetryAfter': '0.5', 'Retry-After': '1' }),
      { type: 'limited', retryAfterS: 0.5 },
    ],
    [
      '429 with the longer Retry-After of a gateway',
      text(429, '', { 'X-RateLimit-RetryAfter': '0.5', 'Retry-After': '120' }),
      { type: 'limited', retryAfterS: 120 },
    ],
    [
      '429 with a longer wait of the platform',
      text(429, '', { 'X-RateLimit-RetryAfter': '30', 'Retry-After': '1' }),
      { type: 'limited', retryAfterS: 30 },
    ],
    ...['soon', '-1', '1e9', '', '2026-01-01', 'Thu, 32 Jan 2026 00:00:00 GMT'].map(
      (wrong): [string, Reply, object] => [
        `429 with Retry-After ${wrong}`,
        text(429, '', { 'Retry-After': wrong }),
        { type: 'limited', retryAfterS: undefined },
      ],
    ),
    ['503 with Retry-After', text(503, '', { 'Retry-After': '7' }), { type: 'unknown', status: 503, retryAfterS: 7 }],
    ['503 with Retry-After as a date', json(503, {}, until), { type: 'unknown', retryAfterS: 90 }],
  ])('%s', async ([, given, expected]) => {
    reply = given;
    expect(await platform.send(create)).toMatchObject(expected);
    expect(seen).toHaveLength(1);
  });

  test.for(['', '<html>Bad Request</html>', '[]', '{"error": true}'])(
    '400 with %j says what it means and what to check',
    async (body) => {
      reply = text(400, body);
      const message = expect.stringMatching(/^the answer 400 has no error object .* check the base URL/u);
      expect(await platform.send(create)).toMatchObject({ type: 'refused', status: 400, message });
    },
  );

  test.for([200, 400])('a compressed answer %d is named as such', async (status) => {
    reply = text(status, '\u001f\u008b', { 'Content-Encoding': 'gzip' });
    const message = expect.stringContaining(`the answer ${status} is compressed (content-encoding: gzip)`);
    expect(await platform.send(create)).toMatchObject({ status, message });
  });

  test.for([
    { 'X-RateLimit-Limit': '40' },
    { 'X-RateLimit-Limit': '40;w=0' },
    { 'X-RateLimit-Limit': '0;w=1' },
    { 'X-RateLimit-Limit': '4e1;w=1' },
  ])('has no rate with %o', async (wrong) => {
    reply = json(200, {}, { ...rateHeaders, ...wrong });
    expect((await platform.send(create)).rate).toBeUndefined();
  });
});

describe('an incomplete answer', () => {
  /** Sends a request whose time is up as soon as the server has it, or the client has the head of its answer, however busy the machine. */
  async function timedOut(moment: 'request' | 'head'): Promise<Answer> {
    const setTimer = globalThis.setTimeout;
    let timeOut = (): void => undefined;
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      if (ms !== timeoutMs) return setTimer(run, ms);
      timeOut = run;
      return setTimer(() => undefined);
    }) as typeof setTimeout);
    const onHead = (): void => void setImmediate(timeOut);
    const given = reply;
    reply = (response, request) => {
      if (moment === 'request') timeOut();
      given(response, request);
    };
    if (moment === 'head') subscribe('undici:request:headers', onHead);
    const impatient = open({ timeoutMs });
    try {
      return await impatient.send(create);
    } finally {
      unsubscribe('undici:request:headers', onHead);
      timers.mockRestore();
      await impatient.abort();
    }
  }

  test.for<{ name: string; given: Reply; expected?: object }>([
    { name: 'that is reset before it begins', given: (response) => response.socket?.resetAndDestroy() },
    ...[200, 400].map((status) => ({
      name: `${status} that is reset within`,
      given: (response: ServerResponse) => {
        response.writeHead(status, { 'content-length': '100' }).write('{"message":"x"');
        response.socket?.destroySoon();
      },
      expected: { status },
    })),
  ])('counts an answer $name as unknown', async ({ given, expected }) => {
    reply = given;
    expect(await platform.send(create)).toMatchObject({ type: 'unknown', ...expected });
    expect(seen).toHaveLength(1);
  });

  test.for<{ name: string; given: Reply }>([
    { name: 'that stops in the middle', given: (response) => response.writeHead(200).write('{') },
    {
      name: 'that drips for ever',
      given: (response) => {
        response.writeHead(200).write(' ');
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    },
  ])('counts an answer $name as unknown and unfinished after the time-out', async ({ given }) => {
    reply = given;
    const message = expect.stringContaining('too long');
    expect(await timedOut('head')).toMatchObject({ type: 'unknown', status: 200, message, isUnfinished: true });
    expect(seen).toHaveLength(1);
  });

  test('is unknown, not unfinished, if it never begins', async () => {
    reply = () => undefined;
    const answer = await timedOut('request');
    expect(answer).toMatchObject({ type: 'unknown', message: expect.stringContaining('too long') });
    expect(answer).not.toHaveProperty('isUnfinished');
  });

  test.for([200, 500])('%i is truncated if it is too large, and not retried', async (status) => {
    const part = 'x'.repeat(1 << 20);
    reply = (response) => {
      response.writeHead(status);
      const more = (): void => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', more);
      more();
    };
    expect(await platform.send(create)).toMatchObject({
      type: 'unknown',
      status,
      message: 'the answer is larger than 32 MB',
      isUnusable: true,
    });
  });

  test.for([
    ['lists', (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ] as const)('of %s nested too deep is as good as none', async ([, nested]) => {
    for (const depth of [1_000, 200_000]) {
      reply = text(200, nested(depth));
      const message = expect.stringMatching(/nests deeper|no JSON object/u);
      expect(await platform.send(create)).toMatchObject({ type: 'unknown', message });
    }
    reply = text(200, nested(50));
    expect(await platform.send(create)).toMatchObject({ type: 'ok' });
  });

  test('means unsent for a refused connection and an unknown name', async () => {
    for (const baseUrl of ['http://127.0.0.1:1/v3', 'https://chatform.invalid/v3']) {
      const nowhere = open({ baseUrl });
      expect(await nowhere.send(create)).toMatchObject({ type: 'unsent' });
      await nowhere.abort();
    }
  });

  test('is unknown if an abort cut it', async () => {
    const other = open();
    const arrived = new Promise<void>((resolve) => {
      reply = () => resolve();
    });
    const sending = other.send(create);
    await arrived;
    await other.abort();
    expect(await sending).toMatchObject({ type: 'unknown' });
  });
});

describe('tokens', () => {
  const user = { user_id: 'ann', access_token: 'AT', session_tokens: [{ session_token: 'ST' }] };
  const issue: ApiRequest = { method: 'POST', route: '/users/{user_id}/token', params: { user_id: 'ann' }, body: {} };
  const answered = (body: object) => ({ type: 'ok', body, leftAt: expect.any(Number), characters: expect.any(Number) });
  const ann = { user_id: 'ann', access_token_digest: digestText('AT') };
  const sinkOf = (field: 'access_token' | 'token') => ({ sink: { field, user_id: 'ann' } });

  test('are removed from every answer at any depth, but for a digest of the access tokens of users', async () => {
    reply = json(200, { ...user, users: [user], channel: { members: [user] } });
    expect(await platform.send(read)).toEqual(answered({ ...ann, users: [ann], channel: { members: [ann] } }));
    expect(tokens).toEqual([]);
  });

  test('include legacy keys of push services, but not keys of metadata with that name', async () => {
    const configurations = [{ project_id: 'app', private_key_id: 'b17f', api_key: 'legacy', push_sound: '' }];
    reply = json(200, { push_configurations: configurations });
    const shown = [{ project_id: 'app', private_key_id: 'b17f', push_sound: '' }];
    const list = { method: 'GET', route: '/applications/push/{push_type}', params: { push_type: 'fcm' } } as const;
    expect(await platform.send(list)).toEqual(answered({ push_configurations: shown }));
    reply = json(200, { metadata: { api_key: 'shown' } });
    expect(await platform.send(read)).toEqual(answered({ metadata: { api_key: 'shown' } }));
  });

  test('go to the sink before the answer is returned, unless they are empty', async () => {
    reply = json(200, user);
    expect(await platform.send(create, sinkOf('access_token'))).toEqual(answered(ann));
    expect(tokens).toEqual([{ user_id: 'ann', field: 'access_token', value: 'AT' }]);
    reply = json(200, { ...user, access_token: '' });
    // An empty one tells that the user has none.
    expect(await platform.send(read, sinkOf('access_token'))).toEqual(answered({ user_id: 'ann', access_token: '' }));
    expect(tokens).toHaveLength(1);
  });

  test('of a session go to the sink as well', async () => {
    reply = json(200, { user_id: 'ann', token: 'ST', expires_at: 1 });
    for (const sending of [sinkOf('token'), {}]) {
      expect(await platform.send(issue, sending)).toEqual(answered({ user_id: 'ann', expires_at: 1 }));
    }
    expect(tokens).toEqual([{ user_id: 'ann', field: 'token', value: 'ST' }]);
  });

  test('are not requested without a sink', async () => {
    const other = openPlatform({
      baseUrl: 'http://127.0.0.1:1/v3',
      token,
      clock,
      variables: () => undefined,
      readFile: () => Promise.resolve(image),
    });
    await expect(other.send(create, sinkOf('access_token'))).rejects.toThrow(InternalError);
    await other.close();
  });

  test('that cannot be stored turn the answer into a lost one, so that they are read later', async () => {
    const full = new Refusal('tokens.write', 4, 'The disk is full.', 'Make room.');
    const other = open({ sink: { write: () => Promise.reject(full) } });
    reply = json(200, user);
    const answer = await other.send(create, sinkOf('access_token'));
    expect(answer).toMatchObject({ type: 'unknown', message: 'the issued token could not be written to its file' });
    expect(JSON.stringify(answer)).not.toContain(user.access_token);
    await other.close();
  });
});

describe('placeholders', () => {
  async function refused(request: ApiRequest, expected: object): Promise<void> {
    const error: unknown = await platform.send(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject(expected);
    expect(seen).toHaveLength(0);
  }

  test('are replaced by a secret when the request is sent', async () => {
    await platform.send(withCode);
    expect(JSON.parse(seen[0]?.text ?? '')).toEqual({ user_id: 'ann', nickname: 'Ann', access_code: secret });
    expect(JSON.stringify(withCode)).not.toContain(secret);
  });

  test('are refused with the name of a missing variable', () =>
    refused(
      { ...create, placeholders: [{ type: 'secret', field: 'x', variable: 'OTHER' }] },
      { code: 'apply.variable-missing', exitCode: 65, message: expect.stringContaining('CHATFORM_VAR_OTHER') },
    ));

  test('make a multipart request of a file, with one part per field', async () => {
    await platform.send(withFile);
    const request = seen[0];
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/u);
    const form = await new Response(request?.text, {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('profile_file');
    expect(file).toMatchObject({ name: 'a.png', type: 'image/png', size: image.length });
    form.delete('profile_file');
    expect(Object.fromEntries(form)).toEqual({
      user_id: 'ann',
      nickname: 'Ann "A"',
      operator_ids: '["a,b","c"]',
      is_super: 'true',
      access_code: secret,
    });
  });

  test.for(['images/a.png', 'images/gone.png'])('a file that is no longer the planned one is refused: %s', (file) => {
    const planned = { file, digest: digestText('another'), mediaType: 'image/png' };
    const placeholders = [{ type: 'file', field: 'profile_file', ...planned } as const];
    return refused({ ...create, placeholders }, { code: 'apply.file-changed', exitCode: 6 });
  });
});

test('no output contains the token or a secret, whatever the answer', async () => {
  const echo = { message: `token ${token}, code ${secret}`, code: 400111, error: true };
  const answers: Answer[] = [];
  for (const given of [json(400, echo), json(500, echo), json(403, echo), text(200, token), text(400, secret)]) {
    reply = given;
    answers.push(await platform.send(withCode));
  }
  const message = 'its message is not shown, because it may contain a secret of the request';
  expect(answers[0]).toMatchObject({ message });
  expect(JSON.stringify([answers, attempts])).not.toContain(token);
  expect(JSON.stringify([answers, attempts])).not.toContain(secret);
});

test.for<[string, string, (quoted: string) => string]>([
  ['a word of the sentence', 'value', (value) => value],
  ['one letter', 'e', (value) => value],
  ['in other letters', 'Open-Sesame', (value) => value.toUpperCase()],
  ['escaped as JSON', 'a"b\\c\nd', (value) => JSON.stringify(value)],
  ['escaped for a URL', 'ä b/ü&$1', (value) => encodeURIComponent(value)],
  ['cut', 'open-sesame-4711', (value) => `${value.slice(0, 9)}...`],
  ['cut by the longest message', 'open-sesame-4711', (value) => `${'x '.repeat(245)}${value}`],
])('withholds a sentence that quotes a secret: %s', async ([, value, quote]) => {
  const opened = open({ variables: () => value });
  reply = json(400, { message: `The value ${quote(value)} is not allowed.`, code: 400111, error: true });
  const answer = await opened.send(withCode);
  await opened.close();
  expect(answer).toMatchObject({ message: expect.stringContaining('not shown') });
});

test('shows a sentence that quotes no secret', async () => {
  reply = json(400, { message: '"User" not found.', code: 400201, error: true });
  expect(await platform.send(withCode)).toMatchObject({ message: '"User" not found.' });
});

test('two hundred concurrent requests all arrive', async () => {
  reply = (response) => setTimeout(() => json(200, { ok: true })(response, response.req), 20);
  const answers = await Promise.all(Array.from({ length: 200 }, () => platform.send(create)));
  expect(answers.every(({ type }) => type === 'ok')).toBe(true);
});
