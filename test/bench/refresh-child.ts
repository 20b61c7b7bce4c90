// One refresh of very many users in virtual time, in a process of its own so that its memory is its own: WAY USERS.
//
// The platform is a function that spells each page and parses it, as its answers are; it keeps nothing.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StoredObservations } from '../../src/app/live/observations.ts';
import { VirtualClock } from '../../src/app/rehearsal/virtual-clock.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Clock, Platform } from '../../src/model/ports.ts';
import type { StateRecord } from '../../src/model/record.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import type { Resource } from '../../src/model/resource.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { readLive } from '../../src/refresh/refresh.ts';
import { Reader } from '../../src/refresh/send.ts';
import { batchesOf, costOf, refreshSubjects } from '../../src/refresh/subjects.ts';
import type { KindDefinition } from '../../src/resources/define.ts';
import { registry } from '../../src/resources/index.ts';

const latencyMs = 100;
const [way = 'same', amount = '0'] = process.argv.slice(2);
const count = Number(amount);
/** Of so many users one was changed by others. */
const changedEvery = { same: Number.POSITIVE_INFINITY, hundredth: 100, all: 1 }[way] ?? 1;

const users = registry.find(({ kind }) => kind === 'user');
if (users === undefined) throw new Error('there is no kind of users');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const before = process.cpuUsage();
const inUseBefore = memory();
let mostInUse = 0;
const measured = way === 'floor' ? floor() : await refresh(users);
const { user, system } = process.cpuUsage(before);
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ cpuS: (user + system) / 1e6, rssMb, inUseMb: mostInUse, ...measured }));

/** Every page spelt and parsed once, every user declared and remembered. */
function floor() {
  let seen = 0;
  for (const { address } of records()) seen += address.length;
  for (const { address } of resources()) seen += address.length;
  for (let first = 0; first < count; first += 100) {
    const keys = Array.from({ length: Math.min(100, count - first) }, (_none, place) => keyAt(first + place));
    seen += pageOf(keys).length;
  }
  return { seen };
}

async function refresh(kind: KindDefinition) {
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const pairs = () => refreshSubjects(resources(), records());
  const cost = costOf(batchesOf(pairs(), registry), limits);
  const reader = new Reader({
    platform: platform(clock),
    pacer: createPacer({ limitsOf: limits, clock }),
    clock,
    random: () => 0.5,
  });
  const work = async () => {
    const observations = new StoredObservations();
    let objects = 0;
    for await (const { subject, live } of readLive(pairs(), registry, reader)) {
      observations.take(kind, subject, live);
      if (++objects % Math.ceil(count / 10) === 0) mostInUse = Math.max(mostInUse, memory() - inUseBefore);
    }
    return { objects, observations };
  };
  const { objects, observations } = await clock.run(work());
  if (objects !== count) throw new Error('not all were read');
  if ((observations.get(`user.${keyAt(99)}`) !== undefined) === (way === 'same'))
    throw new Error('not what is to be seen');
  return { requests: reader.requests, virtualS: clock.now() / 1000, boundS: cost.lower_bound_s };
}

function platform(clock: Clock): Platform {
  return {
    send: async ({ query }: ApiRequest) => {
      await clock.sleep(latencyMs);
      return { type: 'ok', body: { users: pageOf(String(query?.user_ids).split(',')), next: '' } };
    },
  };
}

/** Users as the platform shows them (platform §4.2). */
function pageOf(keys: readonly string[]): JsonObject[] {
  const users = keys.map((key) => {
    const place = Number(key.slice(5));
    return {
      user_id: key,
      nickname: `User number ${place}${(place + 1) % changedEvery === 0 ? ', renamed' : ''}`,
      profile_url: `https://cdn.example.com/profile/${place}.png`,
      require_auth_for_profile_image: false,
      metadata: metadataAt(place),
      phone_number: '',
      preferred_languages: [],
      is_online: false,
      last_seen_at: -1,
      has_ever_logged_in: false,
      is_active: true,
      created_at: 1_700_000_000,
      session_tokens: [],
      unread_channel_count: 0,
      unread_message_count: 0,
    };
  });
  return JSON.parse(JSON.stringify(users)) as JsonObject[];
}

function* records(): Generator<StateRecord> {
  for (let place = 0; place < count; place += 1)
    yield { address: `user.${keyAt(place)}`, attributes: attributesAt(place) };
}

function* resources(): Generator<Resource> {
  for (let place = 0; place < count; place += 1) {
    const source = { file: 'users.ndjson', line: place + 1, column: 1 };
    yield { address: `user.${keyAt(place)}`, attributes: attributesAt(place), lifecycle: {}, source };
  }
}

function attributesAt(place: number): JsonObject {
  return {
    metadata: metadataAt(place),
    nickname: `User number ${place}`,
    profile_url: `https://cdn.example.com/profile/${place}.png`,
  };
}

function metadataAt(place: number): JsonObject {
  return { locale: 'en-GB', team: `team-${place % 50}` };
}

function keyAt(place: number): string {
  return `user-${String(place).padStart(7, '0')}`;
}

/** Megabytes in use after all that is not has been collected. */
function memory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}
