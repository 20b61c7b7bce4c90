// Tests what a refresh reads and how many requests it needs: lists by ids with nothing hidden, pages, single reads.
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import type { Answer, Clock } from '../../../src/core/model/ports.ts';
import { routeName } from '../../../src/core/model/request.ts';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';
import { readPart } from '../../../src/core/refresh/parts.ts';
import { readLive } from '../../../src/core/refresh/refresh.ts';
import { LiveReader } from '../../../src/core/refresh/send.ts';
import { batchesOf, costOf, refreshSubjects } from '../../../src/core/refresh/subjects.ts';
import { membersPart } from '../../../src/core/resources/group-channel/members.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { VirtualClock } from '../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { resource, resources, stateOf } from '../../support/planning/planning.ts';
import { Rig, timeless, unhurried } from './support/rig.ts';

const n = { nickname: 'N' };
const people = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`u${String(at).padStart(4, '0')}`, n]));
const members = (count: number): JsonObject => Object.fromEntries(Object.keys(people(count)).map((id) => [id, {}]));

describe('the cost of a refresh', () => {
  test('is 100 requests for 10,000 users, with the duration of the slowest list', () => {
    const pairs = [...refreshSubjects(resources({ user: people(10_000), open_channel: { hall: {} } }), [])];
    const cost = costOf(batchesOf(pairs, registry), limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 }));
    expect(cost).toEqual({
      kinds: [
        { title: 'user', objects: 10_000, requests: 100 },
        { title: 'open channel', objects: 1, requests: 1 },
      ],
      lower_bound_s: 1.65,
    });
  });

  test('counts separately the reads that open channels with operators may need', () => {
    const halls = Array.from({ length: 10_000 }, (_none, at) => [`hall-${at}`, { operators: ['u0000'] }]);
    const desired = resources({ user: people(1), open_channel: { ...Object.fromEntries(halls), silent: {} } });
    const pairs = [...refreshSubjects(desired, [])];
    const cost = costOf(batchesOf(pairs, registry), limitsOf({ ratePlan: 'free_trial', limits: {}, share: 1 }));
    expect(cost.unlisted).toMatchObject({ part: 'operators', requests: 10_000 });
    expect(cost.unlisted?.lower_bound_s).toBeGreaterThan(900);
  });

  test('splits lists so that no URL is longer than 4 KB', () => {
    const ids = Array.from({ length: 250 }, (_none, at) => `${'𝒳'.repeat(76)}${at}`);
    const users = ids.sort().map((id) => resource('user', id, n));
    const batches = [...batchesOf(refreshSubjects(users, []), registry)];
    expect(batches.length).toBeGreaterThan(50);
    for (const { subjects } of batches) {
      const keys = subjects.map(({ address }) => address.slice(5)).join(',');
      expect(encodeURIComponent(keys).length).toBeLessThan(3_600);
    }
    expect(batches.flatMap(({ subjects }) => subjects)).toHaveLength(250);
  });
});

describe('a refresh reads', () => {
  test.for([
    {
      name: 'lists show all',
      behaviours: { memberActiveModeAll: 'allowed', operatorsInOpenLists: 'listed' } as const,
      memberReads: 4,
      operatorReads: {},
      requests: 10,
    },
    {
      // One refused request, then a list of the active and one of the deactivated users.
      name: 'operators stand in no list, and no filter shows all members',
      behaviours: {},
      memberReads: 1 + 4 + 1,
      operatorReads: { 'GET /open_channels/{channel_url}/operators': 1 },
      requests: 13,
    },
  ])(
    'what every list hides by default: the deactivated, the empty, the frozen; and members page by page. $name',
    async ({ behaviours, memberReads, operatorReads, requests }) => {
      const rig = new Rig({}, behaviours);
      const desired = resources({
        user: { ...people(330), gone: { ...n, deactivated: true } },
        open_channel: { hall: { operators: ['u0001'], frozen: true } },
        group_channel: {
          crowd: { is_super: true, members: members(330), operators: ['u0001'] },
          room: { members: { gone: {}, u0001: {} }, frozen: true },
          quiet: { name: 'Quiet', members: { u0001: {} } },
        },
      });
      rig.apply(desired);
      const { plan } = await rig.refresh(desired);
      expect(plan.steps).toEqual([]);
      expect(plan.drift).toEqual([]);
      const counts = new Map<string, number>();
      for (const request of rig.sent) counts.set(routeName(request), (counts.get(routeName(request)) ?? 0) + 1);
      expect(Object.fromEntries(counts)).toEqual({
        'GET /group_channels': 1,
        'GET /group_channels/{channel_url}/members': memberReads,
        'GET /open_channels': 1,
        ...operatorReads,
        'GET /users': 4,
      });
      expect(plan.refreshed).toEqual({ objects: 335, requests, compared: 671, not_compared: [] });
    },
  );

  test('remembers a refused filter, and reads the same members with and without it', async () => {
    const urls = ['crowd-1', 'crowd-2', 'crowd-3'];
    const crowd = { is_super: true, members: { ...members(30), gone: {} } };
    const desired = resources({
      user: { ...people(30), gone: { ...n, deactivated: true } },
      group_channel: Object.fromEntries(urls.map((url) => [url, crowd])),
    });
    const drifts = [];
    for (const memberActiveModeAll of ['refused', 'allowed'] as const) {
      const rig = new Rig({}, { memberActiveModeAll });
      rig.apply(desired);
      rig.edit('PUT', '/group_channels/crowd-2/leave', { user_ids: ['u0001'] });
      drifts.push((await rig.refresh(desired)).plan.drift);
      const reader = new LiveReader({ platform: rig, pacer: unhurried, clock: timeless, random: () => 0 });
      rig.sent.length = 0;
      for (const key of urls) await readPart(membersPart, key, reader);
      expect(rig.sent.length).toBe(memberActiveModeAll === 'refused' ? 1 + 3 * 2 : 3);
    }
    expect(drifts[0]).toMatchObject([{ type: 'departed', address: 'group_channel.crowd-2' }]);
    expect(drifts[1]).toEqual(drifts[0]);
  });

  test.for(['listed', 'empty', 'absent'] as const)(
    'operators of open channels are compared where lists have them %s',
    async (operatorsInOpenLists) => {
      const rig = new Rig({}, { operatorsInOpenLists });
      const desired = resources({
        user: people(3),
        open_channel: { hall: { operators: ['u0001', 'u0002'] }, other: { operators: ['u0001'] } },
      });
      rig.apply(desired);
      const untouched = (await rig.refresh(desired)).plan;
      expect([untouched.drift, untouched.steps]).toEqual([[], []]);
      rig.edit('DELETE', '/open_channels/hall/operators', undefined, { operator_ids: 'u0002' });
      rig.edit('DELETE', '/open_channels/other/operators', undefined, { delete_all: 'true' });
      const { plan } = await rig.refresh(desired);
      expect(plan.drift).toMatchObject([
        { address: 'open_channel.hall', attributes: [{ path: ['operators'], after: ['u0001'] }] },
        { address: 'open_channel.other', attributes: [{ path: ['operators'], after: [] }] },
      ]);
      expect((await rig.settle(desired)).drift).toEqual([]);
    },
  );

  test('no members that are not managed', async () => {
    const rig = new Rig();
    rig.apply(resources({ user: people(120), group_channel: { crowd: { is_super: true, members: members(120) } } }));
    expect(rig.state.has('group_channel.crowd')).toBe(true);
    rig.state = new Map([['group_channel.crowd', { address: 'group_channel.crowd', attributes: { name: 'x' } }]]);
    await rig.look([]);
    expect(rig.sent.map(routeName)).toEqual(['GET /group_channels']);
  });

  // Four are declared, and one of them is gone.
  test.for([
    { others: 0, reads: ['GET /bots', 'GET /bots/{bot_userid}'] },
    // Two pages have two of them, and the rest is not worth a page each.
    { others: 290, reads: ['GET /bots', 'GET /bots', ...Array.from({ length: 2 }, () => 'GET /bots/{bot_userid}')] },
  ])(
    'bots by their list, and the last ones by their ids where $others others are listed',
    async ({ others, reads }) => {
      const bot = { bot_nickname: 'B', bot_type: 'b', bot_callback_url: 'https://bots.acme.example' };
      const rig = new Rig();
      const foreign = Array.from({ length: others }, (_none, place) => `f${place}`);
      for (const id of ['a', 'b', ...foreign, 'y'])
        rig.edit('POST', '/bots', { ...bot, bot_userid: id, bot_profile_url: '', is_privacy_mode: false });
      const desired = resources({ bot: Object.fromEntries(['a', 'b', 'y', 'z'].map((id) => [id, bot])) });
      rig.state = new Map(stateOf(desired));
      const { plan } = await rig.refresh(desired);
      expect(Array.from(plan.drift ?? [], ({ address, type }) => `${address} ${type}`)).toEqual(['bot.z missing']);
      expect(rig.sent.map(routeName)).toEqual(reads);
    },
  );

  test('a key with a comma in a separate request', async () => {
    const rig = new Rig();
    const desired = resources({ user: { 'a,b': n, a: n, b: n } });
    rig.apply(desired);
    const { plan } = await rig.refresh(desired);
    expect(plan.drift).toEqual([]);
    expect(rig.sent.map(routeName)).toEqual(['GET /users', 'GET /users/{user_id}']);
  });

  test('an object that no list shows once more before it counts as gone', async () => {
    const rig = new Rig();
    const desired = resources({ user: { alice: n, bob: n } });
    rig.apply(desired);
    rig.edit('DELETE', '/users/bob');
    const { plan } = await rig.refresh([...desired, ...resources({ user: { carol: n } })]);
    expect(plan.drift?.at(0)).toMatchObject({ address: 'user.bob', type: 'missing' });
    expect(rig.sent.map(routeName)).toEqual(['GET /users', 'GET /users/{user_id}']);
  });

  test('a deactivated user who cannot be read as existing, and notes that the rest was not compared', async () => {
    const rig = new Rig({}, { deactivatedUserRead: 'refused' });
    const desired = resources({ user: { 'a,b': { ...n, deactivated: true } } });
    rig.apply(desired);
    const { plan } = await rig.refresh(desired);
    expect([...(plan.drift ?? [])]).toEqual([]);
    expect(plan.steps).toEqual([]);
    expect(plan.warnings).toMatchObject([{ code: 'plan.not-shown', address: 'user.a,b' }]);
  });
});

test.for([
  { latencyMs: 20, ratePlan: '100k_mau' },
  { latencyMs: 100, ratePlan: '100k_mau' },
  { latencyMs: 500, ratePlan: '5k_mau' },
])('the limit of $ratePlan is full at $latencyMs ms an answer, and no more is begun than fills it', async (at) => {
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  const limits = limitsOf({ ratePlan: at.ratePlan, limits: {}, share: 1 });
  const subjects = Array.from({ length: 60_000 }, (_none, place) => ({
    address: `user.${place}` as const,
    isKnown: false,
    wants: () => false,
  }));
  const body: JsonObject = { users: [], next: '' };
  const send = () => clock.sleep(at.latencyMs).then((): Answer => ({ type: 'ok', body }));
  const pacer = createPacer({ limitsOf: limits, clock });
  const reader = new LiveReader({ platform: { send }, pacer, clock, random: () => 0 });
  let mostWaiting = 0;
  const work = async () => {
    for await (const _read of readLive(subjects, registry, reader)) mostWaiting = Math.max(mostWaiting, reader.waiting);
  };
  await clock.run(work());
  const bound = costOf(batchesOf(subjects, registry), limits).lower_bound_s;
  expect(reader.requests).toBe(600);
  expect(clock.now() / 1000).toBeLessThan(1.05 * bound + (2 * at.latencyMs) / 1000);
  expect(mostWaiting).toBeLessThan(100);
});

describe('a read that fails', () => {
  const pairs = () => refreshSubjects(resources({ user: { alice: n } }), []);
  const readWith = async (
    answers: readonly Answer[],
    leftMs = Number.POSITIVE_INFINITY,
  ): Promise<{ requests: number; slept: number[] }> => {
    const slept: number[] = [];
    const now = () => slept.reduce((sum, ms) => sum + ms, 0);
    let place = 0;
    const reader = new LiveReader({
      platform: { send: async () => answers[Math.min(place++, answers.length - 1)] ?? { type: 'unsent', message: '' } },
      pacer: unhurried,
      clock: { now, date: () => new Date(0), sleep: async (ms) => void slept.push(ms) },
      random: () => 0,
      timeLeft: () => leftMs - now(),
    });
    for await (const _read of readLive(pairs(), registry, reader));
    return { requests: reader.requests, slept };
  };
  const ok: Answer = { type: 'ok', body: { users: [], next: '' } };

  test('waits out a 429, which is not an attempt', async () => {
    const limited: Answer = { type: 'limited', retryAfterS: 2 };
    const { requests, slept } = await readWith([...Array.from({ length: 20 }, () => limited), ok]);
    expect(requests).toBe(21);
    expect(new Set(slept)).toEqual(new Set([2000]));
  });

  test('waits as a server error asks', async () => {
    const unavailable: Answer = { type: 'unknown', status: 503, message: 'unavailable', retryAfterS: 60 };
    expect((await readWith([unavailable, unavailable, ok])).slept).toEqual([60_000, 60_000]);
  });

  test.for<[string, Answer, number | undefined, object]>([
    [
      'after 15 minutes of refusals',
      { type: 'limited', retryAfterS: 120 },
      undefined,
      { code: 'application.refusing', exitCode: 4 },
    ],
    [
      'at a wait of more than a day',
      { type: 'limited', retryAfterS: 90_000 },
      undefined,
      { code: 'application.refusing', message: expect.stringContaining('asks to wait 25 h') },
    ],
    [
      'at a wait that passes --max-duration',
      { type: 'limited', retryAfterS: 120 },
      300_000,
      { code: 'apply.out-of-time', exitCode: 9 },
    ],
  ])('ends %s', async ([, answer, leftMs, refusal]) => {
    await expect(readWith([answer], leftMs)).rejects.toMatchObject(refusal);
  });

  test('is repeated after an unknown outcome with growing pauses', async () => {
    const lost: Answer = { type: 'unknown', message: 'reset' };
    expect((await readWith([lost, lost, lost, ok])).slept).toEqual([250, 500, 1000]);
  });

  test('is tried three times when answers never end', async () => {
    const dripping: Answer = { type: 'unknown', message: 'took too long', isUnfinished: true };
    await expect(readWith([dripping, dripping, dripping, ok])).rejects.toMatchObject({
      code: 'application.unreachable',
      message: expect.stringContaining('no answer in 3 attempts: took too long'),
    });
    expect((await readWith([dripping, dripping, ok])).requests).toBe(3);
  });

  test('is tried once if the answer cannot be from the platform', async () => {
    const unusable: Answer = { type: 'unknown', message: 'the answer is larger than 32 MB', isUnusable: true };
    await expect(readWith([unusable, ok])).rejects.toMatchObject({ code: 'application.unreachable', exitCode: 1 });
  });

  test.for<readonly [name: string, answer: Answer, code: string, exitCode: number]>([
    ['never an answer', { type: 'unknown', message: 'x' }, 'application.unreachable', 1],
    ['nobody there', { type: 'unsent', message: 'x' }, 'application.unreachable', 1],
    ['a wrong token', { type: 'refused', status: 400, code: 400401, message: 'x' }, 'token.refused', 3],
    ['a list that is not allowed', { type: 'refused', status: 400, code: 400108, message: 'x' }, 'refresh.refused', 1],
    ['another kind of answer', { type: 'ok', body: {} }, 'refresh.refused', 1],
  ])('is refused after %s', async ([, answer, code, exitCode]) => {
    await expect(readWith([answer])).rejects.toMatchObject({ code, exitCode });
  });

  test('stops sending and waiting when it is interrupted', async () => {
    const stop = new AbortController();
    let sent = 0;
    const send = async (): Promise<Answer> => {
      sent += 1;
      return { type: 'limited', retryAfterS: 3600 };
    };
    const sleep: Clock['sleep'] = (ms, signal) => {
      queueMicrotask(() => stop.abort());
      return nodeClock.sleep(ms, signal);
    };
    const ports = { platform: { send }, pacer: unhurried, clock: { ...nodeClock, sleep }, random: () => 0 };
    const reader = new LiveReader({ ...ports, signal: stop.signal });
    await expect(reader.send({ method: 'GET', route: '/users' })).rejects.toMatchObject({
      code: 'refresh.interrupted',
      exitCode: 8,
    });
    expect(sent).toBe(1);
  });

  test('is refused if its pages repeat, because it may lack objects', async () => {
    await expect(readWith([{ type: 'ok', body: { users: [], next: 'same' } }])).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('leads in a circle'),
    });
  });
});

test.each([
  { characters: 30_000, most: 384 },
  { characters: 4_000_000, most: 8 },
])('at most $most answers of $characters characters are awaited at once', async ({ characters, most }) => {
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  const subjects = Array.from({ length: 60_000 }, (_none, place) => ({
    address: `user.${place}` as const,
    isKnown: false,
    wants: () => false,
  }));
  const waiting = new Set<object>();
  let mostWaiting = 0;
  const send = async (request: object): Promise<Answer> => {
    mostWaiting = Math.max(mostWaiting, waiting.add(request).size);
    await clock.sleep(100);
    waiting.delete(request);
    return { type: 'ok', body: { users: [], next: '' }, characters };
  };
  const pacer = { take: () => 0, learn: () => {} };
  const reader = new LiveReader({ platform: { send }, pacer, clock, random: () => 0 });
  let known = 0;
  const work = async () => {
    for await (const { subject } of readLive(subjects, registry, reader)) if (subject.isKnown) known += 1;
  };
  await clock.run(work());
  expect(known).toBe(0);
  expect(reader.requests).toBe(600);
  expect(mostWaiting).toBeGreaterThanOrEqual(most / 2);
  expect(mostWaiting).toBeLessThanOrEqual(most);
});
