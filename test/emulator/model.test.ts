// Tests random histories against a model of users, channels, members, bans and mutes that is far simpler than the emulator.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EmulatedPlatform } from '../../src/emulator/platform.ts';
import { State } from '../../src/emulator/stored/state.ts';
import { inSuite } from '../support/suite.ts';
import type { Parsed } from './support/support.ts';

interface Model {
  readonly users: Map<string, { nickname: string; active: boolean }>;
  readonly rooms: Map<string, Room>;
}

interface Room {
  frozen: boolean;
  readonly operators: Set<string>;
  readonly members: Set<string>;
  readonly texts: string[];
  /** By user, the millisecond in which it ends. */
  readonly ban: Map<string, number>;
  readonly mute: Map<string, number>;
}

/** The real side: the platform, and a second state that only ever sees the effects, as the data file does. */
class Real {
  readonly copy = new State();
  readonly platform: EmulatedPlatform;
  nowMs = 1_700_000_000_000;

  constructor() {
    this.platform = new EmulatedPlatform({
      token: 't',
      seed: 's',
      onEffects: (effects) => {
        for (const effect of JSON.parse(JSON.stringify(effects))) this.copy.apply(effect);
      },
      onBug: (error) => {
        throw error;
      },
    });
  }

  call(method: string, target: string, value: unknown = {}): Parsed {
    const [path = '', query = ''] = target.split('?');
    const headers = { 'api-token': 't' };
    const answer = this.platform.handle(
      { method, path: `/v3${path}`, query, headers, body: { type: 'json', value } },
      this.nowMs++,
    );
    return answer.body;
  }
}

type Step = fc.Command<Model, Real>;
type Ids = fc.Arbitrary<string>;

function step(name: string, run: (model: Model, real: Real) => void): Step {
  return { check: () => true, run, toString: () => name };
}

const refused = (code: number): object => ({ error: true, code });
const user = fc.constantFrom('a', 'b/c', '%2F d+e?#', 'é', '__proto__');
const room = fc.constantFrom('room-1', 'room-2', 'room-3');
const text = fc.string({ maxLength: 5 });

const creationOf = (users: Ids) =>
  fc.tuple(users, text).map(([id, nickname]) =>
    step(`create ${id}`, (model, real) => {
      const answer = real.call('POST', '/users', { user_id: id, nickname, profile_url: '' });
      if (model.users.has(id)) return expect(answer).toMatchObject(refused(400202));
      model.users.set(id, { nickname, active: true });
      return expect(answer).toMatchObject({ user_id: id, nickname, is_active: true });
    }),
  );

const updateUser = fc
  .tuple(user, text, fc.boolean(), fc.constantFrom(true, false, undefined))
  .map(([id, nickname, active, leave]) =>
    step(`update ${id} active=${active} leave=${leave}`, (model, real) => {
      const answer = real.call('PUT', `/users/${encodeURIComponent(id)}`, {
        nickname,
        is_active: active,
        leave_all_when_deactivated: leave,
      });
      const known = model.users.get(id);
      if (known === undefined) return expect(answer).toMatchObject(refused(400201));
      if (known.active && !active && leave !== false) for (const one of model.rooms.values()) one.members.delete(id);
      model.users.set(id, { nickname, active });
      return expect(answer).toMatchObject({ nickname, is_active: active });
    }),
  );

const deletionOf = (users: Ids) =>
  users.map((id) =>
    step(`delete ${id}`, (model, real) => {
      const answer = real.call('DELETE', `/users/${encodeURIComponent(id)}`);
      if (!model.users.delete(id)) return expect(answer).toMatchObject(refused(400201));
      for (const one of model.rooms.values()) {
        one.members.delete(id);
        one.operators.delete(id);
        one.ban.delete(id);
        one.mute.delete(id);
      }
      return expect(answer).toEqual({});
    }),
  );

const createRoom = fc.tuple(room, fc.uniqueArray(user, { minLength: 1 }), fc.boolean()).map(([url, ids, strict]) =>
  step(`create ${url} of ${ids}`, (model, real) => {
    const answer = real.call('POST', '/group_channels', { channel_url: url, user_ids: ids, strict });
    const known = ids.filter((id) => model.users.has(id));
    if (strict && known.length < ids.length) return expect(answer).toMatchObject(refused(400111));
    if (known.some((id) => !model.users.get(id)?.active)) return expect(answer).toMatchObject(refused(400300));
    if (model.rooms.has(url)) return expect(answer).toMatchObject(refused(400202));
    const nobody = { operators: new Set<string>(), ban: new Map<string, number>(), mute: new Map<string, number>() };
    model.rooms.set(url, { frozen: false, members: new Set(known), texts: [], ...nobody });
    return expect(answer).toMatchObject({ member_count: known.length });
  }),
);

const inviteOf = (rooms: Ids, users: Ids) =>
  fc.tuple(rooms, users).map(([url, id]) =>
    step(`invite ${id} to ${url}`, (model, real) => {
      const { nowMs } = real;
      const answer = real.call('POST', `/group_channels/${url}/invite`, { user_ids: [id] });
      const known = model.rooms.get(url);
      if (known === undefined || !model.users.has(id)) return expect(answer).toMatchObject(refused(400201));
      if (!model.users.get(id)?.active) return expect(answer).toMatchObject(refused(400300));
      if (holds(known.ban, id, nowMs)) return expect(answer).toMatchObject(refused(400750));
      known.members.add(id);
      return expect(answer).toMatchObject({ member_count: known.members.size });
    }),
  );

const leave = fc.tuple(room, user).map(([url, id]) =>
  step(`${id} leaves ${url}`, (model, real) => {
    const answer = real.call('PUT', `/group_channels/${url}/leave`, { user_ids: [id] });
    const known = model.rooms.get(url);
    const active = model.users.get(id)?.active;
    if (known === undefined || active === undefined) return expect(answer).toMatchObject(refused(400201));
    if (!active) return expect(answer).toMatchObject(refused(400300));
    if (!known.members.delete(id)) return expect(answer).toMatchObject(refused(400201));
    return expect(answer).toEqual({});
  }),
);

const operate = fc.tuple(room, user, fc.boolean()).map(([url, id, add]) =>
  step(`${id} ${add ? 'becomes' : 'is no longer'} operator of ${url}`, (model, real) => {
    const path = `/group_channels/${url}/operators`;
    const known = model.rooms.get(url);
    const answer = add
      ? real.call('POST', path, { operator_ids: [id] })
      : real.call('DELETE', `${path}?operator_ids=${encodeURIComponent(id)}`);
    if (known === undefined || (add && !model.users.has(id))) return expect(answer).toMatchObject(refused(400201));
    if (add && !known.members.has(id)) return expect(answer).toMatchObject(refused(400108));
    if (!add && !known.operators.delete(id)) return expect(answer).toMatchObject(refused(400111));
    if (add) known.operators.add(id);
    return expect(answer).toEqual({});
  }),
);

const freeze = fc.tuple(room, fc.boolean()).map(([url, frozen]) =>
  step(`freeze ${url} ${frozen}`, (model, real) => {
    const answer = real.call('PUT', `/group_channels/${url}/freeze`, { freeze: frozen });
    const known = model.rooms.get(url);
    if (known === undefined) return expect(answer).toMatchObject(refused(400201));
    known.frozen = frozen;
    return expect(answer).toMatchObject({ freeze: frozen });
  }),
);

const migrate = fc.tuple(room, user, text).map(([url, id, said]) =>
  step(`migrate ${id} into ${url}`, (model, real) => {
    const message = { message_type: 'MESG', user_id: id, message: said, timestamp: real.nowMs };
    const answer = real.call('POST', `/migration/${url}`, { messages: [message] });
    const known = model.rooms.get(url);
    if (known === undefined) return expect(answer).toMatchObject(refused(400201));
    if (known.frozen) return expect(answer).toMatchObject(refused(900050));
    if (!model.users.has(id)) return expect(answer).toMatchObject(refused(400201));
    if (!model.users.get(id)?.active) return expect(answer).toMatchObject(refused(400700));
    known.texts.push(said);
    return expect(answer).toEqual({});
  }),
);

const deleteRoom = room.map((url) =>
  step(`delete ${url}`, (model, real) => {
    const answer = real.call('DELETE', `/group_channels/${url}`);
    return expect(answer).toEqual(model.rooms.delete(url) ? {} : expect.objectContaining(refused(400201)));
  }),
);

const holds = (ends: ReadonlyMap<string, number>, id: string, nowMs: number): boolean => (ends.get(id) ?? 0) > nowMs;
const kind = fc.constantFrom('ban', 'mute');
const TEN_YEARS_MS = 315_360_000_000;

const restrictionOf = (rooms: Ids, users: Ids) =>
  fc.tuple(kind, rooms, users, fc.constantFrom(-1, 1)).map(([what, url, id, seconds]) =>
    step(`${what} ${id} in ${url} for ${seconds}`, (model, real) => {
      const { nowMs } = real;
      const answer = real.call('POST', `/group_channels/${url}/${what}`, { user_id: id, seconds });
      const known = model.rooms.get(url);
      if (known === undefined || !model.users.has(id)) return expect(answer).toMatchObject(refused(400201));
      if (!model.users.get(id)?.active) return expect(answer).toMatchObject(refused(400300));
      if (holds(known[what], id, nowMs)) return expect(answer).toMatchObject(refused(400202));
      if (what === 'ban' && known.operators.has(id)) return expect(answer).toMatchObject(refused(400108));
      if (what === 'mute' && !known.members.has(id)) return expect(answer).toMatchObject(refused(400201));
      if (what === 'ban') known.members.delete(id);
      known[what].set(id, nowMs + (seconds === -1 ? TEN_YEARS_MS : 1000));
      return expect(answer).not.toHaveProperty('error');
    }),
  );

const liftOf = (rooms: Ids, users: Ids) =>
  fc.tuple(kind, rooms, users).map(([what, url, id]) =>
    step(`end the ${what} of ${id} in ${url}`, (model, real) => {
      const { nowMs } = real;
      const answer = real.call('DELETE', `/group_channels/${url}/${what}/${encodeURIComponent(id)}`);
      const known = model.rooms.get(url);
      if (known === undefined || !holds(known[what], id, nowMs)) return expect(answer).toMatchObject(refused(400201));
      known[what].delete(id);
      return expect(answer).toEqual({});
    }),
  );

const wait = fc.constant(
  step('a second passes', (_, real) => {
    real.nowMs += 1000;
  }),
);

const compare = fc.constant(
  step('compare', (model, real) => {
    const { users } = real.call('GET', '/users?active_mode=all&limit=100');
    const seen = users.map((one: { user_id: string; nickname: string; is_active: boolean }) => [
      one.user_id,
      { nickname: one.nickname, active: one.is_active },
    ]);
    expect(new Map(seen)).toEqual(model.users);
    const { channels } = real.call('GET', '/group_channels?show_empty=true&show_member=true&limit=100');
    expect(channels).toHaveLength(model.rooms.size);
    for (const channel of channels) {
      const known = model.rooms.get(channel.channel_url);
      const ids = (list: { user_id: string }[]): Set<string> => new Set(list.map((one) => one.user_id));
      expect(channel.freeze).toBe(known?.frozen);
      expect(ids(channel.members)).toEqual(known?.members);
      expect(ids(channel.operators)).toEqual(known?.operators);
      for (const what of ['ban', 'mute'] as const) {
        const { nowMs } = real;
        const listed = real.call('GET', `/group_channels/${channel.channel_url}/${what}?limit=100`);
        const shown = what === 'ban' ? listed.banned_list.map((one: { user: object }) => one.user) : listed.muted_list;
        const current = [...(known?.[what] ?? [])].filter(([, end]) => end > nowMs).map(([id]) => id);
        expect(ids(shown)).toEqual(new Set(current));
      }
      const path = `/group_channels/${channel.channel_url}/messages?message_ts=0&next_limit=200`;
      const { messages } = real.call('GET', path);
      expect(messages.map((one: { message: string }) => one.message)).toEqual(known?.texts);
    }
    // The state that the data file would restore is the same.
    expect([...real.copy.snapshot()]).toEqual([...real.platform.state.snapshot()]);
    const compacted = new State();
    for (const effect of real.copy.snapshot()) compacted.apply(effect);
    expect([...compacted.snapshot()]).toEqual([...real.copy.snapshot()]);
  }),
);

test('agrees with the model after any history of users and channels', () => {
  const steps = fc.commands(
    [
      creationOf(user),
      creationOf(user),
      updateUser,
      deletionOf(user),
      createRoom,
      inviteOf(room, user),
      leave,
      operate,
      freeze,
      migrate,
      deleteRoom,
      restrictionOf(room, user),
      liftOf(room, user),
      wait,
      compare,
    ],
    { maxCommands: 60, size: 'max' },
  );
  fc.assert(
    fc.property(steps, (commands) => {
      fc.modelRun(() => ({ model: { users: new Map(), rooms: new Map() }, real: new Real() }), commands);
    }),
    { numRuns: inSuite(30, 80) },
  );
});

test('agrees with the model after any history of bans and mutes in one channel', () => {
  const [one, few] = [fc.constant('room-1'), fc.constantFrom('a', 'b/c')];
  const restrict = restrictionOf(one, few);
  const steps = fc.commands(
    [inviteOf(one, few), restrict, restrict, liftOf(one, few), wait, creationOf(few), deletionOf(few), compare],
    { maxCommands: 40, size: 'max' },
  );
  const start = (): { model: Model; real: Real } => {
    const started = { model: { users: new Map(), rooms: new Map() } satisfies Model, real: new Real() };
    const nobody = { operators: new Set<string>(), ban: new Map<string, number>(), mute: new Map<string, number>() };
    for (const id of ['a', 'b/c']) {
      started.real.call('POST', '/users', { user_id: id, nickname: '', profile_url: '' });
      started.model.users.set(id, { nickname: '', active: true });
    }
    started.real.call('POST', '/group_channels', { channel_url: 'room-1', user_ids: ['a', 'b/c'] });
    started.model.rooms.set('room-1', { frozen: false, members: new Set(['a', 'b/c']), texts: [], ...nobody });
    return started;
  };
  fc.assert(
    fc.property(steps, (commands) => {
      fc.modelRun(start, commands);
    }),
    { numRuns: inSuite(40, 120) },
  );
});
