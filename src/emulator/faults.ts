// Injects faults by rules: by probability or by request number, all from one seed.

import { isObject } from './fields/params.ts';
import { type Random, seededRandom } from './random.ts';

export const FAULT_KINDS = [
  'latency',
  'reset_before',
  'reset_after',
  'error_500_before',
  'error_500_after',
  'error_503',
  'quota_exceeded',
  'hang_before',
  'hang_after',
  'truncate',
  'partial_batch',
  'rate_limited',
] as const;
/** `none`: as a server that does not say how long to wait. */
const RETRY_AFTER_FORMS = ['seconds', 'date', 'none'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** "before" and "after" refer to the effect of the request. A rule without `probability` and `at` hits every request. */
export interface FaultRule {
  readonly fault: FaultKind;
  /** As in the rate-limit table: "POST /users". Absent: every route. */
  readonly route?: string;
  readonly probability?: number;
  /** The requests to hit, numbered from 1 within the rule's route. */
  readonly at?: readonly number[];
  /** How many requests in a row the rule hits once it strikes, for storms. Default 1. */
  readonly times?: number;
  /** For latency: the mean or the constant. For a storm: the `RetryAfter` that it announces if rate limits are on. */
  readonly ms?: number;
  /** For `rate_limited` and `error_503`: answers with the standard Retry-After of `ms`, as gateways do, and no other headers. */
  readonly retry_after?: (typeof RETRY_AFTER_FORMS)[number];
  readonly distribution?: 'constant' | 'uniform' | 'exponential';
}

export interface Faults {
  readonly seed?: number;
  readonly rules: readonly FaultRule[];
}

/** The fault of one request. Latency is added to any other fault. */
export interface Fault {
  readonly kind: Exclude<FaultKind, 'latency'> | undefined;
  readonly latencyMs: number;
  readonly retryAfterMs: number;
  readonly retryAfterForm?: FaultRule['retry_after'];
}

const DEFAULT_MS = 1000;

export class FaultSource {
  #rules: readonly RunningRule[] = [];
  #random: Random = seededRandom(0);

  constructor(faults: Faults = { rules: [] }) {
    this.replace(faults);
  }

  /** Starts over with other rules. Request numbers restart at 1. */
  replace(faults: Faults): void {
    this.#random = seededRandom(faults.seed ?? 1);
    this.#rules = faults.rules.map((rule) => ({ rule, seen: 0, left: 0 }));
  }

  next(route: string): Fault | undefined {
    let kind: Fault['kind'];
    let latencyMs = 0;
    let retryAfterMs = 0;
    let retryAfterForm: FaultRule['retry_after'];
    for (const running of this.#rules) {
      // Every rule draws, so that one rule's draws do not depend on another's.
      if (!this.#strikes(running, route)) continue;
      const { rule } = running;
      if (rule.fault === 'latency') latencyMs += this.#latency(rule);
      else if (kind === undefined) {
        kind = rule.fault;
        retryAfterMs = rule.ms ?? DEFAULT_MS;
        retryAfterForm = rule.retry_after;
      }
    }
    if (kind === undefined && latencyMs === 0) return undefined;
    return { kind, latencyMs, retryAfterMs, ...(retryAfterForm === undefined ? {} : { retryAfterForm }) };
  }

  #strikes(running: RunningRule, route: string): boolean {
    const { rule } = running;
    if (rule.route !== undefined && rule.route !== route) return false;
    running.seen++;
    const luck = rule.probability === undefined ? 0 : this.#random();
    if (running.left > 0) {
      running.left--;
      return true;
    }
    const byNumber = rule.at?.includes(running.seen) ?? false;
    const byChance = rule.probability === undefined ? rule.at === undefined : luck < rule.probability;
    if (!byNumber && !byChance) return false;
    running.left = (rule.times ?? 1) - 1;
    return true;
  }

  #latency({ ms = 0, distribution = 'constant' }: FaultRule): number {
    switch (distribution) {
      case 'constant':
        return ms;
      case 'uniform':
        return this.#random() * 2 * ms;
      case 'exponential':
        return -Math.log(1 - this.#random()) * ms;
    }
  }
}

interface RunningRule {
  readonly rule: FaultRule;
  seen: number;
  left: number;
}

/** Parses rules from a file or an admin call. Throws an Error that says what is wrong. */
export function parseFaults(value: unknown): Faults {
  const fail = (what: string): never => {
    throw new Error(`Faults: ${what}.`);
  };
  if (!isObject(value) || !Array.isArray(value.rules)) return fail('expected an object with a list "rules"');
  const seed = value.seed;
  if (seed !== undefined && typeof seed !== 'number') return fail('"seed" must be a number');
  const rules = value.rules.map((rule: unknown, place): FaultRule => {
    const at = `rules[${place}]`;
    if (!isObject(rule)) return fail(`${at} must be an object`);
    const kind = FAULT_KINDS.find((known) => known === rule.fault);
    if (kind === undefined) return fail(`${at}.fault must be one of ${FAULT_KINDS.join(', ')}`);
    const { route, probability, at: numbers, times, ms, distribution, retry_after: retryAfter } = rule;
    const distributions = ['constant', 'uniform', 'exponential'] as const;
    const known = distributions.find((name) => name === distribution);
    const form = RETRY_AFTER_FORMS.find((name) => name === retryAfter);
    if (retryAfter !== undefined && form === undefined)
      return fail(`${at}.retry_after must be one of ${RETRY_AFTER_FORMS.join(', ')}`);
    if (form !== undefined && kind !== 'rate_limited' && kind !== 'error_503')
      return fail(`${at}.retry_after is for rate_limited and error_503`);
    if (route !== undefined && typeof route !== 'string') return fail(`${at}.route must be a string`);
    if (probability !== undefined && !isShare(probability)) return fail(`${at}.probability must be from 0 to 1`);
    if (numbers !== undefined && !isCounts(numbers)) return fail(`${at}.at must be a list of numbers from 1`);
    if (times !== undefined && !isCounts([times])) return fail(`${at}.times must be a number from 1`);
    if (ms !== undefined && !(typeof ms === 'number' && ms >= 0)) return fail(`${at}.ms must not be negative`);
    if (distribution !== undefined && known === undefined) return fail(`${at}.distribution is not known`);
    return {
      fault: kind,
      ...(route === undefined ? {} : { route }),
      ...(isShare(probability) ? { probability } : {}),
      ...(isCounts(numbers) ? { at: numbers } : {}),
      ...(typeof times === 'number' ? { times } : {}),
      ...(typeof ms === 'number' ? { ms } : {}),
      ...(known === undefined ? {} : { distribution: known }),
      ...(form === undefined ? {} : { retry_after: form }),
    };
  });
  return { rules, ...(typeof seed === 'number' ? { seed } : {}) };
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 1);
}
