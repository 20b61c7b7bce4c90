// Tests that the calls of a killed run are only read, whether or not they arrived, and that the next plan is right in both cases.
import { describe, expect, test } from 'vitest';
import { answerReader } from '../../../../src/core/app/run/run-plan.ts';
import { type SettleOptions, settle } from '../../../../src/core/app/run/settle.ts';
import { applyPlan } from '../../../../src/core/applier/apply.ts';
import { requestDigest } from '../../../../src/core/applier/doubt/begun-calls.ts';
import type { KindDefinition } from '../../../../src/core/kinds/definition/kind.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { Answer, Platform } from '../../../../src/core/model/ports.ts';
import { applyEntry, entryAddress, type StateRecord } from '../../../../src/core/model/record.ts';
import { type ApiRequest, routeName } from '../../../../src/core/model/request.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../../src/lib/json.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { planFor, resource, resources } from '../../../support/planning/planning.ts';
import { StrictPlatform } from '../../../support/planning/strict-platform.ts';
import { inSuite, seedOfRun } from '../../../support/suite.ts';
import { FakePacer } from '../../applier/support/fake-pacer.ts';
import { Disk, FakeState } from '../../applier/support/fake-state.ts';
import { leastOf, sampleOf, valuesOf } from '../../resources/support/samples.ts';

type Blocks = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

class World implements Platform {
  readonly disk = new Disk();
  readonly platform = new StrictPlatform();
  readonly clock = new VirtualClock(new Date('2026-06-01T00:00:00Z'));
  sent: string[] = [];
  fault: ((request: ApiRequest) => Answer | undefined) | undefined;

  async send(request: ApiRequest): Promise<Answer> {
    this.sent.push(routeName(request));
    return this.fault?.(request) ?? this.platform.answer(request);
  }

  get writes(): string[] {
    return this.sent.filter((call) => !call.startsWith('GET'));
  }

  get #ports() {
    const { clock } = this;
    return { platform: this, pacer: new FakePacer(clock), state: new FakeState(clock, { disk: this.disk }), clock };
  }

  plan(desired: readonly Resource[]) {
    return planFor(desired, new Map<Address, StateRecord>(this.disk.records)).plan;
  }

  async apply(desired: readonly Resource[]): Promise<void> {
    const options = { random: () => 0.5, answers: answerReader };
    const { report } = await this.clock.run(applyPlan(this.plan(desired), { ...this.#ports, emit: () => {} }, options));
    expect([report.exit_code, report.failures]).toEqual([0, []]);
  }

  /** Applies the steps before one, begins that one, and sends it if it arrives. */
  async killAt(steps: readonly Step[], place: number, arrives: boolean): Promise<void> {
    for (const step of steps.slice(0, place)) {
      if (step.request !== undefined) this.platform.call(step.request);
      this.#enter(step);
    }
    const step = steps[place];
    if (step?.request === undefined) throw new Error('no call');
    if (arrives) this.platform.call(step.request);
    const { id, address, request } = step;
    const at = this.clock.date().toISOString();
    this.disk.pending.set(id, {
      step: id,
      address,
      request: requestDigest(request),
      at,
      planned: { ...step, needs: [] },
    });
  }

  settle(options: Partial<SettleOptions> = {}, planned: Iterable<Step> = []) {
    const all = { random: () => 0.5, readList: async () => [], settleMs: 0, hasSink: true, ...options };
    return this.clock.run(
      settle(this.#ports, all).then(
        async (settled) => {
          await settled.forgetUnplanned(planned);
          return settled.settled;
        },
        (error: unknown) => error,
      ),
    );
  }

  #enter({ entry }: Step): void {
    const address = entryAddress(entry);
    const record = applyEntry(this.disk.records.get(address), entry);
    if (record === undefined) this.disk.records.delete(address);
    else this.disk.records.set(address, record);
  }
}

const people = { alice: { nickname: 'A' }, bob: { nickname: 'B' }, carol: { nickname: 'C' } };
const room = { members: { alice: {}, bob: {} } };
const type = 'push_template';
/** The blocks before and after, and the attributes that no read shows. */
const cases: readonly (readonly [what: string, before: Blocks, after: Blocks, untold?: readonly string[]])[] = [
  ['a text', {}, { user: { alice: { nickname: 'New' } } }],
  ['a text that is reset', { user: { alice: { nickname: 'A', profile_url: 'https://a.example/1.png' } } }, {}],
  ['a list', {}, { user: { alice: { nickname: 'A', preferred_languages: ['en'] } } }],
  [
    'metadata',
    { user: { alice: { nickname: 'A', metadata: { a: '1', b: '2' } } } },
    { user: { alice: { nickname: 'A', metadata: { b: '3', c: '4' } } } },
  ],
  [
    'a preference',
    { user: { alice: { nickname: 'A', auto_accept: true } } },
    { user: { alice: { nickname: 'A', auto_accept: false } } },
  ],
  [
    'a deactivation',
    { user: { alice: { nickname: 'A', deactivated: false } } },
    { user: { alice: { nickname: 'A', deactivated: true } } },
  ],
  ['members', { group_channel: { room } }, { group_channel: { room: { members: { alice: {}, carol: {} } } } }],
  [
    'a hidden status',
    { group_channel: { room } },
    { group_channel: { room: { members: { alice: {}, bob: { hidden_status: 'hidden_prevent_auto_unhide' } } } } },
  ],

  [
    'operators',
    { group_channel: { room: { ...room, operators: ['alice'] } } },
    { group_channel: { room: { ...room, operators: ['bob'] } } },
  ],
  [
    'bans and mutes',
    { open_channel: { hall: { banned: { bob: {} } } } },
    { open_channel: { hall: { banned: { carol: {} }, muted: { alice: { until: '2027-01-01T00:00:00Z' } } } } },
  ],
  [
    'an edited ban',
    { open_channel: { hall: { banned: { bob: {} } } } },
    { open_channel: { hall: { banned: { bob: { description: 'spam' } } } } },
  ],
  [
    'an access code',
    { group_channel: { room: { ...room, is_public: true, access_code: { env: 'CODE', revision: 1 } } } },
    { group_channel: { room: { ...room, is_public: true, access_code: { env: 'CODE', revision: 2 } } } },
    ['access_code'],
  ],
  [
    'a name and a freeze',
    { group_channel: { room: { ...room, name: 'Old' } } },
    { group_channel: { room: { ...room, name: 'New', frozen: true } } },
  ],
  [
    'settings of a type',
    { custom_type: { t: { [type]: { MESG: 'Hi' }, allow_links: true } } },
    { custom_type: { t: { [type]: { MESG: 'New' }, allow_links: false, operators: ['bob'], muted: { carol: {} } } } },
  ],
  [
    'settings',
    { settings: { application: { webhook: { enabled: false, url: '' } } } },
    {
      settings: {
        application: { webhook: { enabled: true, url: 'https://w.example/' }, ip_whitelist: ['10.0.0.0/8'] },
      },
    },
  ],
  [
    'a bot',
    { bot: { robo: { bot_nickname: 'R', bot_type: 't', bot_callback_url: 'https://w.example/' } } },
    { bot: { robo: { bot_nickname: 'R2', bot_type: 't', bot_callback_url: 'https://w.example/' } } },
  ],
];

const declared = (blocks: Blocks) => resources({ ...blocks, user: { ...people, ...blocks.user } });

describe.each([false, true])('calls that arrived: %s', (arrives) => {
  test.for(cases)('%s: only reads, and the next plan is right', async ([, before, after, untold = []]) => {
    const first = new World();
    await first.apply(declared(before));
    const { steps } = first.plan(declared(after));
    for (let place = 0; place < steps.length; place += 1) {
      if (steps.at(place)?.request === undefined) continue;
      for (const next of [after, before]) {
        const world = new World();
        await world.apply(declared(before));
        await world.killAt([...steps], place, arrives);
        world.sent = [];
        expect(await world.settle()).toBe(1);
        expect([world.writes, [...world.disk.pending]]).toEqual([[], []]);
        const unknown = [...world.disk.records.values()].flatMap((record) => record.unknown ?? []);
        expect(unknown.every(([name = '']) => untold.includes(name))).toBe(true);
        await world.apply(declared(next));
        expect(await world.platform.faults(declared(next), world.disk.records)).toEqual([]);
        expect([...world.disk.records.values()].filter((record) => record.unknown !== undefined)).toEqual([]);
        // A value that is not known was sent, although the record has it.
        expect(unknown.length === 0 || world.writes.length > 0).toBe(true);
      }
    }
  });
});

const roomWith = (bob: JsonObject) =>
  resources({ user: people, group_channel: { room: { members: { alice: {}, bob } } } });

/** Each attribute of each kind that an edit changes, alone in an object, with its first value, then with its second one. */
const editsOfAttributes = registry.flatMap((kind) =>
  Object.entries(kind.attributes).flatMap(([name, { change }]) => {
    if (kind.live === undefined || (change !== 'mutable' && change !== 'closed')) return [];
    const values = valuesOf(kind, name);
    if (values === undefined) return [];
    const [first, second] = values.map((value) => blockWith(kind, name, value));
    if (first === undefined || second === undefined) return [];
    const named = [first, second].flatMap(({ attributes }) => kind.references?.(attributes) ?? []);
    const ids = named.flatMap(({ kinds, key }) => (kinds.includes('user') ? [key] : []));
    const users = resources({ user: { ...Object.fromEntries(ids.map((id) => [id, { nickname: id }])), ...people } });
    const among = users.filter(({ address }) => address !== first.address);
    return [{ id: `${kind.name}.${name}`, first: [first, ...among], second: [second, ...among] }];
  }),
);

function blockWith(kind: KindDefinition, name: string, value: JsonValue): Resource {
  const { besides = {}, lenient } = sampleOf(kind);
  const block = { ...leastOf(kind), ...besides[name], [name]: value };
  return resource(kind.name, kind.onlyKey ?? 'key-1', { ...block, ...lenient?.(block) });
}

const edits = [
  ...editsOfAttributes,
  { id: 'acceptance', first: roomWith({ invitation_status: 'invited_by_friend' }), second: roomWith({}) },
  { id: 'hidden status', first: roomWith({}), second: roomWith({ hidden_status: 'hidden_allow_auto_unhide' }) },
];

/** The long suite plays all. */
const played = edits.filter((_edit, place) => inSuite(place % 5 === seedOfRun() % 5, true));

describe('a run that is killed at any call', () => {
  test.for(played)('$id: nothing is sent but what the next plan shows', async ({ first, second }) => {
    const reference = new World();
    await reference.apply(first);
    const { steps } = reference.plan(second);
    for (const [place, { request }] of [...steps].entries()) {
      if (request === undefined) continue;
      for (const arrives of [false, true]) {
        for (const isShown of inSuite([arrives], [true, false])) {
          for (const next of inSuite([first], [first, second])) {
            const world = new World();
            await world.apply(first);
            await world.killAt([...steps], place, arrives);
            world.sent = [];
            if (!isShown) world.fault = (asked) => (asked.method === 'GET' ? forbidden : undefined);
            await world.settle();
            world.fault = undefined;
            expect(world.writes).toEqual([]);
            const planned = [...world.plan(next).steps].flatMap((step) =>
              step.request === undefined ? [] : [routeName(step.request)],
            );
            await world.apply(next);
            // A list that the platform refuses is sent again id by id.
            expect(new Set(world.writes)).toEqual(new Set(planned));
            // A value that no read showed is known once it was sent or released.
            expect([...world.disk.records.values()].flatMap(({ unknown = [] }) => unknown)).toEqual([]);
            expect([...world.plan(next).steps]).toEqual([]);
          }
        }
      }
    }
  });

  test('covers every attribute that a call edits', () => {
    const covered = new Set(edits.map(({ id }) => id));
    const editable = registry.flatMap((kind) =>
      kind.live === undefined
        ? []
        : Object.entries(kind.attributes).flatMap(([name, { change }]) =>
            change === 'mutable' || change === 'closed' ? [`${kind.name}.${name}`] : [],
          ),
    );
    expect(editable.filter((id) => !covered.has(id))).toEqual([]);
  });
});

const forbidden: Answer = { type: 'refused', status: 403, code: 400108, message: 'no' };
const alice = resources({ user: { alice: { nickname: 'A' } } });
const refused: Answer = { type: 'refused', status: 403, code: 400401, message: 'Invalid API token.' };

describe('a platform that does not tell', () => {
  const begun = async (): Promise<World> => {
    const world = new World();
    await world.apply(alice);
    const { steps } = world.plan(resources({ user: { alice: { nickname: 'New' } } }));
    await world.killAt([...steps], 0, true);
    world.sent = [];
    return world;
  };

  test.for<readonly [what: string, fault: () => Answer, options: Partial<SettleOptions>, seen: object]>([
    [
      'refuses the token',
      () => refused,
      {},
      {
        code: 'token.refused',
        exitCode: 3,
        message:
          'The platform refuses the API token: Invalid API token. The outcome of 1 interrupted call is still unknown.',
      },
    ],
    ['refuses the token during the wait', () => refused, { settleMs: 15_000 }, { code: 'token.refused', exitCode: 3 }],
    ['does not answer', () => ({ type: 'unknown', message: 'reset' }), {}, { code: 'state.unsettled', exitCode: 4 }],
    [
      'does not answer in time',
      () => ({ type: 'unknown', message: 'reset' }),
      { maxDurationMs: 1_000 },
      { code: 'state.unsettled', exitCode: 9 },
    ],
    [
      'is not asked, as the time is too short',
      () => refused,
      { settleMs: 15_000, maxDurationMs: 1_000 },
      { code: 'state.unsettled', exitCode: 9 },
    ],
  ])('%s', async ([, fault, options, seen]) => {
    const world = await begun();
    world.fault = fault;
    expect(await world.settle(options)).toMatchObject(seen);
    expect([world.writes, world.disk.pending.size]).toEqual([[], 1]);
  });

  test('refuses to show the object: the value is unknown, and is sent by the next plan, whichever it is', async () => {
    const world = await begun();
    world.fault = ({ method }) =>
      method === 'GET' ? { type: 'refused', status: 403, code: 400108, message: 'no' } : undefined;
    expect(await world.settle()).toBe(1);
    world.fault = undefined;
    expect(world.disk.records.get('user.alice')?.unknown).toEqual([['nickname']]);
    await world.apply(alice);
    expect(world.writes).toEqual(['PUT /users/{user_id}']);
    const { attributes, unknown } = world.disk.records.get('user.alice') ?? {};
    expect([attributes, unknown]).toEqual([{ nickname: 'A' }, undefined]);
  });
});

test('a call that a saved plan makes again is left to it, if no read shows its effect', async () => {
  const code = (revision: number) =>
    declared({ group_channel: { room: { ...room, is_public: true, access_code: { env: 'CODE', revision } } } });
  const world = new World();
  await world.apply(code(1));
  const { steps } = world.plan(code(2));
  await world.killAt([...steps], 0, true);
  const record = world.disk.records.get('group_channel.room');
  expect(await world.settle({ saved: steps })).toBe(1);
  expect([world.disk.pending.size, world.disk.records.get('group_channel.room')]).toEqual([1, record]);
});

describe('a creation', () => {
  const bob = resources({ user: { bob: { nickname: 'B' } } });
  const begun = async (arrives: boolean, at?: string): Promise<World> => {
    const world = new World();
    const { steps } = world.plan(bob);
    await world.killAt([...steps], 0, arrives);
    const [[id, begin] = []] = world.disk.pending;
    if (id !== undefined && begin !== undefined && at !== undefined) world.disk.pending.set(id, { ...begin, at });
    world.sent = [];
    return world;
  };

  test('that arrived is recorded', async () => {
    const world = await begun(true);
    expect(await world.settle()).toBe(1);
    expect([world.sent, world.disk.pending.size]).toEqual([['GET /users/{user_id}'], 0]);
    expect([...world.disk.records.keys()]).toEqual(['user.bob']);
  });

  test('that is absent stays begun if it is planned again, and is forgotten otherwise or after a long time', async () => {
    for (const [planned, at, left] of [
      [true, undefined, 1],
      [false, undefined, 0],
      [true, '2020-01-01T00:00:00Z', 0],
    ] as const) {
      const world = await begun(false, at);
      const { steps } = world.plan(bob);
      expect(await world.settle({}, planned ? steps : [])).toBe(1);
      expect([world.writes, world.disk.pending.size, world.disk.records.size]).toEqual([[], left, 0]);
    }
  });

  test('that meets another object is left to the plan', async () => {
    const world = await begun(false);
    world.platform.call({
      method: 'POST',
      route: '/users',
      body: { user_id: 'bob', nickname: 'other', profile_url: '' },
    });
    expect(await world.settle()).toBe(1);
    expect([world.disk.pending.size, world.disk.records.size]).toEqual([1, 0]);
  });
});

test.for([true, false])('a deletion is recorded if the object is gone: %s', async (arrives) => {
  const world = new World();
  await world.apply(alice);
  const request: ApiRequest = { method: 'DELETE', route: '/users/{user_id}', params: { user_id: 'alice' } };
  const address = 'user.alice' as const;
  const deletion: Step = {
    ...{ id: 'user.alice#0', address, action: 'delete', phase: 'delete_user', request },
    ...{ entry: { type: 'delete', address }, needs: [], begin: false, doneOn: [400201] },
  };
  await world.killAt([deletion], 0, arrives);
  world.sent = [];
  expect(await world.settle()).toBe(1);
  expect([world.writes, world.disk.pending.size, world.disk.records.size]).toEqual([[], 0, arrives ? 0 : 1]);
});
