// How does one request travel to the platform and back? One attempt over HTTP: no retry, no pacing, no redirect.
//
// The file is the only one that holds the API token. It leaves in one header and nowhere else: whatever the platform or
// the network says is cleaned of it before anybody reads it (`redact`).

import type { Dispatcher } from 'undici';
import { InternalError } from '../model/errors.ts';
import type { Answer, Clock, Platform, TokenSink } from '../model/ports.ts';
import { type ApiRequest, requestPath, routeName } from '../model/request.ts';
import type { TokenField } from '../model/step.ts';
import { answerOf, type Received } from './answer.ts';
import { type Attempt, AttemptCount } from './attempts.ts';
import { fillHoles, type HoleSources } from './holes.ts';
import { parseRateHeaders } from './rate-headers.ts';
import { type IssuedToken, takeTokens } from './tokens.ts';

export interface PlatformOptions extends HoleSources {
  /** As `checkBaseUrl` gave it back. */
  readonly baseUrl: URL | string;
  readonly token: string;
  readonly clock: Clock;
  /** For the whole of one attempt, from the call of `send` to the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Of chatform, for the user agent. */
  readonly version?: string;
  /** Where issued tokens go; without it no request may ask for one. */
  readonly sink?: TokenSink;
  /** Told of every attempt, for --verbose. */
  readonly trace?: (attempt: Attempt) => void;
}

export interface OpenedPlatform extends Platform {
  /** Waits for what is under way, then closes the connections. */
  close(): Promise<void>;
  /** Cuts what is under way: its answers are unknown. */
  abort(): Promise<void>;
}

const defaultTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;

/**
 * As many as the applier has calls under way at most, and opened only when they are needed: how many that are follows from
 * rate and latency (1.25 × rate × latency are enough, measurements §5).
 */
const connections = 512;

/** A page of 100 channels with members is below 1 MB; what is far above is not an answer of the platform. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** Undici is loaded here, and not at the start of a command that may never send a request. */
export async function openPlatform(options: PlatformOptions): Promise<OpenedPlatform> {
  const { Pool, FormData } = await import('undici');
  const url = new URL(options.baseUrl);
  const basePath = url.pathname.replace(/\/+$/u, '');
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    // Sooner than the whole attempt: without a connection the request was surely not sent.
    connect: { timeout: Math.min(connectTimeoutMs, timeoutMs / 2) },
    // One time-out for the whole attempt replaces those for its parts: see `attempt`.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const dispatcher = pool.compose(noteDepartures(() => options.clock.now()));
  const userAgent = options.version === undefined ? 'chatform' : `chatform/${options.version}`;

  const attempts = new AttemptCount();

  async function send(request: ApiRequest, sending: { readonly sink?: TokenField } = {}): Promise<Answer> {
    const tokenSink = options.sink;
    if (sending.sink !== undefined && tokenSink === undefined) {
      throw new InternalError(`${routeName(request)} would issue a token and there is no place for it`);
    }
    const filled = await fillHoles(request, options, FormData);
    const startedAt = options.clock.now();
    const departure: Departure = { leftAt: undefined };
    const received = await attempt(dispatcher, timeoutMs, departure, {
      method: request.method,
      path: basePath + requestPath(request) + queryText(request),
      headers: {
        'api-token': options.token,
        'user-agent': userAgent,
        ...(filled.multipart ? {} : { 'content-type': 'application/json; charset=utf8' }),
      },
      body: filled.body,
    });
    const { answer, tokens } = takeTokens(answerOf(received), request.route, sending.sink);
    const durationMs = options.clock.now() - startedAt;
    options.trace?.(attempts.describe(request, received, answer, durationMs));
    const rate = received.headers === undefined ? undefined : parseRateHeaders(received.headers);
    const kept = await keepTokens(answer, tokens, tokenSink);
    const { leftAt } = departure;
    const told = {
      ...kept,
      ...(rate === undefined ? {} : { rate }),
      ...(leftAt === undefined ? {} : { leftAt }),
    };
    return redact(told, [options.token, ...filled.secrets]);
  }

  return {
    send,
    close: () => pool.close(),
    abort: () => pool.destroy(),
  };
}

/**
 * One exchange; never rejects. The time-out covers it all, so that nothing of a request is under way any more when it
 * is over: the applier counts on that when it measures how long its lock will last.
 */
async function attempt(
  dispatcher: Dispatcher,
  timeoutMs: number,
  departure: Departure,
  request: Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'headers' | 'body'>,
): Promise<Received> {
  let head: Pick<Received, 'status' | 'headers'> = {};
  try {
    const response = await dispatcher.request({
      ...request,
      opaque: departure,
      signal: AbortSignal.timeout(timeoutMs),
    });
    head = { status: response.statusCode, headers: response.headers };
    return { ...head, text: await readText(response.body) };
  } catch (error) {
    return { ...head, error };
  }
}

/** When a request went out on its connection. Making one takes a while, and the platform counts arrivals. */
interface Departure {
  leftAt: number | undefined;
}

function noteDepartures(now: () => number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { opaque } = options as { readonly opaque?: Departure };
    const connected = handler.onConnect?.bind(handler);
    if (opaque !== undefined && connected !== undefined) {
      handler.onConnect = (...about) => {
        opaque.leftAt = now();
        connected(...about);
      };
    }
    return dispatch(options, handler);
  };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error(`the answer is larger than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A token that could not be kept is as good as a lost answer: the next read brings it back (semantics §5.4). */
async function keepTokens(
  answer: Answer,
  tokens: readonly IssuedToken[],
  sink: TokenSink | undefined,
): Promise<Answer> {
  try {
    for (const token of tokens) await sink?.write(token);
    return answer;
  } catch {
    return { type: 'unknown', message: 'the issued token could not be written to its file' };
  }
}

/** `%20`, not `+`: the platform's clients encode a value once, as a whole (api§1). */
function queryText(request: ApiRequest): string {
  const pairs = Object.entries(request.query ?? {});
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

/** A message may quote what was sent: what must not be read by anybody is taken out. */
function redact(answer: Answer, secrets: readonly string[]): Answer {
  if (!('message' in answer)) return answer;
  let message = answer.message;
  for (const secret of secrets) if (secret !== '') message = message.replaceAll(secret, '[secret]');
  return message === answer.message ? answer : { ...answer, message };
}
