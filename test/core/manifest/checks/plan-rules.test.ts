// Tests the findings of rules in plans: which changes, at which place, and in bounded time.
import { expect, test } from 'vitest';
import type { Action } from '../../../../src/core/model/action.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { Change } from '../../../../src/core/model/change.ts';
import { load } from '../support/in-memory.ts';

function change(address: string, actions: readonly Action[], more: Partial<Change> = {}): Change {
  return {
    address: address as Address,
    actions,
    attributes: [],
    reason: { code: 'not_in_state' },
    reversibility: 'reversible',
    dangerous: false,
    notes: [],
    requests: [],
    ...more,
  };
}

const plan = [
  change('group_channel.support-1', ['update', 'leave'], {
    source: { file: 'teams/support/rooms.yaml', line: 7, column: 3 },
    attributes: [{ path: ['members', 'bob'], before: {}, how: 'set' }],
    reason: { code: 'attributes_differ', edited: ['members'], changed_on_platform: [] },
    dangerous: true,
    cause: 'request',
  }),
  change('user.alice', ['create'], {
    source: { file: 'people.yaml', line: 3, column: 3 },
    attributes: [
      { path: ['nickname'], after: 'Alice', how: 'set' },
      { path: ['metadata', 'level'], after: 3, how: 'set' },
    ],
    cause: 'pending',
  }),
  change('user.bob', ['deactivate'], { dangerous: true, reason: { code: 'undeclared' } }),
  change('user.carol', ['deactivate'], { dangerous: true, reason: { code: 'undeclared' } }),
];

async function judge(rules: readonly object[], changes: readonly Change[] = plan, timeMs?: number) {
  const text = JSON.stringify({ version: 1, policy: { rules }, users: { alice: { nickname: 'A' } } });
  const { planRules, diagnostics } = await load({ 'a.yaml': text });
  expect(diagnostics).toEqual([]);
  const people = { effects: [], counts: { newly_read: 3, anybody_newly_read: 1 } };
  const notices = { people: 2, counted: [], not_known: [] };
  const requests = [{ method: 'POST', route: '/users', count: 3 }] as const;
  const found = planRules?.judge({ application: 'app', changes, requests, people, notices }, '2026-12-04', timeMs);
  return {
    refusals: found?.refusals ?? [],
    remarks: found?.remarks ?? [],
    addresses: (found?.refusals ?? []).map(({ address }) => address ?? 'plan'),
  };
}

const rule = (when: string, more: object = {}) => ({ name: 'r', when, message: 'Do not.', ...more });

test.for<[string, object, readonly string[]]>([
  ['kind', {}, ['user.alice', 'user.bob', 'user.carol']],
  ['change.kind == "user"', {}, ['user.alice', 'user.bob', 'user.carol']],
  ['change.key.startsWith("c")', {}, ['user.carol']],
  ['"deactivate" in change.actions', {}, ['user.bob', 'user.carol']],
  ['"user.deactivate" in change.effects && change.key != "bob"', {}, ['user.carol']],
  ['true == change.dangerous', { on: ['user'] }, ['user.bob', 'user.carol']],
  ['change.key != ""', { on: ['user.create', 'group_channel.leave'] }, ['group_channel.support-1', 'user.alice']],
  ['change.source.file.startsWith("teams/") && change.source.line == 7', {}, ['group_channel.support-1']],
  ['change.cause == "request"', {}, ['group_channel.support-1']],
  ['change.reason.code == "undeclared"', {}, ['user.bob', 'user.carol']],
  ['"members" in change.reason.edited && change.reason.run == 0', {}, ['group_channel.support-1']],
  ['change.cause == ""', {}, ['user.bob', 'user.carol']],
  ['change.attributes.exists(a, a.path == "nickname" && a.after == "Alice")', {}, ['user.alice']],
  ['change.attributes.exists(a, a.path == "metadata.level" && a.after > 2)', {}, ['user.alice']],
  ['change.attributes.exists(a, !has(a.after))', {}, ['group_channel.support-1']],
  ['change.address.matches("^user\\\\.[ab]")', {}, ['user.alice', 'user.bob']],
  ['plan.changes == 4 && plan.requests == 3 && plan.application == "app"', {}, ['plan']],
  ['count("user.deactivate") == 2 && count("user.delete") == 0', {}, ['plan']],
  ['count("user.deactivate") > 1', { on: ['open_channel'] }, []],
  ['count("people.newly_read") == 3 && count("people.anybody_newly_read") == 1', {}, ['plan']],
  ['count("people.no_longer_read") > 0', {}, []],
  ['count("people.notify") == 2', {}, ['plan']],
  ['plan.today == "2026-12-04"', { on: ['user.deactivate'] }, ['plan']],
  ['timestamp(plan.today + "T00:00:00Z").getDayOfWeek() == 5', {}, ['plan']],
  ['change.kind == "open_channel"', {}, []],
  // A warning that such a rule is useless would fail `judge`.
  ['true', { on: ['user.deactivate'] }, ['plan']],
  ['1 < 2', { on: ['open_channel'] }, []],
])('%s %o', async ([when, more, expected]) => {
  const condition = when === 'kind' ? rule('change.kind == "user"', { on: ['user'] }) : rule(when, more);
  const { addresses } = await judge([condition]);
  expect(addresses).toEqual(expected);
});

test('gives a finding the place of the change, the message and the place of the rule', async () => {
  const { refusals, remarks } = await judge([
    rule('change.key == "alice"', { name: 'no-alice' }),
    rule('change.key == "alice"', { name: 'alice-again', level: 'warning' }),
  ]);
  expect(refusals).toEqual([
    {
      severity: 'error',
      code: 'safety.rule',
      summary: 'A rule of the policy applies',
      detail: expect.stringMatching(/^Do not\. The rule no-alice is at a\.yaml:1:\d+\.$/u) as string,
      address: 'user.alice',
      source: { file: 'people.yaml', line: 3, column: 3 },
    },
  ]);
  expect(remarks).toMatchObject([{ severity: 'warning', code: 'plan.rule', address: 'user.alice' }]);
});

test.for([
  ['Freezing needs a ticket', 'Freezing needs a ticket. The rule r is at'],
  ['Is there a ticket?', 'Is there a ticket? The rule r is at'],
] as const)('ends the message %s before the place of the rule', async ([message, start]) => {
  const { refusals } = await judge([rule('change.key == "alice"', { message })]);
  expect(refusals[0]?.detail).toContain(start);
});

test('refuses the plan when an expression fails', async () => {
  const { refusals } = await judge([
    rule('change.attributes[5].path == "x"'),
    rule('change.key.matches(change.kind + "(")', { name: 's' }),
  ]);
  expect(refusals.length).toBe(8);
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['safety.rule-failed']));
});

const ten = '[0,1,2,3,4,5,6,7,8,9]';
const endless = Array.from('abcdefghi').reduce((inner, name) => `${ten}.all(${name}, ${inner})`, 'change.key != ""');
test('stops nested macros', async () => {
  const { refusals } = await judge([rule(endless)], plan, 30);
  expect(refusals).toMatchObject([{ code: 'safety.rule-failed' }]);
  expect(refusals[0]?.detail).toContain('was stopped');
});

const text = 'a'.repeat(40);

test('finishes a pattern on which RegExp does not', async () => {
  const { addresses } = await judge([rule(`("${text}!" + change.key).matches("^(a+)+$") || change.key == "bob"`)]);
  expect(addresses).toEqual(['user.bob']);
});

test('finishes a constant pattern on which RegExp does not', async () => {
  const rules = [rule(`"${text}!".matches("^(a+)+$")`)];
  const { diagnostics } = await load({ 'a.yaml': JSON.stringify({ version: 1, policy: { rules } }) });
  expect(diagnostics).toMatchObject([{ code: 'manifest.rule-useless' }]);
});

test.for<[when: string, reason: string]>([
  [Array.from('abcdefg').reduce((inner, name) => `${ten}.all(${name}, ${inner})`, '1 < 2'), 'too much work'],
  [`["${text}"]${'.map(x, x + x)'.repeat(40)} != []`, 'too much work'],
  ['"a".matches("^(?!sys-)")', 'Write ^(?:$|[^s]|s(?:'],
  ['change.key.matches("(a)\\\\1")', 'RE2 has no backreferences'],
])('reports the condition %s at its place', async ([when, reason]) => {
  const { diagnostics } = await load({
    'a.yaml': `version: 1\npolicy:\n  rules:\n    - name: r\n      message: No.\n      when: '${when}'\nusers: {}\n`,
  });
  expect(diagnostics).toMatchObject([
    { code: 'manifest.bad-expression', detail: expect.stringContaining(reason), source: { line: 6 } },
  ]);
});

test.for<[when: string, slip: string]>([
  ['change.kind == "usr"', 'no kind is "usr". Did you mean "user"?'],
  ['"usr" != change.kind', 'no kind is "usr". Did you mean "user"?'],
  ['change["kind"] == "usr"', 'no kind is "usr". Did you mean "user"?'],
  ['change.?kind.orValue("none") == "usr"', 'no kind is "usr". Did you mean "user"?'],
  ['change.kind in ["users", "bot"]', 'no kind is "users". Did you mean "user"?'],
  ['change.kind in {"users": true}', 'no kind is "users". Did you mean "user"?'],
  ['change.kind.startsWith("usr")', 'no kind begins with "usr".'],
  ['change.kind.matches("^(usr|bots)$")', 'no kind matches "^(usr|bots)$".'],
  ['"creates" in change.actions', 'no action is "creates". Did you mean "create"?'],
  ['change.actions == ["creates"]', 'no action is "creates". Did you mean "create"?'],
  ['change.actions[0] == "creates"', 'no action is "creates". Did you mean "create"?'],
  ['change.actions.exists(a, a == "creates")', 'no action is "creates". Did you mean "create"?'],
  ['change.actions.all(a, a in ["creates"])', 'no action is "creates". Did you mean "create"?'],
  ['change.actions.filter(a, a != "creates") != []', 'no action is "creates". Did you mean "create"?'],
  ['change.actions.map(a, a).exists_one(b, b == "creates")', 'no action is "creates". Did you mean "create"?'],
  ['["team", "bots"].exists(k, change.key.startsWith(k) || change.kind == k)', 'no kind is "team".'],
  ['["user", "team"].exists(k, change.kind == k)', 'no kind is "team".'],
  ['["creates"].exists(a, a in change.actions)', 'no action is "creates". Did you mean "create"?'],
  ['cel.bind(a, change.actions, a.exists(b, b == "creates"))', 'no action is "creates". Did you mean "create"?'],
  ['change.effects.exists(e, e == "user.creat")', 'no effect is "user.creat". Did you mean "user.create"?'],
  ['change.effects.exists(e, e.endsWith(".removed"))', 'no effect ends with ".removed".'],
  ['!("user.freeze" in change.effects)', 'no effect is "user.freeze".'],
  [
    'change.cause == (change.dangerous ? "branch" : "request")',
    'no cause is "branch". The values are request, pending, "".',
  ],
  ['change.reversibility == "irreversable"', 'no reversibility is "irreversable". Did you mean "irreversible"?'],
  ['change.reason.code == "undeclard"', 'no reason is "undeclard". Did you mean "undeclared"?'],
  ['change.reason.parents.exists(p, p == "users.ann")', 'no address is "users.ann". Did you mean "user.ann"?'],
  ['change.address == "users.alice"', 'no address is "users.alice". Did you mean "user.alice"?'],
  ['change.address == "alice"', 'no address is "alice". It begins with a kind and a dot:'],
  ['change.address.startsWith("channel.")', 'no address begins with "channel.".'],
  ['change.attributes.exists(a, a.how == "reste")', 'no how of an attribute is "reste". Did you mean "reset"?'],
  ['change.attributes.exists(a, a.pth == "nickname")', 'no field is "pth". Did you mean "path"?'],
  ['change.attributes.exists(a, has(a.aftr))', 'no field is "aftr". Did you mean "after"?'],
  ['change.attributes[0]["value"] == 1', 'no field is "value". The fields are path, how, before, after.'],
  ['count("people.notified") > 1', 'no effect is "people.notified". The values are people.'],
  [
    '"people.newly_read" in change.effects',
    'no effect is "people.newly_read". The effects of a change are on objects. count("people.…") counts people.',
  ],
])('refuses %s: %s', async ([when, slip]) => {
  const rules = [rule(when)];
  const { diagnostics } = await load({ 'a.yaml': JSON.stringify({ version: 1, policy: { rules } }) });
  expect(diagnostics).toMatchObject([
    { severity: 'error', code: 'manifest.bad-expression', detail: expect.stringContaining(`as written: ${slip}`) },
  ]);
});

test('names at most ten values of a long list, with the number of the others', async () => {
  const rules = [rule('"nonsense" in change.effects')];
  const { diagnostics } = await load({ 'a.yaml': JSON.stringify({ version: 1, policy: { rules } }) });
  expect(diagnostics[0]?.detail).toMatch(/The values are (?:[\w.]+, ){9}[\w.]+ and \d\d more\.$/u);
});

test.for<[when: string]>([
  ['change.kind in ["user", "bot"] && change.key == "usr"'],
  ['change.?kind.orValue("none") == "none"'],
  ['(change.dangerous ? change.kind : change.key) == "usr"'],
  ['change.address.startsWith("open_ch") || change.address.startsWith("user.a")'],
  ['change.address.matches("^user[.]a") && change.address.endsWith(".x")'],
  ['["x"].exists(change, change == "usr") || plan.changes == 1'],
  ['["user", "team"].exists(k, change.key.startsWith(k) || change.kind == k)'],
  ['["user", "team"].exists(k, change.key.startsWith(k) || change.kind in [k, "bot"])'],
  ['change.attributes.exists(a, a.?pth.orValue("") == "x" || a[?"pth"].hasValue())'],
  ['change.?reasons.code.orValue("") == "x"'],
  ['change.attributes.exists(a, a.after.text == "x")'],
  ['{"a": 1}["a"] == plan.changes'],
  ['change.attributes.exists(kind, kind.path == "usr")'],
  ['change.kind + "s" == "users"'],
])('accepts %s', async ([when]) => {
  const rules = [rule(when)];
  const { diagnostics } = await load({ 'a.yaml': JSON.stringify({ version: 1, policy: { rules } }) });
  expect(diagnostics).toEqual([]);
});

test('shows twenty findings and counts the others', async () => {
  const many = Array.from({ length: 1_203 }, (_, index) => change(`user.u${index}`, ['delete']));
  const { refusals } = await judge([rule('"delete" in change.actions')], many);
  expect(refusals.length).toBe(21);
  expect(refusals.at(-1)?.detail).toContain('1,183 more changes');
});
