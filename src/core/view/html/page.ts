// A plan as one HTML page that needs no network. Changes can be searched, filtered and opened by mouse, keyboard and screen reader.

import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { BucketLoad, Plan } from '../../model/plan.ts';
import { escapeHtml } from '../markdown/text.ts';
import { acknowledgementLead, acknowledgementLines } from '../summary/acknowledgement.ts';
import { amountOf, type DangerGroup, namedIn } from '../summary/dangers.ts';
import { legendOf } from '../summary/legend.ts';
import { noticeLines } from '../summary/notices.ts';
import { peopleLines, peopleTitle, restInWords } from '../summary/people.ts';
import { stageTexts } from '../summary/stages.ts';
import { listingSentences, type UnmanagedRow, unmanagedRows, unmanagedSentence } from '../summary/unmanaged.ts';
import { chainSentences, leastDuration, sortedWarnings, takesTime } from '../summary/verdict.ts';
import { tally } from '../terminal/diagnostics.ts';
import { firstThatFit, utf8Length, writeWithin } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { typedDetails, typedText } from '../text/typed-commands.ts';
import { breakable, foldedNames, listed, pageEnd, pageHeader, pageStart, routeCode, text } from './frame.ts';
import { pagerControls } from './pager.ts';
import { countsOf, headOf } from './plan-head.ts';
import { RowTally, rowsOf, tallyOf } from './rows.ts';
import { pageScript } from './script.ts';

/** Objects named for each danger. The table has all of them. */
const maxNamed = 100;
const maxRemarks = 500;

/** Yields one change at a time. With `maxBytes`, the last changes of the table are left out. */
export function* planAsHtml(plan: Plan, options: ViewOptions): Generator<string> {
  const { maxBytes } = options;
  const sorted = sortedWarnings(typedDetails(plan.warnings, options));
  const mostRemarks = maxBytes === undefined ? undefined : Math.floor(maxBytes / 8);
  const losses = warnings(sorted.losses, { id: 'losses', title: 'What is not undone' }, mostRemarks);
  const remarks = warnings(sorted.others, { id: 'warnings', title: tally(sorted.others) }, mostRemarks);
  const total = plan.changes.length + (plan.drift?.length ?? 0);
  // Rows come before the header, so that one pass is enough. Only with a limit must its size be known first.
  const counting = new RowTally();
  const counted = maxBytes === undefined ? undefined : tallyOf(plan.changes);
  const head = headOf(plan, options);
  const parts = {
    head: `${pageStart(head, pageScript)}<script type="application/json" id="data">[\n`,
    items: rowsOf(plan, counting, options.statePage),
    separator: ',\n',
    total,
    tail: (leftOut: number) => {
      const { dangers: groups, counts } = counted ?? counting.end();
      const files = options.origin?.files === undefined ? '' : ` data-files="${text(options.origin.files)}"`;
      return `\n]</script>\n${pageHeader({ ...head, counts: countsOf(plan, counts) })}<main${files}>\n${refusals(options)}${losses}${dangers(groups, sorted.first, plan)}${table(plan, total)}${omission(leftOut, options)}${people(plan)}${stages(plan)}${notManaged(plan)}${remarks}${schedule(plan)}</main>\n${pageEnd(pageScript)}`;
    },
  };
  if (maxBytes !== undefined && utf8Length(parts.head) + utf8Length(parts.tail(total)) > maxBytes)
    throw tooSmall(maxBytes);
  yield* writeWithin(parts, maxBytes);
}

function tooSmall(maxBytes: number): Refusal {
  return new Refusal(
    'view.too-small',
    exitCode.usage,
    `An HTML page of this plan does not fit into ${printNumber(maxBytes)} bytes.`,
    'Use a larger --max-bytes. An empty page needs about 30,000 bytes, and each named danger adds to it.',
  );
}

function refusals(options: ViewOptions): string {
  const diagnostics = typedDetails(options.refusals ?? [], options);
  if (diagnostics.length === 0) return '';
  const items = diagnostics.slice(0, maxRemarks).map(remark);
  const wanted = acknowledgementLines(diagnostics);
  const entries =
    wanted.lines.length === 0
      ? ''
      : `<p>${acknowledgementLead(wanted)}</p><pre><code>${escapeHtml(wanted.lines.join('\n'))}</code></pre>`;
  return `<section class="dangers remarks" aria-labelledby="refused"><h2 id="refused">Refused by a safety rule</h2><ul>${items.join('')}</ul>${entries}</section>\n`;
}

/** `others`: those that no single change has. */
function dangers(groups: readonly DangerGroup[], others: Plan['warnings'], plan: Plan): string {
  if (groups.length === 0 && others.length === 0) return '';
  const blocks = groups.map(({ title, dangers: found }) => {
    const items = found.map((danger) => {
      const names = Array.from(namedIn(danger, plan.changes, maxNamed), ({ address, inside }) => {
        const more = inside.length === 0 ? '' : ` (${inside.map(escapeHtml).join(', ')})`;
        return `<code>${breakable(address)}</code>${more}`;
      });
      return `<li><span class="amount">${text(danger.label)}</span> ${amountOf(danger)}: ${foldedNames(names, danger.positions.length)}</li>`;
    });
    return `<h3>${title}</h3><ul>${items.join('')}</ul>`;
  });
  if (others.length > 0) blocks.push(`<ul>${others.map(remark).join('')}</ul>`);
  return `<section class="dangers" aria-labelledby="dangers"><h2 id="dangers">Dangers</h2>${blocks.join('\n')}</section>\n`;
}

function people(plan: Plan): string {
  const { people: section, notices } = plan;
  if (section === undefined && notices === undefined) return '';
  const access = (section?.effects ?? []).flatMap((effect) =>
    Array.from(peopleLines(effect), ({ text: words, names, more }) => {
      const all = [...names.map((name) => `<code>${breakable(name)}</code>`), ...restInWords(more)];
      return `<li>${text(words)}${all.length === 0 ? '' : `: ${listed(all)}`}</li>`;
    }),
  );
  const items = [
    ...access,
    ...(notices === undefined ? [] : noticeLines(notices)).map((line) => `<li>${text(line)}</li>`),
  ];
  const list = `<ul>${items.join('')}</ul>`;
  // The people of a new application gain everything that it declares.
  const isNew = plan.changes.length > 0 && plan.summary.create === plan.changes.length;
  const body = isNew ? `<details><summary>${plural(items.length, 'effect')}</summary>${list}</details>` : list;
  return `<section class="remarks" aria-labelledby="people"><h2 id="people">${peopleTitle(plan)}</h2>${body}</section>\n`;
}

function stages({ stages: planned }: Plan): string {
  if (planned === undefined) return '';
  const items = stageTexts(planned).map(({ text: words, names, rest }) => {
    const all = [...names.map((name) => `<code>${breakable(name)}</code>`), ...rest];
    return `<li>${text(words)}${all.length === 0 ? '' : `<p>${listed(all)}</p>`}</li>`;
  });
  return `<section class="remarks" aria-labelledby="stages"><h2 id="stages">Stages</h2><ul>${items.join('')}</ul></section>\n`;
}

function warnings(
  found: Plan['warnings'],
  { id, title }: { readonly id: string; readonly title: string },
  maxBytes: number | undefined,
): string {
  if (found.length === 0) return '';
  const items = found.slice(0, maxRemarks).map(remark);
  const shown = maxBytes === undefined ? items : firstThatFit(items, maxBytes, 0);
  const more = found.length > shown.length ? `<li>… and ${printNumber(found.length - shown.length)} more</li>` : '';
  return `<section class="remarks" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul>${shown.join('')}${more}</ul></section>\n`;
}

function remark({ code, summary, detail, address, source }: Plan['warnings'][number]): string {
  const place = source === undefined ? '' : `${source.file}:${source.line}:${source.column} `;
  const where = `${place}${address ?? ''}`.trim();
  return `<li><strong>${text(summary)}</strong> <code>${text(code)}</code>${where === '' ? '' : ` <span class="place">${text(where)}</span>`}<p>${detail.split('\n').map(text).join('\n')}</p></li>`;
}

function omission(leftOut: number, options: ViewOptions): string {
  if (leftOut === 0) return '';
  return `<p><strong>${plural(leftOut, 'change')} left out</strong> to limit the size of this page. See the complete plan with <code>${text(typedText('chatform show PLANFILE', options))}</code>.</p>\n`;
}

function table(plan: Plan, total: number): string {
  if (total === 0) return `<h2 id="changes-title">No changes</h2>\n${controls(true)}`;
  return `<h2 id="changes-title" tabindex="-1">Changes</h2>\n${controls(false)}${legend(plan)}`;
}

function legend(plan: Plan): string {
  const lines = legendOf(plan).map(({ verb, words }) => `<div><dt>${verb}</dt><dd>${words}</dd></div>`);
  if (lines.length === 0) return '';
  return `<dl class="legend" aria-label="What each action means for users">${lines.join('')}</dl>\n`;
}

function notManaged({ unmanaged }: Plan): string {
  if (unmanaged === undefined) return '';
  const items = (rows: readonly UnmanagedRow[]): string =>
    rows.length === 0 ? '' : `<ul>${rows.map((row) => `<li>${inWords(row)}${items(row.types)}</li>`).join('')}</ul>`;
  const inWords = ({ objects, name, lastActivity }: UnmanagedRow): string =>
    `${printNumber(objects)} ${text(name)}${lastActivity === undefined ? '' : `, last activity ${lastActivity}`}`;
  return `<section class="remarks" aria-labelledby="unmanaged"><h2 id="unmanaged">Not managed</h2><p>${text(unmanagedSentence(unmanaged))}</p>${items(unmanagedRows(unmanaged))}<p>${text(listingSentences(unmanaged))}</p></section>\n`;
}

function controls(isHidden: boolean): string {
  return `<noscript><p>The table of changes needs JavaScript, which this page contains. The verdict and the dangers are shown above.</p></noscript>
<section aria-labelledby="changes-title"${isHidden ? ' hidden' : ''}>
<div class="filters" role="search">
<label class="search">Search names, values, files, reasons<input type="search" id="search" autocomplete="off" spellcheck="false"></label>
<label>Kind<select id="kind"><option value="">All kinds</option></select></label>
<label>Action<select id="action"><option value="">All actions</option></select></label>
<label>Cause<select id="cause"><option value="">All</option></select></label>
<label class="check"><input type="checkbox" id="only-dangers"> Dangers only</label>
</div>
<div class="bar-above"><div id="status" role="status"></div><button type="button" id="expand-all">Open all on this page</button></div>
<table class="changes">
<caption>A row opens to its diff. Keys: <kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> previous and next row, <kbd>Enter</kbd> open and close.</caption>
<thead><tr><th scope="col">Object</th><th scope="col">Action</th><th scope="col" class="where">Declared at</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<p class="nothing" id="nothing" hidden>Nothing matches. Try fewer words or clear a filter.</p>
${pagerControls('changes')}</section>
`;
}

// The predicted schedule of a plan: how long each rate limit makes its calls wait.

const maxBars = 20;

/** A row with a bar for each limit that makes calls wait; the others are collapsed. The limits run in parallel. */
function schedule(plan: Plan): string {
  const { duration } = plan;
  const { buckets, lower_bound_s, others = 0 } = duration;
  if (buckets.length === 0) return '';
  const [lasting, quick] = [buckets.filter(takesTime), buckets.filter((bucket) => !takesTime(bucket))];
  const chain = chainSentences(duration, (address) => `<code>${breakable(address)}</code>`);
  const hasRouteLimit = buckets.some(({ name }) => name.includes(' · route limit'));
  const says = [
    `Calls by rate limit. The limits run in parallel; the plan takes ${leastDuration(plan)}.`,
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
