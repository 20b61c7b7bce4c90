// Support: a run of several lanes against the emulator in virtual time, under a behaviour of what the plan's limits count.

import type { AnnouncedLimits, RatePlan } from '../../../../src/core/model/limits.ts';
import type { Answer } from '../../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';
import { createPacer } from '../../../../src/core/platform/rate-limiter.ts';
import { memoryBackend } from '../../../../src/core/state/stores/memory.ts';
import { seededRandom } from '../../../../src/emulator/random.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import type { SimulatedPlatformOptions } from '../../../../src/tools/rehearsal/simulation/simulated-platform.ts';
import { Simulation } from '../../../../src/tools/rehearsal/simulation/simulation.ts';

/** POST calls a second by plan. */
const posts: Readonly<Record<string, number>> = {
  '5k_mau': 10,
  '10k_mau': 20,
  '25k_mau': 40,
  '50k_mau': 100,
  '100k_mau': 200,
};
const listedRoute = '/group_channels';

export interface LimitedRun {
  readonly planLimits: 'endpoint' | 'method' | 'unlisted';
  readonly window: string;
  readonly plan: RatePlan;
  /** The plan that the pacer is told. Default: `plan`. */
  readonly declared?: RatePlan;
  /** False: a 429 does not say when to try again. */
  readonly saysWhen?: false;
  /** When the platform refuses every call, whatever its limits, in milliseconds from the start. */
  readonly refusesMs?: readonly (readonly [from: number, until: number])[];
  readonly headers: boolean;
  /** The POST calls of each route. */
  readonly calls: Readonly<Record<string, number>>;
  /** When the last route begins. */
  readonly lateMs?: number;
  /** The share of each limit that another client uses, at random times and without asking again. */
  readonly foreignShare?: number;
  /** Whether the pacer knows the behaviour from the start. */
  readonly isKnown?: boolean;
  /** Where the calls of the platform count that name no user. Default: `named`. */
  readonly userScope?: 'named' | 'first_listed' | 'application';
  /** Whether every second group channel names an inviter, each another one. Default: none does. */
  readonly invitersOf?: 'every_second';
  readonly seed?: number;
  /** From arrival to answer, uniform. Default: 20 to 300. */
  readonly latencyMs?: readonly [from: number, to: number];
}

export interface LimitedOutcome {
  readonly learnt: 'endpoint' | 'method';
  readonly refused: number;
  /** The refused share of all calls that were sent. */
  readonly share: number;
  /** The duration in shortest possible times, at the rate that the other client leaves. */
  readonly times: number;
  readonly seconds: number;
  /** What the pacer says of the limits. */
  readonly announced: AnnouncedLimits | undefined;
  /** When the last call of each route was answered, in seconds. */
  readonly endS: Readonly<Record<string, number>>;
}

/** Sends the calls of all routes at once, as fast as the pacer allows, and repeats refused ones. */
export async function playLimited(run: LimitedRun): Promise<LimitedOutcome> {
  const { planLimits, window, plan, headers, calls, lateMs = 0, foreignShare = 0, seed = 1 } = run;
  const [fromMs, toMs] = run.latencyMs ?? [20, 300];
  const random = seededRandom(seed);
  const simulation = new Simulation({
    rates: { ratePlan: plan, limits: {}, share: 1, ...(run.isKnown === true ? { known: { planLimits } } : {}) },
    startsAt: new Date(Date.parse('2026-06-01T00:00:00Z') + 1000 * random()),
    random,
    window,
    behaviours: { planLimits, userScope: run.userScope ?? 'named' },
    latencyMs: () => fromMs + (toMs - fromMs) * random(),
    jitterMs: () => 3 * random(),
    variables: () => '',
    readFile: async () => new Uint8Array(),
    listToSend: async () => [],
    readList: async () => [],
  });
  const { clock, limits } = simulation;
  const backend = memoryBackend({ clock, owner: { user: 'test', host: 'test', pid: 1 }, newId: () => 'lineage' });
  const state = await backend.open({ application: 'test', lockTimeoutMs: 0 });
  const services: SimulatedPlatformOptions['service'][] = [];
  const { platform, pacer: toldPacer } = simulation.process({ state }, (service) => {
    services.push(service);
    return service;
  });
  const pacer =
    run.declared === undefined
      ? toldPacer
      : createPacer({ limitsOf: limitsOf({ ratePlan: run.declared, limits: {}, share: 1 }), clock });
  const isRefusing = (now: number): boolean =>
    (run.refusesMs ?? []).some(([from, until]) => now >= from && now < until);
  let [sent, refused, isOver] = [0, 0, false];
  const endS: Record<string, number> = {};
  const slot = async (request: ApiRequest): Promise<void> => {
    for (let waitMs = pacer.take(request); waitMs > 0; waitMs = pacer.take(request)) await clock.sleep(waitMs);
  };
  const send = async (request: ApiRequest): Promise<void> => {
    // On a machine, some time passes between the decision that a call may leave and the next look at the clock.
    const sentAt = clock.now() + 0.02;
    sent += 1;
    const { rate, ...answer } = isRefusing(sentAt) ? refusal : await platform.send(request);
    if (isRefusing(sentAt)) await clock.sleep(fromMs);
    const asSent = headers && rate !== undefined ? { ...answer, rate } : answer;
    pacer.learn(request, run.saysWhen === false ? withoutTime(asSent) : asSent, sentAt);
    endS[request.route] = clock.now() / 1000;
    if (answer.type !== 'limited') return;
    refused += 1;
    await slot(request);
    await send(request);
  };
  const lane = async (route: string, count: number): Promise<void> => {
    const underWay: Promise<void>[] = [];
    for (let place = 0; place < count; place++) {
      const body = route === listedRoute && run.userScope !== undefined ? channelOf(run, place) : userOf(place);
      const request: ApiRequest = { method: 'POST', route, body };
      await slot(request);
      underWay.push(send(request));
    }
    await Promise.all(underWay);
  };
  const routes = Object.keys(calls);
  const counters = countersOf(planLimits, routes);
  const perSecond = posts[plan] ?? 1;
  /** Calls that count and have no effect. */
  const foreign = async (shared: readonly string[]): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      await clock.sleep((-1000 * Math.log(1 - random())) / (foreignShare * perSecond));
      const path = `/v3${shared[turn % shared.length]}`;
      const request = { method: 'POST', path, query: '', headers: {}, body: { type: 'none' } } as const;
      services[0]?.arrive(request, clock.elsewhere());
    }
  };
  if (foreignShare > 0) for (const shared of counters) void foreign(shared);
  const begun = routes.map(async (route, place) => {
    if (place === routes.length - 1) await clock.sleep(lateMs);
    await lane(route, calls[route] ?? 0);
  });
  const all = Promise.all(begun).then(() => {
    isOver = true;
  });
  await clock.run(all);
  const slowest = Math.max(...counters.map((shared) => shared.reduce((sum, route) => sum + (calls[route] ?? 0), 0)));
  const learnt = limits.countsMethods?.() === true ? 'method' : 'endpoint';
  return {
    learnt,
    refused,
    announced: pacer.announced?.(),
    seconds: clock.now() / 1000,
    endS,
    share: refused / sent,
    times: clock.now() / ((1000 * (slowest - 1)) / ((1 - foreignShare) * perSecond)),
  };
}

const refusal: Answer = { type: 'limited', retryAfterS: undefined };

function withoutTime(answer: Answer): Answer {
  return answer.type === 'limited' ? refusal : answer;
}

function channelOf({ invitersOf }: LimitedRun, place: number): JsonObject {
  const inviter = invitersOf === 'every_second' && place % 2 === 0 ? { inviter_id: `u${place}` } : {};
  return { user_ids: [`u${place}`, `u${place + 1}`], ...inviter };
}

/** The routes that each counter of the plan counts together. */
function countersOf(planLimits: LimitedRun['planLimits'], routes: readonly string[]): readonly (readonly string[])[] {
  if (planLimits === 'endpoint') return routes.map((route) => [route]);
  if (planLimits === 'method') return [routes];
  return [routes.filter((route) => route !== listedRoute), routes.filter((route) => route === listedRoute)];
}

function userOf(place: number): JsonObject {
  return { user_id: `u${place}`, nickname: 'N', profile_url: '' };
}
