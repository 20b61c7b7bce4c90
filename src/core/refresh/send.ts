// Sends reads under the rate limits and repeats each until the platform has answered.

import { setMaxListeners } from 'node:events';
import type { JsonObject } from '../../lib/json.ts';
import { plural } from '../../lib/words.ts';
import { answerProblem } from '../model/calls/answers.ts';
import { backOffMs, maxAttempts, maxUnfinished } from '../model/calls/back-off.ts';
import { RefusedTime } from '../model/calls/refused-time.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { AnnouncedLimits } from '../model/limits.ts';
import { platformCode } from '../model/platform-codes.ts';
import type { Clock, Pacer, Platform, Random, Sending } from '../model/ports.ts';
import { type ApiRequest, routeName } from '../model/request.ts';

export interface RefreshPorts {
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly random: Random;
  /** After an abort nothing more is sent or awaited. */
  readonly signal?: AbortSignal;
  /** Remaining milliseconds under --max-duration. */
  readonly timeLeft?: (() => number) | undefined;
}

/** The platform's final answer. */
export type ReadAnswer =
  | { readonly type: 'ok'; readonly body: JsonObject }
  | { readonly type: 'refused'; readonly status: number; readonly code: number; readonly message: string };

const shortWaitMs = 1_000;

/** Sends all reads of one command, counts them, and stops all of them when one fails permanently. */
export class LiveReader {
  readonly #ports: RefreshPorts;
  /** Lists that the platform has refused in one form. This command reads them in another form. */
  readonly refused = new Set<string>();
  #requests = 0;
  #waiting = 0;
  #failure: unknown;
  readonly #refused = new RefusedTime();
  /** By route, the characters of the largest answer. */
  readonly #largest = new Map<string, number>();
  readonly #stop = new AbortController();
  /** Ends pauses after an abort or a failure. */
  readonly #ending: AbortSignal;

  constructor(ports: RefreshPorts) {
    this.#ports = ports;
    this.#ending = AbortSignal.any([this.#stop.signal, ...(ports.signal === undefined ? [] : [ports.signal])]);
    // Each pause adds a listener, and many reads pause at once.
    setMaxListeners(0, this.#ending);
  }

  /** The number of requests waiting for the rate limits. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The number of requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Returns the characters of the largest answer of a route, or undefined before its first one. */
  largestAnswer(route: string): number | undefined {
    return this.#largest.get(route);
  }

  /** Announced limits that differ from the declared ones, as far as the reads show. */
  get announced(): AnnouncedLimits | undefined {
    return this.#ports.pacer.announced?.();
  }

  /** Throws a Refusal (exit code 8) if the signal is aborted. */
  demandUninterrupted(): void {
    if (this.#ports.signal?.aborted === true) throw interrupted();
  }

  /** Rejects with a Refusal if the token is refused (exit code 3), if no answer arrives (1), or after an abort (8). */
  async send(request: ApiRequest, options?: Sending): Promise<ReadAnswer> {
    try {
      return await this.#untilAnswered(request, options);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Makes all reads reject with this error, unless another one came first. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
  }

  async #untilAnswered(request: ApiRequest, options?: Sending): Promise<ReadAnswer> {
    const { random } = this.#ports;
    for (let [tries, unfinished] = [1, 0]; ; ) {
      const answer = await this.#attempt(request, options);
      switch (answer.type) {
        case 'ok':
          return { type: 'ok', body: answer.body };
        case 'refused':
          if (answer.code === platformCode.wrongToken) throw tokenRefused(answer.message);
          return { type: 'refused', status: answer.status, code: answer.code, message: answer.message };
        case 'limited':
          await this.#pause((answer.retryAfterS ?? 1) * 1000);
          break;
        default: {
          if (answer.type === 'unknown' && answer.isUnusable === true) throw unusableAnswer(request, answer.message);
          if (answer.type === 'unknown' && answer.isUnfinished === true) unfinished += 1;
          if (tries >= maxAttempts || unfinished >= maxUnfinished) throw noAnswer(request, tries, answer.message);
          const pauseMs = backOffMs(tries, random);
          tries += 1;
          const askedMs = answer.type === 'unknown' ? (answer.retryAfterS ?? 0) * 1000 : 0;
          await this.#pause(Math.max(askedMs, pauseMs));
        }
      }
    }
  }

  async #attempt(request: ApiRequest, options?: Sending) {
    const { platform, pacer, clock } = this.#ports;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      this.demandUninterrupted();
      const waitMs = pacer.take(request);
      if (waitMs <= 0) break;
      this.#waiting += 1;
      await this.#pause(waitMs);
      this.#waiting -= 1;
    }
    const takenAt = clock.now();
    const answer = await platform.send(request, options);
    pacer.learn(request, answer, takenAt);
    this.#largest.set(request.route, Math.max(this.#largest.get(request.route) ?? 0, answer.characters ?? 0));
    if (answer.type !== 'unsent') this.#requests += 1;
    const why = this.#refused.see(answer, clock.now());
    if (why !== undefined) throw refusedForLong(why);
    // The probes of a calibration also make other calls, and look at their answers themselves.
    const isRead = answer.type === 'ok' && request.method === 'GET';
    const problem = isRead ? answerProblem(request, answer.body) : undefined;
    if (problem?.type === 'spelling') throw otherSpelling(request, problem.text);
    return problem === undefined ? answer : { type: 'unknown' as const, message: `the answer ${problem.text}` };
  }

  /** Rejects at once for a pause that would pass --max-duration, unless that is about to end the command anyway. */
  async #pause(ms: number): Promise<void> {
    const { clock, timeLeft = () => Number.POSITIVE_INFINITY } = this.#ports;
    const leftMs = timeLeft();
    if (ms > leftMs && leftMs > shortWaitMs) throw tooLongPause(ms);
    await clock.sleep(ms, this.#ending);
  }
}

function tokenRefused(message: string): Refusal {
  return new Refusal(
    'token.refused',
    exitCode.authentication,
    `The platform refuses the API token: ${message}`,
    'Check CHATFORM_API_TOKEN and that it belongs to this application. Nothing was changed.',
  );
}

function interrupted(): Refusal {
  return new Refusal(
    'refresh.interrupted',
    exitCode.interrupted,
    'The command was interrupted before it had read everything.',
    'Nothing was changed on the platform. Run the command again.',
  );
}

function refusedForLong(why: string): Refusal {
  return new Refusal(
    'application.refusing',
    exitCode.incomplete,
    `The command ends, because ${why}.`,
    'Nothing was changed. Another client may use up the limits. Run the same command again later.',
  );
}

function tooLongPause(ms: number): Refusal {
  return new Refusal(
    'apply.out-of-time',
    exitCode.outOfTime,
    `The time limit would pass during a wait of ${Math.ceil(ms / 1000)} s for the platform.`,
    'Completed work is saved. Run the same command again later, with a longer limit if needed.',
  );
}

function unusableAnswer(request: ApiRequest, message: string): Refusal {
  return new Refusal(
    'application.unreachable',
    exitCode.unexpected,
    `The answer to ${routeName(request)} cannot be used: ${message}.`,
    'The platform does not answer like this. Nothing was changed. Check base_url.',
  );
}

function otherSpelling(request: ApiRequest, what: string): Refusal {
  return new Refusal(
    'refresh.other-spelling',
    exitCode.conflict,
    `${routeName(request)} was answered with another object: its answer ${what}.`,
    'The platform takes both spellings for one id. Declare the object under the id that the platform shows. Nothing was changed.',
  );
}

function noAnswer(request: ApiRequest, tries: number, message: string): Refusal {
  return new Refusal(
    'application.unreachable',
    exitCode.unexpected,
    `${routeName(request)} got no answer in ${plural(tries, 'attempt')}: ${message}`,
    'Check base_url and the network. Nothing was changed; run the command again.',
  );
}
