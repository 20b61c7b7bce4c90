// A run as one HTML page that needs no network: the calls of each lane over time with its limit, and the failures.
import type { ApplyReport, LaneSeries, RunSeries } from '../../model/report.ts';
import {
  callInWords,
  exitMeanings,
  groupsOf,
  headlineOf,
  leftOpenInWords,
  nextAfter,
  stepsInWords,
} from '../terminal/run-summary.ts';
import { adviceFor } from '../text/platform-advice.ts';
import { safeJson } from '../text/text.ts';
import { plural, printDuration, printNumber } from '../text/words.ts';
import { breakable, closingOf, openingOf, text } from './frame.ts';
import { runScript } from './run-script.ts';

const maxNamed = 20;
const maxGroups = 50;
/** Milliseconds. A longer write to state delays calls. */
const stallMs = 500;

export function* reportAsHtml(report: ApplyReport): Generator<string> {
  yield openingOf('chatform run', { skip: ['#lanes-title', 'Skip to the calls'], script: runScript });
  yield header(report);
  yield `<main>\n${failures(report)}${open(report)}${next(report)}${duration(report)}`;
  const { series } = report;
  if (series === undefined || series.lanes.length === 0) yield requests(report);
  else {
    yield lanes(series, report.duration_s);
    yield state(series);
    yield calls(series);
  }
  yield `</main>\n${closingOf(runScript)}`;
}

function header(report: ApplyReport): string {
  const facts: [string, string][] = [
    ['From', report.started_at],
    ['To', report.finished_at],
    ['Exit code', `${report.exit_code}: ${exitMeanings[report.exit_code]}`],
  ];
  const list = facts.map(([name, value]) => `<div><dt>${name}</dt><dd><code>${text(value)}</code></dd></div>`);
  return `<header>
<h1>chatform run</h1>
<p class="verdict">${text(`${headlineOf(report)} ${stepsInWords(report.steps)}`)}</p>
<dl class="facts">${list.join('')}</dl>
</header>
`;
}

function failures({ failures: found, steps }: ApplyReport): string {
  if (found.length === 0) return '';
  const groups = [...groupsOf(found)].sort((left, right) => right.failures.length - left.failures.length);
  const items = groups.slice(0, maxGroups).map(({ first, failures: alike }) => {
    const names = alike.slice(0, maxNamed).map(({ action, address }) => `${action} <code>${breakable(address)}</code>`);
    const more = alike.length > names.length ? `, … and ${printNumber(alike.length - names.length)} more` : '';
    const advice = adviceFor(first.code);
    return `<li><strong>${plural(alike.length, 'failure')}${text(callInWords(first))}</strong><p>${text(first.message)}</p><p>${names.join(', ')}${more}</p>${advice === undefined ? '' : `<p>${text(advice)}</p>`}</li>`;
  });
  const unlisted = steps.failed + steps.unknown - found.length;
  const rest = unlisted > 0 ? `<p>${plural(unlisted, 'more failure')} not listed in the report.</p>` : '';
  return `<section class="dangers remarks" aria-labelledby="failures"><h2 id="failures">Failures</h2><ul>${items.join('')}</ul>${rest}</section>\n`;
}

function next(report: ApplyReport): string {
  const words = nextAfter(report);
  return words === '' ? '' : `<p>${text(words)}</p>\n`;
}

function open(report: ApplyReport): string {
  const words = leftOpenInWords(report);
  return words === undefined
    ? ''
    : `<section class="dangers" aria-labelledby="open"><h2 id="open">Left open</h2><p>${text(words)}</p></section>\n`;
}

/** Planned against actual, as two bars. */
function duration({ duration_s, lower_bound_s }: ApplyReport): string {
  const end = Math.max(duration_s, lower_bound_s);
  if (end === 0) return '';
  const row = (name: string, seconds: number, most: string) =>
    `<tr><th scope="row">${name}</th><td class="number">${printDuration(seconds)}</td><td class="chart"><svg class="bar${most}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="${Math.round((seconds / end) * 1000) / 10}" height="10"/></svg></td></tr>`;
  return `<section aria-labelledby="duration"><h2 id="duration">Planned and actual duration</h2>
<table class="schedule"><thead><tr><th scope="col">Duration</th><th scope="col" class="number">Time</th><th scope="col" class="chart"><span class="unseen">As a bar</span></th></tr></thead>
<tbody>${row('Planned (minimum)', lower_bound_s, '')}
${row('Actual', duration_s, ' most')}</tbody></table></section>
`;
}

/** The calls by route, for reports without series, such as those of earlier versions. */
function requests({ requests: sent }: ApplyReport): string {
  if (sent.length === 0) return '<h2 id="lanes-title" tabindex="-1">No calls were made</h2>\n';
  const rows = sent.map(
    ({ method, route, sent: amount, limited, retried }) =>
      `<tr><td><code>${breakable(`${method} ${route}`)}</code></td><td class="number">${printNumber(amount)}</td><td class="number">${printNumber(limited)}</td><td class="number">${printNumber(retried)}</td></tr>`,
  );
  return `<h2 id="lanes-title" tabindex="-1">Calls</h2>
<table><thead><tr><th scope="col">Route</th><th scope="col" class="number">Sent</th><th scope="col" class="number">429</th><th scope="col" class="number">Retried</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
`;
}

function lanes(series: RunSeries, durationS: number): string {
  const sorted = [...series.lanes].sort((left, right) => sum(right.sent) - sum(left.sent));
  const parts = sorted.map((lane) => laneFigure(lane, series.slot_s, durationS));
  return `<section aria-labelledby="lanes-title"><h2 id="lanes-title" tabindex="-1">Calls per route over time</h2>
<p class="key"><span class="swatch sent"></span> calls per second <span class="swatch limited"></span> refused with 429 <span class="swatch retried"></span> retried <span class="swatch limit"></span> limit. Each bar is ${printDuration(series.slot_s)}.</p>
${parts.join('')}</section>
`;
}

const height = 60;

function laneFigure(lane: LaneSeries, slotS: number, durationS: number): string {
  const { allowed_per_s: allowed } = lane;
  const rates = lane.sent.map((amount, at) => amount / lengthOf(at, slotS, durationS));
  const top = Math.max(allowed ?? 0, ...rates) * 1.1;
  const y = (rate: number): number => Math.round((1 - rate / top) * height * 10) / 10;
  const bars = lane.sent.flatMap((amount, at) => {
    if (amount === 0) return [];
    const part = (share: number | undefined) => ((share ?? 0) / amount) * (rates[at] ?? 0);
    const [limited, retried] = [part(lane.limited[at]), part(lane.retried[at])];
    return [
      barOf('sent', at, y(rates[at] ?? 0)),
      ...(limited + retried > 0 ? [barOf('retried', at, y(limited + retried))] : []),
      ...(limited > 0 ? [barOf('limited', at, y(limited))] : []),
    ];
  });
  const slots = Math.max(1, lane.sent.length);
  const limit =
    allowed === undefined ? '' : `<line class="limit" x1="0" x2="${slots}" y1="${y(allowed)}" y2="${y(allowed)}"/>`;
  const [sent, limited, retried] = [sum(lane.sent), sum(lane.limited), sum(lane.retried)];
  const facts: [string, string][] = [
    ['Calls', printNumber(sent)],
    ['Limit', allowed === undefined ? 'not known' : `${printNumber(allowed)}/s`],
    ['Refused (429)', printNumber(limited)],
    ['Retries', printNumber(retried)],
    ['Median', milliseconds(lane.median_ms)],
    ['95 %', milliseconds(lane.p95_ms)],
    ['99 %', milliseconds(lane.p99_ms)],
  ];
  const name = `${lane.method} ${lane.route}`;
  const fastest = Math.max(0, ...rates);
  return `<figure class="lane"><figcaption><code>${breakable(name)}</code></figcaption>
<svg class="series" viewBox="0 0 ${slots} ${height}" preserveAspectRatio="none" role="img" aria-label="${text(`${name}: ${plural(sent, 'call')} in ${printDuration(durationS)}, at most ${printNumber(fastest)} a second`)}">${bars.join('')}${limit}</svg>
<p class="axis" aria-hidden="true"><span>0</span><span>${printDuration(durationS)}</span></p>
<dl class="facts">${facts.map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`).join('')}</dl></figure>
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
  const longest = Math.max(0, ...state_ms);
  const told =
    stalls.length === 0
      ? `<p>None (max ${milliseconds(longest)})</p>`
      : `<ul>${stalls.map(({ ms, slot }) => `<li>${printDuration(slot * slot_s)} after the start: ${milliseconds(ms)}</li>`).join('')}</ul>`;
  return `<section aria-labelledby="state"><h2 id="state">Slow state writes</h2>${told}</section>\n`;
}

function calls({ calls: found, calls_left_out }: RunSeries): string {
  const rows = found.map(({ address, action, call, at_s, took_ms, answer }) =>
    safeJson([address, action, call, at_s, took_ms, answer]).replaceAll('<', '\\u003c'),
  );
  const rest =
    calls_left_out === 0
      ? ''
      : ` ${plural(calls_left_out, 'call')} more ${calls_left_out === 1 ? 'was' : 'were'} made and not listed: --events FILE keeps every step.`;
  return `<section aria-labelledby="calls-title"><h2 id="calls-title">Calls by object</h2>
<noscript><p>The search needs JavaScript, which this page contains.</p></noscript>
<div class="filters" role="search"><label class="search">Search objects, calls, responses<input type="search" id="search" autocomplete="off" spellcheck="false"></label>
<label class="check"><input type="checkbox" id="only-bad"> Failed or retried only</label></div>
<div id="status" role="status"></div>
<p>${plural(found.length, 'call')} listed.${rest}</p>
<table class="calls"><thead><tr><th scope="col">Object</th><th scope="col">Action</th><th scope="col" class="what">Call</th><th scope="col" class="number">After</th><th scope="col" class="number where">Took</th><th scope="col">Answer</th></tr></thead><tbody id="rows"></tbody></table>
</section>
<script type="application/json" id="data">[
${rows.join(',\n')}
]</script>
`;
}

function milliseconds(ms: number): string {
  return ms >= 1000 ? printDuration(Math.round(ms / 10) / 100) : `${printNumber(ms)} ms`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
