// The report of a migration as one HTML page that needs no network: channels, counts, deviations, and a place to sign it.

import { plural, printNumber, printUtc } from '../../../lib/words.ts';
import type { ChannelFigures, MigrationReport } from '../../model/migration-report.ts';
import { breakable, factList, pageEnd, pageHead, text } from '../html/frame.ts';
import { tableEnd, tableOf, tableRow, tableStart } from '../html/table.ts';
import { actorInWords } from '../text/actor.ts';
import {
  deviationsOf,
  findingInWords,
  memberLines,
  printTime,
  problemOf,
  scopeOf,
  statusOfVerification,
  totalsOf,
  uncomparedWords,
  verdictOf,
  withProblems,
} from './migration.ts';

/** The maximum number of channels to explain. The table has all of them. */
const maxExplained = 100;

const isoTime = /^\d{4}-\d\d-\d\dT.*Z$/u;

const columns = [
  { name: 'Channel' },
  { name: 'Outcome' },
  { name: 'Declared', isNumber: true },
  { name: 'Found', isNumber: true },
  { name: 'Compared', isNumber: true },
  { name: 'Deviations' },
  { name: 'By others', isNumber: true },
  { name: 'First and last message (UTC)' },
] as const;

/** Yields one channel at a time. Channels with problems come first. */
export function* migrationAsHtml(report: MigrationReport): Generator<string> {
  const problems = withProblems(report);
  const { application, by, started_at, finished_at, requests } = report;
  yield pageHead({
    kind: 'verification',
    status: statusOfVerification(report),
    verdict: verdictOf(report),
    application,
    by,
    from: started_at,
    to: finished_at,
    facts: [['Reads', printNumber(requests)]],
    skip: ['#channels', 'Skip to the channels'],
  });
  yield `<main>
${deviations(problems)}<section aria-labelledby="totals"><h2 id="totals">Totals</h2>
<p class="key">${scopeOf(report).replaceAll(/`([^`]*)`/gu, '<code>$1</code>')}</p>
${tableOf(
  [{ name: 'What' }, { name: 'Number', isNumber: true }],
  totalsOf(report, (name) => name).map(([name, value]) => [text(name), text(value.replace(isoTime, printUtc))]),
)}</section>
${memberViews(report)}${notCompared(report)}<section aria-labelledby="channels"><h2 id="channels" tabindex="-1">Channels</h2>
`;
  if (report.channels.length === 0) yield '<p>No history file is declared.</p>';
  else {
    yield tableStart(columns);
    for (const channel of problems) yield rowOf(channel);
    for (const channel of report.channels) if (channel.outcome === 'matched') yield rowOf(channel);
    yield tableEnd;
  }
  yield `</section>\n${signature(report)}</main>\n${pageEnd()}`;
}

function deviations(problems: readonly ChannelFigures[]): string {
  if (problems.length === 0) return '';
  const items = problems.slice(0, maxExplained).map((channel) => {
    const findings = channel.findings.map((finding) => `<li>${text(findingInWords(finding, (name) => name))}</li>`);
    return `<li>${channelNames(channel, ' ')}: ${text(problemOf(channel))}${findings.length === 0 ? '' : `<ul>${findings.join('')}</ul>`}</li>`;
  });
  const more = problems.length - items.length;
  const rest = more > 0 ? `<li>… and ${plural(more, 'more channel')}, first in the table below</li>` : '';
  return `<section class="dangers" aria-labelledby="deviations"><h2 id="deviations">Deviations</h2><ul>${items.join('')}${rest}</ul></section>\n`;
}

function memberViews(report: MigrationReport): string {
  const lines = memberLines(report, (name) => name);
  if (lines.length === 0) return '';
  const kind = (report.as_member?.hidden_from ?? 0) > 0 ? ' class="dangers"' : '';
  const items = lines.map((line) => `<li>${text(line)}</li>`);
  return `<section${kind} aria-labelledby="members"><h2 id="members">What members see</h2><ul>${items.join('')}</ul></section>\n`;
}

function notCompared({ totals }: MigrationReport): string {
  if (totals.not_compared.length === 0) return '';
  const rows = totals.not_compared.map(({ field, why, messages }) => [
    `<code>${text(field)}</code>`,
    printNumber(messages),
    uncomparedWords[why],
  ]);
  return `<section aria-labelledby="not-compared"><h2 id="not-compared">Not compared</h2>
${tableOf(
  [{ name: 'Field' }, { name: 'Messages', isNumber: true }, { name: 'Why' }],
  rows,
  'The report says nothing about these fields of the compared messages.',
)}</section>
`;
}

/** The name that people know, and the url that identifies the channel. */
function channelNames({ name, channel_url }: ChannelFigures, separator: string): string {
  const url = `<code>${breakable(channel_url)}</code>`;
  return name === undefined ? url : `<strong>${breakable(name)}</strong>${separator}${url}`;
}

function rowOf(channel: ChannelFigures): string {
  const { outcome, declared, there, compared, others, first, last } = channel;
  const isKnown = outcome !== 'unreadable';
  const known = (value: string) => (isKnown ? value : '?');
  const tone = (isGood: boolean, words: string) => (isGood ? words : `<span class="is-danger">${words}</span>`);
  const deviating = deviationsOf(channel);
  return tableRow(columns, [
    channelNames(channel, '<br>'),
    tone(outcome === 'matched', outcome),
    printNumber(declared),
    there === undefined ? '?' : printNumber(there),
    printNumber(compared),
    known(deviating.length === 0 ? 'none' : tone(outcome === 'matched', text(deviating.join(', ')))),
    known(printNumber(others)),
    [first, last].flatMap((time) => (time === undefined ? [] : [timeCell(time)])).join('<br>'),
  ]);
}

function timeCell(time: number): string {
  return `<span class="time">${printUtc(printTime(time)).replace(' UTC', '')}</span>`;
}

/** Repeats what is signed, so that the last sheet of paper is enough. */
function signature(report: MigrationReport): string {
  const { application, by, started_at, finished_at, totals } = report;
  const lines = ['Name', 'Place and date', 'Signature'].map((name) => `<div><dt>${name}</dt><dd></dd></div>`);
  return `<section class="sign-off" aria-labelledby="sign-off"><h2 id="sign-off">Sign-off</h2>
<p>${text(verdictOf(report))}</p>
${factList([
  ['Application', application],
  ['Verified', `${printUtc(started_at)} to ${printUtc(finished_at)}`],
  ['By', actorInWords(by)],
  ['Channels matched', `${printNumber(totals.matched)} of ${printNumber(totals.channels)}`],
  ['Messages', `${printNumber(totals.declared)} declared, ${printNumber(totals.compared)} compared`],
])}<dl class="signature">${lines.join('')}</dl></section>
`;
}
