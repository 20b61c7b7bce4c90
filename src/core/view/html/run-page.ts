// A run as one HTML page that needs no network: the calls of each lane over time with its limit, and the failures.

import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import type { Action } from '../../model/action.ts';
import type { Address } from '../../model/address.ts';
import type { ApplyReport, LaneSeries, RunSeries } from '../../model/report.ts';
import { signersInWords } from '../../model/signing/signature.ts';
import { storedInWords } from '../diff/stored-values.ts';
import { reportedStageLines } from '../summary/stages.ts';
import {
  announcementsIn,
  callInWords,
  erasedInWords,
  exitInWords,
  failuresInWords,
  groupsOf,
  leftOpenInWords,
  nextAfter,
  notMembersInWords,
  refusedInWords,
  statusOfRun,
  stepsInWords,
} from '../terminal/run-summary.ts';
import { adviceFor } from '../text/platform-advice.ts';
import { safeJson } from '../text/text.ts';
import { type Typing, typedText } from '../text/typed-commands.ts';
import { breakable, factList, foldedNames, pageEnd, pageHead, routeCode, text } from './frame.ts';
import { pagerControls, scriptHelpers } from './pager.ts';
import { tableOf } from './table.ts';

const maxNamed = 20;
/** Seconds. Less would be printed as `0 s`. */
const shortestS = 0.05;
/** Seconds. The charts of a shorter run have a few bars and tell nothing. */
const leastPicturedS = 10;
const maxGroups = 50;
/** Milliseconds. A longer write to state delays calls. */
const stallMs = 500;

export function* reportAsHtml(report: ApplyReport, typing: Typing): Generator<string> {
  yield header(report);
  yield `<main>\n${failures(report, typing)}${changed(report)}`;
  const stored = storedInWords(report.stored_otherwise);
  yield section('remarks', 'stages', 'Stages', listOfTexts(reportedStageLines(report.stages ?? [])));
  yield section('remarks', 'stored', 'Stored otherwise', paragraphs(stored.slice(0, 1)) + listOfTexts(stored.slice(1)));
  yield section('dangers', 'open', 'Left open', paragraphs(leftOpenInWords(report)));
  yield section('dangers remarks', 'left', 'Not in the channel', paragraphs(notMembersInWords(report)));
  yield section('dangers remarks', 'erased', 'Erased', paragraphs(erasedInWords(report)));
  yield next(report);
  const { series } = report;
  if (series === undefined || series.lanes.length === 0) yield requests(report);
  else {
    if (report.duration_s >= leastPicturedS) yield lanes(series, report.duration_s);
    yield state(series);
    yield calls(series);
  }
  yield `</main>\n${pageEnd(runScript)}`;
}

function header(report: ApplyReport): string {
  const { application, plan_hash, by, signature, started_at, finished_at, steps, exit_code, lower_bound_s } = report;
  return pageHead(
    {
      kind: report.rehearsal === true ? 'rehearsal' : 'run',
      status: statusOfRun(report),
      verdict: stepsInWords(steps),
      application,
      planHash: plan_hash,
      by,
      from: started_at,
      to: finished_at,
      facts: [
        ['Took', `${inWords(report.duration_s)} (planned minimum: ${inWords(lower_bound_s)})`],
        ['Exit code', `${exit_code}: ${exitInWords(report)}`],
        ['Signed by', signature === undefined ? undefined : signersInWords(signature)],
      ],
      skip: ['#calls-title', 'Skip to the calls'],
    },
    runScript,
  );
}

function failures({ failures: listed, steps }: ApplyReport, typing: Typing): string {
  if (listed.length === 0) return '';
  const groups = [...groupsOf(listed)].sort((left, right) => right.failures.length - left.failures.length);
  const items = groups.slice(0, maxGroups).map(({ first, failures: alike }) => {
    const names = alike.slice(0, maxNamed).map(({ action, address }) => `${action} <code>${breakable(address)}</code>`);
    const more = alike.length > names.length ? `, … and ${printNumber(alike.length - names.length)} more` : '';
    const advice = adviceFor(first);
    return `<li><strong>${failuresInWords(alike)}${text(callInWords(first))}</strong><p>${text(typedText(first.message, typing))}</p><p>${names.join(', ')}${more}</p>${advice === undefined ? '' : `<p>${text(typedText(advice, typing))}</p>`}</li>`;
  });
  const unlisted = steps.failed + steps.unknown - listed.length;
  const unlistedNote = unlisted > 0 ? `<p>${printNumber(unlisted)} more not listed in the report.</p>` : '';
  const [className, title] = steps.failed === 0 ? ['remarks', 'Unknown outcomes'] : ['dangers remarks', 'Failures'];
  return section(className, 'failures', title, `<ul>${items.join('')}</ul>${unlistedNote}`);
}

/** The objects of each action with a write that was answered well. A read shows only what an earlier write did. */
function changed({ series, rehearsal }: ApplyReport): string {
  const objects = new Map<Action, Set<Address>>();
  for (const { address, action, call, answer } of series?.calls ?? []) {
    if (answer !== 'ok' || call.startsWith('GET ')) continue;
    objects.set(action, (objects.get(action) ?? new Set()).add(address));
  }
  if (objects.size === 0) return '';
  const items = Array.from(objects, ([action, addresses]) => {
    const names = Array.from(addresses, (address) => `<code>${breakable(address)}</code>`);
    return `<li><strong>${action}</strong> ${printNumber(addresses.size)}: ${foldedNames(names, addresses.size)}</li>`;
  });
  const title = rehearsal === true ? 'What would change' : 'What changed';
  return section('remarks', 'changed', title, `<ul>${items.join('')}</ul>`);
}

function next(report: ApplyReport): string {
  const sentences = [...refusedInWords(report), ...announcementsIn(report), nextAfter(report)];
  const words = sentences.filter((sentence) => sentence !== '').join(' ');
  return words === '' ? '' : `<p>${text(words)}</p>\n`;
}

/** Nothing without content. */
function section(className: string, id: string, title: string, content: string): string {
  if (content === '') return '';
  return `<section class="${className}" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>\n`;
}

function paragraphs(sentences: readonly string[]): string {
  return sentences.map((sentence) => `<p>${text(sentence)}</p>`).join('');
}

function listOfTexts(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul>`;
}

const requestColumns = [
  { name: 'Route' },
  { name: 'Sent', isNumber: true },
  { name: '429', isNumber: true },
  { name: 'Retried', isNumber: true },
] as const;

/** The calls by route, for a report without series, which its format allows. */
function requests({ requests: sent }: ApplyReport): string {
  if (sent.length === 0) return '<h2 id="calls-title" tabindex="-1">No calls were made</h2>\n';
  const rows = sent.map(({ method, route, sent: amount, limited, retried }) => [
    routeCode(`${method} ${route}`),
    ...[amount, limited, retried].map(printNumber),
  ]);
  return `<h2 id="calls-title" tabindex="-1">Calls</h2>\n${tableOf(requestColumns, rows)}`;
}

function lanes(series: RunSeries, durationS: number): string {
  const parts = [...series.lanes]
    .sort((left, right) => sum(right.sent) - sum(left.sent))
    .map((lane) => laneFigure(lane, series.slot_s, durationS));
  return `<section aria-labelledby="lanes-title"><h2 id="lanes-title">Calls per route over time</h2>
<p class="key"><span class="swatch sent"></span> calls per second <span class="swatch limited"></span> refused with 429 <span class="swatch retried"></span> retried <span class="swatch limit"></span> limit. Each bar is ${printDuration(series.slot_s)}.</p>
${parts.join('')}</section>
`;
}

const height = 60;

function laneFigure(lane: LaneSeries, slotS: number, durationS: number): string {
  const slots = lane.sent.map((amount, at) => {
    const length = lengthOf(at, slotS, durationS);
    return {
      sent: amount / length,
      retried: (lane.retried[at] ?? 0) / length,
      limited: (lane.limited[at] ?? 0) / length,
    };
  });
  const { allowed_per_s: allowed } = lane;
  const fastest = Math.max(0, ...slots.map(({ sent }) => sent));
  const top = Math.max(allowed ?? 0, fastest) * 1.1;
  const y = (rate: number): number => Math.round((1 - rate / top) * height * 10) / 10;
  const bars = slots.flatMap(({ sent, retried, limited }, at) =>
    sent === 0
      ? []
      : [
          barOf('sent', at, y(sent)),
          ...(limited + retried > 0 ? [barOf('retried', at, y(limited + retried))] : []),
          ...(limited > 0 ? [barOf('limited', at, y(limited))] : []),
        ],
  );
  const width = Math.max(1, slots.length);
  const line =
    allowed === undefined ? '' : `<line class="limit" x1="0" x2="${width}" y1="${y(allowed)}" y2="${y(allowed)}"/>`;
  const [sent, limited, retried] = [sum(lane.sent), sum(lane.limited), sum(lane.retried)];
  const name = `${lane.method} ${lane.route}`;
  return `<figure class="lane"><figcaption>${routeCode(name)}</figcaption>
<svg class="series" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${text(`${name}: ${plural(sent, 'call')} in ${printDuration(durationS)}, at most ${printNumber(fastest)} a second`)}">${bars.join('')}${line}</svg>
<p class="axis" aria-hidden="true"><span>0</span><span>${printDuration(durationS)}</span></p>
${factList([
  ['Calls', printNumber(sent)],
  ['Limit', allowed === undefined ? 'not known' : `${printNumber(allowed)}/s`],
  ['Refused (429)', printNumber(limited)],
  ['Retries', printNumber(retried)],
  ['Median', milliseconds(lane.median_ms)],
  ['95 %', milliseconds(lane.p95_ms)],
  ['99 %', milliseconds(lane.p99_ms)],
])}</figure>
`;
}

/** The last slot ends with the run and may be shorter. */
function lengthOf(slot: number, slotS: number, durationS: number): number {
  return Math.max(slotS / 10, Math.min(slotS, durationS - slot * slotS));
}

function barOf(kind: string, slot: number, top: number): string {
  return `<rect class="${kind}" x="${slot}" y="${top}" width="0.9" height="${Math.round((height - top) * 10) / 10}"/>`;
}

function state({ state_ms, slot_s }: RunSeries): string {
  const stalls = state_ms
    .map((ms, slot) => ({ ms, slot }))
    .filter(({ ms }) => ms >= stallMs)
    .sort((left, right) => right.ms - left.ms)
    .slice(0, maxNamed);
  if (stalls.length === 0) return '';
  const items = stalls.map(
    ({ ms, slot }) => `<li>${printDuration(slot * slot_s)} after the start: ${milliseconds(ms)}</li>`,
  );
  return `<section aria-labelledby="state"><h2 id="state">Slow state writes</h2><ul>${items.join('')}</ul></section>\n`;
}

function calls({ calls: listedCalls, calls_left_out }: RunSeries): string {
  const rows = listedCalls.map(({ address, action, call, at_s, took_ms, answer }) =>
    safeJson([address, action, call, at_s, took_ms, answer]).replaceAll('<', '\\u003c'),
  );
  const unlistedNote =
    calls_left_out === 0
      ? ''
      : `<p>${plural(calls_left_out, 'more call')} ${calls_left_out === 1 ? 'was' : 'were'} made and not listed: --events FILE keeps every step.</p>\n`;
  return `<section aria-labelledby="calls-title"><h2 id="calls-title" tabindex="-1">Calls by object</h2>
<noscript><p>The search needs JavaScript, which this page contains.</p></noscript>
<div class="filters" role="search"><label class="search">Search objects, calls, responses<input type="search" id="search" autocomplete="off" spellcheck="false"></label>
<label class="check"><input type="checkbox" id="only-bad"> Failed or retried only</label></div>
<div id="status" role="status"></div>
${unlistedNote}<table class="calls"><thead><tr><th scope="col">Object</th><th scope="col">Action</th><th scope="col" class="what">Call</th><th scope="col" class="number">After</th><th scope="col" class="number where">Took</th><th scope="col">Answer</th></tr></thead><tbody id="rows"></tbody></table>
${pagerControls('calls')}</section>
<script type="application/json" id="data">[
${rows.join(',\n')}
]</script>
`;
}

function inWords(seconds: number): string {
  return seconds < shortestS ? 'under 0.1 s' : printDuration(seconds);
}

function milliseconds(ms: number): string {
  return ms >= 1000 ? printDuration(Math.round(ms / 10) / 100) : `${printNumber(ms)} ms`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

// The script of a run's page, in plain JavaScript: search among the calls, and their pages. It sets text, never markup.

const runScript = String.raw`${scriptHelpers}
(() => {
  const data = byId('data');
  if (data === null) return;
  const all = JSON.parse(data.textContent);
  const search = byId('search');
  const onlyBad = byId('only-bad');
  const body = byId('rows');
  const cell = (className, ...children) => element('td', { className }, ...children);
  const texts = all.map((call) => [call[0], call[1], call[2], call[5]].join('\n').toLowerCase());
  const rowOf = ([address, action, call, at, took, answer]) =>
    element('tr', {},
      cell('address', ...breakable(address)), cell('', action), cell('what route address', ...routeOf(call)),
      cell('number', at.toFixed(1) + ' s'), cell('number where', took + ' ms'),
      cell(answer === 'ok' ? '' : 'is-danger', answer));
  let found = all;
  const show = () => {
    const rows = pager.cut(found);
    body.replaceChildren(...rows.map(rowOf));
    byId('status').textContent = pager.range(found, all.length);
  };
  const pager = pagerOf(show, byId('calls-title'));
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    found = all.filter((call, at) => (!onlyBad.checked || call[5] !== 'ok') && words.every((word) => texts[at].includes(word)));
    pager.first();
    show();
  };
  search.addEventListener('input', delayed(apply));
  onlyBad.addEventListener('change', apply);
  searchByKey(search);
  addEventListener('beforeprint', () => body.replaceChildren(...found.map(rowOf)));
  addEventListener('afterprint', show);
  show();
})();
`;
