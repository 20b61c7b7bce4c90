// Tests that a ban or a mute that has ended counts as absent, whether it is declared, in state or on the platform.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/model/address.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { livePart, type There } from '../../../support/planning/live-objects.ts';
import { planFor, resources, type State, stateAfter, stateOf } from '../../../support/planning/planning.ts';
import { inSuite } from '../../../support/suite.ts';

const now = '2026-06-01T12:00:00.000Z';
const over = '2026-06-01T12:00:00.000Z';
const soon = '2026-06-02T12:00:00.000Z';
const later = '2026-07-01T12:00:00.000Z';
const ends = [undefined, over, soon, later] as const;
type End = (typeof ends)[number];

const address: Address = 'group_channel.room';
const people = { user: { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } } };
const verbs = { banned: ['ban', 'unban'], muted: ['mute', 'unmute'] } as const;
type Name = keyof typeof verbs;

function lines(name: Name, until: End): JsonObject {
  return until === undefined ? {} : { [name]: { bob: { until } } };
}

function room(name: Name, until: End) {
  const members = { alice: {}, ...(name === 'muted' ? { bob: {} } : {}) };
  return resources({ ...people, group_channel: { room: { members, ...lines(name, until) } } });
}

const active = (until: End): End => (until === over ? undefined : until);

/** The steps from one end to another. A changed restriction is lifted and imposed again, which does not count as lifting it. */
function actionsBetween(name: Name, before: End, after: End): readonly string[] {
  const [impose, lift] = verbs[name];
  if (before === after) return [];
  if (after === undefined) return [lift];
  return before === undefined ? [impose] : [impose, impose];
}

function planned(name: Name, declared: End, state: State, there?: There) {
  const desired = room(name, declared);
  const { plan } = planFor(desired, state, { now, ...(there === undefined ? {} : livePart(desired, state, there)) });
  const calls = [...plan.steps].filter(({ request }) => request !== undefined);
  return { plan, actions: calls.map(({ action }) => action) };
}

const pairs = (['banned', 'muted'] as const).flatMap((name) =>
  ends.flatMap((declared) => ends.map((remembered) => ({ name, declared, remembered }))),
);

describe.for(pairs)('$name, declared until $declared, remembered until $remembered', (pair) => {
  const { name, declared, remembered } = pair;
  const state = stateOf(room(name, remembered));

  test('sends the calls between the entries in force, notes a declared one that has ended, and plans nothing next', () => {
    const { plan, actions } = planned(name, declared, state);
    expect(actions).toEqual(actionsBetween(name, active(remembered), active(declared)));
    const codes = plan.warnings.map(({ code }) => code).filter((code) => code === 'plan.ended');
    expect(codes).toEqual(declared === over ? ['plan.ended'] : []);
    expect([...planned(name, declared, stateAfter(state, plan.steps)).plan.steps]).toEqual([]);
  });

  test('treats an entry that others lifted like an ended one, and reports drift only if it was in force', () => {
    for (const shown of [undefined, over] as const) {
      const there: There = { [address]: { ...state.get(address)?.attributes, [name]: {}, ...lines(name, shown) } };
      const { plan, actions } = planned(name, declared, state, there);
      expect(actions).toEqual(actionsBetween(name, undefined, active(declared)));
      expect(plan.drift?.length ?? 0).toBe(active(remembered) === undefined ? 0 : 1);
    }
  });
});

const entry = fc.constantFrom<JsonObject | undefined>(
  undefined,
  {},
  { until: over },
  { until: over, description: 'spam' },
  { until: later },
);
const entries = fc.option(fc.record({ bob: entry, carol: entry }), { nil: undefined });
const restrictions = fc
  .record({ banned: entries, muted: entries })
  .map((lists) => JSON.parse(JSON.stringify(lists)) as Partial<Record<Name, Record<string, JsonObject>>>);

test('refreshed plans converge for any declaration, state and platform', () => {
  fc.assert(
    fc.property(restrictions, restrictions, restrictions, fc.boolean(), (declared, remembered, shown, showsEnded) => {
      const roomWith = (more: JsonObject) =>
        resources({ ...people, group_channel: { room: { members: { alice: {} }, ...more } } });
      const desired = roomWith(declared);
      const there = (lists: JsonObject): There => ({
        [address]: { ...stateOf(roomWith({})).get(address)?.attributes, banned: {}, muted: {}, ...lists },
      });
      const isOver = ({ until }: JsonObject) => until === over;
      const after = (name: Name) => {
        const own = { ...remembered[name], ...declared[name] };
        const others = Object.entries(shown[name] ?? {}).filter(([id, line]) => own[id] === undefined || isOver(line));
        const all = [...others, ...Object.entries(declared[name] ?? {})];
        return Object.fromEntries(all.filter(([, line]) => showsEnded || !isOver(line)));
      };
      let state = stateOf(roomWith(remembered));
      const next = (lists: JsonObject) => planFor(desired, state, { now, ...livePart(desired, state, there(lists)) });
      for (const lists of [shown, { banned: after('banned'), muted: after('muted') }]) {
        state = stateAfter(state, next(lists).plan.steps);
      }
      expect([...next({ banned: after('banned'), muted: after('muted') }).plan.steps]).toEqual([]);
    }),
    { numRuns: inSuite(30, 100) },
  );
});

test('lines that have ended, wherever they are left, are nothing to do, also beside an empty or an absent list', () => {
  const endedIds = fc.uniqueArray(fc.constantFrom('bob', 'carol'));
  const lists = fc.tuple(endedIds, endedIds, endedIds);
  fc.assert(
    fc.property(lists, fc.boolean(), fc.boolean(), fc.boolean(), (ended, hasOther, isEmpty, isShown) => {
      const inForce = hasOther ? { alice: { until: later } } : {};
      const [declared = {}, remembered = {}, shown = {}] = ended.map((ids, place) => {
        const banned = { ...inForce, ...Object.fromEntries(ids.map((id) => [id, { until: over }])) };
        // An empty list is declared or shown, or none is.
        const isLeftOut = Object.keys(banned).length === 0 && ![isEmpty, false, isShown][place];
        return isLeftOut ? {} : { banned };
      });
      const channel = (more: JsonObject) => resources({ ...people, open_channel: { hall: { name: 'Hall', ...more } } });
      const [desired, state] = [channel(declared), stateOf(channel(remembered))];
      const there: There = { 'open_channel.hall': { name: 'Hall', ...shown } };
      for (const live of [{}, livePart(desired, state, there)]) {
        expect([...planFor(desired, state, { now, ...live }).plan.steps]).toEqual([]);
      }
    }),
    { numRuns: inSuite(40, 150) },
  );
});

test.for(ends)(
  'imposed anew by others after its end, and declared until %s: theirs, unless it is declared anew',
  (declared) => {
    const state = stateOf(room('banned', over));
    const there: There = { [address]: { ...state.get(address)?.attributes, banned: { bob: { until: later } } } };
    const { actions } = planned('banned', declared, state, there);
    expect(actions).toEqual(active(declared) === undefined ? [] : actionsBetween('banned', later, declared));
  },
);

test.for(['banned', 'muted'] as const)('%s: lifting reopens a deactivated user, as imposing does', (name) => {
  const estate = (more: JsonObject) =>
    resources({
      user: { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob', deactivated: true } },
      group_channel: { room: { members: { alice: {}, ...(name === 'muted' ? { bob: {} } : {}) }, ...more } },
    });
  const restricted = estate({ [name]: { bob: {} } });
  const [impose, lift] = verbs[name];
  const actionsFrom = (desired: typeof restricted, before: typeof restricted) =>
    Array.from(planFor(desired, stateOf(before), { now }).plan.steps, ({ action }) => action);
  expect(actionsFrom(restricted, estate({}))).toEqual(['reactivate', impose, 'deactivate']);
  expect(actionsFrom(estate({}), restricted)).toEqual(['reactivate', lift, 'deactivate']);
});
