// Support: a platform in virtual time, which shows what a pacer achieves against a window algorithm, a delay and another client.

import type { Answer, Clock, Pacer, RateHeaders } from '../../src/core/model/ports.ts';
import type { ApiRequest } from '../../src/core/model/request.ts';
import { seededRandom } from '../../src/emulator/random.ts';
import { Heap } from '../../src/lib/heap.ts';

/** A token bucket admits the same calls as `gcra`. */
export type WindowName = 'fixed' | 'sliding' | 'sliding_newest' | 'gcra' | 'strict_gcra';

export type HeaderStyle = 'honest' | 'one' | 'all' | 'none';

export interface Scenario {
  readonly window: WindowName;
  /** The true limit of the platform. */
  readonly calls: number;
  readonly windowMs?: number;
  /** The number of calls to accept. */
  readonly steps: number;
  /** The delay between sending and counting, uniform from 0. */
  readonly arrivalJitterMs?: number;
  /** Calls that would arrive between these two platform times arrive at the second one, as after a stall. */
  readonly heldUpMs?: readonly [number, number];
  /** The delay between counting and the response, uniform. */
  readonly latencyMs?: readonly [number, number];
  /** The lateness of client timers, uniform. */
  readonly latenessMs?: readonly [number, number];
  /** The share of the limit that another client uses, at random times. */
  readonly foreignShare?: number;
  /** The content of the headers. `one`: one call left in a new window. `all`: nothing used. Default: the truth. */
  readonly headers?: HeaderStyle;
  /** From this call on, three calls are refused without a reason. */
  readonly hiccupAtCall?: number;
  readonly seed: number;
}

export interface Outcome {
  /** The rate of accepted calls, as a share of the limit. */
  readonly utilisation: number;
  readonly limited: number;
  readonly sentAt: readonly number[];
  /** The share of the other client's calls that were refused. */
  readonly foreignRefused: number;
  /** When the calls were admitted. */
  readonly admittedAt: readonly number[];
  /** The calls of the other client in that time, as a share of the limit. Their number is random. */
  readonly foreignShare: number;
}

/** One decision of the server, and its headers. */
interface Decision {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly resetMs: number;
  readonly retryMs: number;
}

type Window = (now: number) => Decision;

/** A refusal without an exceeded limit. */
const refusal: Decision = { admitted: false, remaining: 0, resetMs: 100, retryMs: 100 };

const request: ApiRequest = { method: 'POST', route: '/users' };

export function simulate(scenario: Scenario, makePacer: (clock: Clock) => Pacer): Outcome {
  const random = seededRandom(scenario.seed);
  const uniform = (from: number, to: number): number => from + random() * (to - from);
  const windowMs = scenario.windowMs ?? 1000;
  const [latencyFrom, latencyTo] = scenario.latencyMs ?? [20, 300];
  const [latenessFrom, latenessTo] = scenario.latenessMs ?? [0, 2];
  const events = new EventQueue();
  const admit = openWindow(scenario.window, scenario.calls, windowMs, uniform(0, windowMs));
  const clock: Clock = {
    now: () => events.now,
    date: () => new Date(events.now),
    sleep: () => Promise.reject(new Error('the simulation does not sleep')),
  };
  const pacer = makePacer(clock);
  const sentAt: number[] = [];
  const admittedAt: number[] = [];
  let toSend = scenario.steps;
  let accepted = 0;
  let limited = 0;
  let foreignRefused = 0;
  let foreignCalls = 0;
  let firstArrival = Number.NaN;
  let lastArrival = 0;
  let asleep = false;
  let arrivals = 0;

  function sendWhatMayLeave(): void {
    while (toSend > 0) {
      const wait = pacer.take(request);
      if (wait > 0) {
        sleep(wait);
        return;
      }
      toSend -= 1;
      const leftAt = events.now;
      sentAt.push(leftAt);
      events.after(onItsWay(5 + uniform(0, scenario.arrivalJitterMs ?? 3)), () => arrive(leftAt));
    }
  }

  function onItsWay(ms: number): number {
    const [from, until] = scenario.heldUpMs ?? [0, 0];
    const at = events.now + ms;
    return at >= from && at < until ? until - events.now : ms;
  }

  function sleep(ms: number): void {
    if (asleep) return;
    asleep = true;
    events.after(Math.max(1, ms) + uniform(latenessFrom, latenessTo), () => {
      asleep = false;
      sendWhatMayLeave();
    });
  }

  function arrive(leftAt: number): void {
    if (Number.isNaN(firstArrival)) firstArrival = events.now;
    const decision = isHiccup() ? refusal : admit(events.now);
    if (decision.admitted) {
      accepted += 1;
      lastArrival = events.now;
      admittedAt.push(events.now);
    } else limited += 1;
    events.after(uniform(latencyFrom, latencyTo), () => {
      pacer.learn(request, answerOf(decision, scenario, windowMs), leftAt);
      if (!decision.admitted) toSend += 1;
      sendWhatMayLeave();
    });
  }

  function isHiccup(): boolean {
    arrivals += 1;
    const from = scenario.hiccupAtCall ?? Number.POSITIVE_INFINITY;
    return arrivals >= from && arrivals < from + 3;
  }

  function foreign(): void {
    if (accepted >= scenario.steps) return;
    foreignCalls += 1;
    if (!admit(events.now).admitted) foreignRefused += 1;
    scheduleForeign();
  }

  function scheduleForeign(): void {
    const rate = ((scenario.foreignShare ?? 0) * scenario.calls) / windowMs;
    if (rate > 0) events.after(-Math.log(1 - random()) / rate, foreign);
  }

  scheduleForeign();
  sendWhatMayLeave();
  events.run();
  const allowed = ((lastArrival - firstArrival) / windowMs) * scenario.calls;
  return {
    utilisation: (accepted - 1) / allowed,
    limited,
    sentAt,
    admittedAt,
    foreignRefused: foreignRefused / Math.max(1, foreignCalls),
    foreignShare: foreignCalls / allowed,
  };
}

function answerOf(decision: Decision, scenario: Scenario, windowMs: number): Answer {
  const told = {
    calls: scenario.calls,
    windowS: windowMs / 1000,
    remaining: decision.admitted ? decision.remaining : 0,
    resetS: round(decision.resetMs / 1000),
    retryAfterS: decision.admitted && decision.remaining > 0 ? 0 : round(decision.retryMs / 1000),
  };
  const rate = headersAs(scenario.headers ?? 'honest', told);
  if (rate === undefined) {
    return decision.admitted ? { type: 'ok', body: {} } : { type: 'limited', retryAfterS: undefined };
  }
  return decision.admitted ? { type: 'ok', body: {}, rate } : { type: 'limited', retryAfterS: told.retryAfterS, rate };
}

/** A server with other headers still sends the retry delay. */
function headersAs(style: HeaderStyle, truth: RateHeaders): RateHeaders | undefined {
  switch (style) {
    case 'honest':
      return truth;
    case 'one':
      return { ...truth, remaining: 1, resetS: truth.windowS };
    case 'all':
      return { ...truth, remaining: truth.calls, resetS: 0 };
    case 'none':
      return undefined;
  }
}

/** Whole milliseconds, rounded up, as a server prints them. */
function round(seconds: number): number {
  return Math.ceil(seconds * 1000) / 1000;
}

/** The counting algorithm of a server. `phase` is the position of its first window. */
function openWindow(name: WindowName, calls: number, windowMs: number, phase: number): Window {
  switch (name) {
    case 'fixed':
      return fixedWindow(calls, windowMs, phase);
    case 'sliding':
    case 'sliding_newest':
      return slidingWindow(calls, windowMs, name === 'sliding_newest');
    case 'gcra':
      return gcra(calls, windowMs, calls);
    case 'strict_gcra':
      return gcra(calls, windowMs, 1);
  }
}

function fixedWindow(calls: number, windowMs: number, phase: number): Window {
  let current = Number.NaN;
  let used = 0;
  return (now) => {
    const index = Math.floor((now + phase) / windowMs);
    if (index !== current) {
      current = index;
      used = 0;
    }
    const resetMs = (index + 1) * windowMs - phase - now;
    const admitted = used < calls;
    if (admitted) used += 1;
    return { admitted, remaining: calls - used, resetMs, retryMs: resetMs };
  };
}

function slidingWindow(calls: number, windowMs: number, resetIsNewest: boolean): Window {
  const log: number[] = [];
  return (now) => {
    while (log.length > 0 && (log[0] ?? 0) <= now - windowMs) log.shift();
    const admitted = log.length < calls;
    if (admitted) log.push(now);
    const oldest = (log[0] ?? now) + windowMs - now;
    const resetMs = resetIsNewest ? (log.at(-1) ?? now) + windowMs - now : oldest;
    return { admitted, remaining: calls - log.length, resetMs, retryMs: oldest };
  };
}

/** The theoretical arrival time, with a tolerance of `burst` calls. */
function gcra(calls: number, windowMs: number, burst: number): Window {
  const interval = windowMs / calls;
  let arrival = 0;
  return (now) => {
    const next = Math.max(arrival, now) + interval;
    const admitted = next - now <= burst * interval + 1e-9;
    if (admitted) arrival = next;
    const remaining = Math.max(0, Math.floor((burst * interval - (arrival - now)) / interval + 1e-9));
    return {
      admitted,
      remaining,
      resetMs: Math.max(0, arrival - now),
      retryMs: Math.max(0, arrival + interval - now - burst * interval),
    };
  };
}

/**
 * The maximum rate of a GCRA without a burst for a client that waits by timers and accepts 1 % refusals. Two calls
 * that leave by timers d + s apart, d the platform's interval, arrive s + L + J' - J further apart than d, where timers
 * are late by L, uniform up to 2 ms, and calls by J, uniform up to 3 ms. That is negative with a probability of
 * (3 - s)³ / 108 (for s from 1 to 3), so that s = 1.97 for one in a hundred, and calls are d + s + 1 apart on average.
 * The probability falls ever more slowly with s, so that no mixture of distances does better (Jensen).
 */
export function mostOfStrictGcra(calls: number): number {
  const intervalMs = 1000 / calls;
  return (0.99 * intervalMs) / (intervalMs + 3 - Math.cbrt(1.08) + 1);
}

/** Events in order of time, and of creation for equal times. */
class EventQueue {
  now = 0;
  readonly #heap = new Heap<{ readonly at: number; readonly order: number; readonly act: () => void }>((left, right) =>
    left.at === right.at ? left.order < right.order : left.at < right.at,
  );
  #made = 0;

  after(ms: number, act: () => void): void {
    this.#heap.push({ at: this.now + ms, order: this.#made++, act });
  }

  run(): void {
    for (let event = this.#heap.pop(); event !== undefined; event = this.#heap.pop()) {
      this.now = event.at;
      event.act();
    }
  }
}
