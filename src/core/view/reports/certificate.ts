// The certificate of a migration for people: as Markdown, and as an HTML page to print and sign.

import { plural, printNumber, printUtc } from '../../../lib/words.ts';
import type { Certificate } from '../../model/migration/cutover.ts';
import { factList, pageEnd, pageHead, text } from '../html/frame.ts';
import { actorInWords } from '../text/actor.ts';
import { markdownCell, type ReportSection, sectionsAsHtml, sectionsAsMarkdown } from './conversion.ts';

const signed = ['Name', 'Place and date', 'Signature'];

export function certificateAsMarkdown(certificate: Certificate): string {
  const { application, by, written_at } = certificate;
  const facts = [
    ['Application', application],
    ['By', actorInWords(by)],
    ['At', printUtc(written_at)],
  ];
  const lines = ['# Certificate of a migration', '', `**${verdictOf(certificate)}**`, ''];
  for (const [name, value = ''] of [...facts, ...factsOf(certificate)]) lines.push(`- ${name}: ${markdownCell(value)}`);
  lines.push('', ...sectionsAsMarkdown(sectionsOf(certificate)), '## Sign-off', '');
  return `${[...lines, ...signed.map((name) => `${name}: ______________________\n`)].join('\n')}`;
}

export function certificateAsHtml(certificate: Certificate): string {
  const { application, by, written_at: from, digest } = certificate;
  const verdict = verdictOf(certificate);
  const skip = ['#section-1', 'Skip to the channels'] as const;
  const places = signed.map((name) => `<div><dt>${name}</dt><dd></dd></div>`).join('');
  return `${pageHead({ kind: 'certificate', verdict, application, by, from, facts: factsOf(certificate), skip })}<main>
${sectionsAsHtml(sectionsOf(certificate))}<section class="sign-off" aria-labelledby="sign-off"><h2 id="sign-off">Sign-off</h2>
<p>${text(verdict)}</p>
${factList([
  ['Application', application],
  ['Digest', digest],
])}<dl class="signature">${places}</dl></section>
</main>
${pageEnd()}`;
}

function verdictOf({ totals, verification, channels }: Certificate): string {
  const moved = `${plural(totals.users, 'user')}, ${plural(totals.channels, 'channel')} and ${plural(totals.messages, 'message')} were moved.`;
  const compared = plural(verification.totals.compared, 'message');
  return `${moved} All ${compared} in ${plural(channels.length, 'history file')} were compared with the platform and found there.`;
}

function factsOf({ trail, digest, chatform, verification }: Certificate): (readonly [string, string])[] {
  const { started_at, finished_at, by } = verification;
  return [
    ['Verified', `${printUtc(started_at)} to ${printUtc(finished_at)} by ${actorInWords(by)}`],
    ...(trail === undefined ? [] : ([['Audit trail', trail]] as const)),
    ['Digest', digest],
    ['chatform', chatform],
  ];
}

/** An empty cell beside an accepted loss would read as if nobody had to answer for it. */
function unrecorded(decision: Certificate['left_out'][number]['decision']): string {
  return decision === 'accepted' ? 'not known: the decision is not committed' : '';
}

/** The tables of the last conversion, if it read a database. */
function tablesOf(conversions: Certificate['conversions']): ReportSection[] {
  const database = conversions.at(-1)?.database;
  if (database === undefined) return [];
  const shown = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([column, value]) => `${column} ${value}`)
      .join(', ');
  return [
    {
      heading: 'Tables',
      sentences: [
        `What the last conversion read from ${database.name}, all as of one moment. A table with a value under from was read from that value on, less an overlap; rows that were deleted before that are not seen.`,
      ],
      columns: ['Table', 'Rows read', 'Last row', 'Last value', 'From', 'SHA-256'],
      rows: database.tables.map(({ table, rows, last = {}, since, sha256 }) => [
        table,
        printNumber(rows),
        shown(last),
        since?.value === undefined ? '' : shown({ [since.column]: since.value }),
        since?.from ?? '',
        sha256,
      ]),
    },
  ];
}

const outcomes: Readonly<Record<Certificate['checks'][number]['outcome'], string>> = {
  passed: 'passed',
  warning: 'warning',
  blocks: 'blocks',
  not_looked_at: 'not looked at',
};

function sectionsOf({ channels, checks, left_out, conversions, applies, files }: Certificate): ReportSection[] {
  const time = (iso: string | undefined) => (iso === undefined ? '' : printUtc(iso));
  return [
    {
      heading: 'Channels',
      sentences: ['Messages of each channel, as declared and found.'],
      columns: ['Channel', 'URL', 'Messages', 'First', 'Last'],
      rows: channels.map(({ channel_url: url, name = url, messages, first, last }) => [
        name,
        url,
        printNumber(messages),
        time(first),
        time(last),
      ]),
    },
    {
      heading: 'Points',
      sentences: ['Everything that can block a cutover, as chatform cutover found it when it wrote this certificate.'],
      columns: ['Point', 'Code', 'Outcome', 'Remark'],
      rows: checks.map(({ point, code, outcome, message = '' }) => [point, code, outcomes[outcome], message]),
    },
    {
      heading: 'Left out',
      sentences: ['Lines of the last export that were left out, and who decided so.'],
      columns: ['Reason', 'Lines', 'Decision', 'By'],
      rows: left_out.map(({ reason, lines, decision, by, commit = '' }) => [
        reason,
        printNumber(lines),
        decision === 'accepted' ? 'accepted in decisions.yaml' : 'a rule, or a choice in decisions.yaml',
        by === undefined ? unrecorded(decision) : `${by}, commit ${commit.slice(0, 12)}`,
      ]),
    },
    {
      heading: 'Conversions',
      sentences: ['The digest is the SHA-256 of a list of all files of the export and their digests.'],
      columns: ['Started', 'Export', 'New', 'Changed', 'In data alone', 'Missing', 'SHA-256'],
      rows: conversions.map(
        ({ started_at, export: { paths, sha256 }, lines: { added, changed, data_alone, missing } }) => [
          time(started_at),
          paths.join(', '),
          ...[added, changed, data_alone, missing].map(printNumber),
          sha256,
        ],
      ),
    },
    ...tablesOf(conversions),
    {
      heading: 'Applies',
      sentences: ['The runs since the first conversion, from the audit trail.'],
      columns: ['Started', 'Outcome', 'Steps', 'Requests', 'By', 'Plan hash'],
      rows: applies.map(({ started_at, outcome, steps, requests, by, plan }) => [
        time(started_at),
        outcome,
        ...[steps, requests].map(printNumber),
        actorInWords(by),
        plan,
      ]),
    },
    {
      heading: 'Files',
      sentences: ['chatform cutover --check compares these digests again, and those of the export.'],
      columns: ['File', 'SHA-256'],
      rows: files.map(({ path, sha256 }) => [path, sha256]),
    },
  ];
}
