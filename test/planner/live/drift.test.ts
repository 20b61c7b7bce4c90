// Tests every attribute of every kind against what a refresh found: drift, corrections, take-overs, and what is not ours.
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { type Address, addressOf } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { PlanResult } from '../../../src/planner/plan.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/resources/define.ts';
import { registry } from '../../../src/resources/index.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, rememberedOf, resource, stateAfter, stateOf } from '../../support/planning/planning.ts';

const file = (digest: string) => ({ file: `${digest}.png`, digest, media_type: 'image/png' });

const restrictions: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  banned: [{ mallory: { until: '2030-01-01T00:00:00.000Z', description: 'spam' }, trudy: {} }, { trudy: {} }],
  muted: [{ bob: { until: '2030-01-01T00:00:00.000Z' } }, { bob: {} }],
};

/** Two values of each attribute: as declared and remembered, and another one. An attribute without a row fails. */
const samples: Readonly<Record<string, Readonly<Record<string, readonly [JsonValue, JsonValue]>>>> = {
  user: {
    nickname: ['A', 'B'],
    profile_url: ['https://a', 'https://b'],
    profile_file: [file('a'), file('b')],
    metadata: [
      { team: 'a', x: '1' },
      { team: 'b', x: '1' },
    ],
    discovery_keys: [['a', 'b'], ['b']],
    preferred_languages: [
      ['de', 'en'],
      ['en', 'de'],
    ],
    auto_accept: [false, true],
    issue_access_token: [true, { revision: 2 }],
    session_token: [{ expires_at: '2027-01-01T00:00:00Z' }, { expires_at: '2028-01-01T00:00:00Z' }],
    deactivated: [true, false],
  },
  bot: {
    bot_nickname: ['A', 'B'],
    bot_type: ['a', 'b'],
    bot_callback_url: ['https://a.example', 'https://b.example'],
    bot_profile_url: ['https://a', 'https://b'],
    is_privacy_mode: [true, false],
    enable_mark_as_read: [false, true],
    show_member: [true, false],
    channel_invitation_preference: [1, 0],
  },
  open_channel: {
    name: ['A', 'B'],
    cover_url: ['https://a', 'https://b'],
    cover_file: [file('a'), file('b')],
    custom_type: ['a', 'b'],
    data: ['a', 'b'],
    is_ephemeral: [true, false],
    is_dynamic_partitioned: [true, false],
    metadata: [
      { team: 'a', x: '1' },
      { team: 'b', x: '1' },
    ],
    operators: [['alice', 'bob'], ['alice']],
    operators_mode: ['additive', 'exclusive'],
    ...restrictions,
    frozen: [true, false],
  },
  group_channel: {
    name: ['A', 'B'],
    cover_url: ['https://a', 'https://b'],
    cover_file: [file('a'), file('b')],
    custom_type: ['a', 'b'],
    data: ['a', 'b'],
    is_ephemeral: [true, false],
    metadata: [
      { team: 'a', x: '1' },
      { team: 'b', x: '1' },
    ],
    operators: [['alice', 'bob'], ['alice']],
    operators_mode: ['additive', 'exclusive'],
    ...restrictions,
    frozen: [true, false],
    members: [{ alice: {}, bob: {} }, { alice: {} }],
    members_mode: ['additive', 'exclusive'],
    is_distinct: [true, false],
    is_public: [true, false],
    is_super: [false, true],
    access_code: [
      { env: 'CODE', revision: 1 },
      { env: 'CODE', revision: 2 },
    ],
    inviter_id: ['alice', 'bob'],
    strict: [true, false],
    block_sdk_user_channel_join: [true, false],
  },
};

const ofSettings: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  default_channel_invitation_preference: [{ auto_accept: false }, { auto_accept: true }],
  webhook: [
    { enabled: true, url: 'https://a.example', enabled_events: ['*'] },
    { enabled: true, url: 'https://b.example', enabled_events: ['user:ban'] },
  ],
  auto_event_message: [{ user_join: { user_join: true } }, { user_join: { user_join: false } }],
  moderation: [{ a: { domain_filter: { type: 1 } } }, { a: { domain_filter: { type: 2 } } }],
};

const least: Readonly<Record<string, JsonObject>> = {
  user: { nickname: 'A' },
  bot: { bot_nickname: 'A', bot_type: 'a', bot_callback_url: 'https://a.example' },
  open_channel: {},
  group_channel: { members: { alice: {} } },
  settings: {},
};

interface Case {
  readonly kind: KindDefinition;
  readonly name: string;
  readonly definition: AttributeDefinition;
  readonly address: Address;
  readonly declared: JsonValue;
  readonly other: JsonValue;
}

const cases: readonly Case[] = registry
  .filter(({ live }) => live !== undefined)
  .flatMap((kind) =>
    Object.entries(kind.attributes).map(([name, definition]) => {
      const rows = kind.kind === 'settings' ? ofSettings : samples[kind.kind];
      const [declared, other] = rows?.[name] ?? [null, null];
      return { kind, name, definition, address: addressOf(kind.kind, 'key-1'), declared, other };
    }),
  );

function block({ kind, name, definition }: Case, value: JsonValue | undefined): JsonObject {
  const { [name]: _own, ...rest } = least[kind.kind] ?? {};
  // A code is for a public channel alone.
  const besides = definition === kind.attributes.access_code ? { is_public: true } : {};
  return { ...rest, ...besides, ...(value === undefined ? {} : { [name]: value }) };
}

/** State holds `before`; `after` is declared; the platform shows `there`. */
function plan(one: Case, before: JsonValue | undefined, after: JsonValue | undefined, there: JsonValue | undefined) {
  const of = (value: JsonValue | undefined) => resource(one.kind.kind, 'key-1', block(one, value));
  const state = stateOf([of(before ?? one.declared)]);
  if (before === undefined) withoutAttribute(state, one);
  const desired = [of(after)];
  const shown = { ...rememberedOf(of(there)), ...(there === undefined ? {} : { [one.name]: there }) };
  const planned = planFor(desired, state, livePart(desired, state, { [one.address]: shown }));
  return { ...planned, record: stateAfter(state, planned.plan.steps).get(one.address), wanted: desired[0] };
}

/** As if the line had never been there. */
function withoutAttribute(state: Map<Address, StateRecord>, { address, name }: Case): void {
  const record = state.get(address);
  const { [name]: _gone, ...attributes } = record?.attributes ?? {};
  state.set(address, { address, attributes });
}

const paths = ({ plan: { drift } }: PlanResult) =>
  [...(drift ?? [])].flatMap(({ attributes }) => attributes.map(({ path }) => path[0]));
const calls = ({ plan: made }: PlanResult) => [...made.steps].filter(({ request }) => request !== undefined).length;
const isShown = ({ definition }: Case) => definition.shownBy !== 'nothing' && definition.change !== 'mode';
const isFixed = ({ definition }: Case, now: JsonValue) =>
  definition.change === 'create_only' || (definition.change === 'one_way' && now === true);
const attributesOf = (record: StateRecord | undefined, { name }: Case) => record?.attributes[name];

test('every attribute of every kind has a row', () => {
  expect(cases.filter(({ declared }) => declared === null).map(({ address, name }) => `${address} ${name}`)).toEqual(
    [],
  );
});

describe.each(cases)('$kind.kind $name', (one) => {
  const { declared, other } = one;

  test('as declared: no drift, nothing to do', () => {
    const made = plan(one, declared, declared, declared);
    expect(paths(made)).toEqual([]);
    expect(made.plan.steps).toEqual([]);
  });

  test('changed by others: drift, and set back where there is a call for it', () => {
    const made = plan(one, declared, declared, other);
    expect(made.problems).toEqual([]);
    if (!isShown(one)) {
      expect(paths(made)).toEqual([]);
      expect(made.plan.steps).toEqual([]);
      return;
    }
    expect(new Set(paths(made))).toEqual(new Set([one.name]));
    const isDeparture = one.name === 'members';
    expect(calls(made) > 0).toBe(!isFixed(one, other) && !isDeparture);
    expect(attributesOf(made.record, one)).toEqual(
      plan(one, declared, declared, declared).record?.attributes[one.name],
    );
    if (calls(made) > 0) expect(made.plan.changes.at(0)?.reason).toContain('changed on the platform');
    if (isFixed(one, other)) expect(made.plan.drift?.at(0)?.note).toContain('no call');
  });

  test('changed by others to what is declared by now: taken into state without a call', () => {
    if (!isShown(one)) return expect(isShown(one)).toBe(false);
    const made = plan(one, declared, other, other);
    expect(made.problems).toEqual([]);
    expect(calls(made)).toBe(0);
    expect(new Set(paths(made))).toEqual(new Set([one.name]));
    const settled = plan(one, other, other, other);
    expect(made.record?.attributes).toEqual(settled.record?.attributes);
  });

  test('never declared: not ours, whatever is there', () => {
    if (one.kind.required.includes(one.name)) return expect(one.definition.removed.how).toBe('required');
    const made = plan(one, undefined, undefined, other);
    expect(paths(made)).toEqual([]);
    expect(made.plan.steps).toEqual([]);
  });

  test('declared for the first time and there already: ours without a call', () => {
    if (!isShown(one) || one.kind.required.includes(one.name)) return expect(one.address).toBeDefined();
    const made = plan(one, undefined, declared, declared);
    expect(made.problems).toEqual([]);
    expect(calls(made)).toBe(0);
    expect(paths(made)).toEqual([]);
    expect(made.record?.attributes).toEqual(plan(one, declared, declared, declared).record?.attributes);
  });

  test('declared no more, and changed by others: taken back as without them', () => {
    if (one.kind.required.includes(one.name)) return expect(one.definition.removed.how).toBe('required');
    const made = plan(one, declared, undefined, other);
    expect(made.problems).toEqual([]);
    if (one.definition.removed.how === 'keep') {
      expect(attributesOf(made.record, one)).toEqual(declared);
      return expect(made.plan.steps).toEqual([]);
    }
    expect(attributesOf(made.record, one) ?? []).toEqual(
      Array.isArray(declared) ? [] : one.definition.shape === 'map' ? {} : [],
    );
  });

  test('ignored: neither drift nor set back', () => {
    const lifecycle = { ignore_changes: [one.name] };
    const desired = [resource(one.kind.kind, 'key-1', block(one, declared), lifecycle)];
    const state = stateOf(desired);
    const shown = { ...rememberedOf(resource(one.kind.kind, 'key-1', block(one, other))), [one.name]: other };
    const made = planFor(desired, state, livePart(desired, state, { [one.address]: shown }));
    expect(made.plan.drift).toEqual([]);
    expect(made.plan.steps).toEqual([]);
  });
});
