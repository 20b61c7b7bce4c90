// Tests that a calibration is right or undecided on hostile platforms. goldens/score.md counts its answers.
import { expect, test } from 'vitest';
import { type BehaviourName, behaviours } from '../../../src/core/model/behaviours.ts';
import { seededRandom } from '../../../src/emulator/random.ts';
import { inSuite, longTest, seedOfRun } from '../../support/suite.ts';
import { hostile, randomSetting, type Setting, truthOf } from './hostile.ts';

type Verdict = 'right' | 'undecided' | 'wrong';

/** What a calibration of the platform says about each behaviour. An answer without a reason is wrong. */
async function judged(setting: Setting, seed: number) {
  const truth = truthOf(setting);
  const { results, left, calls } = await hostile(setting, seed).examine();
  const verdicts = new Map<BehaviourName, Verdict>();
  const wrong: string[] = [];
  for (const [name, result] of Object.entries(results) as [BehaviourName, (typeof results)[BehaviourName] & object][]) {
    const isWrong = 'value' in result ? result.value !== truth[name] : result.undecided === '';
    verdicts.set(name, isWrong ? 'wrong' : 'value' in result ? 'right' : 'undecided');
    if (isWrong) wrong.push(`${name}: ${JSON.stringify(result)}`);
  }
  // The settings of a type cannot be removed where the application has none, which the report says.
  const kept = left.filter(({ kind }) => kind !== 'settings' || setting.without !== 'settings_by');
  return { verdicts, wrong, kept, calls };
}

test('is right or undecided with a reason, whatever is combined against it', async () => {
  const seed = seedOfRun();
  const random = seededRandom(seed);
  for (let run = 0; run < inSuite(10, 150); run += 1) {
    const setting = randomSetting(random);
    const { wrong, kept } = await judged(setting, seed + run);
    const failed = wrong.length + kept.length > 0 ? setting : undefined;
    expect({ run, failed, wrong, kept }).toEqual({ run, failed: undefined, wrong: [], kept: [] });
  }
});

test.for<readonly [seed: number, run: number, why: string]>([
  [527_219, 126, 'the two admitted calls of one endpoint came before those of another that shares its limit'],
  [900_000, 5493, 'the calls of one endpoint were next to each other in two bursts, by chance'],
  [10, 68, 'other clients made counts advance by two'],
  [6, 98, 'each of two users had a call where no burst is admitted'],
  [50_000, 2574, 'all bursts began in the same part of a fixed window'],
  [900_000, 9579, 'a fixed window ended in the burst of two users'],
  [7, 33, 'the limit of the plan hid that of a user in every refusal'],
])('is right or undecided on platform %i.%i: %s', async ([seed, run]) => {
  const random = seededRandom(seed);
  const settings = Array.from({ length: run + 1 }, () => randomSetting(random));
  const { wrong } = await judged(settings[run] ?? {}, seed + run);
  expect(wrong).toEqual([]);
});

/** What each group of platforms has in common. Everything else is random, without what the other groups have. */
const groups: Readonly<Record<string, (setting: Setting) => Partial<Setting>>> = {
  'any behaviours, windows and plans': () => ({}),
  'lost answers (5 %)': () => ({ lost: 0.05 }),
  'windows of 60 s': () => ({ windowS: 60 }),
  'other clients use 40 %': () => ({ foreign: 0.4 }),
  'late lists (6 s)': () => ({ lateMs: 6000 }),
  'another plan than the declared one': ({ ratePlan }) => ({
    declaredPlan: ratePlan === 'free_trial' ? '10k_mau' : 'free_trial',
  }),
  'no rate-limit headers': () => ({ isBare: true }),
  'no headers, and another plan': ({ ratePlan }) => ({
    isBare: true,
    declaredPlan: ratePlan === 'free_trial' ? '10k_mau' : 'free_trial',
  }),
  'no headers, and other clients use 40 %': () => ({ isBare: true, foreign: 0.4 }),
  'calls arrive up to 40 ms late': () => ({ jitterMs: 40 }),
  'a feature is missing': ({ without = '/migration' }) => ({ without }),
};
const platformsOfGroup = 18;

longTest('scores as goldens/score.md says, without a wrong answer', async () => {
  const none = (): Record<Verdict, number> => ({ right: 0, undecided: 0, wrong: 0 });
  const byReading = new Map<string, Record<Verdict, number>>(Object.keys(behaviours).map((name) => [name, none()]));
  const rows: string[] = [];
  for (const [group, change] of Object.entries(groups)) {
    const score = none();
    let mostCalls = 0;
    for (let run = 0; run < platformsOfGroup; run += 1) {
      const random = randomSetting(seededRandom(1000 * rows.length + run));
      const { behaviours: values, window, ratePlan } = random;
      const usual = { behaviours: values ?? {}, window: window ?? 'sliding', ratePlan: ratePlan ?? '5k_mau' };
      const { verdicts, calls } = await judged({ ...usual, ...change(random) }, run);
      mostCalls = Math.max(mostCalls, calls);
      for (const [name, verdict] of verdicts) {
        score[verdict] += 1;
        (byReading.get(name) ?? none())[verdict] += 1;
      }
    }
    rows.push(`| ${group} | ${score.right} | ${score.undecided} | ${score.wrong} | ${mostCalls} |`);
  }
  const readingRows = [...byReading].map(
    ([name, { right, undecided, wrong }]) => `| \`${name}\` | ${right} | ${undecided} | ${wrong} |`,
  );
  const text = `# Answers of calibrations on hostile platforms

${platformsOfGroup} platforms of each setting, with random behaviours, windows and rate plans. Each answer is compared with the truth.

| Setting | Right | Undecided | Wrong | Most calls |
|---|---|---|---|---|
${rows.join('\n')}

| Reading | Right | Undecided | Wrong |
|---|---|---|---|
${readingRows.join('\n')}
`;
  await expect(text).toMatchFileSnapshot('goldens/score.md');
  expect([...byReading].filter(([, { wrong }]) => wrong > 0)).toEqual([]);
});
