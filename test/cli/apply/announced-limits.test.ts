// Tests that plan, apply and reports name announced limits that differ from the declared rate plan, and what to write.
import { expect, test } from 'vitest';
import { connected } from '../../support/place.ts';

const team = 'version: 1\nusers: { ann: { nickname: Ann }, bob: { nickname: Bob } }\n';
const says = (from: number, to: number, method: string) =>
  `${to} instead of ${from} ${method} calls a second. Write application: {rate_plan: 25k_mau} in the manifest`;

test('an apply whose answers announce another rate plan says so last, and so does its report', async () => {
  const { at } = await connected({ 'chat.yaml': team }, { ratePlan: '25k_mau' });
  const { stderr, stdout } = await at.does('apply --auto-approve --rate-plan 5k_mau --report report.json');
  expect((stdout + stderr).replaceAll(/\s+/gu, ' ')).toContain(says(10, 40, 'POST'));
  expect((await at.readJson('report.json')).announced).toEqual({
    limits: [{ method: 'POST', declared_per_s: 10, announced_per_s: 40 }],
    rate_plan: '25k_mau',
  });
  const { warnings } = await at.json('plan --refresh --rate-plan 5k_mau');
  expect(warnings).toMatchObject([
    { code: 'plan.announced-limits', severity: 'warning', detail: expect.stringContaining(says(60, 200, 'GET')) },
  ]);
  expect((await at.json('plan --refresh --rate-plan 25k_mau')).warnings).toEqual([]);
});

test('nothing is said where the declared plan is the announced one, or nothing is announced', async () => {
  for (const options of [{ ratePlan: '25k_mau' as const }, { rateLimits: false }]) {
    const { at } = await connected({ 'chat.yaml': team }, options);
    const { stdout, stderr } = await at.does('apply --auto-approve --rate-plan 25k_mau --report report.json');
    expect(stdout + stderr).not.toContain('announces');
    expect(await at.readJson('report.json')).not.toHaveProperty('announced');
  }
});
