// Tests that a plan file whose parts disagree is refused (6), whoever computed its hash and checksum.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { printPlanFile } from '../../../src/core/planner/plan-file/print.ts';
import { OtherLayout } from '../../../src/core/planner/plan-file/reader.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { estate, possible } from '../../support/planning/arbitrary-estates.ts';
import { hashOfSteps } from '../../support/planning/hash-of-steps.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, readPlanText, resources, stateOf } from '../../support/planning/planning.ts';
import { inSuite } from '../../support/suite.ts';

const users = { alice: { nickname: 'A' }, bob: { nickname: 'B' }, eve: { nickname: 'E' } };
const room = { name: 'Room', members: { alice: {}, bob: {}, eve: {} }, operators: ['alice'] };
const applied = resources({ user: users, group_channel: { room } });
const state = stateOf(applied);

/** Renames a user. */
const harmless = planOf({ user: { ...users, eve: { nickname: 'Evie' } }, group_channel: { room } });
/** Takes a member out, freezes the channel, and takes a user out of the manifests. */
const harmful = planOf({
  user: { alice: users.alice, bob: users.bob },
  group_channel: { room: { ...room, members: { alice: {}, bob: {} }, frozen: true } },
});

function planOf(blocks: Parameters<typeof resources>[0]): Plan {
  const desired = resources(blocks);
  return planFor(desired, state, livePart(desired, state, {})).plan;
}

/** Undefined for a plan that is refused. */
function read(plan: Plan): Plan | undefined {
  try {
    return readPlanText(printPlanFile(plan));
  } catch (error) {
    if (error instanceof OtherLayout) return undefined;
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: 'plan.unreadable', exitCode: 6 });
    return undefined;
  }
}

/** The parts of a file that decide what runs or what a plan shows of it. The rest describes the plan: its warnings, its state. */
const parts = ['changes', 'origins', 'hash'] as const;

describe('a plan file', () => {
  test('that mixes parts of two plans of one state is refused', () => {
    for (let mixture = 1; mixture < 2 ** parts.length - 1; mixture += 1) {
      const taken = parts.filter((_part, place) => (mixture & (2 ** place)) !== 0);
      const mixed = { ...harmless, ...Object.fromEntries(taken.map((part) => [part, harmful[part]])) };
      expect([taken, read(mixed)]).toEqual([taken, undefined]);
    }
    expect(read(harmless)).toEqual(harmless);
    expect(read(harmful)).toEqual(harmful);
  });

  test.for<[string, (step: Step) => Step]>([
    [
      'a secret in the place of a value',
      (step) => withRequest(step, { placeholders: [{ type: 'secret', field: 'nickname', variable: 'DB_PASSWORD' }] }),
    ],
    ['a route that no kind has', (step) => withRequest(step, { method: 'POST', route: '/applications/api_tokens' })],
    ['another field in the body', (step) => withRequest(step, { body: { nickname: 'Evie', is_active: false } })],
    ['another object', (step) => withRequest(step, { params: { user_id: 'alice' } })],
    ['another record', (step) => ({ ...step, entry: { type: 'delete', address: step.address } })],
    ['the record of another object', (step) => ({ ...step, entry: { type: 'delete', address: 'user.alice' } })],
    ['a token that is written to a file', (step) => ({ ...step, sink: { field: 'access_token', user_id: 'eve' } })],
    ['no wait for another step', (step) => ({ ...step, needs: ['user.alice#1'] })],
  ])('whose hash covers %s is refused', ([, edit]) => {
    const steps = [...harmless.steps].map(edit);
    const hash = hashOfSteps(harmless.application, steps, harmless.settings.existing);
    expect(hash).not.toBe(harmless.hash);
    expect(read({ ...harmless, steps, hash })).toBeUndefined();
  });

  test('never has steps of its own: other ones are not written', () => {
    expect(read({ ...harmless, steps: harmful.steps, summary: harmful.summary })).toEqual(harmless);
  });

  test('is refused after each edit of one value that it shows of a harmful change', () => {
    const changes = [...harmful.changes] as unknown as JsonValue;
    const places = [...placesIn(changes)];
    expect(places.some((path) => path.includes('dangerous'))).toBe(true);
    for (const path of places) {
      const edited = { ...harmful, changes: editedAt(changes, path) as never };
      expect([path, read(edited)]).toEqual([path, undefined]);
    }
  });

  test('of any estate reads back; with an edited change it is refused, and with an edited origin it shows and does the same or is refused', () => {
    let refused = 0;
    fc.assert(
      fc.property(estate, estate, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), (first, second, places) => {
        const before = stateOf(first);
        const { plan } = planFor(possible(second, before), before);
        expect(read(plan)).toEqual(plan);
        for (const place of places) {
          const change = editIn([...plan.changes] as unknown as JsonValue, place);
          if (change !== undefined)
            expect([change.path, read({ ...plan, changes: change.value as never })]).toEqual([change.path, undefined]);
          const origin = editIn([...(plan.origins ?? [])] as unknown as JsonValue, place);
          if (origin === undefined) continue;
          const other = read({ ...plan, origins: origin.value as never });
          if (other === undefined) refused += 1;
          else expect([origin.path, decided(other)]).toEqual([origin.path, decided(plan)]);
        }
      }),
      { numRuns: inSuite(5, 300) },
    );
    expect(refused).toBeGreaterThan(0);
  });
});

/** What a plan does, and what it shows of that. */
function decided({ steps, changes, summary, requests }: Plan): Partial<Plan> {
  return { steps: [...steps], changes: [...changes], summary, requests };
}

function withRequest(step: Step, more: Partial<NonNullable<Step['request']>>): Step {
  return step.request === undefined ? step : { ...step, request: { ...step.request, ...more } };
}

/** Edits one value, chosen by a number. Undefined if there is none, or if the edit changes nothing. */
function editIn(
  value: JsonValue,
  at: number,
): { readonly path: readonly string[]; readonly value: JsonValue } | undefined {
  const places = [...placesIn(value)];
  const path = places[at % Math.max(1, places.length)];
  if (path === undefined) return undefined;
  const edited = editedAt(value, path);
  return equalJson(edited, value) ? undefined : { path, value: edited };
}

/** The paths of all values that are neither lists nor objects, and of all lists, to which something may be added. */
function* placesIn(value: JsonValue, path: readonly string[] = []): Generator<readonly string[]> {
  if (!isList(value) && !isObject(value)) {
    yield path;
    return;
  }
  if (path.length > 0 && isList(value)) yield path;
  for (const [name, inner] of Object.entries(value as JsonObject)) yield* placesIn(inner, [...path, name]);
}

function editedAt(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) {
    if (isList(value)) return value.length > 0 ? value.slice(1) : ['x'];
    return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}x`;
  }
  if (isList(value)) return value.map((item, place) => (String(place) === name ? editedAt(item, rest) : item));
  return isObject(value) ? { ...value, [name]: editedAt(value[name] ?? null, rest) } : value;
}
