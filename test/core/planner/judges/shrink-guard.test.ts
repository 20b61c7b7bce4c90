// Tests which loads are refused because files may be missing, and what the refusal says about each file.
import { describe, expect, test } from 'vitest';
import type { Acknowledgement } from '../../../../src/core/model/policy.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { RemovedEntry } from '../../../../src/core/model/resource.ts';
import type { FileCounts } from '../../../../src/core/model/run-metadata.ts';
import { diagnosticOf } from '../../../../src/core/planner/draft/finding.ts';
import { type LoadedInput, refuseShrunkInput } from '../../../../src/core/planner/judges/shrink-guard.ts';
import { loadedEntry } from '../../../../src/core/planner/plan.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { planWords } from '../../../../src/core/view/text/plan-problems.ts';
import { InternalError } from '../../../../src/lib/errors.ts';
import { defaultPolicy, resource, stateOf } from '../../../support/planning/planning.ts';

type Files = Readonly<Record<string, Readonly<Record<string, number>>>>;

const counted = (files: Files): FileCounts[] => Object.entries(files).map(([file, counts]) => ({ file, counts }));

function recordOf(files: Files): StateRecord | undefined {
  const entry = loadedEntry(counted(files), undefined);
  return entry?.type === 'put' ? entry.record : undefined;
}

interface Situation {
  readonly earlier: Files;
  readonly now: Files;
  readonly empty?: LoadedInput['empty'];
  readonly acknowledge?: readonly Acknowledgement[];
  readonly removed?: readonly RemovedEntry[];
  readonly records?: readonly StateRecord[];
  /** Whether --exclude names all users. */
  readonly isExcluded?: boolean;
}

function refusals({
  earlier,
  now,
  empty = [],
  acknowledge = [],
  removed = [],
  records = [],
  isExcluded = false,
}: Situation) {
  const before = recordOf(earlier);
  if (before === undefined) throw new InternalError('nothing was loaded');
  const refused = refuseShrunkInput({
    kinds: registry,
    loaded: { files: counted(now), empty },
    before,
    removed,
    records,
    ...(isExcluded ? { excluded: { resources: [], has: (address) => address.startsWith('user.') } } : {}),
    policy: { ...defaultPolicy, acknowledge },
    today: '2026-06-01',
  });
  return refused.map((finding) => diagnosticOf(finding, planWords));
}

const source = { file: 'b.yaml', line: 3, column: 1 };
const listed = (key: string): RemovedEntry => ({ address: `user.${key}`, source });

const users = (earlier: number, now: number) => ({
  earlier: { 'a.yaml': { user: earlier } },
  now: { 'a.yaml': { user: now } },
});
const acknowledged = (count: number, effect = 'user.deactivate'): Acknowledgement => ({ effect, count });

const bobs = { 'a.yaml': { user: 500 }, 'b.yaml': { user: 3 } };
const effect = (count: number, name?: string) => ({ acknowledge: [acknowledged(count, name)] });
const closed = [...stateOf([resource('user', 'a', { nickname: 'A', deactivated: true })]).values()];
const over = users(20, 9);
const ann = [...stateOf([resource('user', 'ann', { nickname: 'A' })]).values()];
const retired = closed.map((record): StateRecord => ({ ...record, retired: true }));

const accepted: Readonly<Record<string, Situation>> = {
  'the same': users(5, 5),
  more: users(5, 50),
  'a few less': users(20, 10),
  'many, but a small share': users(1000, 900),
  'a file is gone, and its content moved': { earlier: bobs, now: { 'a.yaml': { user: 503 } } },
  'a file was renamed, and lost one of many': {
    earlier: { 'a.yaml': { user: 50 } },
    now: { 'b.yaml': { user: 49 } },
  },
  'another folder names all files otherwise': {
    earlier: { 'm/a.yaml': { user: 50 }, 'm/b.yaml': { group_channel: 2 } },
    now: { 'a.yaml': { user: 50 }, 'b.yaml': { group_channel: 2 } },
  },
  acknowledged: { ...over, ...effect(11) },
  'acknowledged in two ways': {
    ...users(20, 0),
    acknowledge: [acknowledged(9, 'user.delete'), acknowledged(11, 'user.forget')],
  },
  'those who are closed already need no number': {
    earlier: { 'a.yaml': { user: 3 } },
    now: {},
    ...effect(2),
    records: closed,
  },
  'the missing are excluded': { ...users(1, 0), records: ann, isExcluded: true },
  'listed under removed': { ...users(2, 0), removed: [listed('a'), listed('b')] },
};

const refused: Readonly<Record<string, Situation>> = {
  'fewer are excluded than are missing': { ...users(2, 0), records: ann, isExcluded: true },
  'the excluded were removed before': { ...users(1, 0), records: retired, isExcluded: true },
  'beyond the budget': over,
  'a kind is gone': { earlier: { 'a.yaml': { user: 5, open_channel: 1 } }, now: { 'a.yaml': { user: 5 } } },
  'a file is gone, and what it held': { earlier: bobs, now: { 'a.yaml': { user: 500 } } },
  'acknowledged too little': { ...over, ...effect(10) },
  'acknowledged of another kind': { ...over, ...effect(11, 'open_channel.freeze') },
  'acknowledged until yesterday': { ...over, acknowledge: [{ ...acknowledged(11), expires: '2026-05-31' }] },
};

test.for(Object.entries(accepted))('accepts a load: %s', ([, situation]) => {
  expect(refusals(situation)).toEqual([]);
});

test.for(Object.entries(refused))('refuses a load: %s', ([, situation]) => {
  expect(refusals(situation).map(({ code }) => code)).toEqual(['safety.input-shrank']);
});

describe('the refusal', () => {
  const earlier: Files = { 'a.yaml': { user: 20 }, 'b.yaml': { user: 10 }, 'c.yaml': { user: 5 } };

  test('distinguishes missing, empty, intentionally empty and shorter files', () => {
    const [refusal] = refusals({
      earlier: { ...earlier, 'd.yaml': { user: 4, open_channel: 1 } },
      now: { 'a.yaml': { user: 2 }, 'b.yaml': {}, 'c.yaml': {}, 'd.yaml': { open_channel: 1 } },
      empty: [{ section: 'users', source }],
    });
    for (const text of [
      'users: 39 at the last apply, 2 now.',
      'a.yaml declares 2 (20 then).',
      'b.yaml:3:1 declares users: {} (10 then).',
      'c.yaml declares nothing (5 then).',
      'd.yaml declares no users (4 then).',
    ])
      expect(refusal?.detail).toContain(text);
    expect(refusal?.source).toEqual(source);
    const [gone] = refusals({ earlier, now: { 'a.yaml': { user: 20 } } });
    expect(gone?.detail).toContain('b.yaml was not read (10 then).');
  });

  test('names the first of many files, and the number to acknowledge', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}.yaml`, { user: 2 }]));
    const [refusal] = refusals({ earlier: many, now: {} });
    expect(refusal?.detail).toContain('4 more files declare less, or are missing.');
    expect(refusal?.detail).toContain('acknowledge: [{effect: user.deactivate, count: 18}]');
  });
});

test('remembers files with declarations, and writes nothing if state already lists them', () => {
  const files = counted({ 'a.yaml': { user: 1 }, 'policy.yaml': {} });
  const entry = loadedEntry(files, undefined);
  expect(entry).toEqual({
    type: 'put',
    record: { address: 'chatform.loaded', attributes: { files: { 'a.yaml': { user: 1 } } } },
  });
  expect(entry?.type === 'put' ? loadedEntry(files, entry.record) : entry).toBeUndefined();
});

test('names acknowledgements that do not apply, with the reason', () => {
  const [refusal] = refusals({
    ...users(20, 5),
    acknowledge: [
      acknowledged(9),
      { ...acknowledged(15), expires: '2026-05-31' },
      acknowledged(3, 'open_channel.freeze'),
    ],
  });
  expect(refusal?.detail).toMatch(
    /The acknowledgement of 9 does not match that number\. The acknowledgement of 15 expired after 2026-05-31\.$/u,
  );
});
