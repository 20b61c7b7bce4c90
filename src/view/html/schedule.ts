// How is the predicted schedule drawn? Lanes run side by side from the start: a bar for each rate limit, with its numbers.
import type { Plan } from '../../model/plan.ts';
import { escapeHtml } from '../markdown/text.ts';
import { chainDecides } from '../summary/verdict.ts';
import { safe } from '../text.ts';
import { printDuration, printNumber } from '../words.ts';

const maxBars = 20;

/** A table whose last column is the chart, so that who does not see the bars has the numbers. */
export function schedule({ duration }: Plan): string {
  const { buckets, lower_bound_s, others, chain } = duration;
  if (buckets.length === 0) return '';
  const end = Math.max(lower_bound_s, ...buckets.slice(0, maxBars).map(({ seconds }) => seconds));
  const rows = buckets.slice(0, maxBars).map(({ name, calls, rate, seconds }, at) => {
    const isMost = at === 0 && seconds > 0;
    return `<tr><td><code>${escapeHtml(safe(name))}</code></td><td class="number">${printNumber(calls)}</td><td class="number rate">${printNumber(rate)}/s</td><td class="number">${printDuration(seconds)}</td><td class="chart">${bar(end === 0 ? 0 : seconds / end, isMost)}</td></tr>`;
  });
  const more = Math.max(0, buckets.length - maxBars) + (others ?? 0);
  const waits =
    chain === undefined || chain.calls < 2
      ? ''
      : ` The longest chain is ${printNumber(chain.calls)} calls, from <code>${escapeHtml(safe(chain.from))}</code> to <code>${escapeHtml(safe(chain.to))}</code>.${chainDecides(duration)}`;
  const rest = more > 0 ? `<tr><td colspan="5">… and ${printNumber(more)} more with less to do</td></tr>` : '';
  return `<section aria-labelledby="schedule"><h2 id="schedule">Schedule</h2>
<table class="schedule">
<caption>What each rate limit has to let through. They run side by side; the plan takes at least ${printDuration(lower_bound_s)}.${waits}</caption>
<thead><tr><th scope="col">Limit</th><th scope="col" class="number">Calls</th><th scope="col" class="number rate">Rate</th><th scope="col" class="number">At least</th><th scope="col" class="chart"><span class="axis"><span>0</span><span>${printDuration(end)}</span></span></th></tr></thead>
<tbody>${rows.join('\n')}${rest}</tbody>
</table></section>
`;
}

/** `share` of the whole time, from 0 to 1; the quarters are marked. */
function bar(share: number, isMost: boolean): string {
  const width = share === 0 ? 0 : Math.max(0.4, Math.round(share * 1000) / 10);
  const quarters = [25, 50, 75].map((at) => `<line x1="${at}" y1="0" x2="${at}" y2="10"/>`).join('');
  return `<svg class="bar${isMost ? ' most' : ''}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">${quarters}<rect width="${width}" height="10"/></svg>`;
}
