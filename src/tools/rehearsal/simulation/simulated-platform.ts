// Sends requests to the simulated platform and returns the responses, in virtual time.
//
// The platform is the emulator without its HTTP: a request is counted when it arrives and takes effect after the latency,
// whether or not the client still waits. The client's own rules then classify the response.

import type { Answer, Platform, TokenSink } from '../../../core/model/ports.ts';
import { type ApiRequest, requestPath, requestQuery } from '../../../core/model/request.ts';
import { answerOf, NotSent, type Received } from '../../../core/platform/answer.ts';
import { fillPlaceholders, type PlaceholderSources } from '../../../core/platform/placeholders.ts';
import { parseRateHeaders } from '../../../core/platform/rate-headers.ts';
import { takeTokens } from '../../../core/platform/tokens.ts';
import type { Body, PlatformRequest, ResponseOutcome } from '../../../emulator/api/request.ts';
import { readForm } from '../../../emulator/http/http.ts';
import type { Service } from '../../../emulator/service.ts';
import type { JsonValue } from '../../../lib/json.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface SimulatedPlatformOptions extends PlaceholderSources {
  readonly service: Pick<Service, 'arrive' | 'finish'>;
  readonly token: string;
  readonly clock: VirtualClock;
  /** Milliseconds from arrival to effect and response. Called for every request. */
  readonly latencyMs: () => number;
  /** Milliseconds from sending to arrival. */
  readonly jitterMs?: () => number;
  readonly timeoutMs: number;
  readonly sink?: TokenSink;
}

export function simulatedPlatform(options: SimulatedPlatformOptions): Platform {
  return {
    async send(request: ApiRequest, sending = {}): Promise<Answer> {
      const filled = await requestOf(request, options);
      const isSent = sending.mayLeave?.() !== false;
      const received = isSent ? await exchange(filled, options) : { error: new NotSent('the lock may be lost') };
      const { answer, tokens } = takeTokens(
        answerOf(received, () => new Date(options.clock.elsewhere())),
        request.route,
        sending.sink,
      );
      const rate = received.headers === undefined ? undefined : parseRateHeaders(received.headers);
      try {
        for (const token of tokens) await options.sink?.write(token);
      } catch {
        return { type: 'unknown', message: 'the issued token could not be written to its file' };
      }
      return rate === undefined ? answer : { ...answer, rate };
    },
  };
}

async function exchange(request: PlatformRequest, options: SimulatedPlatformOptions): Promise<Received> {
  const { service, clock, timeoutMs } = options;
  const jitterMs = options.jitterMs?.() ?? 0;
  if (jitterMs > 0) await clock.sleep(jitterMs);
  const arrival = service.arrive(request, clock.elsewhere());
  // A refusal for the rate limit comes without delay.
  if (arrival.refusal !== undefined) return receivedOf(service.finish(arrival, clock.elsewhere()));
  const latencyMs = options.latencyMs() + (arrival.fault?.latencyMs ?? 0);
  const finished = clock.sleep(latencyMs).then(() => service.finish(arrival, clock.elsewhere()));
  if (jitterMs + latencyMs < timeoutMs) {
    const outcome = await finished;
    if (outcome.delivery !== 'never') return receivedOf(outcome);
    await clock.sleep(timeoutMs - jitterMs - latencyMs);
  } else {
    await clock.sleep(timeoutMs - jitterMs);
  }
  return { error: { name: 'TimeoutError' } };
}

function receivedOf({ status, headers, body, delivery }: ResponseOutcome): Received {
  const cut = { error: { code: 'ECONNRESET' } };
  if (delivery === 'reset') return cut;
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const head = { status, headers: lowered };
  return delivery === 'whole' ? { ...head, text: JSON.stringify(body) } : { ...head, ...cut };
}

async function requestOf(request: ApiRequest, options: SimulatedPlatformOptions): Promise<PlatformRequest> {
  return {
    method: request.method,
    path: `/v3${requestPath(request)}`,
    query: requestQuery(request),
    headers: { 'api-token': options.token },
    body: await bodyOf(request, options),
  };
}

async function bodyOf(request: ApiRequest, options: SimulatedPlatformOptions): Promise<Body> {
  if ((request.placeholders ?? []).length > 0) return options.clock.outside(filledBody(request, options));
  const { body } = request;
  // Serialised as on the wire: strings of a step may be slices of long texts, which the platform would keep alive.
  return body === undefined ? { type: 'none' } : { type: 'json', value: JSON.parse(JSON.stringify(body)) as JsonValue };
}

/** Built as it goes over the wire, and taken apart again. */
async function filledBody(request: ApiRequest, sources: PlaceholderSources): Promise<Body> {
  const { body } = await fillPlaceholders(request, { ...sources, isSimulated: true });
  if (body === null) return { type: 'none' };
  if (typeof body === 'string') return { type: 'json', value: JSON.parse(body) as JsonValue };
  return readForm(body);
}
