// Tests which plans of several environments are shown as one.
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { digestOfShown } from '../../../../src/core/view/summary/plan-digest.ts';
import { changeOf, planOf } from '../support/plans.ts';

const plan = planOf([changeOf('group_channel.board', ['freeze'])], {
  new_state: { place: 'file:a', existing: 1 },
  refreshed: { objects: 3, requests: 1, compared: 8, not_compared: [] },
});
const digest = (more: object) => digestOfShown({ ...plan, ...more } as Plan, []);

test.for<[string, object]>([
  ['another change', { changes: [changeOf('group_channel.board', ['unfreeze'])] }],
  ['another place in a sentence about people', { people: { effects: [{ statements: ['bob can no longer write'] }] } }],
  ['other notices', { notices: { people: 4 } }],
  ['objects that a new state does not know', { new_state: { place: 'file:a', existing: 2 } }],
  ['a state that is not new', { new_state: undefined }],
  ['other stages', { stages: [{ objects: 1, steps: 1 }] }],
  ['objects that nobody manages', { unmanaged: { objects: 1, requests: 1, kinds: [] } }],
  ['other requests', { requests: [{ method: 'PUT', route: '/users', count: 2 }] }],
  ['values that the platform stored otherwise', { refreshed: { ...plan.refreshed, stored_otherwise: 1 } }],
  ['no refresh', { refreshed: undefined }],
  ['something that plans do not have yet', { newMember: 1 }],
])('shows plans apart that differ in %s', ([, more]) => {
  expect(digest(more)).not.toBe(digest({}));
});

test.for<[string, object]>([
  ['application', { application: 'api-b.sendbird.com/v3', settings: { ...plan.settings, rate_plan: '5k_mau' } }],
  ['state', { state: 's3://b', lineage: 'b', new_state: { place: 'file:b', existing: 1 } }],
  ['hash and duration', { hash: '0', duration: { lower_bound_s: 5, buckets: [] } }],
  ['number of objects that were read', { refreshed: { objects: 4, requests: 9 } }],
  [
    'place in the manifests',
    { changes: [changeOf('group_channel.board', ['freeze'], { source: { file: 'b.yaml', line: 9, column: 1 } })] },
  ],
])('joins plans that differ in the %s', ([, more]) => {
  expect(digest(more)).toBe(digest({}));
});
