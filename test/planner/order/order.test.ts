// Tests the order of semantics §3, rule by rule: what each step waits for, and that it waits for nothing else.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Series } from '../../../src/lib/series.ts';
import type { Policy } from '../../../src/model/policy.ts';
import type { Step } from '../../../src/model/step.ts';
import { openPolicy, planFor, printRequest, resources, type State, stateOf } from '../../support/planning/planning.ts';

type Blocks = Parameters<typeof resources>[0];

const n = { nickname: 'N' };
const members = (...ids: readonly string[]): JsonObject => ({ members: Object.fromEntries(ids.map((id) => [id, {}])) });

interface Rule {
  readonly name: string;
  readonly before?: Blocks;
  readonly after: Blocks;
  readonly policy?: Policy['on_remove'];
  /** Beginnings of requests: the first must finish before the second. */
  readonly waits: readonly (readonly [string, string])[];
  /** Pairs that may run at the same time. */
  readonly free?: readonly (readonly [string, string])[];
}

const freeze = 'PUT /group_channels/room/freeze {"freeze":true}';
const unfreeze = 'PUT /group_channels/room/freeze {"freeze":false}';
const leave = 'PUT /group_channels/room/leave';
const invite = 'POST /group_channels/room/invite';
const cancel = 'DELETE /group_channels/room/operators';
const deactivate = (id: string) => `PUT /users/${id} {"is_active":false`;
const reactivate = (id: string) => `PUT /users/${id} {"is_active":true}`;
const create = (id: string) => `POST /users {"user_id":"${id}"`;
const createRoom = 'POST /group_channels {"channel_url":"room"';

const rules: readonly Rule[] = [
  {
    name: 'users before the channels that name them, and only those',
    after: {
      user: { alice: n, bob: n, carol: n },
      group_channel: { room: { ...members('alice'), inviter_id: 'bob' }, other: members('carol') },
      open_channel: { hall: { operators: ['bob'] }, empty: {} },
    },
    waits: [
      [create('alice'), createRoom],
      [create('bob'), createRoom],
      [create('bob'), 'POST /open_channels {"channel_url":"hall"'],
    ],
    free: [
      [create('carol'), createRoom],
      [create('alice'), 'POST /group_channels {"channel_url":"other"'],
      [create('alice'), 'POST /open_channels {"channel_url":"empty"'],
    ],
  },
  {
    name: 'users before the invitations and operators that name them',
    before: { user: { alice: n }, group_channel: { room: members('alice') }, open_channel: { hall: {} } },
    after: {
      user: { alice: n, bob: n },
      group_channel: { room: { ...members('alice', 'bob'), operators: ['bob'] } },
      open_channel: { hall: { operators: ['bob'] } },
    },
    waits: [
      [create('bob'), invite],
      [invite, 'POST /group_channels/room/operators'],
      [create('bob'), 'POST /open_channels/hall/operators'],
    ],
  },
  {
    name: 'freezing and deactivating come last in a creation',
    after: {
      user: { alice: { ...n, deactivated: true } },
      group_channel: { room: { ...members('alice'), frozen: true } },
    },
    waits: [
      [createRoom, freeze],
      [createRoom, deactivate('alice')],
    ],
  },
  {
    name: 'cancelled and left, then deactivated',
    before: { user: { alice: n, bob: n }, group_channel: { room: { ...members('alice', 'bob'), operators: ['bob'] } } },
    after: { user: { alice: n, bob: { ...n, deactivated: true } }, group_channel: { room: members('alice') } },
    waits: [
      [cancel, leave],
      [leave, deactivate('bob')],
    ],
  },
  {
    name: 'a removed user leaves before he is retired',
    before: { user: { alice: n, bob: n }, group_channel: { room: members('alice', 'bob') } },
    after: { user: { alice: n }, group_channel: { room: members('alice') } },
    waits: [[leave, deactivate('bob')]],
  },
  {
    name: 'a removed user leaves and loses his rights before he is deleted',
    before: {
      user: { alice: n, bob: n },
      group_channel: { room: members('alice', 'bob') },
      open_channel: { hall: { operators: ['bob'] } },
    },
    after: { user: { alice: n }, group_channel: { room: members('alice') }, open_channel: { hall: {} } },
    policy: { user: 'delete' },
    waits: [
      [leave, 'DELETE /users/bob'],
      ['DELETE /open_channels/hall/operators', 'DELETE /users/bob'],
    ],
  },
  {
    name: 'channels are deleted before the users that they name',
    before: { user: { alice: n, bob: n }, group_channel: { room: members('alice') } },
    after: {},
    policy: { user: 'delete', group_channel: 'delete' },
    waits: [['DELETE /group_channels/room', 'DELETE /users/alice']],
    free: [['DELETE /group_channels/room', 'DELETE /users/bob']],
  },
  {
    name: 'reactivated before he is invited, made to leave, hidden',
    before: {
      user: { alice: { ...n, deactivated: true }, bob: { ...n, deactivated: true } },
      group_channel: { room: members('bob'), other: members('bob') },
    },
    after: {
      user: { alice: n, bob: n },
      group_channel: {
        room: members('alice'),
        other: { members: { bob: { hidden_status: 'hidden_allow_auto_unhide' } } },
      },
    },
    waits: [
      [reactivate('alice'), invite],
      [reactivate('bob'), leave],
      [leave, invite],
      [reactivate('bob'), 'PUT /group_channels/other/hide'],
    ],
  },
  {
    name: 'rights go before the user who had them is let in again',
    before: { user: { bob: { ...n, deactivated: true } }, open_channel: { hall: { operators: ['bob'] } } },
    after: { user: { bob: n }, open_channel: { hall: {} } },
    waits: [['DELETE /open_channels/hall/operators', reactivate('bob')]],
  },
  {
    name: 'a channel opens after who may not be in it is out',
    before: {
      user: { alice: n, bob: n },
      group_channel: { room: { ...members('alice', 'bob'), operators: ['bob'], frozen: true } },
    },
    after: { user: { alice: n, bob: n }, group_channel: { room: members('alice') } },
    waits: [
      [cancel, unfreeze],
      [leave, unfreeze],
    ],
  },
  {
    name: 'a channel freezes after its members came and hid',
    before: { user: { alice: n, bob: n }, group_channel: { room: members('alice') } },
    after: {
      user: { alice: n, bob: n },
      group_channel: {
        room: { members: { alice: { hidden_status: 'hidden_prevent_auto_unhide' }, bob: {} }, frozen: true },
      },
    },
    waits: [
      [invite, freeze],
      ['PUT /group_channels/room/hide', freeze],
    ],
  },
];

function idOf(steps: Series<Step>, beginning: string): string {
  const found = [...steps].filter(
    ({ request }) => request !== undefined && printRequest(request).startsWith(beginning),
  );
  if (found.length !== 1)
    throw new Error(
      `${found.length} steps begin with ${beginning}: ${[...steps].map(({ request }) => printRequest(request)).join('\n')}`,
    );
  return found[0]?.id ?? '';
}

function waitsFor(steps: Series<Step>, id: string, other: string): boolean {
  const step = [...steps].find((candidate) => candidate.id === id);
  return [...(step?.needs ?? []), ...(step?.after ?? [])].some(
    (need) => need === other || waitsFor(steps, need, other),
  );
}

describe('the order of a plan', () => {
  test.for(rules)('$name', ({ before = {}, after, policy = {}, waits, free = [] }) => {
    const { plan } = planFor(resources(after), stateOf(resources(before)), {
      policy: { ...openPolicy, on_remove: policy },
    });
    const places = new Map([...plan.steps].map(({ id }, place) => [id, place]));
    for (const [first, second] of waits) {
      const [left, right] = [idOf(plan.steps, first), idOf(plan.steps, second)];
      expect(waitsFor(plan.steps, right, left), `${second} waits for ${first}`).toBe(true);
      expect(places.get(left)).toBeLessThan(places.get(right) ?? -1);
    }
    for (const [first, second] of free) {
      expect(waitsFor(plan.steps, idOf(plan.steps, second), idOf(plan.steps, first)), `${second} waits`).toBe(false);
    }
  });
});

describe('temporary reopening', () => {
  const estate = (...ids: readonly string[]) =>
    resources({
      user: { alice: n, bob: { ...n, deactivated: true } },
      group_channel: { room: members(...ids), other: members(...ids) },
    });
  const bobsSteps = (steps: Series<Step>) => [...steps].filter(({ address }) => address === 'user.bob');

  function bracketOf(after: ReturnType<typeof resources>, state: State, targets?: readonly 'group_channel.room'[]) {
    const { plan } = planFor(after, state, targets === undefined ? {} : { targets });
    const [opening, closing, ...others] = bobsSteps(plan.steps);
    expect(others).toEqual([]);
    return { plan, opening, closing };
  }

  test('opens a deactivated member who leaves two channels, and always closes them', () => {
    const { plan, opening, closing } = bracketOf(estate('alice'), stateOf(estate('alice', 'bob')));
    const leaves = [...plan.steps].filter(({ action }) => action === 'leave');
    expect(leaves).toHaveLength(2);
    for (const { needs } of leaves) expect(needs).toContain(opening?.id);
    expect(opening).toMatchObject({
      action: 'reactivate',
      entry: { edits: [{ path: ['deactivated'], value: false }], marks: { bracket: true } },
    });
    expect(closing).toMatchObject({
      action: 'deactivate',
      needs: [],
      entry: { edits: [{ path: ['deactivated'], value: true }], marks: { bracket: null } },
    });
    expect(closing?.after).toEqual([...leaves.map(({ id }) => id), opening?.id].sort());
  });

  test('opens a deactivated member who is invited', () => {
    const { opening, closing } = bracketOf(estate('alice', 'bob'), stateOf(estate('alice')));
    expect([opening?.action, closing?.action]).toEqual(['reactivate', 'deactivate']);
  });

  test('opens a retired user who leaves a channel that is declared again', () => {
    const both = stateOf(resources({ user: { alice: n, bob: n }, group_channel: { room: members('alice', 'bob') } }));
    const users = resources({ user: { alice: n } });
    const apart = new Map(both);
    for (const { address, attributes } of both.values()) {
      if (address === 'user.alice') continue;
      const end = address === 'user.bob' ? { deactivated: true } : { frozen: true };
      apart.set(address, { address, attributes: { ...attributes, ...end }, retired: true });
    }
    expect(planFor(users, apart).plan.steps).toEqual([]);
    const { plan, opening, closing } = bracketOf(
      [...users, ...resources({ group_channel: { room: members('alice') } })],
      apart,
    );
    expect([opening?.action, closing?.action]).toEqual(['reactivate', 'deactivate']);
    expect([...plan.steps].find(({ action }) => action === 'leave')?.needs).toContain(opening?.id);
    expect([...plan.changes].find(({ address }) => address === 'user.bob')?.actions).toEqual([
      'reactivate',
      'deactivate',
    ]);
  });

  test('is planned for a target that needs it, and for nothing else', () => {
    const after = estate('alice').map((one) =>
      one.address === 'user.bob' ? { ...one, attributes: { ...one.attributes, nickname: 'Robert' } } : one,
    );
    const { plan, opening, closing } = bracketOf(after, stateOf(estate('alice', 'bob')), ['group_channel.room']);
    expect([opening?.action, closing?.action]).toEqual(['reactivate', 'deactivate']);
    expect([...plan.steps].filter(({ action }) => action === 'leave').map(({ address }) => address)).toEqual([
      'group_channel.room',
    ]);
  });

  test('is not needed for a user who is reactivated', () => {
    const open = estate('alice').map((one) => (one.address === 'user.bob' ? { ...one, attributes: n } : one));
    const { plan } = planFor(open, stateOf(estate('alice', 'bob')));
    expect(bobsSteps(plan.steps).map(({ action, phase }) => `${action} ${phase}`)).toEqual(['reactivate open']);
  });
});
