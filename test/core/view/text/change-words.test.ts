// Tests the words of the reasons of changes.
import { expect, test } from 'vitest';
import { type ChangeReason, type ChangeReasonCode, reasonFields } from '../../../../src/core/model/reasons.ts';
import { reasonInWords } from '../../../../src/core/view/text/change-words.ts';

const cases: readonly (readonly [reason: ChangeReason, words: string])[] = [
  [{ code: 'not_in_state' }, 'declared but not in state'],
  [{ code: 'exists', existing: 'adopt_equal' }, 'exists already (policy: {existing: adopt_equal})'],
  [{ code: 'exists_and_matches_adopt' }, 'exists already as declared (policy: {adopt})'],
  [{ code: 'gone' }, 'gone from the platform'],
  [{ code: 'gone_and_undeclared' }, 'gone from the platform, and removed from the manifest'],
  [
    { code: 'gone_with_parents', parents: ['group_channel.a', 'user.b'] },
    'gone from the platform with group_channel.a, user.b',
  ],
  [{ code: 'undeclared' }, 'removed from the manifest'],
  [{ code: 'listed_under_removed' }, 'listed under removed'],
  [{ code: 'users_deleted' }, 'was retired, and this plan deletes users in it'],
  [{ code: 'declared_again' }, 'declared again after its retirement'],
  [{ code: 'creation_interrupted' }, 'its creation was interrupted'],
  [{ code: 'left_open' }, 'was reopened for work and not disabled again'],
  [{ code: 'disabled_state_edited', attribute: 'frozen' }, 'frozen was edited since the last apply'],
  [
    { code: 'attributes_differ', edited: ['name', 'data'], changed_on_platform: [] },
    'name, data edited since the last apply',
  ],
  [
    { code: 'attributes_differ', edited: [], changed_on_platform: ['name'] },
    'name changed on the platform since the last apply',
  ],
  [{ code: 'values_unknown', attributes: ['name', 'data'] }, 'name, data unknown since an interrupted run'],
  [
    { code: 'attributes_differ', edited: ['name'], changed_on_platform: ['data'] },
    'name edited since the last apply; data changed on the platform since the last apply',
  ],
  [{ code: 'lifecycle_edited' }, 'its lifecycle was edited'],
  [{ code: 'live_values_taken' }, 'state takes over the live values'],
  [{ code: 'needed_enabled' }, 'other changes in this plan need it enabled'],
  [{ code: 'needed_reopened' }, 'is disabled, and other changes need it reopened temporarily'],
  [{ code: 'undone', run: 3 }, 'run 3 is taken back'],
];

test.for(cases)('words %o', ([reason, words]) => {
  expect(reasonInWords(reason)).toBe(words);
});

test('every reason has a case', () => {
  const codes = Object.keys(reasonFields) as ChangeReasonCode[];
  expect([...new Set(cases.map(([{ code }]) => code))]).toEqual(codes);
});
