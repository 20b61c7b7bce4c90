// Sends one request to the platform over HTTP, without retry, pacing or redirects.
//
// This is the only file that handles the API token. The token leaves in one header and nowhere else: a sentence of the platform
// that may quote it is not shown, and messages about the network contain only names and codes.

import type { FormData } from 'undici';
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
import { connectionsWithin, openFilesLimit } from './open-files.ts';
import { fillPlaceholders, type PlaceholderSources } from './placeholders.ts';
import { withoutQuotedSecrets } from './quoted-secrets.ts';
import { parseRateHeaders } from './rate-headers.ts';
import { type IssuedToken, takeTokens } from './tokens.ts';
import type { ProxyConnector } from './tunnel.ts';
import undici from './undici.cjs';

export interface PlatformOptions extends PlaceholderSources {
  /** A URL returned by `checkBaseUrl`. */
  readonly baseUrl: URL | string;
  readonly token: string;
  readonly clock: Clock;
  /** Default: `requestTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Opens connections through a proxy (proxy-variables.ts). Absent: the pool opens them itself. */
  readonly connector?: ProxyConnector | undefined;
  /** The version of chatform, for the user agent. */
  readonly version?: string;
  /** Receives issued tokens. Without it, requests that issue tokens are bugs. */
  readonly sink?: TokenSink;
  /** Replaces the platform's own sentences for --redact. The default keeps them. */
  readonly wordsOf?: (sentence: string) => string;
  /** Called for every attempt (--verbose). */
  readonly trace?: (attempt: Attempt) => void;
}

export interface OpenedPlatform extends Platform {
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>;
  /** Aborts the calls in flight. Their outcomes are unknown. */
  abort(): Promise<void>;
}

/** Shorter than half an attempt, because a request without a connection is known not to have been sent. */
export const connectTimeoutMs = 10_000;

const { Pool } = undici;

/** Opens a client, whose connections open on demand (semantics §12.5). `Platform` says what a call may return. */
export function openPlatform(options: PlatformOptions): OpenedPlatform {
  const url = new URL(options.baseUrl);
  const basePath = url.pathname.replace(/\/+$/u, '');
  const timeoutMs = options.timeoutMs ?? requestTimeoutMs;
  const pool = new Pool(url.origin, {
    connections: connectionsWithin(openFilesLimit()),
    pipelining: 1,
    connect: options.connector ?? { timeout: Math.min(connectTimeoutMs, timeoutMs / 2) },
    // exchange.ts has one time-out for the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const commonHeaders = {
    'api-token': options.token,
    'user-agent': options.version === undefined ? 'chatform' : `chatform/${options.version}`,
  };
  const jsonHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf8' };

  const attempts = new AttemptCount();

  /** Returns bytes, because a streamed form would leave later than `mayLeave` is asked. */
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
    const secrets = [options.token, ...filled.secrets];
    const { wordsOf = (sentence: string) => sentence } = options;
    const shown = (sentence: string) => wordsOf(withoutQuotedSecrets(sentence, secrets));
    const { answer, tokens } = takeTokens(answerOf(received, options.clock.date, shown), request.route, sending.sink);
    const durationMs = options.clock.now() - startedAt;
    const attempt = attempts.describe(request, received, answer, durationMs);
    options.trace?.(options.connector === undefined ? attempt : { ...attempt, proxy: options.connector.proxy });
    const rate = received.headers === undefined ? undefined : parseRateHeaders(received.headers);
    const kept = await keepTokens(answer, tokens, tokenSink);
    const { leftAt } = received;
    return {
      ...kept,
      ...(rate === undefined ? {} : { rate }),
      ...(leftAt === undefined ? {} : { leftAt }),
    };
  }

  return {
    send,
    close: () => pool.close(),
    abort: () => pool.destroy(),
  };
}

/** Writes issued tokens to the sink. A failed write counts as a lost answer, after which the token is read back (semantics §5.4). */
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
