// The predicted schedule of a plan: how long each rate limit makes its calls wait.
import type { BucketLoad, Plan } from '../../model/plan.ts';
import { chainSentences, isMoment, takesTime } from '../summary/verdict.ts';
import { plural, printDuration, printNumber } from '../text/words.ts';
import { breakable, routeCode } from './frame.ts';

const maxBars = 20;

/** A row with a bar for each limit that makes calls wait; the others are collapsed. The limits run in parallel. */
export function schedule(plan: Plan): string {
  const { duration } = plan;
  const { buckets, lower_bound_s, others = 0 } = duration;
  if (buckets.length === 0) return '';
  const [lasting, quick] = [buckets.filter(takesTime), buckets.filter((bucket) => !takesTime(bucket))];
  const chain = chainSentences(duration, (address) => `<code>${breakable(address)}</code>`);
  const takes = isMoment(plan) ? 'under 0.1 s' : `at least ${printDuration(lower_bound_s)}`;
  const hasRouteLimit = buckets.some(({ name }) => name.includes(' · route limit'));
  const says = [
    `Calls by rate limit. The limits run in parallel; the plan takes ${takes}.`,
    hasRouteLimit ? 'A route limit is for that route alone, next to the limit of the rate plan.' : '',
    chain,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  const body =
    lasting.length === 0 ? `<p>${says}</p>\n` : bars(says, lasting, lower_bound_s, quick.length === 0 ? others : 0);
  return `<section aria-labelledby="schedule"><h2 id="schedule">Schedule</h2>
${body}${withoutWait(quick, others, lasting.length === 0 ? 'limit' : 'other limit')}</section>
`;
}

/** `others` is the number of unlisted limits, which take less time. */
function bars(caption: string, buckets: readonly BucketLoad[], lowerBoundS: number, others: number): string {
  const shown = buckets.slice(0, maxBars);
  const end = Math.max(lowerBoundS, ...shown.map(({ seconds }) => seconds));
  const rows = shown.map(({ name, calls, rate, seconds }, at) => {
    return `<tr><td>${routeCode(name)}</td><td class="number">${printNumber(calls)}</td><td class="number rate">${printNumber(rate)}/s</td><td class="number">${printDuration(seconds)}</td><td class="chart">${bar(seconds / end, at === 0)}</td></tr>`;
  });
  const more = buckets.length - shown.length + others;
  const rest = more > 0 ? `<tr><td colspan="5">… and ${printNumber(more)} more that take less time</td></tr>` : '';
  return `<table class="schedule">
<caption>${caption}</caption>
<thead><tr><th scope="col">Limit</th><th scope="col" class="number">Calls</th><th scope="col" class="number rate">Rate</th><th scope="col" class="number">At least</th><th scope="col" class="chart"><span class="unseen">Time</span><span class="axis" aria-hidden="true"><span>0</span><span>${printDuration(end)}</span></span></th></tr></thead>
<tbody>${rows.join('\n')}${rest}</tbody>
</table>
`;
}

/** `share` is between 0 and 1. */
function bar(share: number, isMost: boolean): string {
  const width = Math.max(0.4, Math.round(share * 1000) / 10);
  const quarters = [25, 50, 75].map((at) => `<line x1="${at}" y1="0" x2="${at}" y2="10"/>`).join('');
  return `<svg class="bar${isMost ? ' most' : ''}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">${quarters}<rect width="${width}" height="10"/></svg>`;
}

/** `noun` is `limit`, or `other limit` below those that make calls wait. */
function withoutWait(buckets: readonly BucketLoad[], others: number, noun: string): string {
  if (buckets.length === 0) return '';
  const items = buckets
    .slice(0, maxBars)
    .map(({ name, calls, rate }) => `<li>${routeCode(name)}: ${plural(calls, 'call')} at ${printNumber(rate)}/s</li>`);
  const more = buckets.length + others - items.length;
  const rest = more > 0 ? `<li>… and ${printNumber(more)} more</li>` : '';
  return `<details><summary>${plural(buckets.length + others, noun)}, which no call has to wait for</summary><ul>${items.join('\n')}${rest}</ul></details>
`;
}
