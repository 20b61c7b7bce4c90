// Support: talks to an emulator with a clock that tests move.

import type { EmulatorOptions, RunningEmulator } from '../../../src/emulator/server.ts';
import { startPlatform } from '../../support/platform.ts';

export type Answer = Record<string, unknown>;

/** The result of JSON.parse: tests read answers of every shape, and a wrong guess fails the test. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly status: number;
  readonly body: Parsed;
  readonly headers: Headers;
}

export interface Api {
  readonly emulator: RunningEmulator;
  readonly clock: { nowMs: number };
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Like `call`, but throws unless the status is 200. */
  ok(method: string, path: string, body?: unknown): Promise<Reply['body']>;
  /** 200, or the code of the refusal. */
  code(method: string, path: string, body?: unknown): Promise<number>;
  get(path: string): Promise<Reply['body']>;
  /** The ids or urls in the list that is the answer. */
  ids(path: string): Promise<readonly (string | number)[]>;
  /** The ids or urls on all pages of a list. `path` has a query. */
  walk(path: string): Promise<readonly (string | number)[]>;
  /** Sends a text to room-1. */
  say(userId: string, more?: Answer): Promise<Reply['body']>;
  users(...ids: string[]): Promise<void>;
  room(url: string, userIds: readonly string[], more?: Answer): Promise<Reply['body']>;
}

export const START_MS = 1_700_000_000_500;

export const BOT = {
  bot_userid: 'helper',
  bot_nickname: 'Helper',
  bot_profile_url: '',
  bot_type: 'support',
  bot_callback_url: 'https://bots.example.com/helper',
  is_privacy_mode: true,
};

/** Options of the platform and its limits, which HTTP does not change. */
const apartFromTransport = new Set(['behaviours', 'rateLimits', 'ratePlan', 'raisedLimits']);

/**
 * Starts an emulator, by default without rate limits, and closes it after the test. Calls go over HTTP on loopback if an
 * option concerns the transport. Otherwise JSON goes to the service behind the server, which is several times as fast.
 */
export async function startApi(options: EmulatorOptions = {}): Promise<Api> {
  const clock = { nowMs: START_MS };
  const emulator = await startPlatform({ rateLimits: false, clock: () => clock.nowMs, ...options });
  const isPlain = Object.keys(options).every((name) => apartFromTransport.has(name));
  const call: Api['call'] = async (method, path, body) =>
    isPlain && !(body instanceof FormData)
      ? handled(emulator, clock.nowMs, method, path, body)
      : request(emulator, method, path, body);
  const ok: Api['ok'] = async (method, path, body) => {
    const reply = await call(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return {
    emulator,
    clock,
    call,
    ok,
    code: async (method, path, body) => {
      const reply = await call(method, path, body);
      return reply.status === 200 ? 200 : reply.body.code;
    },
    get: (path) => ok('GET', path),
    ids: async (path) => idsOf(await ok('GET', path)),
    walk: async (path) => {
      const walked: (string | number)[] = [];
      let next: string | undefined;
      do {
        const page = await ok('GET', `${path}${next === undefined ? '' : `&token=${encodeURIComponent(next)}`}`);
        walked.push(...idsOf(page));
        next = page.next;
      } while (next !== '');
      return walked;
    },
    say: (userId, more = {}) =>
      ok('POST', '/group_channels/room-1/messages', { message_type: 'MESG', user_id: userId, message: 'hi', ...more }),
    users: async (...ids) => {
      for (const id of ids) await ok('POST', '/users', { user_id: id, nickname: id, profile_url: '' });
    },
    room: (url, userIds, more = {}) => ok('POST', '/group_channels', { channel_url: url, user_ids: userIds, ...more }),
  };
}

function idsOf(answer: Parsed): readonly (string | number)[] {
  const list: readonly Parsed[] = Object.values<Parsed>(answer).find(Array.isArray) ?? [];
  return list.map((one) => one.message_id ?? one.user_id ?? one.channel_url);
}

function handled(
  { service, token }: RunningEmulator,
  nowMs: number,
  method: string,
  target: string,
  value?: unknown,
): Reply {
  const [path = '', ...query] = target.split('?');
  const arrival = service.arrive(
    {
      method,
      path: `/v3${path}`,
      query: query.join('?'),
      headers: { 'api-token': token },
      body: value === undefined ? { type: 'none' } : { type: 'json', value: JSON.parse(JSON.stringify(value)) },
    },
    nowMs,
  );
  const { status, body, headers } = service.finish(arrival, nowMs);
  return { status, body: JSON.parse(JSON.stringify(body)), headers: new Headers(headers) };
}

/** Over HTTP. */
export async function request(
  { url, token }: Pick<RunningEmulator, 'url' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const form = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: { 'Api-Token': token, ...(body === undefined || form ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export function messageOf(userId: string, timestamp: number, more: Answer = {}): Answer {
  return { message_type: 'MESG', user_id: userId, message: `at ${timestamp}`, timestamp, ...more };
}
