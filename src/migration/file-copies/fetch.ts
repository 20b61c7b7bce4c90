// Fetches files by URL from hosts that the user named, with the user's own credentials.
import type { Dispatcher } from 'undici';
import type { Clock, Random } from '../../core/model/ports.ts';
import { ProxyFailure } from '../../core/platform/answer.ts';
import { connectorIn } from '../../core/platform/proxy-variables.ts';
import { parseRetryAfter } from '../../core/platform/rate-headers.ts';
import { isObject, type JsonValue } from '../../lib/json.ts';
import { isThisMachine } from '../../lib/url-parts.ts';

export interface Header {
  readonly name: string;
  readonly value: string;
}

export interface FetchOptions {
  /** The hosts that may be contacted (with a port unless it is the default), and the header for each. */
  readonly hosts: ReadonlyMap<string, Header | undefined>;
  /** HTTPS_PROXY and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Milliseconds without a byte after which a server counts as silent. Default: 30 s. */
  readonly silenceMs?: number | undefined;
}

/** A file that cannot be fetched. The message ends without a full stop and names no token. */
export class FetchFailure extends Error {
  /** Undefined if another attempt would not help. */
  readonly retryAfterMs: number | undefined;
  /** Whether the server sent nothing until the time limit. */
  readonly isSilence: boolean;

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions & { readonly isSilence?: boolean }) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
    this.isSilence = options?.isSilence === true;
  }
}

interface FetchedFile {
  readonly body: AsyncIterable<Uint8Array>;
  /** The media type that the server sends, without parameters. */
  readonly type: string | undefined;
  /** The address of the file, after all redirects. */
  readonly url: URL;
}

const maxRedirects = 5;
const maxAttempts = 4;
const firstPauseMs = 500;
const longestPauseMs = 60_000;
/** The pause between two requests to one host. */
const gapMs = 100;
/** A server may be busy once. After a second timeout, the file is skipped. */
const maxSilences = 2;
/** After this many consecutive timeouts, the remaining files of the host are skipped. */
const maxSilentFiles = 3;
/** The time limit for a server that sends bytes only now and then. */
const maxFileMs = 60 * 60_000;
const defaultSilenceMs = 30_000;

interface FileFetcher {
  /** `take` reads the whole body, and is called again after an interruption. Rejects with a FetchFailure, or what `take` throws. */
  fetch<T>(url: string, take: (file: FetchedFile) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function fileFetcher({
  hosts,
  env,
  clock,
  random,
  signal,
  silenceMs: ms = defaultSilenceMs,
}: FetchOptions): FileFetcher {
  const nextAt = new Map<string, number>();
  /** Consecutive timeouts by host. */
  const silent = new Map<string, number>();
  let agent: Dispatcher | undefined;
  const pace = async (host: string): Promise<void> => {
    const now = clock.now();
    const at = Math.max(now, nextAt.get(host) ?? now);
    nextAt.set(host, at + gapMs);
    if (at > now) await clock.sleep(at - now, signal);
  };
  const attempt = async <T>(url: string, take: (file: FetchedFile) => Promise<T>): Promise<T> => {
    const { Agent, request } = await import('undici');
    const connect = (await connectorIn(env, ms)) ?? { timeout: ms };
    agent ??= new Agent({ connect, headersTimeout: ms, bodyTimeout: ms, connections: 4 });
    const options = { dispatcher: agent, signal: AbortSignal.any([signal, AbortSignal.timeout(maxFileMs)]) };
    let target = new URL(url);
    for (let redirects = 0; ; redirects += 1) {
      const header = headerFor(target, hosts);
      await pace(target.host);
      const headers = header === undefined ? {} : { [header.name]: header.value };
      const answer = await request(target.href, { ...options, headers }).catch((cause: unknown) => {
        throw broken(target, cause);
      });
      const { statusCode: status, body } = answer;
      if (status >= 200 && status < 300) {
        const type = textOf(answer.headers['content-type'])?.split(';')[0]?.trim().toLowerCase();
        return await take({ body: pieces(target, body), type, url: target });
      }
      await body.dump().catch(() => undefined);
      const location = textOf(answer.headers.location);
      if (status < 300 || status >= 400 || location === undefined)
        throw refusedBy(target, status, parseRetryAfter(answer.headers, clock.date) ?? 0, header !== undefined);
      if (!URL.canParse(location, target.href)) throw new FetchFailure(`${target.host} redirects without saying where`);
      if (redirects >= maxRedirects)
        throw new FetchFailure(`${target.host} redirects more than ${maxRedirects} times, perhaps in a circle`);
      target = new URL(location, target);
    }
  };
  return {
    fetch: async (url, take) => {
      const { host } = new URL(url);
      const silentFiles = (): number => silent.get(host) ?? 0;
      for (let tried = 1; ; tried += 1) {
        if (silentFiles() >= maxSilentFiles)
          throw new FetchFailure(`${host} did not respond to requests for other files`);
        try {
          const taken = await attempt(url, take);
          silent.delete(host);
          return taken;
        } catch (error) {
          const { retryAfterMs, isSilence = false } = error instanceof FetchFailure ? error : {};
          const isLast = tried >= (isSilence ? maxSilences : maxAttempts);
          if (isSilence && isLast) silent.set(host, silentFiles() + 1);
          if (retryAfterMs === undefined || isLast || signal.aborted) throw error;
          const backOff = firstPauseMs * 2 ** (tried - 1) * (1 + random());
          await clock.sleep(Math.min(longestPauseMs, Math.max(retryAfterMs, backOff)), signal);
        }
      }
    },
    close: async () => agent?.destroy(),
  };
}

/** The header is only for its host and is dropped on a redirect to another one. */
function headerFor({ protocol, hostname, host }: URL, hosts: FetchOptions['hosts']): Header | undefined {
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new FetchFailure(`it redirects to an address that begins with ${protocol}, which is not fetched`);
  if (!hosts.has(host))
    throw new FetchFailure(`it redirects to ${host}; add --fetch for that host if it has the files`);
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisMachine(hostname)))
    throw new FetchFailure(`${host} would send it unencrypted`);
  return hosts.get(host);
}

async function* pieces(target: URL, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw broken(target, cause);
  }
}

function broken({ host }: URL, cause: unknown): FetchFailure {
  if (cause instanceof ProxyFailure) return new FetchFailure(cause.message, 0, { cause });
  const code = isObject(cause as JsonValue) ? (cause as { code?: unknown }).code : undefined;
  const isSilence = /TIMEOUT/u.test(String(code));
  const what = isSilence ? 'did not respond' : `closed the connection (${code ?? 'no reason'})`;
  return new FetchFailure(`${host} ${what}`, 0, { cause, isSilence });
}

function refusedBy({ host }: URL, status: number, afterS: number, hadHeader: boolean): FetchFailure {
  if (status === 429 || status >= 500) return new FetchFailure(`${host} answered ${status}`, afterS * 1000);
  const isLogin = status === 401 || status === 403;
  const advice = hadHeader ? '; check the variable of --header-from' : '; --header-from gives it a header';
  return new FetchFailure(`${host} answered ${status}${isLogin ? advice : ''}`);
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
