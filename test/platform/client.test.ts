// Tests that the client classifies every outcome of an attempt, fills placeholders and never shows a token, against a
// node:http server on loopback.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { digestText } from '../../src/lib/digest.ts';
import { InternalError } from '../../src/lib/errors.ts';
import { Refusal } from '../../src/model/errors.ts';
import type { Answer, Clock } from '../../src/model/ports.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import type { Attempt } from '../../src/platform/attempts.ts';
import { type OpenedPlatform, openPlatform, type PlatformOptions } from '../../src/platform/client.ts';

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
    timeoutMs: 300,
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
const rate = { calls: 40, windowS: 1, remaining: 39, resetS: 0.975, retryAfterS: 0.5 };

const create: ApiRequest = { method: 'POST', route: '/users', body: { user_id: 'ann', nickname: 'Ann' } };
const read: ApiRequest = { method: 'GET', route: '/users/{user_id}', params: { user_id: 'a/b ?#é%' } };
const withFile: ApiRequest = {
  ...create,
  body: { user_id: 'ann', nickname: 'Ann "A"', operator_ids: ['a,b', 'c'], is_super: true },
  placeholders: [
    { type: 'secret', field: 'access_code', variable: 'CODE' },
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

  test('reports when it left on its connection', async () => {
    const before = clock.now();
    const { leftAt } = await platform.send(read);
    expect(leftAt).toBeGreaterThanOrEqual(before);
    expect(leftAt).toBeLessThanOrEqual(clock.now());
  });

  test('encodes ids and values once and whole', async () => {
    await platform.send({ ...read, query: { user_ids: 'a,b c&d', include: 'true' } });
    expect(seen[0]?.url).toBe('/v3/users/a%2Fb%20%3F%23%C3%A9%25?user_ids=a%2Cb%20c%26d&include=true');
    expect(seen[0]?.text).toBe('');
  });

  test('is traced without ids', async () => {
    await platform.send(read);
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
  const cases: readonly { readonly name: string; readonly given: Reply; readonly expected: unknown }[] = [
    { name: '200 with an object', given: json(200, { a: [1] }), expected: { type: 'ok', body: { a: [1] } } },
    { name: '200 with rate headers', given: json(200, {}, rateHeaders), expected: { type: 'ok', body: {}, rate } },
    { name: '200 with a list', given: json(200, []), expected: { type: 'unknown', status: 200 } },
    { name: '200 without a body', given: text(200, ''), expected: { type: 'unknown', status: 200 } },
    { name: '200 with a cut object', given: text(200, '{"a":'), expected: { type: 'unknown', status: 200 } },
    { name: '200 with HTML', given: text(200, '<html>'), expected: { type: 'unknown', status: 200 } },
    {
      name: '400 with an error object',
      given: json(400, { message: '"user_id" violates unique constraint.', code: 400202, error: true }),
      expected: { type: 'refused', status: 400, code: 400202, message: '"user_id" violates unique constraint.' },
    },
    { name: '403 with HTML', given: text(403, '<html>'), expected: { type: 'refused', status: 403, code: 0 } },
    {
      name: '302 with a place',
      given: text(302, '', { location: 'http://127.0.0.1:1/v3/users' }),
      expected: { type: 'refused', status: 302, code: 0, message: expect.stringContaining('redirect') },
    },
    {
      name: '500 with an error object',
      given: json(500, { message: 'Unexpected.', code: 500901, error: true }),
      expected: { type: 'unknown', status: 500, message: 'Unexpected.' },
    },
    { name: '503 with HTML', given: text(503, '<html>'), expected: { type: 'unknown', status: 503 } },
    {
      name: '429 with headers',
      given: json(429, { message: 'Too many requests.', code: 500910, error: true }, rateHeaders),
      expected: { type: 'limited', retryAfterS: 0.5, rate },
    },
    { name: '429 without headers', given: text(429, ''), expected: { type: 'limited', retryAfterS: undefined } },
    {
      name: '400 with the code of 429',
      given: json(400, { message: 'Too many requests.', code: 500910, error: true }),
      expected: { type: 'limited' },
    },
  ];

  test.for(cases)('$name', async ({ given, expected }) => {
    reply = given;
    const answer = await platform.send(create);
    expect(answer).toMatchObject(expected as object);
    expect(seen).toHaveLength(1);
  });

  test.for([
    { 'X-RateLimit-Limit': '40' },
    { 'X-RateLimit-Limit': '40;w=0' },
    { 'X-RateLimit-Limit': '0;w=1' },
    { 'X-RateLimit-Limit': '4e1;w=1' },
    { 'X-RateLimit-Remaining': '-1' },
    { 'X-RateLimit-Reset': 'soon' },
    { 'X-RateLimit-Reset': '' },
    { 'X-RateLimit-RetryAfter': 'Infinity' },
  ])('has no rate with %o', async (wrong) => {
    reply = json(200, {}, { ...rateHeaders, ...wrong });
    expect((await platform.send(create)).rate).toBeUndefined();
  });
});

describe('an incomplete answer', () => {
  test.for<{ name: string; given: Reply; expected?: object }>([
    { name: 'that is reset before it begins', given: (response) => response.socket?.resetAndDestroy() },
    ...[200, 400].map((status) => ({
      name: `${status} that is reset within`,
      given: (response: ServerResponse) => {
        response.writeHead(status, { 'content-length': '100' }).write('{"message":"x"');
        setTimeout(() => response.socket?.destroy(), 20);
      },
      expected: { status },
    })),
    {
      name: 'that stops in the middle',
      given: (response) => response.writeHead(200).write('{'),
      expected: { status: 200 },
    },
    {
      // The answer never ends, so only the time-out can have ended the attempt.
      name: 'that drips for ever, after the time-out as a whole',
      given: (response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
      expected: { status: 200, message: expect.stringContaining('too long'), isUnfinished: true },
    },
  ])('counts an answer $name as unknown', async ({ given, expected }) => {
    reply = given;
    expect(await platform.send(create)).toMatchObject({ type: 'unknown', ...expected });
    expect(seen).toHaveLength(1);
  });

  test('is unknown, not unfinished, if it never begins', async () => {
    reply = () => undefined;
    const answer = await platform.send(create);
    expect(answer).toMatchObject({ type: 'unknown', message: expect.stringContaining('too long') });
    expect(answer).not.toHaveProperty('isUnfinished');
  });

  test.for([200, 500])('%i is truncated if it is too large, and not retried', async (status) => {
    const patient = open({ timeoutMs: 20_000 });
    const part = 'x'.repeat(1 << 20);
    reply = (response) => {
      response.writeHead(status);
      const more = (): void => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', more);
      more();
    };
    expect(await patient.send(create)).toMatchObject({
      type: 'unknown',
      status,
      message: 'the answer is larger than 32 MB',
      isUnusable: true,
    });
    await patient.abort();
  });

  test.for([
    { name: 'lists', text: (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}` },
    { name: 'objects', text: (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}` },
  ])('an answer of $name nested too deep is as good as none', async ({ text }) => {
    for (const depth of [1_000, 200_000]) {
      reply = (response) => response.writeHead(200).end(text(depth));
      const answer = await platform.send(create);
      expect(answer).toMatchObject({ type: 'unknown' });
      expect('message' in answer && answer.message).toMatch(/nests deeper|no JSON object/u);
    }
    reply = (response) => response.writeHead(200).end(text(50));
    expect(await platform.send(create)).toMatchObject({ type: 'ok' });
  });

  test('means unsent for a refused connection and an unknown name', async () => {
    for (const baseUrl of ['http://127.0.0.1:1/v3', 'https://chatform.invalid/v3']) {
      const nowhere = open({ baseUrl, timeoutMs: 5000 });
      expect(await nowhere.send(create)).toMatchObject({ type: 'unsent' });
      await nowhere.abort();
    }
  });

  test('is unknown if an abort cut it', async () => {
    const other = open({ timeoutMs: 5000 });
    reply = () => undefined;
    const sending = other.send(create);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await other.abort();
    expect(await sending).toMatchObject({ type: 'unknown' });
  });
});

describe('tokens', () => {
  const user = { user_id: 'ann', access_token: 'AT', session_tokens: [{ session_token: 'ST' }] };

  test('are removed from every answer at any depth', async () => {
    reply = json(200, { ...user, users: [user], channel: { members: [user] } });
    expect(await platform.send(read)).toEqual({
      type: 'ok',
      body: { user_id: 'ann', users: [{ user_id: 'ann' }], channel: { members: [{ user_id: 'ann' }] } },
      leftAt: expect.any(Number),
    });
    expect(tokens).toEqual([]);
  });

  test('go to the sink before the answer is returned', async () => {
    reply = json(200, user);
    const answer = await platform.send(create, { sink: { field: 'access_token', user_id: 'ann' } });
    expect(tokens).toEqual([{ user_id: 'ann', field: 'access_token', value: 'AT' }]);
    expect(answer).toEqual({ type: 'ok', body: { user_id: 'ann' }, leftAt: expect.any(Number) });
  });

  test('of a session go to the sink as well', async () => {
    reply = json(200, { user_id: 'ann', token: 'ST', expires_at: 1 });
    const issue: ApiRequest = { method: 'POST', route: '/users/{user_id}/token', params: { user_id: 'ann' }, body: {} };
    expect(await platform.send(issue, { sink: { field: 'token', user_id: 'ann' } })).toEqual({
      type: 'ok',
      body: { user_id: 'ann', expires_at: 1 },
      leftAt: expect.any(Number),
    });
    expect(tokens).toEqual([{ user_id: 'ann', field: 'token', value: 'ST' }]);
    const again = await platform.send(issue);
    expect(again).toMatchObject({ type: 'ok' });
    expect(again.type === 'ok' && again.body).toEqual({ user_id: 'ann', expires_at: 1 });
  });

  test('that are empty are ignored', async () => {
    reply = json(200, { user_id: 'ann', access_token: '' });
    await platform.send(read, { sink: { field: 'access_token', user_id: 'ann' } });
    expect(tokens).toEqual([]);
  });

  test('are not requested without a sink', async () => {
    const other = openPlatform({
      baseUrl: 'http://127.0.0.1:1/v3',
      token,
      clock,
      variables: () => undefined,
      readFile: () => Promise.resolve(image),
    });
    await expect(other.send(create, { sink: { field: 'access_token', user_id: 'ann' } })).rejects.toThrow(
      InternalError,
    );
    await other.close();
  });

  test('that cannot be stored turn the answer into a lost one, so that they are read later', async () => {
    const full = new Refusal('tokens.write', 4, 'The disk is full.', 'Make room.');
    const other = open({ sink: { write: () => Promise.reject(full) } });
    reply = json(200, user);
    const answer = await other.send(create, { sink: { field: 'access_token', user_id: 'ann' } });
    expect(answer).toMatchObject({ type: 'unknown', message: 'the issued token could not be written to its file' });
    expect(JSON.stringify(answer)).not.toContain(user.access_token);
    await other.close();
  });
});

describe('placeholders', () => {
  const withCode: ApiRequest = {
    ...create,
    placeholders: [{ type: 'secret', field: 'access_code', variable: 'CODE' }],
  };

  async function refusalOf(request: ApiRequest): Promise<{ code: string; exit: number; message: string }> {
    const error: unknown = await platform.send(request).catch((thrown: unknown) => thrown);
    if (!(error instanceof Refusal)) throw new Error('expected a Refusal');
    expect(seen).toHaveLength(0);
    return { code: error.code, exit: error.exitCode, message: error.message };
  }

  test('are replaced by a secret when the request is sent', async () => {
    await platform.send(withCode);
    expect(JSON.parse(seen[0]?.text ?? '')).toEqual({ user_id: 'ann', nickname: 'Ann', access_code: secret });
    expect(JSON.stringify(withCode)).not.toContain(secret);
  });

  test('are refused with the name of a missing variable', async () => {
    const refused = await refusalOf({ ...create, placeholders: [{ type: 'secret', field: 'x', variable: 'OTHER' }] });
    expect(refused).toMatchObject({ code: 'apply.variable-missing', exit: 65 });
    expect(refused.message).toContain('CHATFORM_VAR_OTHER');
  });

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

  test.for(['images/a.png', 'images/gone.png'])(
    'a file that is no longer the planned one is refused: %s',
    async (file) => {
      const placeholder = {
        type: 'file',
        field: 'profile_file',
        file,
        digest: digestText('another'),
        mediaType: 'image/png',
      } as const;
      expect(await refusalOf({ ...create, placeholders: [placeholder] })).toMatchObject({
        code: 'apply.file-changed',
        exit: 6,
      });
    },
  );
});

test('no output contains the token or a secret, whatever the answer', async () => {
  const echo = { message: `token ${token}, code ${secret}`, code: 400111, error: true };
  const request: ApiRequest = { ...create, placeholders: [{ type: 'secret', field: 'access_code', variable: 'CODE' }] };
  const answers: Answer[] = [];
  for (const given of [json(400, echo), json(500, echo), json(403, echo), text(200, token), text(400, secret)]) {
    reply = given;
    answers.push(await platform.send(request));
  }
  expect(answers[0]).toMatchObject({ message: 'token [secret], code [secret]' });
  expect(JSON.stringify([answers, attempts])).not.toContain(token);
  expect(JSON.stringify([answers, attempts])).not.toContain(secret);
});

test('two hundred concurrent requests all arrive', async () => {
  reply = (response) => setTimeout(() => json(200, { ok: true })(response, response.req), 20);
  // On a busy machine two hundred connections take longer than the time-out of the other tests.
  const other = open({ timeoutMs: 30_000 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => other.send(create)));
  await other.close();
  expect(answers.every(({ type }) => type === 'ok')).toBe(true);
});
