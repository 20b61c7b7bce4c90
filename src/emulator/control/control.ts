// The endpoints by which a test controls the emulator. They are outside of `/v3`, where all of the vendor's paths are, and
// answer on loopback alone.

import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject, ResponseOutcome } from '../api/request.ts';
import { isObject } from '../fields/params.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

/** What the endpoints act on. A call that throws an Error is answered with its message and 400. */
export interface Controls {
  clock(): JsonObject;
  moveClock(toMs: number): Promise<void>;
  snapshot(): JsonObject;
  reset(): JsonObject;
  deliveries(): Promise<JsonObject>;
  clearDeliveries(): void;
  replaceFaults(faults: unknown): void;
}

type ControlEndpoint = (controls: Controls, body: unknown, query: URLSearchParams) => Json | Promise<Json>;

const ENDPOINTS: Readonly<Record<string, ControlEndpoint>> = {
  'GET /__clock': (controls) => controls.clock(),
  'POST /__clock': async (controls, body) => {
    await controls.moveClock(timeIn(body, Number(controls.clock().now_ms)));
    return controls.clock();
  },
  'POST /__snapshot': (controls) => controls.snapshot(),
  'POST /__reset': (controls) => controls.reset(),
  'GET /__deliveries': (controls) => controls.deliveries(),
  'DELETE /__deliveries': (controls) => {
    controls.clearDeliveries();
    return {};
  },
  'PUT /_emulator/faults': (controls, body) => {
    controls.replaceFaults(body);
    return {};
  },
};

/** Undefined for a path that is not one of control. */
export async function answerControl(
  message: IncomingMessage,
  bytes: Buffer,
  controls: Controls,
): Promise<ResponseOutcome | undefined> {
  const [path = '', query = ''] = (message.url ?? '').split('?');
  if (!path.startsWith('/__') && !path.startsWith('/_emulator/')) return undefined;
  if (!isFromHere(message)) return outcome(403, { error: true, message: 'Only this machine controls the emulator.' });
  const endpoint = ENDPOINTS[`${message.method} ${path}`];
  if (endpoint === undefined)
    return outcome(404, { error: true, message: `The endpoints are ${Object.keys(ENDPOINTS).join(', ')}.` });
  try {
    const body: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
    return outcome(200, await endpoint(controls, body, new URLSearchParams(query)));
  } catch (error) {
    return outcome(400, { error: true, message: error instanceof Error ? error.message : String(error) });
  }
}

/** Browsers send pages of other sites to this address, too. Such a request has a foreign host or origin. */
function isFromHere({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackUrl(`http://${host}`) &&
    (origin === undefined || isLoopbackUrl(origin))
  );
}

function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && isLoopbackHost(new URL(text).hostname);
}

/** `{"advance_s": 3600}` or `{"to": "2027-01-01T00:00:00Z"}`, `to` also in milliseconds since 1970. */
function timeIn(body: unknown, nowMs: number): number {
  const { advance_s: seconds, to } = isObject(body) ? body : {};
  const advanced = typeof seconds === 'number' ? nowMs + seconds * 1000 : Number.NaN;
  const target = to === undefined ? advanced : seconds === undefined ? timeOf(to) : Number.NaN;
  if (!(target <= MAX_MS))
    throw new Error('Send {"advance_s": SECONDS} or {"to": TIME}, a time before the year 10000.');
  if (target < nowMs) throw new Error('The clock only moves forward. POST /__reset turns it back to the snapshot.');
  return target;
}

const MAX_MS = Date.UTC(9999, 11, 31);

function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function outcome(status: number, body: Json): ResponseOutcome {
  return { status, body, headers: {}, delivery: 'whole' };
}
