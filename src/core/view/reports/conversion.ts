// The report of a conversion as Markdown for the repository and as an HTML page.

import { plural, printBytes, printNumber, printUtc } from '../../../lib/words.ts';
import type { ConversionReport, FileFigures } from '../../model/conversion.ts';
import { routeName } from '../../model/request.ts';
import { pageEnd, pageHead, text, valueHtml } from '../html/frame.ts';
import { tableOf } from '../html/table.ts';
import { durationSentences, totalRequests } from '../summary/verdict.ts';
import { deadLinksInWords } from '../text/dead-links.ts';
import { orderSentences } from '../text/export-order.ts';
import { safe } from '../text/text.ts';

type ReportRow = readonly string[];

/** One part of the report: a heading, sentences, and a table, which is omitted without rows. */
export interface ReportSection {
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly columns: ReportRow;
  readonly rows: readonly ReportRow[];
}

export function conversionAsMarkdown(report: ConversionReport): string {
  const lines = [`# Conversion of a ${report.title} export`, '', ...sectionsAsMarkdown(sectionsOf(report))];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The lines of the sections, each with an empty line after it. */
export function sectionsAsMarkdown(sections: readonly ReportSection[]): string[] {
  return sections.flatMap(({ heading, sentences, columns, rows }) => {
    const lines = [`## ${heading}`, '', ...sentences.flatMap((sentence) => [sentence, ''])];
    if (rows.length === 0) return lines;
    const row = (cells: ReportRow) => `| ${cells.map(markdownCell).join(' | ')} |`;
    return [...lines, row(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(row), ''];
  });
}

const counted: ReadonlySet<string> = new Set(
  'Lines Count Kept Gone Messages Steps Requests New Changed Missing Files Copied Signed'.split(' '),
);

export function conversionAsHtml(report: ConversionReport): string {
  return `${header(report)}<main>\n${sectionsAsHtml(sectionsOf(report))}</main>\n${pageEnd()}`;
}

/** Sections with the ids `section-1`, `section-2` and so on. */
export function sectionsAsHtml(list: readonly ReportSection[]): string {
  const sections = list.map(({ heading, sentences, columns, rows }, at) => {
    const heads = columns.map((name) => (counted.has(name) ? { name, isNumber: true as const } : { name }));
    const cells = rows.map((row) => row.map(valueHtml));
    const paragraphs = sentences.map((sentence) => `<p>${text(sentence)}</p>\n`).join('');
    const id = `section-${at + 1}`;
    return `<section aria-labelledby="${id}"><h2 id="${id}" tabindex="-1">${text(heading)}</h2>\n${paragraphs}${rows.length === 0 ? '' : tableOf(heads, cells)}</section>\n`;
  });
  return sections.join('');
}

/** Contains no time and no actor, so that the same export gives the same page. */
function header({ title, users, channels, messages, undecided, covered }: ConversionReport): string {
  const open = undecided.reduce((sum, { count }) => sum + count, 0);
  const became = `${plural(users, 'user')}, ${plural(channels, 'channel')} and ${plural(messages, 'message')}`;
  return pageHead({
    kind: 'conversion',
    verdict: `${became} from a ${title} export. ${open === 0 ? 'No decisions are needed.' : `${plural(open, 'line')} need a decision.`}`,
    facts: [
      ['First message', covered === undefined ? undefined : printUtc(covered.first)],
      ['Last message', covered === undefined ? undefined : printUtc(covered.last)],
    ],
    skip: ['#section-2', 'Skip to what to decide'],
  });
}

function sectionsOf(report: ConversionReport): ReportSection[] {
  const { users, channels, messages, historyFiles, lines, outcomes, losses, reasons, undecided } = report;
  const { covered, noLongerThere } = report;
  return [
    {
      heading: 'What was read',
      sentences: [
        `The export contains ${plural(lines, 'object')} and messages. Each has a line in ledger.ndjson: carried (moved unchanged, times in UTC), changed or left out.`,
        `They became ${plural(users, 'user')}, ${plural(channels, 'channel')}, and ${plural(messages, 'message')} in ${plural(historyFiles, 'history file')}.`,
        ...filesSentences(report.attachments),
        ...report.notes,
        ...unorderedNote(report.unordered),
      ],
      columns: ['Outcome', 'Lines'],
      rows: [
        ['carried', printNumber(outcomes.carried)],
        ['changed', printNumber(outcomes.changed)],
        ['left out', printNumber(outcomes.left_out)],
      ],
    },
    {
      heading: 'What to decide',
      sentences:
        undecided.length === 0
          ? ['No decisions are needed. decisions.yaml explains everything that was left out.']
          : [
              'These lines were left out without a decision. For each reason, follow the advice, or write yes under accepted in decisions.yaml.',
            ],
      columns: ['Reason', 'Lines', 'What to do'],
      rows: undecided.map(({ code, count, advice }) => [code, printNumber(count), advice]),
    },
    ...identitiesSection(report.identities),
    ...olderSection(report.older),
    ...assumedSection(report.assumedLater),
    ...earlierSection(covered, noLongerThere),
    {
      heading: 'Not supported by the platform',
      sentences: ["Kept as JSON in each message's data field."],
      columns: ['Item', 'Count'],
      rows: [
        ...(report.threads === undefined ? [['messages in threads, or replies', printNumber(losses.threads)]] : []),
        ['reactions', printNumber(losses.reactions)],
        ['edited messages', printNumber(losses.edits)],
        ['files (their content is not sent)', printNumber(losses.files)],
        ['size of these files in bytes', printNumber(losses.fileBytes)],
      ],
    },
    ...threadsSection(report.threads),
    ...hostsSection(report.attachments),
    ...costSection(report.cost),
    ...contentSections(report),
    ...fieldsSection(report.fields),
    {
      heading: 'What was changed or left out',
      sentences: ['A line may have several reasons. Examples are places in the export, as file#entry.'],
      columns: ['Reason', 'Lines', 'Meaning', 'Examples'],
      rows: reasons.map(({ code, count, summary, examples }) => [
        code,
        printNumber(count),
        summary,
        examples.join(', '),
      ]),
    },
  ];
}

/** Which links to files will work. The URL of a sent message cannot be changed when a copy is made later. */
function filesSentences(figures: FileFigures): string[] {
  const { files, copied, missing, lastEnd } = figures;
  if (files === 0) return [];
  const dead = deadLinksInWords(figures);
  const total = `Files of messages: ${printNumber(files)}, with a copy: ${printNumber(copied)}, with neither content nor URL: ${printNumber(missing)}. All are in files.ndjson.`;
  if (dead === '') return [`${total} All links work as far as chatform can tell.`];
  const ends = lastEnd === undefined ? '' : ` The last signature expires at ${lastEnd}.`;
  return [
    `${dead}${ends} Copy these files with chatform convert-files and convert again before you send the messages.`,
    total,
  ];
}

/** Hosts that are listed. */
const maxHosts = 100;

function hostsSection({ hosts }: FileFigures): ReportSection[] {
  if (hosts.length === 0) return [];
  const more = hosts.length - maxHosts;
  const rest = more > 0 ? [`${plural(more, 'host')} with fewer files are not shown.`] : [];
  return [
    {
      heading: 'Hosts of files',
      sentences: [
        'Files of messages by the host of their URL. Links that need a login or had a signature will be dead without a copy.',
        ...rest,
      ],
      columns: ['Host', 'Files', 'Size', 'Copied', 'Login needed', 'Signed', 'Last signature expires'],
      rows: hosts
        .slice(0, maxHosts)
        .map(({ host, files, bytes, copied, login, signed, last_end: end = '' }) => [
          host,
          printNumber(files),
          bytes === 0 ? 'unknown' : printBytes(bytes),
          ...[copied, login, signed].map(printNumber),
          end,
        ]),
    },
  ];
}

function costSection(cost: ConversionReport['cost']): ReportSection[] {
  if (cost === undefined) return [];
  const heading = 'Requests and time';
  if (typeof cost === 'string')
    return [{ heading, sentences: [`Not known what it costs to send everything. ${cost}`], columns: [], rows: [] }];
  const { rate_plan, requests } = cost;
  return [
    {
      heading,
      sentences: [
        `Sending everything to an empty application takes ${plural(totalRequests(cost), 'request')} at the rate plan ${rate_plan}. ${durationSentences(cost)}`,
        'chatform plan shows what is left to send.',
      ],
      columns: ['Request', 'Requests'],
      rows: requests.map((request) => [routeName(request), printNumber(request.count)]),
    },
  ];
}

const kindWords: readonly (readonly [keyof ConversionReport['kinds'], string])[] = [
  ['people', 'people'],
  ['guests', 'guests'],
  ['bots', 'bots and apps'],
  ['deactivated', 'left the source (deactivated)'],
  ['unlisted', 'not listed in the export (deactivated)'],
  ['kept', 'only in earlier exports'],
];

/** The maximum number of channels to list. */
const maxChannels = 200;

function contentSections({ kinds, declared, covered }: ConversionReport): ReportSection[] {
  const times =
    covered === undefined
      ? 'The export contains no messages.'
      : `The first message of the export was sent at ${covered.first}, the last at ${covered.last}.`;
  const more = declared.length - maxChannels;
  const rest = more > 0 ? [`${plural(more, 'channel')} with fewer messages are not shown.`] : [];
  return [
    {
      heading: 'Users',
      sentences: [],
      columns: ['Kind', 'Users'],
      rows: kindWords.flatMap(([kind, words]) =>
        (kinds[kind] ?? 0) > 0 ? [[words, printNumber(kinds[kind] ?? 0)]] : [],
      ),
    },
    {
      heading: 'Channels',
      sentences: [times, ...rest],
      columns: ['Channel', 'Name', 'Messages'],
      rows: declared.slice(0, maxChannels).map(({ url, name, messages }) => [url, name, printNumber(messages)]),
    },
  ];
}

const whyLeftOut = {
  derived: 'other fields or rows say the same',
  technical: 'an id, a counter or a setting of the source',
  personal: 'personal data',
  unsupported: 'the platform has no such feature',
} as const;

function fieldsSection(fields: ConversionReport['fields'] = []): ReportSection[] {
  if (fields.length === 0) return [];
  const sentences = [
    'These fields are not needed in the new application. Fields that chatform does not know are under fields in decisions.yaml.',
  ];
  const rows = fields.map(({ field, rows, why }) => [field, printNumber(rows), whyLeftOut[why]]);
  return [{ heading: 'Fields that were left out', sentences, columns: ['Field', 'Lines', 'Why'], rows }];
}

/** The maximum number of people without a row to list. */
const maxListed = 200;

function identitiesSection(identities: ConversionReport['identities']): ReportSection[] {
  if (identities === undefined) return [];
  const { matched, unused, missing } = identities;
  const sentences = [
    `${plural(matched, 'user')} got a user_id from the file of identities. ${plural(unused, 'row')} of the file match nobody.`,
    missing.length === 0
      ? 'Everybody has a row in the file.'
      : `${plural(missing.length, 'user')} have no row and got the user_id shown here. missing-identities.csv lists all of them.`,
  ];
  const rows = missing.slice(0, maxListed).map(({ id, userId }) => [id, userId]);
  return [
    {
      heading: 'Identities',
      sentences,
      columns: ['At the source', 'user_id'],
      rows,
    },
  ];
}

function olderSection(older: ConversionReport['older']): ReportSection[] {
  if (older === undefined) return [];
  const sentences = [
    `This export is older than one that was already converted: ${older.newest === null ? 'it contains no messages' : `its newest message or edit was at ${older.newest}`}. Where both cover the same time, the newer export wins: it lacks or changes ${plural(older.superseded, 'message')} of this export.`,
    'If this export is the newer one, convert it again with --taken TIME.',
  ];
  return [{ heading: 'An older export', sentences, columns: [], rows: [] }];
}

/** Absent unless replies are sent as such. */
function threadsSection(threads: ConversionReport['threads']): ReportSection[] {
  if (threads === undefined) return [];
  const { replies, deeper, missing, notices, strangers } = threads;
  return [
    {
      heading: 'Threads',
      sentences: [
        "The platform's threads have one level. Messages that cannot be replies are messages of the channel.",
      ],
      columns: ['Messages that answer others', 'Count'],
      rows: [
        ['sent as replies', printNumber(replies)],
        ['of these, attached to the first message of the thread, because they answer a reply', printNumber(deeper)],
        ['outside of threads: what they answer is not on an earlier line of the history file', printNumber(missing)],
        ['outside of threads: one of both is an admin message', printNumber(notices)],
        ['outside of threads: the sender is muted or no member of the channel', printNumber(strangers)],
      ],
    },
  ];
}

function assumedSection(assumed: ConversionReport['assumedLater']): ReportSection[] {
  if (assumed === undefined) return [];
  return [{ heading: 'Which export is later', sentences: orderSentences(assumed), columns: [], rows: [] }];
}

/** Absent for a first conversion, and if the export still has all messages of earlier ones. */
function earlierSection(
  covered: ConversionReport['covered'],
  lost: ConversionReport['noLongerThere'],
): ReportSection[] {
  const { kept, gone, users, channels, historyFiles } = lost;
  if (kept + gone + users + channels === 0) return [];
  const { from = null, to = null } = covered?.declared ?? {};
  const limits =
    covered?.declared !== undefined
      ? `--covers says that this export covers the times from ${from ?? 'the beginning'} to ${to ?? 'the end'}.`
      : covered === undefined
        ? 'This export contains no messages.'
        : `The first message of this export was sent at ${covered.first}, the last at ${covered.last}.`;
  return [
    {
      heading: 'No longer in this export',
      sentences: [
        limits,
        `${plural(kept, 'message')} of earlier exports from outside these times, ${plural(users, 'user')} and ${plural(channels, 'channel')} were kept unchanged and are never deleted. If the export covers a longer time than its messages show, say so with --covers.`,
        `${plural(gone, 'message')} of earlier exports should be in this export but are not, so they were deleted at the source. policy.messages.deleted decides whether to delete them on the platform.`,
      ],
      columns: ['Channel', 'Kept', 'Gone'],
      rows: historyFiles.map(({ channel, ...counts }) => [channel, printNumber(counts.kept), printNumber(counts.gone)]),
    },
  ];
}

/** Escapes names of files and channels, which come from the export. */
export function markdownCell(cell: string): string {
  return safe(cell).replace(/[\\`*[\]<>|~]/gu, (sign) => `\\${sign}`);
}

function unorderedNote(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${plural(count, 'message has', 'messages have')} the time of another one, and neither a finer time nor an id that grows says which came first: they are in the order of the export.`,
  ];
}
