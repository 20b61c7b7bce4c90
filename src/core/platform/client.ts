// Sends one request to the platform over HTTP, without retry, pacing or redirects.
//
// This is the only file that handles the API token. The token leaves in one header and nowhere else: a sentence of the platform
// that may quote it is not shown, and messages about the network contain only names and codes.
import { readFileSync } from 'node:fs';
import type { FormData } from 'undici';
import { InternalError } from '../../lib/errors.ts';
import type { Attempt } from '../model/event.ts';
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
import { AttemptCount } from './attempts.ts';
import { exchange } from './exchange.ts';
import { type FilledRequest, fillPlaceholders, type PlaceholderSources } from './placeholders.ts';
import { PlatformClock } from './platform-clock.ts';
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
  /** Called once if the platform's clock is more than a minute ahead of `clock`, or behind it (negative). */
  readonly clockDiffers?: (aheadMs: number) => void;
  /** Receives issued tokens. Without it, requests that issue tokens are bugs. */
  readonly sink?: TokenSink;
  /** Replaces the platform's own sentences for --redact. The default keeps them. */
  readonly wordsOf?: (sentence: string) => string;
  /** Called for every attempt (--verbose). */
  readonly trace?: (attempt: Attempt) => void;
}

export interface OpenedPlatform extends Platform {
  /** The time on the platform's clock, by its answers so far. */
  date(): Date;
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>;
  /** Aborts the calls in flight. Their outcomes are unknown. */
  abort(): Promise<void>;
}

/** Shorter than half an attempt, because a request without a connection is known not to have been sent. */
export const connectTimeoutMs = 10_000;

/** Bytes of the headers of a response, as in Node's own client, of which undici would otherwise load all to learn its limit. */
const maxHeaderSize = 16_384;

const { Pool } = undici;

/** Opens a client, whose connections open on demand (semantics §12.5). `Platform` says what a call may return. */
export function openPlatform(options: PlatformOptions): OpenedPlatform {
  const url = new URL(options.baseUrl);
  const basePath = url.pathname.replace(/\/+$/u, '');
  const timeoutMs = options.timeoutMs ?? requestTimeoutMs;
  const pool = new Pool(url.origin, {
    connections: connectionsWithin(openFilesLimit()),
    pipelining: 1,
    maxHeaderSize,
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

  const platformClock = new PlatformClock(options.clock, options.clockDiffers);
  const sources = { ...options, clock: platformClock };
  const attempts = options.trace === undefined ? undefined : new AttemptCount();

  /** Returns bytes, because a streamed form would leave later than `mayLeave` is asked. */
  async function formOf(form: FormData) {
    const { Response } = await import('undici');
    const encoded = new Response(form);
    const headers = { ...commonHeaders, 'content-type': encoded.headers.get('content-type') ?? '' };
    return { headers, body: Buffer.from(await encoded.arrayBuffer()) };
  }

  /** A ban is counted from the platform's now, which no answer has shown yet. Without an answer our own clock is used. */
  async function readClock(): Promise<void> {
    const read = { method: 'GET', path: `${basePath}/users?limit=1`, headers: commonHeaders, body: null };
    const { headers } = await exchange(pool, read, timeoutMs, () => options.clock.now(), undefined);
    if (headers !== undefined) platformClock.see(headers);
  }

  async function send(request: ApiRequest, sending: Sending = {}): Promise<Answer> {
    const tokenSink = options.sink;
    if (sending.sink !== undefined && tokenSink === undefined) {
      throw new InternalError(`${routeName(request)} would issue a token and there is no sink for it`);
    }
    if (!platformClock.isKnown && request.placeholders?.some(({ type }) => type === 'seconds') === true)
      await readClock();
    const filled = request.placeholders === undefined ? whole(request) : await fillPlaceholders(request, sources);
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
    if (received.headers !== undefined) platformClock.see(received.headers);
    const secrets = [options.token, ...filled.secrets];
    const { wordsOf = (sentence: string) => sentence } = options;
    const shown = (sentence: string) => wordsOf(withoutQuotedSecrets(sentence, secrets));
    const { answer, tokens } = takeTokens(answerOf(received, options.clock.date, shown), request.route, sending.sink);
    const durationMs = options.clock.now() - startedAt;
    const attempt = attempts?.describe(request, received, answer, durationMs);
    if (attempt !== undefined)
      options.trace?.(options.connector === undefined ? attempt : { ...attempt, proxy: options.connector.proxy });
    const rate = received.headers === undefined ? undefined : parseRateHeaders(received.headers);
    const kept = await keepTokens(answer, tokens, tokenSink);
    const { leftAt } = received;
    return {
      ...kept,
      ...(rate === undefined ? {} : { rate }),
      ...(leftAt === undefined ? {} : { leftAt }),
      ...(received.text === undefined ? {} : { characters: received.text.length }),
    };
  }

  return {
    send,
    date: () => platformClock.date(),
    close: () => pool.close(),
    abort: () => pool.destroy(),
  };
}

/** Most requests are sent as they are planned. */
function whole({ body }: ApiRequest): FilledRequest {
  return { body: body === undefined ? null : JSON.stringify(body), secrets: [] };
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

// Limits the number of connections to the number of files that this process may open. Sockets count as files, and a process
// at its limit can neither connect nor write its state.

/** The applier's maximum of calls in flight. */
const mostConnections = 512;
const fewestConnections = 8;
/** Reserved for state, temporary files, sources, standard streams and the runtime itself. */
const otherFiles = 64;

/** Returns the maximum number of connections. `limit` is undefined if unknown. Half of it, because the built-in emulator opens the other ends. */
export function connectionsWithin(limit: number | undefined): number {
  if (limit === undefined) return mostConnections;
  const room = Math.floor((limit - otherFiles) / 2);
  return Math.max(fewestConnections, Math.min(mostConnections, room));
}

/** Returns the limit of open files (`ulimit -n`), or undefined if there is none or the system does not report it. */
function openFilesLimit(): number | undefined {
  try {
    const limit = Number(
      /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN,
    );
    return Number.isNaN(limit) ? undefined : limit;
  } catch {
    return undefined;
  }
}

// Withholds a sentence of the platform that may quote a secret of the request: the API token, or a value of the environment.
//
// The sentence is not edited. A replacement would miss a value that the platform cut or escaped, and would tear words apart where
// the value is short.

/** The number of first characters by which a value is recognised that was cut. */
const recognised = 6;

const withheld = 'its message is not shown, because it may contain a secret of the request';

function withoutQuotedSecrets(sentence: string, secrets: readonly string[]): string {
  return secrets.some((secret) => mayQuote(sentence, secret)) ? withheld : sentence;
}

function mayQuote(sentence: string, secret: string): boolean {
  const lower = sentence.toLowerCase();
  return formsOf(secret).some((form) => form !== '' && lower.includes(form.toLowerCase().slice(0, recognised)));
}

/** As written, in JSON, and in a URL. A host is in lower case. */
function formsOf(secret: string): readonly string[] {
  return [secret.trim(), JSON.stringify(secret.trim()).slice(1, -1), encodeURIComponent(secret.trim().toWellFormed())];
}
