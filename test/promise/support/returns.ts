// Support: schedules that remove channels and history files, together or separately, and declare them again, each time with
// another on_remove, while run after run is killed. The platform keeps messages that were sent twice.

import type { Removal } from '../../../src/core/model/resource.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { Chance } from './chance.ts';
import type { Estate } from './estates.ts';
import type { HistoryFileDraft } from './history-files.ts';
import { calm, type Disturbance, kill, type Scenario, type Stage } from './scenario.ts';

const urls = ['room-1', 'room-2', 'lobby-1'];
const ids = ['alice', 'bob', 'dora'];

export function returningScenarioOf(seed: number): Scenario {
  const chance = new Chance(seed + 0xbacc);
  const count = chance.int(2, 7);
  const stages: Stage[] = [];
  const drafts = new Map<string, HistoryFileDraft>();
  for (let place = 0; place < count; place++) {
    const before = stages.at(-1);
    const onRemove = removalsOf(chance, before?.onRemove);
    const disturbances = chance.is(0.15) ? [] : Array.from({ length: chance.int(1, 4) }, () => killed(chance));
    const isAbandoned = disturbances.length > 0 && place < count - 1 && chance.is(0.7);
    const estate = estateOf(chance, before?.estate, drafts);
    stages.push({ estate, disturbances, onRemove, ...(isAbandoned ? { isAbandoned } : {}) });
  }
  return {
    ...calm,
    seed,
    stages,
    storage: chance.one(['memory', 'disk']),
    behaviours: { dedup: 'ignore', migrationUnhides: chance.is(0.5) },
    latencyMs: chance.one([
      [1, 5],
      [20, 60],
      [20, 300],
      [20, 3_000],
    ]),
  };
}

type Removals = NonNullable<Stage['onRemove']>;

function removalsOf(chance: Chance, before: Removals | undefined): Removals {
  if (before !== undefined && chance.is(0.4)) return before;
  const channels: Removal = chance.one(['delete', 'delete', 'freeze']);
  return { user: 'deactivate', open_channel: channels, group_channel: channels };
}

function killed(chance: Chance): Disturbance {
  const pauseMs = chance.one([0, 0, chance.int(0, 3_000)]);
  return kill(chance.magnitude(90), pauseMs);
}

function estateOf(chance: Chance, before: Estate | undefined, drafts: Map<string, HistoryFileDraft>): Estate {
  const user = Object.fromEntries(ids.map((id) => [id, { nickname: id }]));
  const open_channel: Record<string, JsonObject> = {};
  const group_channel: Record<string, JsonObject> = {};
  const messages: Record<string, HistoryFileDraft> = {};
  for (const url of urls) {
    const isOpen = url.startsWith('lobby');
    const section = isOpen ? open_channel : group_channel;
    const was = isOpen ? before?.open_channel[url] : before?.group_channel[url];
    const had = before?.messages?.[url];
    if (!chance.is(was === undefined ? 0.6 : 0.65)) continue;
    const on_remove = chance.is(0.2) ? chance.one(['delete', 'freeze']) : undefined;
    section[url] = {
      ...(isOpen ? {} : { members: { alice: {}, bob: {} } }),
      ...(chance.is(0.3) ? { name: chance.one(['one', 'two']) } : {}),
      ...(chance.is(0.15) ? { frozen: true } : {}),
      ...(on_remove === undefined ? {} : { lifecycle: { on_remove } }),
    };
    if (!chance.is(had === undefined ? 0.5 : 0.75)) continue;
    const known = drafts.get(url);
    const draft: HistoryFileDraft =
      known !== undefined && chance.is(0.7)
        ? known
        : { senders: ['alice', 'bob'], count: (known?.count ?? 0) + chance.int(1, 9), sameTime: 1, perCall: 3 };
    drafts.set(url, draft);
    messages[url] = draft;
  }
  return { user, open_channel, group_channel, ...(Object.keys(messages).length === 0 ? {} : { messages }) };
}
