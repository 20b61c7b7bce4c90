// A plan as one HTML page that needs no network. Changes can be searched, filtered and opened by mouse, keyboard and screen reader.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import { escapeHtml } from '../markdown/text.ts';
import { acknowledgementLead, acknowledgementLines } from '../summary/acknowledgement.ts';
import { amountOf, DangerCounter, type DangerGroup, dangersOf, namedIn } from '../summary/dangers.ts';
import {
  durationInWords,
  isEmpty,
  isMoment,
  legendOf,
  lossesFirst,
  readingInWords,
  totalRequests,
  verdict,
} from '../summary/verdict.ts';
import { tally } from '../terminal/diagnostics.ts';
import { firstThatFit, utf8Length, writeWithin } from '../text/budget.ts';
import type { ViewOptions } from '../text/options.ts';
import { actorInWords, plural, printNumber, printUtc } from '../text/words.ts';
import { breakable, pageEnd, pageHead, text } from './frame.ts';
import { pagerControls } from './pager.ts';
import { rowsOf } from './rows.ts';
import { schedule } from './schedule.ts';
import { pageScript } from './script.ts';

/** Objects named for each danger. The table has all of them. */
const maxNamed = 100;
/** The objects of each danger that are shown open. The others are folded, so that the changes stay near the top. */
const maxNamedAtOnce = 10;
const maxRemarks = 500;

/** Yields one change at a time. With `maxBytes`, the last changes of the table are left out. */
export function* planAsHtml(plan: Plan, options: ViewOptions): Generator<string> {
  const { maxBytes } = options;
  const [lost, others] = lossesFirst(plan.warnings);
  const mostRemarks = maxBytes === undefined ? undefined : Math.floor(maxBytes / 8);
  const losses = warnings(lost, { id: 'losses', title: 'What is not undone' }, mostRemarks);
  const remarks = warnings(others, { id: 'warnings', title: tally(others) }, mostRemarks);
  const total = plan.changes.length + (plan.drift?.length ?? 0);
  // Rows come before the dangers, so that one pass is enough. Only with a limit must the size of the dangers be known first.
  const counter = new DangerCounter();
  const known = maxBytes === undefined ? undefined : dangersOf(plan.changes);
  const parts = {
    head: `${header(plan, options)}<main>\n${refusals(options)}${losses}<script type="application/json" id="data">[\n`,
    items: rowsOf(plan, counter),
    separator: ',\n',
    total,
    tail: (leftOut: number) =>
      `\n]</script>\n${dangers(known ?? counter.end(), plan)}${table(plan, total)}${omission(leftOut)}${remarks}${schedule(plan)}</main>\n${pageEnd(pageScript)}`,
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

function header(plan: Plan, { writing }: ViewOptions): string {
  const duration = durationInWords(plan);
  const { bottleneck } = plan.duration;
  const reading = readingInWords(plan);
  const limit = bottleneck === undefined || isMoment(plan) ? '' : `, limited by ${bottleneck}`;
  const held = reading === undefined ? limit : `${limit}, ${reading}`;
  const live =
    plan.refreshed === undefined
      ? 'not read'
      : `${printNumber(plan.refreshed.objects)} read with ${plural(plan.refreshed.requests, 'request')}`;
  return pageHead(
    {
      kind: 'plan',
      verdict: verdict(plan).replace(/^Plan: /u, ''),
      application: plan.application,
      planHash: plan.hash,
      facts: [
        ['Requests', isEmpty(plan) ? undefined : printNumber(totalRequests(plan))],
        ['Takes', duration === undefined ? undefined : duration + held],
        ['Live objects', live],
        // A saved plan does not say who made it.
        ['Page written', writing === undefined ? undefined : `${printUtc(writing.at)} by ${actorInWords(writing.by)}`],
      ],
      skip: ['#changes-title', 'Skip to the changes'],
    },
    pageScript,
  );
}

function refusals({ refusals: found = [] }: ViewOptions): string {
  if (found.length === 0) return '';
  const items = found.slice(0, maxRemarks).map(remark);
  const wanted = acknowledgementLines(found);
  const entries =
    wanted.lines.length === 0
      ? ''
      : `<p>${acknowledgementLead(wanted)}</p><pre><code>${escapeHtml(wanted.lines.join('\n'))}</code></pre>`;
  return `<section class="dangers remarks" aria-labelledby="refused"><h2 id="refused">Refused by a safety rule</h2><ul>${items.join('')}</ul>${entries}</section>\n`;
}

function dangers(groups: readonly DangerGroup[], plan: Plan): string {
  if (groups.length === 0) return '';
  const blocks = groups.map(({ title, dangers: found }) => {
    const items = found.map((danger) => {
      const count = danger.positions.length;
      const names = Array.from(namedIn(danger, plan.changes, maxNamed), ({ address, inside }) => {
        const more = inside.length === 0 ? '' : ` (${inside.map(escapeHtml).join(', ')})`;
        return `<code>${breakable(address)}</code>${more}`;
      });
      const [first, others] = [names.slice(0, maxNamedAtOnce), names.slice(maxNamedAtOnce)];
      const rest = count > names.length ? `, … and ${printNumber(count - names.length)} more in the table` : '';
      const folded =
        others.length === 0
          ? ''
          : `<details><summary>${printNumber(count - first.length)} more</summary>${listed(others)}${rest}</details>`;
      return `<li><span class="amount">${text(danger.label)}</span> ${amountOf(danger)}: ${listed(first)}${folded}</li>`;
    });
    return `<h3>${title}</h3><ul>${items.join('')}</ul>`;
  });
  return `<section class="dangers" aria-labelledby="dangers"><h2 id="dangers">Dangers</h2>${blocks.join('\n')}</section>\n`;
}

/** A name and its comma stay together. */
function listed(names: readonly string[]): string {
  const last = names.length - 1;
  return names.map((name, at) => `<span class="name">${name}${at === last ? '' : ','}</span>`).join(' ');
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

function omission(leftOut: number): string {
  if (leftOut === 0) return '';
  return `<p><strong>${plural(leftOut, 'change')} left out</strong> to limit the size of this page. See the complete plan with <code>chatform show PLANFILE</code>.</p>\n`;
}

function table(plan: Plan, total: number): string {
  if (total === 0) return `<h2 id="changes-title">No changes</h2>\n${controls(true)}`;
  return `<h2 id="changes-title" tabindex="-1">Changes</h2>\n${legend(plan)}${controls(false)}`;
}

function legend(plan: Plan): string {
  const lines = legendOf(plan).map(({ verb, words }) => `<div><dt>${verb}</dt><dd>${words}</dd></div>`);
  if (lines.length === 0) return '';
  return `<dl class="legend" aria-label="What each action means for users">${lines.join('')}</dl>\n`;
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
<caption>Open a row to see its diff. Keys: <kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> previous and next row, <kbd>Enter</kbd> open and close.</caption>
<thead><tr><th scope="col">Object</th><th scope="col">Action</th><th scope="col" class="what">Attributes</th><th scope="col" class="cause">Cause</th><th scope="col" class="where">Declared at</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<p class="nothing" id="nothing" hidden>Nothing matches. Try fewer words or clear a filter.</p>
${pagerControls('changes')}</section>
`;
}
