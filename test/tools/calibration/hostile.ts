// Platforms that make a calibration hard, and the truth about each.

import type { Answer, Platform } from '../../../src/core/model/ports.ts';
import type { ApiRequest, Method } from '../../../src/core/model/request.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import {
  type Behaviours,
  DEFAULT_BEHAVIOURS,
  describeBehaviours,
  parseBehaviours,
} from '../../../src/emulator/api/behaviours.ts';
import { WINDOW_KINDS } from '../../../src/emulator/limits/windows.ts';
import { seededRandom } from '../../../src/emulator/random.ts';
import { isList, isObject, type JsonObject } from '../../../src/lib/json.ts';
import { type ArrivingService, type Patient, type PatientOptions, patient } from './support.ts';

/** What makes a calibration hard. */
export interface Setting {
  readonly behaviours?: Partial<Behaviours>;
  readonly window?: string;
  readonly windowS?: number;
  readonly ratePlan?: string;
  readonly declaredPlan?: string;
  /** Whether answers lack the rate-limit headers. */
  readonly isBare?: boolean;
  /** The share of each limit that another client uses. */
  readonly foreign?: number;
  /** The share of answers that are lost. */
  readonly lost?: number;
  /** How much later lists show a message. */
  readonly lateMs?: number;
  /** The part of the route that the application does not allow. */
  readonly without?: string;
  readonly jitterMs?: number;
}

const ratePlans = ['free_trial', '5k_mau', '10k_mau', '25k_mau', '100k_mau'];
const features = [
  '/migration',
  '/metadata',
  '/ban',
  '/mute',
  '/freeze',
  '/operators',
  'settings_by',
  '/leave',
  '/hide',
];

/** A setting made from random numbers. */
export function randomSetting(random: () => number): Setting {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const sometimes = (share: number): boolean => random() < share;
  return {
    behaviours: randomBehaviours(random),
    window: one(WINDOW_KINDS),
    ratePlan: one(ratePlans),
    isBare: sometimes(0.4),
    ...(sometimes(0.1) ? { windowS: 60 } : {}),
    ...(sometimes(0.3) ? { declaredPlan: one(ratePlans) } : {}),
    ...(sometimes(0.4) ? { foreign: 0.4 } : {}),
    ...(sometimes(0.3) ? { lost: 0.05 } : {}),
    ...(sometimes(0.3) ? { lateMs: one([2_000, 6_000]) } : {}),
    ...(sometimes(0.3) ? { without: one(features) } : {}),
    ...(sometimes(0.3) ? { jitterMs: one([5, 40]) } : {}),
  };
}

/** By reading, its values. */
const choicesOf = describeBehaviours().map((line): readonly Partial<Behaviours>[] => {
  const [name = '', values = ''] = line.split('=');
  return values.split('|').map((value) => parseBehaviours([`${name}=${value}`]));
});

function randomBehaviours(random: () => number): Partial<Behaviours> {
  return Object.assign({}, ...choicesOf.map((choices) => choices[Math.floor(random() * choices.length)]));
}

export function hostile(setting: Setting, seed: number): Patient {
  const random = seededRandom(seed);
  const { behaviours = {}, window, windowS, ratePlan = '5k_mau', declaredPlan, foreign = 0, jitterMs = 0 } = setting;
  const options: PatientOptions = {
    behaviours,
    ratePlan,
    ...(window === undefined ? {} : { window }),
    ...(windowS === undefined ? {} : { windowS }),
    ...(declaredPlan === undefined ? {} : { declaredPlan }),
    ...(jitterMs === 0 ? {} : { jitterMs: () => jitterMs * random() }),
    ...(foreign === 0 ? {} : { before: otherClient(setting, foreign, random) }),
    around: (platform) => clouded(platform, setting, random, () => subject.simulation.clock.now()),
  };
  const subject = patient(options);
  return subject;
}

/** The network: loses answers, hides headers and shows messages late. The application lacks a feature. */
function clouded(
  platform: Platform,
  { isBare = false, lost = 0, lateMs = 0, without }: Setting,
  random: () => number,
  now: () => number,
): Platform {
  const sentAt = new Map<unknown, number>();
  const hidden = (request: ApiRequest, answer: Answer): Answer => {
    if (answer.type !== 'ok' || !isList(answer.body.messages) || request.method !== 'GET') return answer;
    const messages = answer.body.messages.filter((message) => {
      const text = isObject(message) ? message.message : undefined;
      return (sentAt.get(text) ?? Number.NEGATIVE_INFINITY) <= now() - lateMs;
    });
    return { ...answer, body: { ...answer.body, messages } };
  };
  return {
    send: async (request, sending) => {
      if (without !== undefined && request.route.includes(without))
        return { type: 'refused', status: 400, code: 400108, message: 'not allowed' };
      for (const text of textsIn(request.body)) sentAt.set(text, now());
      const { rate, ...answer } = hidden(request, await platform.send(request, sending));
      if (random() < lost) return { type: 'unknown', message: 'connection reset' };
      if (!isBare) return rate === undefined ? answer : { ...answer, rate };
      return answer.type === 'limited' ? { type: 'limited', retryAfterS: undefined } : answer;
    },
  };
}

function textsIn(body: JsonObject | undefined): readonly unknown[] {
  return isList(body?.messages)
    ? body.messages.map((message) => (isObject(message) ? message.message : undefined))
    : [];
}

const foreignRoutes: readonly (readonly [
  method: Method,
  path: string,
  isListed: boolean,
  body: (turn: number) => object,
])[] = [
  ['PUT', '/group_channels/foreign', false, () => ({ name: 'x' })],
  ['PUT', '/open_channels/foreign', false, () => ({ name: 'x' })],
  ['PUT', '/users/foreign', true, () => ({ nickname: 'x' })],
  ['POST', '/group_channels/foreign/invite', true, (turn) => ({ user_ids: ['x'], inviter_id: `foreign-${turn % 97}` })],
  ['POST', '/users', false, () => ({})],
];

/** Lets another client take a share of every limit, at random times. */
function otherClient({ behaviours, ratePlan = '5k_mau', windowS = 1 }: Setting, share: number, random: () => number) {
  const limits = limitsOf({ ratePlan, limits: {}, share: 1 });
  const counts = behaviours?.planLimits ?? DEFAULT_BEHAVIOURS.planLimits;
  let last: number | undefined;
  let turn = 0;
  const shareOf = (method: Method, isListed: boolean): number => {
    const together = foreignRoutes.filter(
      ([other, , isOtherListed]) => other === method && (counts === 'method' || isOtherListed === isListed),
    );
    return counts === 'endpoint' || (counts === 'unlisted' && isListed) ? share : share / together.length;
  };
  return (service: ArrivingService, nowMs: number): void => {
    const from = Math.max(last ?? 0, nowMs - 2500 * windowS);
    last = nowMs;
    const arrivals = foreignRoutes.flatMap(([method, path, isListed, body]) => {
      const perMs = ((limits({ method, route: '' })[0]?.calls ?? 1) * shareOf(method, isListed)) / (1000 * windowS);
      const times: number[] = [];
      let at = from - Math.log(1 - random()) / perMs;
      while (at < nowMs) {
        times.push(at);
        at -= Math.log(1 - random()) / perMs;
      }
      return times.map((at) => ({ at, method, path, body }));
    });
    for (const { at, method, path, body } of arrivals.sort((left, right) => left.at - right.at)) {
      turn += 1;
      // The stricter limit of one user must not hold the other client up.
      const target = path === '/users/foreign' ? `${path}-${turn % 97}` : path;
      const request = {
        method,
        path: `/v3${target}`,
        query: new URLSearchParams(),
        headers: { 'api-token': 'simulated' },
      };
      service.arrive(
        { ...request, body: { type: 'json', value: JSON.parse(JSON.stringify(body(turn))) } } as never,
        at,
      );
    }
  };
}

/** What a calibration may say of a platform with this setting. */
export function truthOf({
  behaviours = {},
  window = 'sliding',
  windowS = 1,
  ratePlan = '5k_mau',
  isBare = false,
  without,
}: Setting) {
  const limits = limitsOf({ ratePlan, limits: {}, share: 1 });
  const callsOf = (method: Method) => limits({ method, route: '' })[0]?.calls;
  const { messageRetrieval } = { ...DEFAULT_BEHAVIOURS, ...behaviours };
  return {
    ...DEFAULT_BEHAVIOURS,
    ...behaviours,
    rateHeaders: isBare ? 'absent' : 'sent',
    window,
    windowSeconds: windowS,
    readsPerWindow: callsOf('GET'),
    changesPerWindow: callsOf('POST'),
    userRules: 'held',
    migration: without === '/migration' ? 'off' : 'on',
    messageRetrieval,
    messageLength: 5000,
    lateMessages: 'by_time',
    deactivatedMembership: 'kept',
    settingsDeletion: 'deletes',
    distinctUpdate: 'changes',
  } as Readonly<Record<string, unknown>>;
}
