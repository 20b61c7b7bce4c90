// One refresh of very many users in virtual time: WAY USERS.
//
// The platform is a function that spells each page and parses it, as its answers are; it keeps nothing.
import { StoredObservations } from '../../src/app/plans/observations.ts';
import { VirtualClock } from '../../src/app/simulation/virtual-clock.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Clock, Platform } from '../../src/model/ports.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import type { Resource } from '../../src/model/resource.ts';
import { limitsOf } from '../../src/platform/limits.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { readLive } from '../../src/refresh/refresh.ts';
import { Reader } from '../../src/refresh/send.ts';
import { refreshSubjects } from '../../src/refresh/subjects.ts';
import type { KindDefinition } from '../../src/resources/definition/kind.ts';
import { registry } from '../../src/resources/index.ts';
import { manyRecords, recordAt } from './many-users.ts';
import { printCost } from './measure.ts';

const latencyMs = 100;
const [way = 'same', amount = '0'] = process.argv.slice(2);
const count = Number(amount);
/** Of so many users one was changed by others. */
const changedEvery = way === 'same' ? Number.POSITIVE_INFINITY : 1;

const users = registry.find(({ name: kind }) => kind === 'user');
if (users === undefined) throw new Error('there is no kind of users');

await printCost(() => refresh(users));

async function refresh(kind: KindDefinition) {
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'));
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const pairs = () => refreshSubjects(resources(), manyRecords(count));
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
      objects += 1;
    }
    return { objects, observations };
  };
  const { objects, observations } = await clock.run(work());
  if (objects !== count) throw new Error('not all were read');
  if ((observations.get(recordAt(99).address) !== undefined) === (way === 'same'))
    throw new Error('not what is to be seen');
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
      ...recordAt(place, (place + 1) % changedEvery === 0).attributes,
      require_auth_for_profile_image: false,
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

function* resources(): Generator<Resource> {
  for (let place = 0; place < count; place += 1) {
    const source = { file: 'users.ndjson', line: place + 1, column: 1 };
    yield { ...recordAt(place), lifecycle: {}, source };
  }
}
