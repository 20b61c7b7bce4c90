// Tests every attribute of every kind after a refresh: drift, corrections, adoption, and values that are not managed.
import { describe, expect, test } from 'vitest';
import { isReadEach, isShownWhole } from '../../../../src/core/kinds/definition/attribute-table.ts';
import { changesAccess, decidingAttributes } from '../../../../src/core/kinds/definition/edit-effects.ts';
import { initialChannelSettings } from '../../../../src/core/kinds/parts/channel-settings.ts';
import type { Change } from '../../../../src/core/model/change.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { JudgedPlan } from '../../../../src/core/planner/judges/judge.ts';
import { ComparisonTally } from '../../../../src/core/planner/live/comparison-tally.ts';
import { repairOf } from '../../../../src/core/planner/repair.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { notComparedSentence } from '../../../../src/core/view/summary/not-compared.ts';
import { planWords } from '../../../../src/core/view/text/plan-problems.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';
import {
  block,
  type Case,
  cases,
  harmless,
  plan,
  uncounted,
  withoutAttribute,
} from '../../../support/planning/attribute-rows.ts';
import { livePart } from '../../../support/planning/live-objects.ts';
import { planFor, rememberedOf, resource, stateOf } from '../../../support/planning/planning.ts';

const paths = ({ plan: { drift } }: JudgedPlan) =>
  [...(drift ?? [])].flatMap(({ attributes }) => attributes.map(({ path }) => path[0]));
const calls = ({ plan: made }: JudgedPlan) => [...made.steps].filter(({ request }) => request !== undefined).length;
const isShown = ({ definition }: Case) => definition.shown.as !== 'not';
const isFixed = ({ definition }: Case, now: JsonValue) =>
  definition.change === 'create_only' ||
  definition.change === 'start' ||
  (definition.change === 'one_way' && now === true);
const isLeft = ({ definition }: Case) => definition.isChangedByPlatform === true;
const isReversible = ({ reversibility }: Change) => reversibility === 'reversible';
const attributesOf = (record: StateRecord | undefined, { name }: Case) => record?.attributes[name];

/** What a refresh compared of an object that is as declared, if answers show it in these ways. */
function outcomesOf(one: Case, isShownNow: boolean, isWanted: boolean) {
  const declared = resource(one.kind.name, 'key-1', block(one, one.declared));
  const record = stateOf([declared]).get(one.address);
  const { [one.name]: value, ...others } = record?.attributes ?? {};
  const attributes = isShownNow && value !== undefined ? { ...others, [one.name]: value } : others;
  const tally = new ComparisonTally();
  const wants = (name: string) => isWanted || name !== one.name;
  tally.add(
    one.kind,
    { record, resource: declared, wants },
    { address: one.address, exists: true, attributes, facts: {} },
  );
  const all = tally.end();
  return { ...all, of: all.not_compared.filter(({ attribute }) => attribute === one.name) };
}

test('a setting of all channels means for people what it means for those of one custom type', () => {
  const [ofAll, ofType] = ['settings', 'custom_type'].map(
    (name) => registry.find((kind) => kind.name === name)?.attributes,
  );
  const change = (...path: string[]) => ({ path, before: 1, after: 2, how: 'set' as const });
  for (const name of Object.keys(initialChannelSettings)) {
    const [whole, own] = [ofAll?.all_channels, ofType?.[name]];
    if (whole === undefined || own === undefined) throw new Error(`${name} is missing`);
    expect(changesAccess(whole, change('all_channels', name)), name).toBe(changesAccess(own, change(name)));
  }
});

test('a public channel whose access code others removed can be entered by anybody', () => {
  const code = cases.find(({ kind, name }) => kind.name === 'group_channel' && name === 'access_code');
  if (code === undefined) throw new Error('access_code is missing');
  const { people } = plan(code, code.declared, code.declared, code.other, { isDriftAlone: true }).plan;
  expect(people?.counts).toEqual({ anybody_newly_enter: 1 });
  // A line that is removed leaves the code as it is.
  expect(plan(code, code.declared, undefined, code.declared).plan.people).toBeUndefined();
});

test('the table has a row for every attribute of every kind', () => {
  expect(cases.filter(({ declared }) => declared === null)).toEqual([]);
});

describe.each(cases)('$kind.name $name', (one) => {
  const { declared, other } = one;

  test('is not said to have changed on the platform where only the manifest changed', () => {
    const of = (value: JsonValue | undefined) => resource(one.kind.name, 'key-1', block(one, value));
    for (const before of [declared, other, undefined]) {
      const state = stateOf([of(before ?? declared)]);
      if (before === undefined) withoutAttribute(state, one);
      for (const after of [declared, other, undefined]) {
        const desired = [of(after)];
        const unread = planFor(desired, state);
        const known = state.get(one.address)?.attributes ?? {};
        const isPart = one.definition.shown.as === 'in_part' && known[one.name] !== undefined;
        const part = isPart ? { [one.name]: true } : {};
        const there = { [one.kind.disabledState.attribute]: false, ...known, ...part };
        const read = planFor(desired, state, livePart(desired, state, { [one.address]: there }));
        for (const { reason } of [...unread.plan.changes, ...read.plan.changes])
          expect(reason, `${before} → ${after}`).not.toMatchObject(
            reason.code === 'attributes_differ' ? { changed_on_platform: [one.name] } : { code: 'live_values_taken' },
          );
      }
    }
  });

  test('is not drift when the platform is as declared', () => {
    const made = plan(one, declared, declared, declared);
    expect([paths(made), made.plan.steps]).toEqual([[], []]);
  });

  test('is drift when others changed it, and is set back if a call can do that', () => {
    const made = plan(one, declared, declared, other);
    expect(made.problems).toEqual([]);
    if (!isShown(one)) {
      expect([paths(made), made.plan.steps]).toEqual([[], []]);
      return;
    }
    expect(new Set(paths(made))).toEqual(new Set([one.name]));
    const isDeparture = one.name === 'members';
    expect(calls(made) > 0).toBe(!isFixed(one, other) && !isLeft(one) && !isDeparture);
    expect(attributesOf(made.record, one)).toEqual(
      plan(one, declared, declared, declared).record?.attributes[one.name],
    );
    if (calls(made) > 0) expect(made.plan.changes.at(0)?.reason).toMatchObject({ changed_on_platform: [one.name] });
    if (isLeft(one)) expect(made.plan.drift?.at(0)?.note).toContain('does not set it back');
    if (isFixed(one, other)) expect(made.plan.drift?.at(0)?.note).toContain('no call');
  });

  test('is left by a repair if it decides what people can do, who calls the API, or where data goes', () => {
    for (const [applied, live] of [
      [declared, other],
      [other, declared],
    ] as const) {
      const made = plan(one, applied, applied, live).plan;
      if (made.changes.length === 0) continue;
      const { scope } = repairOf(made, undefined, registry, planWords);
      const isAccess = harmless[one.kind.name]?.includes(one.name) !== true;
      expect(scope.has(one.address), JSON.stringify(live)).toBe(!isAccess && [...made.changes].every(isReversible));
      // What *People* counts is never repaired.
      if (made.people !== undefined) expect(isAccess).toBe(true);
    }
  });

  test('is counted in *People* if it decides what people can do', () => {
    const edits = [
      [declared, other],
      [other, declared],
      // Two lines of one person can mean the same.
      ...(one.definition.shape === 'map' && !one.kind.required.includes(one.name) ? [[declared, {}] as const] : []),
    ] as const;
    const made = edits
      .map(([applied, live]) => plan(one, applied, applied, live).plan)
      .filter(({ changes }) => changes.length > 0);
    const { wide, lists } = decidingAttributes(one.kind.attributes);
    const isOfPush = one.definition.people.includes('push');
    const isDeciding =
      isOfPush || ([...wide, ...lists].includes(one.name) && !uncounted.includes(`${one.kind.name} ${one.name}`));
    expect(made.some(({ people }) => people !== undefined)).toBe(isDeciding && made.length > 0);
  });

  test('is told of people by the change if others edit it, as if the manifest had been edited', () => {
    for (const [applied, live] of [
      [declared, other],
      [other, declared],
    ] as const) {
      const { plan: found } = plan(one, applied, applied, live, { isDriftAlone: true });
      expect([found.changes, found.steps, found.notices]).toEqual([[], [], undefined]);
      const { plan: edited, problems } = plan(one, applied, live, applied);
      if (problems.length > 0 || !isShownWhole(one.definition)) continue;
      // An entry that others add is not drift.
      const told = found.drift?.length === 0 ? undefined : edited.people;
      expect(found.people, JSON.stringify(live)).toEqual(told);
    }
  });

  test('is compared, or named with the one reason why it was not', () => {
    const whole = outcomesOf(one, true, true);
    const { shown } = one.definition;
    const reason =
      shown.as === 'compared' || (shown.as === 'not' && shown.why === 'rule')
        ? []
        : [shown.as === 'not' ? shown.why : 'in_part'];
    expect(whole.of.map(({ why }) => why)).toEqual(reason);
    if (shown.as === 'not') return;
    const isEach = isReadEach(one.definition);
    for (const [outcome, why] of [
      [outcomesOf(one, false, true), 'omitted'],
      [outcomesOf(one, isEach === false, false), isEach ? 'read_each' : reason[0]],
    ] as const) {
      expect(outcome.of.map((entry) => entry.why)).toEqual(why === undefined ? [] : [why]);
      if (why !== undefined) expect(notComparedSentence(outcome)).toContain(one.name);
      const values = ({ compared, of }: typeof outcome) => of.reduce((sum, entry) => sum + entry.values, compared);
      expect(values(outcome)).toBe(values(whole));
    }
  });

  test('is taken into state without a call when others set the newly declared value', () => {
    // Of a value that is shown in part, it is not known whether it is the declared one, so it is sent.
    if (!isShownWhole(one.definition)) return expect(isShownWhole(one.definition)).toBe(false);
    const made = plan(one, declared, other, other);
    expect(made.problems).toEqual([]);
    expect(calls(made)).toBe(0);
    expect(new Set(paths(made))).toEqual(new Set([one.name]));
    const settled = plan(one, other, other, other);
    expect(made.record?.attributes).toEqual(settled.record?.attributes);
  });

  test('is ignored when it was never declared', () => {
    if (one.kind.required.includes(one.name)) return expect(one.definition.removed.how).toBe('required');
    const made = plan(one, undefined, undefined, other);
    expect([paths(made), made.plan.steps]).toEqual([[], []]);
  });

  test('is taken into state without a call when it already has the declared value', () => {
    if (!isShownWhole(one.definition) || one.kind.required.includes(one.name)) return expect(one.address).toBeDefined();
    const made = plan(one, undefined, declared, declared);
    expect(made.problems).toEqual([]);
    expect(calls(made)).toBe(0);
    expect(paths(made)).toEqual([]);
    expect(made.record?.attributes).toEqual(plan(one, declared, declared, declared).record?.attributes);
  });

  test('is removed in the usual way when others changed it meanwhile', () => {
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

  test('is neither drift nor set back under ignore_changes', () => {
    const of = (value: JsonValue) =>
      resource(one.kind.name, 'key-1', block(one, value), { ignore_changes: [one.name] });
    const state = stateOf([of(declared)]);
    const shown = { ...rememberedOf(of(other)), [one.name]: other };
    const made = planFor([of(declared)], state, livePart([of(declared)], state, { [one.address]: shown }));
    expect([made.plan.drift, made.plan.steps]).toEqual([[], []]);
  });
});
