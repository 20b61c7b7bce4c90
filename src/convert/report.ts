// The report of a conversion for people: as Markdown for the repository, and as a page for everybody else.
import type { Conversion } from './convert.ts';
import { type ReasonCode, reasons } from './reasons.ts';

export interface ReportSubject {
  /** `Slack`. */
  readonly title: string;
  readonly conversion: Omit<Conversion, 'users' | 'proposals'>;
  readonly users: number;
}

type Row = readonly string[];

/** One part of the report: a heading, sentences, and a table. */
interface Section {
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly columns?: Row;
  readonly rows?: readonly Row[];
}

export function reportAsMarkdown(subject: ReportSubject): string {
  const lines = [`# Conversion of a ${subject.title} export`, ''];
  for (const { heading, sentences, columns, rows = [] } of sectionsOf(subject)) {
    lines.push(`## ${heading}`, '', ...sentences.flatMap((sentence) => [sentence, '']));
    if (columns === undefined || rows.length === 0) continue;
    const row = (cells: Row) => `| ${cells.map(markdownCell).join(' | ')} |`;
    lines.push(row(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(row), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

export function reportAsHtml(subject: ReportSubject): string {
  const title = html(`Conversion of a ${subject.title} export`);
  const parts = sectionsOf(subject).map(({ heading, sentences, columns, rows = [] }) => {
    const row = (cells: Row, name: string) =>
      `<tr>${cells.map((cell) => `<${name}>${html(cell)}</${name}>`).join('')}</tr>`;
    const table =
      columns === undefined || rows.length === 0
        ? ''
        : `<table>\n${[row(columns, 'th'), ...rows.map((cells) => row(cells, 'td'))].join('\n')}\n</table>\n`;
    return `<h2>${html(heading)}</h2>\n${sentences.map((sentence) => `<p>${html(sentence)}</p>\n`).join('')}${table}`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ccc }
</style>
</head>
<body>
<h1>${title}</h1>
${parts.join('')}</body>
</html>
`;
}

function sectionsOf({ conversion, users }: ReportSubject): Section[] {
  const { tally, losses, undecided, channels, messages, archives } = conversion;
  const { carried, changed, left_out } = tally.outcomes;
  return [
    {
      heading: 'What was read',
      sentences: [
        `The export holds ${count(tally.lines, 'object')} and messages. Each has a line in ledger.ndjson.`,
        `They became ${count(users, 'user')}, ${count(channels.length, 'channel')}, and ${count(messages, 'message')} in ${count(archives, 'archive')}.`,
      ],
      columns: ['Outcome', 'Lines'],
      rows: [
        ['carried', figure(carried)],
        ['changed', figure(changed)],
        ['left out', figure(left_out)],
      ],
    },
    {
      heading: 'What to decide',
      sentences:
        undecided.length === 0
          ? ['Nothing. Everything that was left out stands in decisions.yaml.']
          : [
              'These were left out and nobody decided so. Change what is named, or write yes under accepted in decisions.yaml.',
            ],
      columns: ['Reason', 'Lines', 'What to do'],
      rows: undecided.map((code) => [code, figure(countOf(tally, code)), reasons[code].advice]),
    },
    {
      heading: 'What cannot travel as it was',
      sentences: [
        'The platform takes none of these with a migrated message. They stand in the envelope of the message.',
      ],
      columns: ['What', 'How many'],
      rows: [
        ['messages in threads, or replies', figure(losses.threads)],
        ['reactions', figure(losses.reactions)],
        ['edited messages', figure(losses.edits)],
        ['files, whose bytes stay at the source', figure(losses.files)],
        ['bytes of these files', figure(losses.fileBytes)],
      ],
    },
    {
      heading: 'What was changed or left out',
      sentences: ['A line may have several reasons. Places are those of the export: file#entry.'],
      columns: ['Reason', 'Lines', 'Meaning', 'Examples'],
      rows: tally.reasons.map(({ code, count: lines, examples }) => [
        code,
        figure(lines),
        reasons[code].summary,
        examples.join(', '),
      ]),
    },
  ];
}

function countOf(tally: Conversion['tally'], code: ReasonCode): number {
  return tally.reasons.find((found) => found.code === code)?.count ?? 0;
}

function count(number: number, noun: string): string {
  return `${figure(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function figure(number: number): string {
  return number.toLocaleString('en-US');
}

/** Names of files and channels come from the export and are data. */
function html(text: string): string {
  return text
    .replace(/[&<>"']/gu, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function markdownCell(text: string): string {
  return text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replace(/[\\`*[\]<>|~]/gu, (sign) => `\\${sign}`);
}
