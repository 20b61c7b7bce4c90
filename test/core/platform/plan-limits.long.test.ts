// Writes what a run costs under each behaviour of the plan's limits to goldens/plan-limits.md, beside another client and alone.
import { expect, test } from 'vitest';
import { type LimitedOutcome, type LimitedRun, playLimited } from './support/limited-run.ts';

const calls = { '/users': 120, '/open_channels': 60, '/group_channels': 40 };
const windows = ['sliding', 'fixed', 'gcra'];
const seeds = Array.from({ length: 12 }, (_, place) => place + 1);

async function cellOf(run: Omit<LimitedRun, 'plan' | 'calls'>): Promise<string> {
  const outcomes: LimitedOutcome[] = [];
  for (const seed of seeds) outcomes.push(await playLimited({ ...run, plan: '5k_mau', calls, seed }));
  const mean = (of: (outcome: LimitedOutcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  const refused = (100 * mean(({ share }) => share)).toFixed(1);
  return `${refused} % × ${mean(({ times }) => times).toFixed(2)}`;
}

test('costs what goldens/plan-limits.md says', async () => {
  const lines = [
    '# 220 calls at 10 a second, under each behaviour of what the plan counts',
    '',
    'Refused calls, and the duration in shortest possible times at the rate that another client leaves, averaged over 12 runs.',
    '',
    `| the plan counts | headers | another client takes | ${windows.join(' | ')} |`,
    `|---|---|---|${'---|'.repeat(windows.length)}`,
  ];
  for (const planLimits of ['endpoint', 'method', 'unlisted'] as const)
    for (const headers of [true, false])
      for (const foreignShare of [0, 0.4]) {
        const cells: string[] = [];
        for (const window of windows) cells.push(await cellOf({ planLimits, headers, foreignShare, window }));
        const [shown, share] = [headers ? 'sent' : 'absent', `${100 * foreignShare} %`];
        lines.push(`| ${planLimits} | ${shown} | ${share} | ${cells.join(' | ')} |`);
      }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('goldens/plan-limits.md');
});
