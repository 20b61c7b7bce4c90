// Support: one schedule as plain data that can be printed, shrunk and played again: estates, faults during their applies, and
// the behaviours of the platform, all from one seed.

import type { Removal } from '../../../src/core/model/resource.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import type { FaultKind, FaultRule } from '../../../src/emulator/faults.ts';
import type { WindowKind } from '../../../src/emulator/limits/windows.ts';
import { Chance } from './chance.ts';
import { type Estate, estatesOf, type SectionName } from './estates.ts';
import { withHistoryFiles } from './history-files.ts';
import { withKept } from './kept.ts';

/** A disturbance of one run. The next run begins `pauseMs` later. */
export type Disturbance = { readonly pauseMs: number } & (
  | { readonly type: 'kill'; readonly atMoment: number }
  /** SIGINT. */
  | { readonly type: 'stop'; readonly atMs: number }
  /** --max-duration. */
  | { readonly type: 'time'; readonly maxMs: number }
  /** A second run begins during the first one and waits this long for the lock. */
  | { readonly type: 'rival'; readonly atMs: number; readonly waitMs: number }
  /** The machine of the run is suspended until another run has its lock, and resumes `pauseMs` after that run started. */
  | { readonly type: 'takeover'; readonly atMs: number }
  /** The wall clock jumps. */
  | { readonly type: 'clock'; readonly atMs: number; readonly byMs: number }
);

export interface Stage {
  readonly estate: Estate;
  readonly disturbances: readonly Disturbance[];
  /** Whether the stage is abandoned after its disturbances, and the next one is declared. */
  readonly isAbandoned?: true;
  /** The policy of this stage. Replaces `deletes` of the scenario. */
  readonly onRemove?: Readonly<Partial<Record<SectionName, Removal>>>;
}

export interface Scenario {
  readonly seed: number;
  readonly stages: readonly Stage[];
  /** Whether removed objects are deleted instead of disabled. */
  readonly deletes: boolean;
  /** With `deletes`: users are erased by a data request instead. */
  readonly erases?: boolean;
  readonly storage: 'memory' | 'disk';
  readonly behaviours: Partial<Behaviours>;
  readonly faults: readonly FaultRule[];
  readonly window: WindowKind;
  readonly latencyMs: readonly [least: number, most: number];
  /** The maximum duration of a write to state. Default: 2 ms. With a slow state, begins are written ahead of their slots. */
  readonly maxSyncMs?: number;
  /** A pause before each stage, so that the platform's window has no calls of an earlier run. */
  readonly restMs?: number;
}

/** Nothing happens. */
export const calm: Scenario = {
  seed: 1,
  stages: [],
  deletes: false,
  storage: 'memory',
  behaviours: {},
  faults: [],
  window: 'sliding',
  latencyMs: [20, 20],
};

export function kill(atMoment: number, pauseMs = 0): Disturbance {
  return { type: 'kill', pauseMs, atMoment };
}

/** An estate whose runs are disturbed and then repeated until one is done. */
export function stage(estate: Estate, ...disturbances: readonly Disturbance[]): Stage {
  return { estate, disturbances };
}

/** An estate whose runs are disturbed, and which the next one replaces whatever became of it. */
export function abandoned(estate: Estate, ...disturbances: readonly Disturbance[]): Stage {
  return { estate, disturbances, isAbandoned: true };
}

const faultKinds: readonly FaultKind[] = [
  'latency',
  'reset_before',
  'reset_after',
  'error_500_before',
  'error_500_after',
  'error_503',
  'hang_before',
  'hang_after',
  'truncate',
  'rate_limited',
];

export function scenarioOf(seed: number): Scenario {
  const chance = new Chance(seed);
  const plain = estatesOf(chance, chance.one([1, 2, 2, 2, 3, 4]));
  // Uses its own random source, so that the rest of a schedule is the same with and without history files.
  const ofHistoryFiles = new Chance(seed + 0x5eed);
  const estates = withKept(new Chance(seed + 0xb07), withHistoryFiles(ofHistoryFiles, plain));
  const removals = removalsBySection(new Chance(seed + 0xde1), estates);
  const isCalm = chance.is(0.2);
  return {
    seed,
    stages: estates.map((estate, place): Stage => {
      const disturbances = isCalm ? [] : Array.from({ length: chance.int(0, 4) }, () => disturbance(chance));
      const isAbandoned = disturbances.length > 0 && place < estates.length - 1 && chance.is(0.3);
      return { estate, disturbances, ...(isAbandoned ? { isAbandoned } : {}), ...removals };
    }),
    deletes: chance.is(0.2),
    ...(new Chance(seed + 0xe7a).is(0.4) ? { erases: true } : {}),
    storage: chance.one(['memory', 'disk']),
    behaviours: {
      ...(chance.is(0.5) ? {} : behaviours(chance)),
      ...behavioursOfHistoryFiles(ofHistoryFiles),
      ...behavioursOfKept(new Chance(seed + 0xba4)),
      ...(new Chance(seed + 0x11b).is(0.25) ? { planLimits: 'method' } : {}),
    },
    faults: isCalm && chance.is(0.5) ? [] : [...faults(chance), ...faultsOfHistoryFiles(ofHistoryFiles)],
    window: chance.one(['sliding', 'fixed', 'gcra']),
    latencyMs: chance.one([
      [1, 5],
      [20, 60],
      [20, 300],
    ]),
    ...(new Chance(seed + 0x51e).is(0.25) ? { maxSyncMs: 150 } : {}),
  };
}

/** Mostly absent, so that all kinds are removed alike. A deleted user leaves every channel, even a frozen one. */
function removalsBySection(chance: Chance, estates: readonly Estate[]): Pick<Stage, 'onRemove'> {
  if (!chance.is(0.15)) return {};
  // A distinct channel that lost a member has another identity and cannot be declared again.
  const hasDistinct = JSON.stringify(estates).includes('"is_distinct":true');
  const onRemove: Stage['onRemove'] = {
    user: hasDistinct ? 'deactivate' : chance.one<Removal>(['delete', 'erase']),
    open_channel: chance.one<Removal>(['freeze', 'delete']),
    group_channel: chance.one<Removal>(['freeze', 'freeze', 'delete']),
  };
  return { onRemove };
}

function disturbance(chance: Chance): Disturbance {
  const pauseMs = chance.one([0, 0, chance.int(0, 400), chance.int(0, 5_000)]);
  const atMs = chance.magnitude(8_000);
  const type: Disturbance['type'] = chance.one([
    'kill',
    'kill',
    'kill',
    'kill',
    'stop',
    'time',
    'rival',
    'takeover',
    'clock',
  ]);
  switch (type) {
    case 'kill':
      return kill(chance.magnitude(200), pauseMs);
    case 'stop':
      return { type, pauseMs, atMs };
    case 'takeover':
      // Often resumes just after its lease has ended.
      return { type, pauseMs: pauseMs === 0 ? 0 : 58_000 + 2 * pauseMs, atMs };
    case 'time':
      return { type, pauseMs, maxMs: atMs };
    case 'rival':
      return { type, pauseMs, atMs, waitMs: chance.one([0, 1_000, 3_600_000]) };
    case 'clock':
      return { type, pauseMs, atMs, byMs: chance.int(-100_000, 100_000) };
  }
}

function faults(chance: Chance): FaultRule[] {
  const harshness = chance.one([0.01, 0.05, 0.15]);
  return chance.some(faultKinds, 0.5).map((fault): FaultRule => {
    const rule = { fault, probability: harshness * chance.random() };
    if (fault === 'latency') return { ...rule, ms: chance.one([100, 2_000]), distribution: 'exponential' };
    if (fault === 'rate_limited') return { ...rule, ms: chance.int(0, 3_000), times: chance.int(1, 4) };
    return rule;
  });
}

function faultsOfHistoryFiles(chance: Chance): FaultRule[] {
  if (chance.is(0.5)) return [];
  const route = 'POST /migration/{channel_url}';
  const kinds: readonly FaultKind[] = ['partial_batch', 'reset_after', 'error_500_after', 'hang_after', 'reset_before'];
  return chance.some(kinds, 0.5).map((fault) => ({ fault, route, probability: 0.3 * chance.random() }));
}

function behavioursOfHistoryFiles(chance: Chance): Partial<Behaviours> {
  const migrationUnhides = chance.is(0.5);
  if (chance.is(0.4)) return { migrationUnhides };
  return {
    migrationUnhides,
    dedup: chance.one(['skip', 'refuse', 'ignore', 'ignore']),
    dedupScope: chance.one(['channel', 'application']),
    migrationIntoFrozen: chance.one(['refused', 'allowed']),
    migrationByDeactivated: chance.one(['refused', 'allowed']),
    migrationBatch: chance.one(['atomic', 'up_to_first_bad']),
  };
}

/** Behaviours of bots, metadata, bans, mutes and settings, and of their lists. */
function behavioursOfKept(chance: Chance): Partial<Behaviours> {
  if (chance.is(0.4)) return {};
  return {
    muteOfMuted: chance.one(['refused', 'overwrites']),
    banOfBanned: chance.one(['refused', 'overwrites']),
    banUpdate: chance.one(['from_now', 'from_start']),
    permanentBanEnd: chance.one(['ten_years', 'minus_one']),
    liftOfNothing: chance.one(['refused', 'ignored']),
    operatorsInOpenLists: chance.one(['empty', 'listed', 'absent']),
    operatorsInGroupViews: chance.one(['listed', 'absent']),
    memberActiveModeAll: chance.one(['refused', 'allowed']),
    channelMetadataInView: chance.one(['when_asked', 'never']),
    moderationUpdate: chance.one(['replaces', 'merges']),
    moderationOfNewType: chance.one(['refused', 'created']),
    moderationKeywords: chance.one(['text', 'list']),
    eventMessageBody: chance.one(['wrapped', 'bare']),
    allowlistDeletion: chance.one(['body', 'query']),
  };
}

function behaviours(chance: Chance): Partial<Behaviours> {
  return {
    deactivatedUserRead: chance.one(['visible', 'refused']),
    deactivatedMember: chance.one(['refused', 'allowed']),
    profileImage: chance.one(['required', 'optional']),
    metadataValues: chance.one(['strings', 'coerced']),
    metadataPostOfExistingKey: chance.one(['refused', 'overwrites']),
    metadataUpdateOfUnknownKey: chance.one(['refused', 'ignored']),
    freezeWithoutValue: chance.one(['refused', 'freezes']),
    operatorIdsOnUpdate: chance.one(['replace', 'add']),
    operatorOutsidePrivateChannel: chance.one(['refused', 'allowed']),
    leaveOfNonMember: chance.one(['refused', 'ignored']),
    leaveOfInvitee: chance.one(['withdraws', 'not_found', 'invalid']),
    inviteOfMember: chance.one(['ignored', 'refused']),
    userScope: chance.one(['named', 'first_listed']),
    unknownRouteStatus: chance.one([400, 404]),
    memberOrder: chance.one(['newest_first', 'oldest_first']),
    multipartLists: chance.one(['any', 'commas', 'json', 'repeated']),
  };
}
