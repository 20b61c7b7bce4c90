// Sends one request to the platform over HTTP: one attempt, without retry, pacing or redirect.
//
// This is the only file that holds the API token. The token leaves in one header and nowhere else: `redact` removes it from
// all messages of the platform and the network.

import { createRequire } from 'node:module';
import type { FormData, Pool as UndiciPool } from 'undici';
import { InternalError } from '../lib/errors.ts';
import {
  type Answer,
  type Clock,
  type Platform,
  requestTimeoutMs,
  type Sending,
  type TokenSink,
} from '../model/ports.ts';
import { type ApiRequest, requestPath, requestQuery, routeName } from '../model/request.ts';
import { answerOf } from './answer.ts';
import { type Attempt, AttemptCount } from './attempts.ts';
import { exchange } from './exchange.ts';
import { fillPlaceholders, type PlaceholderSources } from './placeholders.ts';
import { parseRateHeaders } from './rate-headers.ts';
import { type IssuedToken, takeTokens } from './tokens.ts';

export interface PlatformOptions extends PlaceholderSources {
  /** As `checkBaseUrl` returned it. */
  readonly baseUrl: URL | string;
  readonly token: string;
  readonly clock: Clock;
  /** Default: `requestTimeoutMs`. */
  readonly timeoutMs?: number;
  /** The version of chatform, for the user agent. */
  readonly version?: string;
  /** Receives issued tokens. Without it no request may ask for one. */
  readonly sink?: TokenSink;
  /** Replaces the platform's own sentences, for --redact. Default: keeps them. */
  readonly wordsOf?: (sentence: string) => string;
  /** Called for every attempt, for --verbose. */
  readonly trace?: (attempt: Attempt) => void;
}

export interface OpenedPlatform extends Platform {
  /** Waits for the calls under way, then closes the connections. */
  close(): Promise<void>;
  /** Cuts the calls under way; their answers are unknown. */
  abort(): Promise<void>;
}

const connectTimeoutMs = 10_000;

/** The applier has at most this many calls under way. Connections are opened when needed; 1.25 × rate × latency are enough. */
const connections = 512;

// The pool alone. The whole of undici takes three times as long to load, which is a sixth of a small apply.
const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof UndiciPool;

export function openPlatform(options: PlatformOptions): OpenedPlatform {
  const url = new URL(options.baseUrl);
  const basePath = url.pathname.replace(/\/+$/u, '');
  const timeoutMs = options.timeoutMs ?? requestTimeoutMs;
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    // Shorter than the whole attempt: without a connection the request was surely not sent.
    connect: { timeout: Math.min(connectTimeoutMs, timeoutMs / 2) },
    // One time-out for the whole attempt replaces those for its parts: see exchange.ts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const commonHeaders = {
    'api-token': options.token,
    'user-agent': options.version === undefined ? 'chatform' : `chatform/${options.version}`,
  };
  const jsonHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf8' };

  const attempts = new AttemptCount();

  /** As bytes: a form would be streamed, and so leave later than the client asks whether it may. */
  async function formOf(form: FormData) {
    const { Response } = await import('undici');
    const encoded = new Response(form);
    const headers = { ...commonHeaders, 'content-type': encoded.headers.get('content-type') ?? '' };
    return { headers, body: Buffer.from(await encoded.arrayBuffer()) };
  }

  async function send(request: ApiRequest, sending: Sending = {}): Promise<Answer> {
    const tokenSink = options.sink;
    if (sending.sink !== undefined && sending.sink.isOptional !== true && tokenSink === undefined) {
      throw new InternalError(`${routeName(request)} would issue a token and there is no sink for it`);
    }
    const filled = await fillPlaceholders(request, options);
    const startedAt = options.clock.now();
    const query = requestQuery(request);
    const path = `${basePath}${requestPath(request)}${query === '' ? '' : `?${query}`}`;
    const { body } = filled;
    const content = body === null || typeof body === 'string' ? { headers: jsonHeaders, body } : await formOf(body);
    const received = await exchange(
      pool,
      { method: request.method, path, ...content },
      timeoutMs,
      () => options.clock.now(),
      sending.mayLeave,
    );
    const { answer, tokens } = takeTokens(answerOf(received, options.wordsOf), request.route, sending.sink);
    const durationMs = options.clock.now() - startedAt;
    options.trace?.(attempts.describe(request, received, answer, durationMs));
    const rate = received.headers === undefined ? undefined : parseRateHeaders(received.headers);
    const kept = await keepTokens(answer, tokens, tokenSink);
    const { leftAt } = received;
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

/** A token that could not be written counts as a lost answer; the next read brings the token back (semantics §5.4). */
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

/** Replaces secrets in a message, which may quote what was sent. */
function redact(answer: Answer, secrets: readonly string[]): Answer {
  if (!('message' in answer)) return answer;
  let message = answer.message;
  for (const secret of secrets) if (secret !== '') message = message.replaceAll(secret, '[secret]');
  return message === answer.message ? answer : { ...answer, message };
}
