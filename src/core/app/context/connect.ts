// Connects a run to the platform over HTTP with a token, or to an emulator that it starts in this process.
import { setMaxListeners } from 'node:events';
import { resolve } from 'node:path';
import { InternalError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { readFileAt } from '../../../lib/path-streams.ts';
import { version } from '../../../version.ts';
import { variableIn } from '../../manifest/document/application-variables.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Platform, TokenSink } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import { limitsOf } from '../../platform/limits.ts';
import type { PlaceholderSources } from '../../platform/placeholders.ts';
import { connectorIn } from '../../platform/proxy-variables.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import { LiveReader } from '../../refresh/send.ts';
import { HistoryFileSource } from '../history-files/history-source.ts';
import { type Application, hasToken } from './application.ts';
import { refuseLinkedPlace } from './default-state.ts';
import type { Ports } from './ports.ts';
import { readToken } from './token.ts';

export interface Connection {
  readonly platform: Platform;
  /** The time on the platform's clock, by its answers so far. */
  date(): Date;
  readonly lines: HistoryFileSource['lines'];
  /** See `demandPlannedSources`. */
  demandSources(requests: Iterable<ApiRequest>): Promise<void>;
  close(): Promise<void>;
}

/** A connection for use cases that only read. */
export interface ReadingConnection extends Connection {
  /** Under the rate limits; refused (8) after an interrupt. */
  readonly reader: LiveReader;
}

export interface Connecting {
  /** The result of readToken. If absent, the token is read now, or the built-in emulator provides its own. */
  readonly token?: string | undefined;
  readonly sink?: TokenSink | undefined;
  /** Aborting it cancels requests in progress. */
  readonly signal?: AbortSignal;
  /** The contents of files that are not on disk, by name. */
  readonly files?: (name: string) => Uint8Array | undefined;
}

/** The listeners that know that the clocks differ, because a run opens several connections. */
const told = new WeakSet<Ports['notify']>();

/** Refused (3) without a valid token. */
export async function connect(
  application: Application,
  ports: Ports,
  { token, sink, signal, files }: Connecting = {},
): Promise<Connection> {
  const { env, cwd, clock, notify, trace, wordsOf } = ports;
  const { connectTimeoutMs, openPlatform } = await import('../../platform/client.ts');
  const endpoint = await endpointOf(application, token, ports);
  let opened: HistoryFileSource | undefined;
  const historyFiles = (): HistoryFileSource => {
    opened ??= new HistoryFileSource(cwd);
    return opened;
  };
  const sources = {
    clock,
    variables: (name: string) => variableIn(env, name),
    readFile: async (file: string) => files?.(file) ?? readFileAt(resolve(cwd, file)),
    placeOf: (file: string) => resolve(cwd, file),
    listToSend: (source: JsonObject) => historyFiles().messages(source),
  } satisfies PlaceholderSources;
  const platform = openPlatform({
    ...sources,
    baseUrl: endpoint.url,
    connector: await connectorIn(env, connectTimeoutMs, new URL(endpoint.url)),
    token: endpoint.token,
    version,
    ...(sink === undefined ? {} : { sink }),
    clockDiffers: (aheadMs) => {
      if (!told.has(notify)) notify({ type: 'clock-differs', aheadMs });
      told.add(notify);
    },
    ...(wordsOf === undefined ? {} : { wordsOf }),
    ...(trace === undefined ? {} : { trace }),
  });
  signal?.addEventListener('abort', () => void platform.abort());
  const { target } = application;
  const watch = target.type === 'server' ? watchReach(platform, target.url.host, notify) : undefined;
  return {
    platform: watch ?? platform,
    date: () => platform.date(),
    lines: (source) => historyFiles().lines(source),
    // Few plans have files.
    demandSources: async (requests) =>
      (await import('../../platform/placeholders.ts')).demandPlannedSources(requests, sources),
    close: async () => {
      watch?.end();
      await (signal?.aborted === true ? platform.abort() : platform.close());
      await opened?.close();
      await endpoint.close();
    },
  };
}

/**
 * For use cases that only read. An interrupt cancels requests in progress, which loses nothing, and the use case ends as
 * usual. So does closing.
 */
export async function connectToRead(application: Application, ports: Ports): Promise<ReadingConnection> {
  const { target } = application;
  // Before the command listens, so that an interrupt ends it if the token comes from a pipe.
  const token = target.type === 'server' ? await readToken(target, ports) : undefined;
  const stop = new AbortController();
  // Each in-flight read adds an abort listener, so lift the default cap.
  setMaxListeners(0, stop.signal);
  const forget = ports.onInterrupt(() => {
    ports.notify({ type: 'read-stopping' });
    stop.abort();
  });
  try {
    const connection = await connect(application, ports, { token, signal: stop.signal });
    const { clock, random, timeLeft } = ports;
    const pacer = createPacer({ limitsOf: limitsOf(application.rates), clock });
    return {
      ...connection,
      reader: new LiveReader({ platform: connection.platform, pacer, clock, random, timeLeft, signal: stop.signal }),
      close: () => {
        forget();
        // After a failure, other reads would go on trying over closed connections.
        stop.abort();
        return connection.close();
      },
    };
  } catch (error) {
    forget();
    throw error;
  }
}

/** Opens a connection for the work, and closes it however the work ends. */
export async function whileReading<T>(
  application: Application,
  ports: Ports,
  work: (connection: ReadingConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectToRead(application, ports);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/**
 * A way to the platform for reads without which a command goes on: its calls have their own rules for a platform that does not
 * answer. Refused after an interrupt (8) and at the time limit (9).
 */
export function reachOf(application: Application, ports: Ports) {
  return async <T>(check: (ask: LiveReader['send']) => Promise<T>, otherwise: (reason: string) => T): Promise<T> => {
    const { target } = application;
    if (target.type === 'unknown') return otherwise('the application is not known');
    if (target.type === 'server' && !hasToken(application, ports)) return otherwise('no API token is set');
    try {
      return await whileReading(application, ports, ({ reader }) => check((request) => reader.send(request)));
    } catch (error) {
      if (!(error instanceof Refusal) || final.has(error.exitCode)) throw error;
      return otherwise(error.message.replace(/\.$/u, ''));
    }
  };
}

const final: ReadonlySet<number> = new Set([exitCode.interrupted, exitCode.outOfTime]);

interface Endpoint {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

async function endpointOf(
  { target, rates }: Application,
  givenToken: string | undefined,
  ports: Ports,
): Promise<Endpoint> {
  if (target.type === 'server') {
    const token = givenToken ?? (await readToken(target, ports));
    return { url: target.url.href, token, close: async () => {} };
  }
  if (target.type !== 'emulator') throw new InternalError('an unknown application cannot be reached');
  const { startEmbedded, emulatorLimits, emulatorRatePlan } = await import('./embedded-emulator.ts');
  const dataFile = resolve(ports.cwd, target.file);
  refuseLinkedPlace(dataFile, ports.cwd, 'file');
  const emulator = await startEmbedded({
    dataFile,
    ratePlan: emulatorRatePlan(rates.ratePlan),
    raisedLimits: emulatorLimits(rates),
  });
  return { url: emulator.url, token: emulator.token, close: () => emulator.close() };
}

// Reports that the platform does not respond while a command still retries.

/** Milliseconds before a missing first response is reported. Refused connections and unknown names are reported at once. */
const patienceMs = 5_000;

/** Calls back after the given milliseconds. The returned function cancels it. */
type Alarm = (ms: number, ring: () => void) => () => void;

/** A timer of real time, like the time-out of a request, even under a virtual clock. It does not keep the process alive. */
const networkAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};

/** Watches a platform until its first response, or until its absence is reported. `end` ends the watch. */
export function watchReach(
  platform: Platform,
  host: string,
  notify: Ports['notify'],
  alarm: Alarm = networkAlarm,
): Platform & { end(): void } {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    cancel?.();
  };
  const tell = (why: string): void => {
    if (isOver) return;
    end();
    notify({ type: 'host-silent', host, why });
  };
  const send: Platform['send'] = async (...sent) => {
    if (isOver) return platform.send(...sent);
    cancel ??= alarm(patienceMs, () => tell('no response yet'));
    const answer = await platform.send(...sent);
    if (answer.type === 'unsent') tell(answer.message);
    end();
    return answer;
  };
  return { send, end };
}
