// The report of a migration as one HTML page that needs no network: channels, counts, deviations, and what was not compared.
import type { ChannelFigures, MigrationReport } from '../../model/migration-report.ts';
import { breakable, closingOf, openingOf, text } from '../html/frame.ts';
import { plural, printNumber } from '../text/words.ts';
import {
  findingInWords,
  findingNames,
  findingWords,
  printTime,
  problemOf,
  scopeOf,
  totalsOf,
  uncomparedWords,
  verdictOf,
  withProblems,
} from './migration.ts';

/** The maximum number of channels to explain. The table has all of them. */
const maxExplained = 100;

/** Yields one channel at a time. Channels with problems come first. */
export function* migrationAsHtml(report: MigrationReport): Generator<string> {
  const problems = withProblems(report);
  yield openingOf('chatform verify', { skip: ['#channels', 'Skip to the channels'] });
  yield `<header>
<h1>chatform verify</h1>
<p class="verdict">${text(verdictOf(report))}</p>
<dl class="facts"><div><dt>Application</dt><dd><code>${text(report.application)}</code></dd></div><div><dt>From</dt><dd><code>${text(report.started_at)}</code></dd></div><div><dt>To</dt><dd><code>${text(report.finished_at)}</code></dd></div></dl>
</header>
<main>
${deviations(problems)}<section aria-labelledby="totals"><h2 id="totals">Totals</h2>
<table><caption>${scopeOf(report).replaceAll(/`([^`]*)`/gu, '<code>$1</code>')}</caption><thead><tr><th scope="col">What</th><th scope="col" class="number">Number</th></tr></thead><tbody>
${totalsOf(report, (name) => name)
  .map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td class="number">${text(value)}</td></tr>`)
  .join('\n')}
</tbody></table></section>
${notCompared(report)}<section aria-labelledby="channels"><h2 id="channels" tabindex="-1">Channels</h2>
`;
  if (report.channels.length === 0) yield '<p>No message archive is declared.</p>';
  else {
    yield `<div class="wide" role="region" aria-label="Figures of each channel" tabindex="0"><table><thead><tr><th scope="col">Channel</th><th scope="col">Outcome</th><th scope="col" class="number">Declared</th><th scope="col" class="number">Found</th><th scope="col" class="number">Compared</th>${findingNames.map((name) => `<th scope="col" class="number">${findingWords[name].replace(/^./u, (first) => first.toUpperCase())}</th>`).join('')}<th scope="col" class="number">Others</th><th scope="col">First</th><th scope="col">Last</th></tr></thead><tbody>\n`;
    for (const channel of problems) yield rowOf(channel);
    for (const channel of report.channels) if (channel.outcome === 'matched') yield rowOf(channel);
    yield '</tbody></table></div>';
  }
  yield `</section>\n</main>\n${closingOf()}`;
}

function deviations(problems: readonly ChannelFigures[]): string {
  if (problems.length === 0) return '';
  const items = problems.slice(0, maxExplained).map((channel) => {
    const findings = channel.findings.map((finding) => `<li>${text(findingInWords(finding, (name) => name))}</li>`);
    return `<li><code>${breakable(channel.channel_url)}</code>: ${text(problemOf(channel))}${findings.length === 0 ? '' : `<ul>${findings.join('')}</ul>`}</li>`;
  });
  const more = problems.length - items.length;
  const rest = more > 0 ? `<li>… and ${plural(more, 'more channel')}, first in the table below</li>` : '';
  return `<section class="dangers" aria-labelledby="deviations"><h2 id="deviations">Deviations</h2><ul>${items.join('')}${rest}</ul></section>\n`;
}

function notCompared({ totals }: MigrationReport): string {
  if (totals.not_compared.length === 0) return '';
  const rows = totals.not_compared.map(
    ({ field, why, messages }) =>
      `<tr><td><code>${text(field)}</code></td><td class="number">${printNumber(messages)}</td><td>${uncomparedWords[why]}</td></tr>`,
  );
  return `<section aria-labelledby="not-compared"><h2 id="not-compared">Not compared</h2>
<table><caption>The report says nothing about these fields of the compared messages.</caption><thead><tr><th scope="col">Field</th><th scope="col" class="number">Messages</th><th scope="col">Why</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></section>
`;
}

function rowOf(channel: ChannelFigures): string {
  const { channel_url, outcome, declared, there, compared, others, first, last } = channel;
  const isKnown = outcome !== 'unreadable';
  const number = (value: number | undefined) =>
    `<td class="number">${value === undefined ? '?' : printNumber(value)}</td>`;
  const found = [...findingNames.map((name) => channel[name]), others].map((value) =>
    number(isKnown ? value : undefined),
  );
  const times = [first, last].map((time) => `<td>${time === undefined ? '' : printTime(time)}</td>`);
  const tone = outcome === 'matched' ? '' : ' class="is-danger"';
  return `<tr><td><code>${breakable(channel_url)}</code></td><td${tone}>${outcome}</td>${number(declared)}${number(there)}${number(compared)}${found.join('')}${times.join('')}</tr>\n`;
}
