// Tests that an empty setting of a custom type manages nothing, whether it is declared or in state.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { planFor, resource, stateOf } from '../../../support/planning/planning.ts';

const room = (attributes: JsonObject) => resource('custom_type', 'room', attributes);
const bodiesOf = (declared: JsonObject, before?: JsonObject) => {
  const state = before === undefined ? undefined : stateOf([room(before)]);
  return [...planFor([room(declared)], state).plan.steps].map(({ request }) => request?.body);
};

test.for(['image_moderation', 'domain_filter', 'push_template'])('no call sends an empty %s', (name) => {
  const known = { max_message_length: 50 };
  expect(bodiesOf({ ...known, [name]: {} })).toEqual([{ custom_type: 'room', ...known }]);
  expect(bodiesOf({ ...known, [name]: {} }, known)).toEqual([]);
  expect(bodiesOf({ max_message_length: 100, [name]: {} }, known)).toEqual([{ max_message_length: 100 }]);
});

test('an empty setting in state is not a change', () => {
  const { address, attributes } = room({ max_message_length: 50 });
  const record = { address, attributes: { ...attributes, image_moderation: {} } };
  for (const more of [{}, { image_moderation: {} }]) {
    const { plan } = planFor([room({ max_message_length: 50, ...more })], new Map([[address, record]]));
    expect([...plan.steps]).toEqual([]);
  }
});
