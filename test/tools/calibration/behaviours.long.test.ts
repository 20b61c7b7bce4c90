// Tests a calibration against the emulator under each single reading.
import { expect, test } from 'vitest';
import { type BehaviourName, behaviours } from '../../../src/core/model/behaviours.ts';
import { describeBehaviours, parseBehaviours } from '../../../src/emulator/api/behaviours.ts';
import { WINDOW_KINDS } from '../../../src/emulator/limits/windows.ts';
import { undecidable } from '../../../src/tools/calibration/probe-table.ts';
import { answering, killedAt, namesOn, patient, valuesOf } from './support.ts';

const alternatives = describeBehaviours().flatMap((line) => {
  const [name = '', values = ''] = line.split('=');
  return values.split('|').map((value) => `${name}=${value}`);
});

/** Behaviours that a calibration never decides, and behaviours that an alternative of another one hides. */
const never = Object.keys(undecidable);
const hidden: Readonly<Record<string, readonly string[]>> = {
  'messageRetrieval=off': ['migrationBatch', 'lateMessages', 'customFieldOfFile', 'dedup', 'dedupScope'],
  'dedup=ignore': ['dedupScope'],
  // Nobody's channel is shown again, so nothing tells whether a sender's would be.
  'migrationUnhides=false': ['migrationUnhidesSender'],
};

test.each(alternatives)('names the platform with %s', async (alternative) => {
  const [name = '', text] = alternative.split('=');
  const subject = patient({ behaviours: parseBehaviours([alternative]) });
  const { results, left } = await subject.examine();
  const values = valuesOf(results);
  const ofDefaults = valuesOf((await defaults).results);
  const undecided = [...never, ...(hidden[alternative] ?? [])];
  if (!undecided.includes(name)) expect(String(values[name])).toBe(text);
  for (const other of Object.keys(behaviours) as BehaviourName[]) {
    if (other !== name)
      expect([other, values[other]]).toEqual([other, undecided.includes(other) ? undefined : ofDefaults[other]]);
  }
  expect([left, subject.journal.made]).toEqual([[], []]);
});

const defaults = patient({}).examine();

test.each(WINDOW_KINDS.flatMap((window) => [[window, 'endpoint'] as const, [window, 'method'] as const]))(
  'names the window %s and limits by %s on every plan',
  async (window, planLimits) => {
    for (const [ratePlan, latencyMs] of [
      ['free_trial', 250],
      ['10k_mau', 5],
      ['100k_mau', 60],
    ] as const) {
      const { results } = await patient({ window, ratePlan, latencyMs, behaviours: { planLimits } }).examine();
      const values = valuesOf(results);
      expect([ratePlan, values.window, values.planLimits]).toEqual([ratePlan, window, planLimits]);
    }
  },
);

/** A platform that states neither the remaining calls nor when to call again. */
const withoutHeaders = answering(({ rate: _rate, ...answer }) =>
  answer.type === 'limited' ? { ...answer, retryAfterS: undefined } : answer,
);

test.each(WINDOW_KINDS)('names the window %s without rate-limit headers', async (window) => {
  const behaviours = { planLimits: 'method' } as const;
  const { results, calls } = await patient({
    window,
    ratePlan: '10k_mau',
    around: withoutHeaders,
    behaviours,
  }).examine();
  expect(valuesOf(results)).toMatchObject({ rateHeaders: 'absent', window, planLimits: 'method' });
  expect(calls).toBeLessThan(210);
});

test('says that a large limit cannot be decided without headers', async () => {
  const { results } = await patient({ ratePlan: '100k_mau', around: withoutHeaders }).examine();
  expect(results.planLimits).toEqual({
    undecided: 'the answers have no rate-limit headers, and 200 calls are too many to exceed',
  });
});

test('leaves nothing after a kill at any call', async () => {
  for (let call = 1; call < 120; call += 1) {
    const subject = await killedAt(call);
    expect([call, subject.journal.made, namesOn(subject)]).toEqual([call, [], []]);
  }
});

test.each(['named', 'first_listed', 'application'] as const)(
  'names the user scope %s from refusals alone',
  async (userScope) => {
    const options = { ratePlan: '10k_mau', around: withoutHeaders, behaviours: { userScope } } as const;
    const { results } = await patient(options).examine();
    expect(valuesOf(results)).toMatchObject({ userScope, planLimits: 'endpoint' });
  },
);
