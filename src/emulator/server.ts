// The HTTP server of the emulator: a thin layer over the service, and the only code that waits.

import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Behaviours } from './api/behaviours.ts';
import { ApiError, errorResponse } from './api/errors.ts';
import type { PlatformResponse, ResponseOutcome } from './api/request.ts';
import { MovableClock } from './control/clock.ts';
import { answerControl, type Controls } from './control/control.ts';
import { Announcer } from './events/announcer.ts';
import { Deliveries } from './events/deliveries.ts';
import { parseTarget } from './events/target.ts';
import { FaultSource, type Faults, parseFaults } from './faults.ts';
import { encode, MAX_BODY_BYTES, MAX_URL_BYTES, parseBody, readBody, requestOf, send } from './http/http.ts';
import { Limiter } from './limits/limiter.ts';
import type { RatePlan } from './limits/limits.ts';
import type { RaisedLimits } from './limits/raised.ts';
import type { WindowKind } from './limits/windows.ts';
import { EmulatedPlatform } from './platform.ts';
import type { Random } from './random.ts';
import { type Arrival, Service } from './service.ts';
import { Stats } from './stats.ts';
import type { Effect } from './stored/effects.ts';
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
  readonly raisedLimits?: RaisedLimits;
  /** False: no limits and no rate-limit headers. */
  readonly rateLimits?: boolean;
  /** Added between the count of a request and its effect. */
  readonly latencyMs?: number;
  readonly faults?: Faults;
  /** Allows the endpoints of control, on loopback: the clock, snapshots, deliveries and faults (behaviours.md, Control). */
  readonly admin?: boolean;
  /** Calls the webhook and the bots of the application. `to` takes all calls, `http://127.0.0.1:PORT`. Absent: no calls. */
  readonly deliver?: { readonly to?: string };
  /** No limits, faults, delays and calls to the application until `begin`, so that it can be filled. */
  readonly preparing?: boolean;
  readonly behaviours?: Partial<Behaviours>;
  /** Called with one line for each answer. */
  readonly log?: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** For the generated token and the seed of issued tokens. Absent: unpredictable. */
  readonly random?: Random;
}

export interface RunningEmulator {
  readonly url: string;
  readonly token: string;
  readonly platform: EmulatedPlatform;
  readonly service: Service;
  readonly stats: Stats;
  /** Ends the preparation. The state at this moment is what a reset returns to. */
  begin(): void;
  close(): Promise<void>;
}

/** What a reset returns to. */
interface KeptState {
  readonly effects: readonly Effect[];
  readonly movedMs: number;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const { host = '127.0.0.1', random } = options;
  const clock = new MovableClock(options.clock ?? Date.now);
  const target = options.deliver?.to === undefined ? undefined : parseTarget(options.deliver.to);
  const token = options.token ?? secret(random);
  const store = options.dataFile === undefined ? undefined : new Store(options.dataFile);
  const stats = new Stats();
  const faults = new FaultSource();
  const platform = new EmulatedPlatform({
    token,
    seed: secret(random),
    ...(options.behaviours === undefined ? {} : { behaviours: options.behaviours }),
    ...(options.raisedLimits === undefined ? {} : { raisedLimits: options.raisedLimits }),
    ...(store === undefined ? {} : { state: store.state, onEffects: (effects) => store.append(effects) }),
    ...(options.deliver === undefined
      ? {}
      : { onChanges: (changes, nowMs, route) => announcer?.announce({ changes, nowMs, route }) }),
    onBug: (error) => options.log?.(`bug: ${error instanceof Error ? error.stack : String(error)}`),
  });
  const limiter =
    options.rateLimits === false
      ? undefined
      : new Limiter(
          {
            plan: options.ratePlan ?? '5k_mau',
            raised: options.raisedLimits?.rates ?? {},
            userScope: platform.behaviours.userScope,
            planLimits: platform.behaviours.planLimits,
          },
          options.window ?? 'sliding',
          1000,
        );
  let isPreparing = true;
  const service = new Service({
    platform,
    stats,
    faults,
    get limiter() {
      return isPreparing ? undefined : limiter;
    },
  });
  const deliveries = new Deliveries({ clock, behaviours: platform.behaviours, token, target });
  let announcer: Announcer | undefined;

  let kept: KeptState = { effects: [], movedMs: 0 };
  const keep = (): void => {
    kept = { effects: [...platform.state.snapshot()], movedMs: clock.movedMs };
  };
  const begin = (): void => {
    isPreparing = false;
    faults.replace(options.faults ?? { rules: [] });
    if (options.deliver !== undefined) announcer = new Announcer(deliveries, platform.state, platform.behaviours);
    if (options.admin === true) keep();
  };
  const shownClock = () => ({
    now_ms: Math.floor(clock.now()),
    now: new Date(clock.now()).toISOString(),
    advanced_ms: Math.round(clock.movedMs),
  });
  const controls: Controls = {
    clock: shownClock,
    moveClock: (toMs) => clock.moveTo(toMs, deliveries.settled),
    snapshot: () => {
      keep();
      return shownClock();
    },
    reset: () => {
      clock.reset(kept.movedMs);
      deliveries.clear();
      limiter?.clear();
      faults.replace(options.faults ?? { rules: [] });
      platform.state.restore(kept.effects);
      store?.rewrite();
      return shownClock();
    },
    deliveries: async () => {
      await deliveries.settled();
      return deliveries.list();
    },
    clearDeliveries: () => deliveries.clear(),
    replaceFaults: (rules) => faults.replace(parseFaults(rules)),
  };

  let closing: Promise<void> | undefined;

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if ((message.url?.length ?? 0) > MAX_URL_BYTES) {
      message.resume();
      return send(response, plain(new ApiError('urlTooLong')), clock.now());
    }
    const bytes = await readBody(message);
    if (bytes === undefined)
      return send(response, plain(new ApiError('bodyTooLarge', String(MAX_BODY_BYTES))), clock.now());
    const control = options.admin === true ? await answerControl(message, bytes, controls) : undefined;
    if (control !== undefined) return send(response, control, clock.now());
    const { latencyMs = 0 } = isPreparing ? {} : options;
    const body = await parseBody(message.headers['content-type'], bytes);
    const arrival = service.arrive(requestOf(message, body), clock.now());
    // A refusal by a rate limit is immediate.
    if (arrival.refusal === undefined) await pause(latencyMs + (arrival.fault?.latencyMs ?? 0));
    // A request in flight when the emulator stops has no effect and no response.
    if (closing !== undefined) return;
    const outcome = service.finish(arrival, clock.now());
    options.log?.(logLine(arrival, outcome));
    send(response, outcome, clock.now());
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
  if (options.preparing !== true) begin();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/v3`,
    token,
    platform,
    service,
    stats,
    begin,
    close: () => {
      deliveries.close();
      closing ??= new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }).then(() => store?.close());
      return closing;
    },
  };
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
