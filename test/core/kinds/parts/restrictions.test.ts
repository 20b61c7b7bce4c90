// Tests the exact calls for bans and mutes, in both kinds of channel: imposed, changed, lifted, and restored after drift.
import { describe, expect, test } from 'vitest';
import type { Behaviours } from '../../../../src/emulator/api/behaviours.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { resources } from '../../../support/planning/planning.ts';
import { Rig } from '../../refresh/support/rig.ts';
import { type Case, edit, sendsExactCalls, stepsOf } from '../../resources/support/cases.ts';

const until = '2030-01-01T00:00:00.000Z';
const later = '2031-01-01T00:00:00.000Z';

const cases = (common: JsonObject): Case[] => [
  edit('a ban without an end', common, {}, { banned: { eve: {} } }),
  edit('a ban with an end and a reason', common, {}, { banned: { eve: { until, description: 'spam' } } }),
  edit(
    'a ban with another end: lifted and imposed',
    common,
    { banned: { eve: { until } } },
    { banned: { eve: { until: later } } },
  ),
  edit('a lifted ban', common, { banned: { eve: { until } } }, {}),
  edit('a mute', common, {}, { muted: { bob: {} } }),
  // It is unknown whether a second mute replaces the first.
  edit('a mute with another end: lifted and imposed', common, { muted: { bob: {} } }, { muted: { bob: { until } } }),
  edit('a mute with another reason', common, { muted: { bob: {} } }, { muted: { bob: { description: 'loud' } } }),
  edit('a lifted mute', common, { muted: { bob: {} } }, {}),
  edit(
    'the same time, written otherwise',
    common,
    { muted: { bob: { until } } },
    { muted: { bob: { until: '2030-01-01T01:00:00+01:00' } } },
  ),
];

describe.each([
  { kind: 'open_channel', common: {} },
  { kind: 'group_channel', common: { members: { bob: {} } } },
])('$kind', ({ kind, common }) => {
  sendsExactCalls(kind, 'key-1', { restrictions: cases(common) }, `${kind}-restrictions`);

  test('a changed mute counts as a restriction, not as lifting one', () => {
    const changed = { before: { ...common, muted: { bob: {} } }, after: { ...common, muted: { bob: { until } } } };
    const actions = stepsOf(kind, 'key-1', { ...changed }).map(({ action }) => action);
    expect(actions).toEqual(['mute', 'mute']);
  });
});

describe.each<Partial<Behaviours>>([
  { muteOfMuted: 'refused', banOfBanned: 'refused', banUpdate: 'from_start' },
  { muteOfMuted: 'overwrites', banOfBanned: 'overwrites', banUpdate: 'from_now' },
])('%j', (behaviours) => {
  const estate = (restricted: JsonObject) =>
    resources({
      user: { alice: { nickname: 'A' }, bob: { nickname: 'B' }, eve: { nickname: 'E' } },
      open_channel: { lobby: restricted },
      group_channel: { room: { members: { alice: {}, bob: {} }, ...restricted } },
    });

  test('a refresh shows other ends and reasons', async () => {
    const rig = new Rig({}, behaviours);
    rig.apply(estate({ muted: { bob: { until } }, banned: { eve: {} } }));
    const changed = estate({ muted: { bob: { until: later, description: 'loud' } }, banned: { eve: { until } } });
    rig.apply(changed);
    const { plan } = await rig.refresh(changed);
    expect([plan.drift, plan.steps]).toEqual([[], []]);
  });

  test('entries that others imposed differently are set as declared after a refresh', async () => {
    const rig = new Rig({}, behaviours);
    rig.apply(estate({}));
    for (const channel of ['/open_channels/lobby', '/group_channels/room']) {
      rig.edit('POST', `${channel}/mute`, { user_id: 'bob', seconds: 60, description: 'theirs' });
      rig.edit('POST', `${channel}/ban`, { user_id: 'eve', seconds: 60, description: 'theirs' });
    }
    const wanted = estate({ muted: { bob: { until } }, banned: { eve: { description: 'spam' } } });
    rig.run((await rig.refresh(wanted)).plan.steps);
    const { plan } = await rig.refresh(wanted);
    expect([plan.drift, plan.steps]).toEqual([[], []]);
  });
});
