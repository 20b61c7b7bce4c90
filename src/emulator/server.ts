// The HTTP server of the emulator: a thin layer over the service, and the only code that waits.

import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, errorResponse } from './api/errors.ts';
import type { Readings } from './api/readings.ts';
import type { PlatformResponse, ResponseOutcome } from './api/request.ts';
import type { MetaArrayBounds } from './call/call.ts';
import { FaultSource, type Faults, parseFaults } from './faults.ts';
import { encode, MAX_BODY_BYTES, MAX_URL_BYTES, parseBody, readBody, requestOf, send } from './http/http.ts';
import { Limiter } from './limits/limiter.ts';
import type { RaisedLimits, RatePlan } from './limits/limits.ts';
import type { WindowKind } from './limits/windows.ts';
import { EmulatedPlatform } from './platform.ts';
import type { Random } from './random.ts';
import { type Arrival, Service } from './service.ts';
import { Stats } from './stats.ts';
import { Store } from './stored/store.ts';

export interface EmulatorOptions {
  /** Any free port when 0 or absent. */
  readonly port?: number;
  readonly host?: string;
  /** Absent: generated. */
  readonly token?: string;
  /** Absent: data is kept in memory and lost when the emulator stops. */
  readonly dataFile?: string;
  readonly ratePlan?: RatePlan;
  readonly window?: WindowKind;
  /** The length of the window in which limits count. Default: one second. */
  readonly windowS?: number;
  /** Limits that the vendor's support raised, by "METHOD" or "METHOD route". */
  readonly raisedLimits?: RaisedLimits;
  /** False: no limits and no rate-limit headers. */
  readonly rateLimits?: boolean;
  /** Added between the count of a request and its effect. */
  readonly latencyMs?: number;
  /** The maximum random delay before the count, so that requests may overtake each other. */
  readonly jitterMs?: number;
  readonly faults?: Faults;
  /** Allows `PUT /_emulator/faults` to replace the faults while the emulator runs. */
  readonly admin?: boolean;
  readonly readings?: Partial<Readings>;
  /** The most characters of a message, from 50 to 20,000. Default: 5,000. */
  readonly messageLength?: number;
  /** The limits of the meta arrays of a message. Default: none. */
  readonly metaArrays?: MetaArrayBounds;
  /** Called with one line for each answer. */
  readonly log?: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** For jitter, the generated token and the seed of issued tokens. Absent: unpredictable. */
  readonly random?: Random;
}

export interface RunningEmulator {
  readonly url: string;
  readonly token: string;
  readonly platform: EmulatedPlatform;
  readonly service: Service;
  readonly stats: Stats;
  close(): Promise<void>;
}

const ADMIN_PATH = '/_emulator/faults';

export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const { host = '127.0.0.1', clock = Date.now, random } = options;
  const token = options.token ?? secret(random);
  const store = options.dataFile === undefined ? undefined : new Store(options.dataFile);
  const stats = new Stats();
  const faults = new FaultSource(options.faults);
  const platform = new EmulatedPlatform({
    token,
    seed: secret(random),
    ...(options.readings === undefined ? {} : { readings: options.readings }),
    ...(options.messageLength === undefined ? {} : { messageLength: options.messageLength }),
    ...(options.metaArrays === undefined ? {} : { metaArrays: options.metaArrays }),
    ...(store === undefined ? {} : { state: store.state, onEffects: (effects) => store.append(effects) }),
    onBug: (error) => options.log?.(`bug: ${error instanceof Error ? error.stack : String(error)}`),
  });
  const limiter =
    options.rateLimits === false
      ? undefined
      : new Limiter(
          {
            plan: options.ratePlan ?? '5k_mau',
            raised: options.raisedLimits ?? {},
            userScope: platform.readings.userScope,
            planLimits: platform.readings.planLimits,
          },
          options.window ?? 'sliding',
          (options.windowS ?? 1) * 1000,
        );
  const service = new Service({ platform, stats, faults, limiter });

  let closing: Promise<void> | undefined;

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if ((message.url?.length ?? 0) > MAX_URL_BYTES) {
      message.resume();
      return send(response, plain(new ApiError('urlTooLong')));
    }
    const bytes = await readBody(message);
    if (bytes === undefined) return send(response, plain(new ApiError('bodyTooLarge', String(MAX_BODY_BYTES))));
    if (options.admin && message.method === 'PUT' && message.url === ADMIN_PATH) {
      return send(response, replaceFaults(faults, bytes));
    }
    await pause((options.jitterMs ?? 0) * (random ?? Math.random)());
    const body = await parseBody(message.headers['content-type'], bytes);
    const arrival = service.arrive(requestOf(message, body), clock());
    // A refusal by a rate limit is immediate.
    if (arrival.refusal === undefined) await pause((options.latencyMs ?? 0) + (arrival.fault?.latencyMs ?? 0));
    // A request in flight when the emulator stops has no effect and no response.
    if (closing !== undefined) return;
    const outcome = service.finish(arrival, clock());
    options.log?.(logLine(arrival, outcome));
    send(response, outcome);
  };

  const server = createServer({ maxHeaderSize: 32 * 1024 }, (message, response) => {
    // Only the connection can still fail here, and then no response is possible.
    answer(message, response).catch(() => message.destroy());
  });
  // Longer than clients keep an idle connection, so that they never send on a closed one.
  server.keepAliveTimeout = 65_000;
  server.on('clientError', (_, socket) => refuseGarbage(socket));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, host, resolve);
    });
  } catch (error) {
    store?.close();
    throw error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/v3`,
    token,
    platform,
    service,
    stats,
    close: () => {
      closing ??= new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }).then(() => store?.close());
      return closing;
    },
  };
}

function replaceFaults(faults: FaultSource, bytes: Buffer): ResponseOutcome {
  try {
    faults.replace(parseFaults(JSON.parse(bytes.toString('utf8'))));
    return { status: 200, body: {}, headers: {}, delivery: 'whole' };
  } catch (error) {
    const refusal = errorResponse(new ApiError('invalidValue', error instanceof Error ? error.message : 'faults'));
    return { ...refusal, headers: {}, delivery: 'whole' };
  }
}

/** Answers input that is not HTTP with an error object and closes the connection. */
function refuseGarbage(socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = errorResponse(new ApiError('malformedRequest'));
  const bytes = encode(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n${bytes.toString('utf8')}`,
  );
}

function plain(refusal: ApiError): ResponseOutcome {
  const response: PlatformResponse = errorResponse(refusal);
  return { ...response, headers: {}, delivery: 'whole' };
}

function logLine({ request, route }: Arrival, { status, delivery }: ResponseOutcome): string {
  const end = delivery === 'whole' ? '' : ` (${delivery})`;
  return `${status} ${route === 'unknown' ? `${request.method} ${request.path}` : route}${end}`;
}

function secret(random: Random | undefined): string {
  if (random === undefined) return randomUUID().replaceAll('-', '') + randomBytes(4).toString('hex');
  let text = '';
  while (text.length < 40) text += Math.floor(random() * 16).toString(16);
  return text;
}

function pause(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
