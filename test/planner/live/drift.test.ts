// Tests every attribute of every kind after a refresh: drift, corrections, adoption, and values that are not managed.
import { describe, expect, test } from 'vitest';
import { isShownWhole, rememberOne } from '../../../src/kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/kinds/definition/kind.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { type Address, addressOf } from '../../../src/model/address.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { JudgedPlan } from '../../../src/planner/judges/judge.ts';
import { registry } from '../../../src/resources/index.ts';
import { leastOf, sampleOf, valuesOf } from '../../resources/support/samples.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, rememberedOf, resource, stateAfter, stateOf } from '../../support/planning/planning.ts';

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
      const [declared, other] = valuesOf(kind, name) ?? [null, null];
      return { kind, name, definition, address: addressOf(kind.name, 'key-1'), declared, other };
    }),
  );

function block({ kind, name }: Case, value: JsonValue | undefined): JsonObject {
  const { [name]: _own, ...rest } = leastOf(kind);
  return { ...rest, ...sampleOf(kind).besides?.[name], ...(value === undefined ? {} : { [name]: value }) };
}

/** State holds `before`; `after` is declared; the platform shows `there`. */
function plan(one: Case, before: JsonValue | undefined, after: JsonValue | undefined, there: JsonValue | undefined) {
  const of = (value: JsonValue | undefined) => resource(one.kind.name, 'key-1', block(one, value));
  const state = stateOf([of(before ?? one.declared)]);
  if (before === undefined) withoutAttribute(state, one);
  const desired = [of(after)];
  const shown = {
    ...rememberedOf(of(there)),
    ...(there === undefined ? {} : { [one.name]: rememberOne(one.definition, there) }),
  };
  const planned = planFor(desired, state, livePart(desired, state, { [one.address]: shown }));
  return { ...planned, record: stateAfter(state, planned.plan.steps).get(one.address), wanted: desired[0] };
}

/** The same, without the line. */
function withoutAttribute(state: Map<Address, StateRecord>, { address, name }: Case): void {
  const record = state.get(address);
  const { [name]: _gone, ...attributes } = record?.attributes ?? {};
  state.set(address, { address, attributes });
}

const paths = ({ plan: { drift } }: JudgedPlan) =>
  [...(drift ?? [])].flatMap(({ attributes }) => attributes.map(({ path }) => path[0]));
const calls = ({ plan: made }: JudgedPlan) => [...made.steps].filter(({ request }) => request !== undefined).length;
const isShown = ({ definition }: Case) => isShownWhole(definition);
const isFixed = ({ definition }: Case, now: JsonValue) =>
  definition.change === 'create_only' || (definition.change === 'one_way' && now === true);
const isLeft = ({ definition }: Case) => definition.isChangedByPlatform === true;
const attributesOf = (record: StateRecord | undefined, { name }: Case) => record?.attributes[name];

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
        const there = { [one.kind.disabledState.attribute]: false, ...state.get(one.address)?.attributes };
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

  test('is taken into state without a call when others set the newly declared value', () => {
    if (!isShown(one)) return expect(isShown(one)).toBe(false);
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
    if (!isShown(one) || one.kind.required.includes(one.name)) return expect(one.address).toBeDefined();
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
