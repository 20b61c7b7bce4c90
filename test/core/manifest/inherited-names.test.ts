// Tests that names which every object inherits, such as `valueOf`, are treated like any other name.
import { expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { fastTest, inSuite, seedOfRun } from '../../support/suite.ts';
import { load, objectsIn } from './support/in-memory.ts';

/** Each with a plain name that sorts the same. `constructor` and `__proto__` are refused (semantics §9). */
const names = [
  ['valueOf', 'valueOg'],
  ['toString', 'toStrinh'],
] as const;

/** One of each thing that has a name, in a base and an overlay. */
const base: JsonObject = {
  version: 1,
  variables: { region: { type: 'string', default: 'eu', allowed: ['eu', 'us'], description: 'where' } },
  application: { base_url: 'https://api-eu.sendbird.com/v3', rate_plan: 'free_trial', limits: { 'POST /users': 300 } },
  policy: {
    on_remove: { user: 'delete' },
    removals: { max_share: 0.1, free_count: 5 },
    reopen: { frozen: 'allow' },
    messages: { edited: 'refuse' },
    external: { users: ['^partner-'] },
    restrictions: [{ files: 'cells.csv', users: ['.'], fields: { users: ['nickname', 'metadata'] } }],
    rules: [{ name: 'calm', when: '"delete" in change.actions', message: 'No.' }],
  },
  defaults: { users: { nickname: 'Someone', metadata: { team: 'one' } } },
  users: { ann: { nickname: 'Ann', metadata: { grade: '1' }, lifecycle: { ignore_changes: ['nickname'] } }, ben: {} },
  bots: { robot: { bot_nickname: 'Robot', bot_type: 'support', bot_callback_url: 'https://hooks.example.com' } },
  open_channels: { lobby: { name: 'Lobby', metadata: { floor: '1' }, operators: ['ann'] } },
  group_channels: {
    team: { members: { ann: {}, ben: { invitation_status: 'joined' } }, operators: ['ann'], metadata: { topic: 'x' } },
    ['desk-$'.concat('{each.city}')]: {
      for_each: [{ city: 'paris' }],
      name: '$'.concat('{var.region}'),
      members: { ann: {} },
    },
  },
  settings: {
    webhook: { enabled: true, url: 'https://hooks.example.com', enabled_events: ['*'] },
    all_channels: { profanity_filter: { keywords: ['darn'], type: 1 } },
  },
  custom_types: { support: { profanity_filter: { keywords: ['darn'], type: 1 }, banned: { ben: null } } },
  sources: [
    { kind: 'user', file: 'rows.ndjson' },
    { kind: 'user', file: 'cells.csv' },
  ],
  removed: [{ address: 'user.old', on_remove: 'delete' }],
};
const overlay: JsonObject = {
  version: 1,
  extends: '../base',
  policy: { removals: { free_count: 2 }, reopen: { frozen: 'refuse' } },
  users: { ann: { metadata: { grade: { absent: true } } }, cleo: { nickname: 'Cleo' } },
  group_channels: { team: { members: { ben: { absent: true } } } },
};
const row: JsonObject = { user_id: 'dan', nickname: 'Dan', metadata: { grade: '2' } };

interface Estate {
  readonly base: JsonObject;
  readonly overlay: JsonObject;
  readonly row: JsonObject;
}

async function loaded(estate: Estate) {
  const files = {
    'base/a.yaml': JSON.stringify(estate.base),
    'base/rows.ndjson': `${JSON.stringify(estate.row)}\n`,
    'base/cells.csv': 'user_id,nickname,metadata.grade\nemma,Emma,3\n',
    'over/a.yaml': JSON.stringify(estate.overlay),
  };
  const manifest = await load(files, { paths: ['over'], allowedHosts: 'all' });
  const { diagnostics, policy, application } = manifest;
  return { objects: objectsIn(manifest), diagnostics, policy, application };
}

const added: readonly JsonValue[] = ['x', {}, null, [], { env: 'SECRET' }];

/** The value with an entry of that name added to each of its maps, and in place of each of its keys. */
function* variants(value: JsonValue, name: string): Generator<JsonValue> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const changed of variants(item, name)) yield value.map((other, place) => (place === at ? changed : other));
  }
  if (!isObject(value)) return;
  for (const one of added) yield { ...value, [name]: one };
  for (const key of Object.keys(value)) {
    yield Object.fromEntries(Object.entries(value).map(([other, inner]) => [other === key ? name : other, inner]));
    for (const changed of variants(value[key] ?? null, name)) yield { ...value, [key]: changed };
  }
}

function* estates(name: string): Generator<Estate> {
  const estate = { base, overlay, row };
  for (const part of ['base', 'overlay', 'row'] as const)
    for (const changed of variants(estate[part], name)) yield { ...estate, [part]: changed as JsonObject };
}

fastTest('loads the estate without a problem', async () => {
  expect((await loaded({ base, overlay, row })).diagnostics).toEqual([]);
});

test.for(names)('treats %s like %s, in every map', async ([inherited, plain]) => {
  const like = estates(plain);
  // Every run plays a different part.
  const shares = inSuite(12, 3);
  let place = seedOfRun();
  for (const estate of estates(inherited)) {
    const plainEstate = like.next().value as Estate;
    place += 1;
    if (place % shares !== 0) continue;
    const expected = JSON.stringify(await loaded(plainEstate), undefined, 1);
    expect(JSON.stringify(await loaded(estate), undefined, 1)).toBe(expected.replaceAll(plain, inherited));
  }
});
