// Support: plans for the views: one with every action and every shape of an attribute, and some small ones.
import type { Action } from '../../../../src/core/model/action.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { AttributeChange, Change, ChangeDanger } from '../../../../src/core/model/change.ts';
import type { Diagnostic } from '../../../../src/core/model/diagnostic.ts';
import { type Plan, planFormatVersion } from '../../../../src/core/model/plan.ts';
import { type PlanFormatName, printPlan } from '../../../../src/core/view/index.ts';
import type { ViewOptions } from '../../../../src/core/view/text/options.ts';

/** The pieces of a plan in a format, without colour on 100 columns if `options` say nothing else. */
export async function piecesOf(format: PlanFormatName, plan: Plan, options: Partial<ViewOptions> = {}) {
  return [...(await printPlan(format, plan, { color: false, width: 100, ...options }))];
}

export async function print(format: PlanFormatName, plan: Plan, options?: Partial<ViewOptions>): Promise<string> {
  return (await piecesOf(format, plan, options)).join('');
}

export const emptyPlan: Plan = {
  format_version: planFormatVersion,
  application: 'emulator:.chatform/emulator',
  settings: {
    base_url: 'emulator:.chatform/emulator',
    rate_plan: '25k_mau',
    limits: {},
    rate_share: 1,
    existing: 'refuse',
  },
  preconditions: [],
  changes: [],
  steps: [],
  summary: {},
  requests: [],
  duration: { lower_bound_s: 0, buckets: [] },
  warnings: [],
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

const byAction: Readonly<Partial<Record<Action, Omit<ChangeDanger, 'actions'>>>> = {
  leave: { danger: 'restricts', attribute: 'members' },
  ban: { danger: 'restricts', attribute: 'banned' },
  mute: { danger: 'restricts', attribute: 'muted' },
  unban: { danger: 'opens', attribute: 'banned' },
  unmute: { danger: 'opens', attribute: 'muted' },
  reactivate: { danger: 'opens', attribute: 'deactivated' },
  unfreeze: { danger: 'opens', attribute: 'frozen' },
  freeze: { danger: 'restricts', attribute: 'frozen' },
  deactivate: { danger: 'restricts', attribute: 'deactivated' },
  lockout: { danger: 'locks_out', attribute: 'ip_whitelist' },
  erase: { danger: 'restricts' },
  delete: { danger: 'restricts' },
};

/** The dangers of a plan of these actions, without those of plain edits. */
function dangersOfActions(actions: readonly Action[]): ChangeDanger[] {
  if (actions.includes('create')) return [];
  const isReopened = actions.includes('unfreeze') && actions.includes('freeze');
  const others = actions.filter((action) => !(isReopened && (action === 'unfreeze' || action === 'freeze')));
  const found = others.flatMap((action): ChangeDanger[] => {
    const danger = byAction[action];
    return danger === undefined ? [] : [{ ...danger, actions: [action] }];
  });
  return isReopened ? [...found, { danger: 'reopens', actions: ['unfreeze', 'freeze'], attribute: 'frozen' }] : found;
}

export function changeOf(address: Address, actions: readonly Action[], more: Partial<Change> = {}): Change {
  const edited = [...new Set(more.attributes?.map(({ path: [name = ''] }) => name))];
  const { dangers = dangersOfActions(actions) } = more;
  return {
    address,
    actions,
    attributes: [],
    reason: { code: 'attributes_differ', edited, changed_on_platform: [] },
    reversibility: 'reversible',
    dangerous: dangers.length > 0,
    ...(dangers.length === 0 ? {} : { dangers }),
    notes: [],
    requests: [],
    ...more,
  };
}

export function planOf(changes: readonly Change[], more: Partial<Plan> = {}): Plan {
  const summary: Partial<Record<Action, number>> = {};
  for (const action of changes.flatMap((change) => change.actions)) summary[action] = (summary[action] ?? 0) + 1;
  return { ...emptyPlan, changes, summary, ...more };
}

const set = (path: string[], after: AttributeChange['after'], before?: AttributeChange['before']): AttributeChange => ({
  path,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
  how: 'set',
});

const longData = (seats: number) =>
  JSON.stringify({ tier: 'gold', seats, regions: ['eu-central-1', 'us-east-1'], contact: 'Berlin office', floor: 3 });

const manyIds = (prefix: string, amount: number) =>
  Array.from({ length: amount }, (_, at) => `${prefix}-${String(at).padStart(3, '0')}`);

const everyChange: readonly Change[] = [
  changeOf('group_channel.archive-2019', ['unfreeze', 'update', 'freeze'], {
    attributes: [set(['name'], 'History file of 2019', 'History file 2019')],
    source: { file: 'teams/records.yaml', line: 7, column: 3 },
  }),
  changeOf('group_channel.club', ['create', 'invite'], {
    attributes: [
      set(['name'], 'Club'),
      set(['members'], Object.fromEntries(manyIds('user', 100).map((id) => [id, {}]))),
      set(['operators'], ['user-000', 'user-001']),
      set(['is_super'], true),
      set(['access_code'], { env: 'CLUB_CODE', revision: 1 }),
    ],
    source: { file: 'teams/support.yaml', line: 31, column: 3 },
    reason: { code: 'not_in_state' },
    notes: ['One call takes 100 members: the other 20 are invited after it.'],
  }),
  changeOf('group_channel.expired', ['delete'], {
    reason: { code: 'listed_under_removed' },
    reversibility: 'irreversible',
  }),
  changeOf('group_channel.support-42', ['update', 'invite', 'leave'], {
    attributes: [
      set(['data'], longData(42), longData(40)),
      set(['description'], 'First line\nSecond line, changed\nThird line', 'First line\nSecond line\nThird line'),
      set(['members', 'carol'], {}),
      set(['members', 'dave'], { invitation_status: 'invited_by_friend' }),
      { path: ['members', 'bob'], before: {}, how: 'reset' },
      { path: ['members', 'mallory, jr.'], before: {}, how: 'reset' },
      set(['members', 'erin'], { hidden_status: 'hidden_allow_auto_unhide' }, { hidden_status: 'unhidden' }),
      set(['operators'], ['alice', 'carol'], ['alice', 'bob']),
      { path: ['custom_type'], before: 'support', after: '', how: 'reset' },
      { path: ['cover_url'], before: 'https://example.com/cover.png', how: 'release' },
    ],
    source: { file: 'teams/support.yaml', line: 12, column: 3 },
    reversibility: 'lossy',
    notes: ['bob joined by himself and was declared later: removing the line removes him.'],
  }),
  changeOf('group_channel.town-hall', ['invite'], {
    attributes: manyIds('guest', 40).map((id) => set(['members', id], {})),
    source: { file: 'teams/all.yaml', line: 3, column: 3 },
  }),
  changeOf('messages.support-42', ['migrate'], {
    attributes: [
      set(['channel'], 'group_channel'),
      set(['history'], { messages: 12_345, digest: 'l5Be4LrSLyQdZgSeVXUuS7Yy7LUxjNhuHwQcDLrfZtE' }),
      set(['mark_as_read'], true),
    ],
    source: { file: 'teams/support.yaml', line: 15, column: 5 },
    reason: { code: 'not_in_state' },
    notes: ['12,345 messages in 124 calls, first 2019-03-01T08:00:00Z, last 2026-05-31T17:42:11Z'],
    reversibility: 'irreversible',
  }),
  changeOf('open_channel.lobby', ['freeze'], {
    source: {
      file: 'teams/a-team-with-a-very-long-name/and/deep/folders/channels-of-the-ground-floor.yaml',
      line: 3,
      column: 3,
    },
    reason: { code: 'disabled_state_edited', attribute: 'frozen' },
  }),
  changeOf('open_channel.stage', ['unfreeze'], {
    source: { file: 'channels.yaml', line: 19, column: 3 },
    reason: { code: 'disabled_state_edited', attribute: 'frozen' },
  }),
  changeOf('user.alice', ['update'], {
    attributes: [
      set(['nickname'], 'Alicia', 'Alice'),
      set(
        ['profile_url'],
        `https://cdn.example.com/${'portraits/'.repeat(6)}2.png`,
        `https://cdn.example.com/${'portraits/'.repeat(6)}1.png`,
      ),
      set(['metadata', 'team'], 'support', 'sales'),
      set(['metadata', 'floor'], '3'),
      { path: ['metadata', 'old.key'], before: 'x', how: 'reset' },
      set(['is_bot'], false, true),
    ],
    source: { file: 'users.yaml', line: 3, column: 3 },
  }),
  changeOf('user.frank', ['adopt', 'update'], {
    attributes: [set(['nickname'], 'フランク', 'Frank')],
    source: { file: 'users.yaml', line: 40, column: 3 },
    reason: { code: 'exists', existing: 'adopt' },
  }),
  changeOf('user.gone', ['forget'], { reason: { code: 'undeclared' } }),
  changeOf('user.mallory', ['deactivate'], { reason: { code: 'undeclared' } }),
  changeOf('user.peggy', ['reactivate', 'update'], {
    attributes: [set(['nickname'], 'Peggy 👩‍💻', 'Peggy')],
    source: { file: 'users.yaml', line: 60, column: 3 },
    reason: { code: 'declared_again' },
  }),
  changeOf('user.trent', ['deactivate'], { reason: { code: 'undeclared' } }),
  changeOf('user.zoe', ['create'], {
    attributes: [
      set(['nickname'], 'Zoë'),
      set(['profile_url'], ''),
      set(['metadata'], { team: 'support', floor: '3' }),
    ],
    source: { file: 'users.yaml', line: 90, column: 3 },
    reason: { code: 'not_in_state' },
  }),
];

export const everyPlan: Plan = planOf(everyChange, {
  lineage: '6a1f',
  requests: [
    { method: 'PUT', route: '/users/{user_id}', count: 5 },
    { method: 'POST', route: '/migration/{channel_url}', count: 10_000 },
    { method: 'POST', route: '/users', count: 1 },
    { method: 'DELETE', route: '/group_channels/{channel_url}', count: 1 },
  ],
  duration: { lower_bound_s: 2000, bottleneck: 'POST /migration/{channel_url} at 5/s', buckets: [] },
  warnings: [
    {
      severity: 'warning',
      code: 'plan.live-unchecked',
      summary: 'Live changes were not looked for',
      detail: 'The plan compares with what was last applied. Add --refresh to read the platform first.',
    },
    {
      severity: 'warning',
      code: 'manifest.deprecated-form',
      summary: 'A form of the API that has a newer name',
      detail: 'user_ids is accepted and means members. chatform fmt rewrites it.',
      address: 'group_channel.support-42',
      source: { file: 'teams/support.yaml', line: 18, column: 5 },
      excerpt: '    user_ids: [alice]',
    },
  ],
});

/** With a base and after a refresh: causes, what is at stake, drift, and rate limits. */
export const comparedPlan: Plan = planOf(
  [
    ...manyIds('agent', 12).map((id) =>
      changeOf(`user.${id}`, ['update'], {
        attributes: [set(['nickname'], `${id} (Berlin)`, id)],
        source: { file: 'users.yaml', line: 9, column: 3 },
        cause: 'request',
      }),
    ),
    ...manyIds('desk', 14).map((id) =>
      changeOf(`group_channel.${id}`, ['update'], {
        attributes: [set(['custom_type'], 'support', 'desk')],
        cause: 'request',
      }),
    ),
    changeOf('open_channel.town-hall', ['freeze'], {
      cause: 'request',
      live: { members: 1_204, last_message_at: '2026-11-20T22:14:00.000Z' },
      source: { file: 'channels.yaml', line: 7, column: 3 },
      reason: { code: 'disabled_state_edited', attribute: 'frozen' },
      requests: [{ method: 'PUT', route: '/open_channels/{channel_url}/freeze', count: 1 }],
    }),
    changeOf('user.late', ['create'], {
      attributes: [set(['nickname'], 'Late')],
      cause: 'pending',
      reason: { code: 'not_in_state' },
    }),
  ],
  {
    refreshed: {
      objects: 230,
      requests: 4,
      compared: 1_240,
      not_compared: [
        { kind: 'group_channel', attribute: 'access_code', why: 'in_part', proves: 'is_set', values: 3, objects: 3 },
        { kind: 'group_channel', attribute: 'banned', why: 'read_each', values: 40, objects: 12 },
        { kind: 'user', attribute: 'issue_access_token', why: 'no_answer', values: 12, objects: 12 },
      ],
    },
    drift: [
      {
        address: 'group_channel.support-42',
        type: 'departed',
        attributes: [{ path: ['members', 'bob'], before: {}, how: 'set' }],
        source: { file: 'teams/support.yaml', line: 12, column: 3 },
        note: 'bob left by himself, and is not invited again.',
      },
      { address: 'user.gone', type: 'missing', attributes: [], note: 'An apply creates it again.' },
      {
        address: 'user.peggy',
        type: 'changed',
        attributes: [set(['nickname'], 'Peg', 'Peggy')],
        source: { file: 'users.yaml', line: 60, column: 3 },
        note: 'An apply sets it back.',
      },
    ],
    requests: [
      { method: 'PUT', route: '/users/{user_id}', count: 12 },
      { method: 'PUT', route: '/group_channels/{channel_url}', count: 14 },
    ],
    duration: {
      lower_bound_s: 2.8,
      bottleneck: 'PUT /group_channels/{channel_url} at 5/s',
      others: 14,
      chain: { calls: 3, from: 'user.agent-000', to: 'group_channel.desk-000' },
      buckets: [
        { name: 'PUT /group_channels/{channel_url}', calls: 14, rate: 5, seconds: 2.8 },
        { name: 'PUT /users/{user_id}', calls: 12, rate: 10, seconds: 1.2 },
        { name: 'PUT /open_channels/{channel_url}/freeze', calls: 1, rate: 10, seconds: 0 },
      ],
    },
  },
);

export const refusals: readonly Diagnostic[] = [
  {
    severity: 'error',
    code: 'safety.removals',
    summary: 'More is taken away than the policy allows',
    detail:
      '37 of 210 users would be deactivated.\nWrite acknowledge: [{effect: user.deactivate, count: 37}] to mean it.',
    source: { file: 'policy.yaml', line: 3, column: 5 },
  },
];

/** Any number of users to create. */
export function manyCreations(amount: number): Plan {
  return planOf(
    Array.from({ length: amount }, (_, at) => {
      const id = `user-${String(at).padStart(6, '0')}`;
      return changeOf(`user.${id}`, ['create'], {
        attributes: [set(['nickname'], `User ${at}`), set(['metadata'], { team: 'support' })],
        source: { file: 'data/users.yaml', line: at + 3, column: 3 },
        reason: { code: 'not_in_state' },
      });
    }),
    {
      requests: [{ method: 'POST', route: '/users', count: amount }],
      duration: { lower_bound_s: amount / 60, bottleneck: 'POST /users at 60/s', buckets: [] },
    },
  );
}
