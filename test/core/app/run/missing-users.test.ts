// Tests calls that name users who do not exist: they are named, everybody else arrives, and the next run sends only the rest.
import { describe, expect, test } from 'vitest';
import { type RunPlanOptions, runPlan } from '../../../../src/core/app/run/run-plan.ts';
import { settle } from '../../../../src/core/app/run/settle.ts';
import { idListOf, listedIds } from '../../../../src/core/model/calls/id-lists.ts';
import type { Answer, Platform } from '../../../../src/core/model/ports.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import { type ApiRequest, routeName } from '../../../../src/core/model/request.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { Life } from '../../../promise/support/life.ts';
import { planFor, resources } from '../../../support/planning/planning.ts';
import { StrictPlatform } from '../../../support/planning/strict-platform.ts';
import { inSuite } from '../../../support/suite.ts';
import { FakePacer } from '../../applier/support/fake-pacer.ts';
import { Disk, FakeState } from '../../applier/support/fake-state.ts';

/** A platform and the disk of its state, which survive processes that die. */
class World implements Platform {
  readonly disk = new Disk();
  readonly platform = new StrictPlatform();
  policy: Pick<RunPlanOptions, 'existing'> = {};
  /** The calls that are not reads, by route. */
  sent: string[] = [];
  #life = new Life();
  readonly #intercepts = new Map<string, (request: ApiRequest, ids: readonly string[]) => Answer | undefined>();

  async send(request: ApiRequest): Promise<Answer> {
    if (request.method !== 'GET') this.sent.push(routeName(request));
    await this.#life.moment();
    const intercepted = this.#intercepts.get(routeName(request))?.(request, listedIds(idListOf(request), request));
    const answer = intercepted ?? this.platform.answer(request);
    await this.#life.moment();
    return answer;
  }

  /** One process, which may die. Undefined if it did. */
  async process(desired: readonly Resource[], moments = Number.POSITIVE_INFINITY): Promise<ApplyReport | undefined> {
    const life = new Life(moments);
    this.#life = life;
    const clock = new VirtualClock(new Date('2026-06-01T00:00:00Z'));
    const state = new FakeState(clock, { disk: this.disk, life });
    const ports = { platform: this, pacer: new FakePacer(clock), state, clock, emit: () => {} };
    const options = { random: () => 0.5, readList: async () => [] };
    const work = async () => {
      await settle(ports, { ...options, settleMs: 0, hasSink: true });
      const { plan } = planFor(desired, new Map(this.disk.records));
      return (await runPlan(plan, ports, { ...options, ...this.policy })).report;
    };
    return clock.run(Promise.race([work(), life.death.then(() => undefined)]));
  }

  /** Answers calls of a route that name users, where `answer` returns something. */
  intercept(route: string, answer: (request: ApiRequest, ids: readonly string[]) => Answer | undefined): void {
    this.#intercepts.set(route, answer);
  }

  members(url: string): string[] {
    return [...this.platform.emulator.state.members(url).keys()].sort();
  }
}

const users = { alice: { nickname: 'A' }, bob: { nickname: 'B' }, carol: { nickname: 'C' } };
const before = resources({
  user: users,
  open_channel: { lobby: {} },
  group_channel: { room: { members: { alice: {} } } },
  custom_type: { support: { allow_links: true } },
});

interface Case {
  readonly what: string;
  /** By kind and key, the blocks that differ from `before`. */
  readonly blocks: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly missing: readonly string[];
  /** What state keeps of the changed object. */
  readonly kept: JsonObject | undefined;
  /** The writes of the next run. */
  readonly next: readonly string[];
}

const group = '/group_channels/{channel_url}';
const ofType = '/applications/settings_by_channel_custom_type/{custom_type}';
const cases: readonly Case[] = [
  {
    what: 'invitations',
    blocks: { group_channel: { room: { members: { alice: {}, ghost: {}, bob: {}, carol: {} } } } },
    missing: ['ghost'],
    kept: { members: { alice: {}, bob: {}, carol: {} } },
    next: [`POST ${group}/invite`],
  },
  {
    what: 'members and operators of a new channel, and the calls that follow its creation',
    blocks: {
      group_channel: {
        fresh: { members: { alice: {}, ghost: {}, spirit: {} }, operators: ['alice', 'spirit'], metadata: { a: 'b' } },
      },
    },
    missing: ['ghost', 'spirit'],
    kept: { members: { alice: {} }, operators: ['alice'], metadata: { a: 'b' } },
    next: [`POST ${group}/operators`, `POST ${group}/invite`],
  },
  {
    what: 'members who define a new channel',
    blocks: { group_channel: { fresh: { is_distinct: true, members: { alice: {}, ghost: {} } } } },
    missing: ['ghost'],
    kept: undefined,
    next: ['POST /group_channels'],
  },
  {
    what: 'members of a new channel with strict: true',
    blocks: { group_channel: { fresh: { strict: true, members: { alice: {}, ghost: {} } } } },
    missing: ['ghost'],
    kept: undefined,
    next: ['POST /group_channels'],
  },
  {
    what: 'operators of a new open channel',
    blocks: { open_channel: { hall: { operators: ['ghost'], name: 'Hall' } } },
    missing: ['ghost'],
    kept: { name: 'Hall' },
    next: ['POST /open_channels/{channel_url}/operators'],
  },
  {
    what: 'operators',
    blocks: { open_channel: { lobby: { operators: ['alice', 'ghost'] } } },
    missing: ['ghost'],
    kept: { operators: ['alice'] },
    next: ['POST /open_channels/{channel_url}/operators'],
  },
  {
    what: 'operators, bans and mutes of a custom type',
    blocks: {
      custom_type: {
        support: {
          allow_links: true,
          operators: ['ghost', 'bob'],
          banned: { spirit: {} },
          muted: { spook: {}, carol: {} },
        },
      },
    },
    missing: ['ghost', 'spirit', 'spook'],
    kept: { allow_links: true, operators: ['bob'], muted: { carol: {} } },
    next: [`POST ${ofType}/operators`, `POST ${ofType}/ban`, `POST ${ofType}/mute`],
  },
  {
    what: 'bans and mutes of a channel',
    blocks: { open_channel: { lobby: { banned: { ghost: {}, bob: {} }, muted: { spirit: {} } } } },
    missing: ['ghost', 'spirit'],
    kept: { banned: { bob: {} } },
    next: ['POST /open_channels/{channel_url}/ban', 'POST /open_channels/{channel_url}/mute'],
  },
  {
    what: 'the inviter',
    blocks: { group_channel: { fresh: { inviter_id: 'ghost', members: { alice: {} } } } },
    missing: ['ghost'],
    kept: undefined,
    next: ['POST /group_channels'],
  },
];

function desiredOf({ blocks }: Case): Resource[] {
  const changed = resources(blocks);
  const addresses = new Set(changed.map(({ address }) => address));
  return [...before.filter(({ address }) => !addresses.has(address)), ...changed];
}

function missingIn(report: ApplyReport | undefined): string[] {
  return [...new Set(report?.failures.flatMap(({ missing_ids: ids = [] }) => ids))].sort();
}

describe('users who do not exist', () => {
  test.for(cases)('are named among $what, and everybody else arrives', async (one) => {
    const world = new World();
    await world.process(before);
    const report = await world.process(desiredOf(one));
    expect([report?.exit_code, missingIn(report)]).toEqual([4, one.missing]);
    const [changed] = resources(one.blocks);
    const record = changed === undefined ? undefined : world.disk.records.get(changed.address);
    expect(record?.attributes).toEqual(one.kept);
    expect([...world.disk.pending.keys()]).toEqual([]);
    world.sent = [];
    const again = await world.process(desiredOf(one));
    expect([again?.exit_code, missingIn(again), [...world.sent].sort()]).toEqual([
      4,
      one.missing,
      [...one.next].sort(),
    ]);
  });

  test('keep nobody out of a run that is killed at any moment', async () => {
    const everyone = desiredOf({
      ...(cases[0] as Case),
      blocks: Object.assign({}, ...cases.slice(0, 2).map(({ blocks }) => blocks)),
    });
    const calm = new World();
    await calm.process(before);
    await calm.process(everyone);
    for (let moments = 1; moments <= inSuite(25, 90); moments += 1) {
      const world = new World();
      await world.process(before);
      await world.process(everyone, moments);
      const report = await world.process(everyone);
      expect([moments, report?.exit_code, missingIn(report)]).toEqual([moments, 4, ['ghost', 'spirit']]);
      expect([moments, world.members('fresh')]).toEqual([moments, ['alice']]);
      expect([moments, Object.fromEntries(world.disk.records)]).toEqual([
        moments,
        Object.fromEntries(calm.disk.records),
      ]);
    }
  });

  test('and users who are banned keep nobody out, and both are named', async () => {
    const world = new World();
    await world.process(before);
    world.platform.call({
      method: 'POST',
      route: `${group}/ban`,
      params: { channel_url: 'room' },
      body: { user_id: 'bob' },
    });
    const report = await world.process(desiredOf(cases[0] as Case));
    expect(report?.failures).toMatchObject([{ code: 400750, message: expect.stringMatching(/bob: .*; ghost: /u) }]);
    expect(world.members('room')).toEqual(['alice', 'carol']);
  });
});

describe('users who do not exist, in a new channel with strict: false', () => {
  const crowd = Array.from({ length: 15 }, (_, place) => `user-${place + 10}`);
  const people = resources({ user: Object.fromEntries(crowd.map((id) => [id, { nickname: id }])) });
  const ghost = resources({ user: { ghost: { nickname: 'G' } } });

  test.for([
    { what: 'a channel, whose answer shows all members', is_super: false },
    { what: 'a supergroup, whose answer shows ten members', is_super: true },
  ])('are left out, named and invited once they exist, wherever the run is killed: $what', async ({ is_super }) => {
    const members = Object.fromEntries([...crowd, 'ghost'].map((id) => [id, {}]));
    const room = resources({ group_channel: { fresh: { strict: false, is_super, members } } });
    for (let moments = 1; moments <= inSuite(12, 60); moments += 1) {
      const world = new World();
      await world.process(people);
      const killed = await world.process([...people, ...room], moments);
      const report = killed ?? (await world.process([...people, ...room]));
      const { record, live } = { record: membersOf(world), live: world.members('fresh') };
      expect({ moments, live }).toEqual({ moments, live: crowd });
      // State has nobody whom the platform does not have.
      expect({ moments, claimed: record.filter((id) => !live.includes(id)) }).toEqual({ moments, claimed: [] });
      // The user is still missing, which fails nothing.
      const again = await world.process([...people, ...room]);
      expect([moments, again?.exit_code, leftOut(again)]).toEqual([moments, 0, ['members.ghost']]);
      // A run that only reads what the killed one created has nothing to report of it, but plans the invitation.
      if (killed !== undefined) {
        expect([report?.exit_code, leftOut(report).includes('members.ghost')]).toEqual([0, true]);
      } else expect([moments, report?.exit_code, leftOut(report)]).toEqual([moments, 0, expect.arrayContaining([])]);
      const invited = await world.process([...people, ...ghost, ...room]);
      expect([moments, invited?.exit_code]).toEqual([moments, 0]);
      const everyone = Object.keys(members).sort();
      expect([moments, world.members('fresh'), membersOf(world)]).toEqual([moments, everyone, everyone]);
    }
  });

  function membersOf(world: World): string[] {
    const { members } = world.disk.records.get('group_channel.fresh')?.attributes ?? {};
    return Object.keys(members ?? {}).sort();
  }
});

/** The members who the report says were left out. */
function leftOut(report: ApplyReport | undefined): string[] {
  return report?.stored_otherwise?.values.map(({ path }) => path.join('.')).sort() ?? [];
}

describe('invited people whom the platform leaves out', () => {
  interface Invitation {
    readonly what: string;
    readonly room: JsonObject;
    /** How the platform answers an invitation of these users. Default: as the emulator does. */
    readonly answer?: (world: World, request: ApiRequest, ids: readonly string[]) => Answer | undefined;
    readonly exitCode: number;
    readonly named: readonly string[];
    readonly members: readonly string[];
  }
  const members = { alice: {}, bob: {}, carol: {}, ghost: {} };
  const crowd = Array.from({ length: 110 }, (_, place) => `user-${place + 100}`);
  /** Invites everybody but carol, and says so. */
  const withoutCarol = (world: World, request: ApiRequest, ids: readonly string[]): Answer => {
    const invited = ids.filter((id) => id !== 'carol');
    return world.platform.answer(invited.length > 0 ? { ...request, body: { user_ids: invited } } : viewOfRoom);
  };
  const viewOfRoom: ApiRequest = {
    method: 'GET',
    route: group,
    params: { channel_url: 'room' },
    query: { show_member: 'true', member_active_mode: 'all' },
  };
  const table: readonly Invitation[] = [
    {
      what: 'who do not exist, with strict: false',
      room: { strict: false, members },
      exitCode: 0,
      named: ['members.ghost'],
      members: ['alice', 'bob', 'carol'],
    },
    {
      what: 'who do not exist, beyond the first hundred of a new channel with strict: false',
      room: { strict: false, is_super: true, members: Object.fromEntries([...crowd, 'zoe'].map((id) => [id, {}])) },
      exitCode: 0,
      named: ['members.zoe'],
      members: crowd,
    },
    {
      what: 'whom the answer does not show',
      room: { members: { alice: {}, bob: {}, carol: {} } },
      answer: withoutCarol,
      exitCode: 0,
      named: ['members.carol'],
      members: ['alice', 'bob'],
    },
    {
      what: 'whom the answer does not show, beside one who does not exist',
      room: { members },
      answer: (world, request, ids) => (ids.includes('ghost') ? undefined : withoutCarol(world, request, ids)),
      exitCode: 4,
      named: ['members.carol'],
      members: ['alice', 'bob'],
    },
    {
      what: 'whom the answer to the call for one of them does not show',
      room: { members: { alice: {}, bob: {}, carol: {} } },
      answer: (world, _request, ids) =>
        ids.length > 1
          ? { type: 'refused', status: 400, code: 400202, message: '"user_id" violates unique constraint.' }
          : ids[0] === 'carol'
            ? world.platform.answer(viewOfRoom)
            : undefined,
      exitCode: 0,
      named: ['members.carol'],
      members: ['alice', 'bob'],
    },
  ];

  test.for(table)('are named and invited again: those $what', async ({ room, answer, exitCode, named, members }) => {
    const world = new World();
    const people = resources({
      user: Object.fromEntries([...Object.keys(users), ...crowd].map((id) => [id, { nickname: id }])),
    });
    const isNew = room.is_super === true;
    const changed = resources({ group_channel: { room } });
    await world.process(
      isNew ? people : [...people, ...resources({ group_channel: { room: { ...room, members: { alice: {} } } } })],
    );
    if (answer !== undefined) world.intercept(`POST ${group}/invite`, (request, ids) => answer(world, request, ids));
    for (const time of ['first', 'second']) {
      world.sent = [];
      const report = await world.process([...people, ...changed]);
      expect([time, report?.exit_code, leftOut(report)]).toEqual([time, exitCode, named]);
      expect([time, membersIn(world), world.members('room')]).toEqual([time, members, members]);
      expect([time, world.sent.includes(`POST ${group}/invite`)]).toEqual([time, true]);
    }
  });

  test.for([
    { what: 'its creation names them', isTaken: false },
    { what: 'its invitation names them', isTaken: true },
  ])('do not keep an adopted channel from its other edits: $what', async ({ isTaken }) => {
    const world = new World();
    await world.process(before);
    world.disk.records.delete('group_channel.room');
    world.policy = { existing: 'adopt' };
    if (isTaken)
      world.intercept('POST /group_channels', () => ({ type: 'refused', status: 400, code: 400202, message: 'taken' }));
    const room = {
      name: 'Room',
      members: { alice: {}, bob: {}, ghost: {} },
      operators: ['alice', 'spirit'],
      metadata: { a: 'b' },
    };
    const desired = desiredOf({ ...(cases[0] as Case), blocks: { group_channel: { room } } });
    const report = await world.process(desired);
    expect([report?.exit_code, missingIn(report)]).toEqual([4, ['ghost', 'spirit']]);
    const record = world.disk.records.get('group_channel.room');
    expect(record?.creating).toBeUndefined();
    expect(record?.attributes).toMatchObject({
      name: 'Room',
      members: { alice: {}, bob: {} },
      operators: ['alice'],
      metadata: { a: 'b' },
    });
    expect([...world.disk.pending.keys()]).toEqual([]);
  });

  function membersIn(world: World): string[] {
    return Object.keys(world.disk.records.get('group_channel.room')?.attributes.members ?? {}).sort();
  }
});

test('a list whose users all exist is sent for each of them', async () => {
  const world = new World();
  await world.process(before);
  // The platform denies everybody in a list.
  world.intercept(`POST ${group}/invite`, (_, ids) =>
    ids.length > 1 ? { type: 'refused', status: 400, code: 400201, message: '"User" not found.' } : undefined,
  );
  world.sent = [];
  const report = await world.process(
    desiredOf({
      ...(cases[0] as Case),
      blocks: { group_channel: { room: { members: { alice: {}, bob: {}, carol: {} } } } },
    }),
  );
  expect([report?.outcome, world.members('room')]).toEqual(['done', ['alice', 'bob', 'carol']]);
  expect(world.sent).toHaveLength(3);
});
