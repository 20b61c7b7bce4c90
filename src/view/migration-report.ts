// How is it told whether a migration arrived? For people in a terminal, and as Markdown for whoever signs it off.
import { type ChannelFigures, type MigrationReport, totalled } from '../model/migration-report.ts';
import {
  arrayOf,
  formatVersionSchema,
  moment,
  object,
  schemaDocument,
  text,
  wholeNumber,
  withDescription,
} from './json/schema-parts.ts';
import { safe } from './text.ts';
import { plural, printNumber } from './words.ts';

const whats: Readonly<Record<string, string>> = {
  missing: 'missing',
  deleted: 'deleted since they arrived',
  doubled: 'there twice',
  moved: 'at another time',
  altered: 'with other data or custom_type',
  out_of_order: 'out of order',
};

/** Channels that are not as they should be, each on a line, then the sum. */
export function* migrationForPeople(report: MigrationReport): Generator<string> {
  for (const channel of report.channels) {
    if (channel.outcome === 'matched') continue;
    yield `${safe(channel.channel_url)}: ${troubleOf(channel)}\n`;
    for (const { what, timestamp, sender } of channel.findings) {
      yield `  ${whats[what] ?? what}: ${momentOf(timestamp)}${sender === undefined ? '' : `, by ${safe(sender)}`}\n`;
    }
  }
  const { channels, matched, mismatched, unreadable, declared, compared } = report.totals;
  if (channels === 0) {
    yield 'No message archive is declared: there is nothing to verify.\n';
    return;
  }
  yield `${plural(matched, 'channel')} of ${channels} as declared: ${plural(declared, 'message')}, ${printNumber(compared)} of them compared one by one.\n`;
  if (mismatched > 0)
    yield `${plural(mismatched, 'channel')} with messages that are missing, deleted, doubled or changed.\n`;
  if (unreadable > 0)
    yield `${plural(unreadable, 'channel')} cannot be read: nothing is known of ${unreadable === 1 ? 'it' : 'them'}.\n`;
}

/**
 * Totals first, then what is wrong or not known, then every channel, those with trouble before the others; and what the
 * comparison can say at all, because somebody puts a name under it.
 */
export function* migrationAsMarkdown(report: MigrationReport): Generator<string> {
  const bad = report.channels.filter(({ outcome }) => outcome !== 'matched');
  yield '# Migration report\n\n';
  yield `**${verdictOf(report)}** Application \`${cell(report.application)}\`, verified from ${report.started_at} to ${report.finished_at}.\n\n`;
  yield* totalRows(report);
  yield '\n';
  yield* scope(report);
  yield* troubles(bad);
  yield '\n## Channels\n\n';
  yield '| Channel | Outcome | Declared | There | Compared | Missing | Deleted | Twice | Moved | Altered | Order | Others | First | Last |\n';
  yield '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|\n';
  for (const channel of bad) yield rowOf(channel);
  for (const channel of report.channels) if (channel.outcome === 'matched') yield rowOf(channel);
  yield '\nTimes are in UTC. Signed off by: ______________________  Date: ______________\n';
}

function verdictOf({ totals, channels }: MigrationReport): string {
  if (channels.length === 0) return 'No message archive is declared.';
  if (totals.mismatched > 0) return 'Not everything is as declared.';
  if (totals.unreadable > 0) return 'Not everything could be read.';
  return totals.compared === totals.declared
    ? 'Every message arrived, once and in order.'
    : 'All that was compared arrived, once and in order; of the rest the count is right.';
}

function* totalRows({ totals, channels }: MigrationReport): Generator<string> {
  const [first, last] = span(channels);
  const rows: [string, string][] = [
    ['Channels as declared', `${printNumber(totals.matched)} of ${printNumber(totals.channels)}`],
    ['Channels with mismatches', printNumber(totals.mismatched)],
    ['Channels that cannot be read', printNumber(totals.unreadable)],
    ['Messages declared', printNumber(totals.declared)],
    ['Compared one by one', `${printNumber(totals.compared)}${shareOf(totals.compared, totals.declared)}`],
    ['Missing', printNumber(totals.missing)],
    ['Deleted since they arrived', printNumber(totals.deleted)],
    ['There twice', printNumber(totals.doubled)],
    ['At another time', printNumber(totals.moved)],
    ['With other data or custom type', printNumber(totals.altered)],
    ['Out of order', printNumber(totals.out_of_order)],
    ['Written by others in between', printNumber(totals.others)],
    ...(first === undefined || last === undefined
      ? []
      : ([
          ['First message', momentOf(first)],
          ['Last message', momentOf(last)],
        ] satisfies [string, string][])),
  ];
  yield '| Totals | |\n|---|---:|\n';
  for (const [name, value] of rows) yield `| ${name} | ${value} |\n`;
}

/** Of all archives. */
function span(channels: readonly ChannelFigures[]): readonly [number | undefined, number | undefined] {
  let [first, last]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const channel of channels) {
    if (channel.first !== undefined && channel.first < (first ?? Number.POSITIVE_INFINITY)) first = channel.first;
    if (channel.last !== undefined && channel.last > (last ?? Number.NEGATIVE_INFINITY)) last = channel.last;
  }
  return [first, last];
}

/** Rounded down: 100 % is all. */
function shareOf(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${Math.floor((part / whole) * 1000) / 10} %)`;
}

/** What was done, and what a list of messages cannot tell (platform §6.2). */
function* scope({ totals }: MigrationReport): Generator<string> {
  yield 'Every channel that can be read was counted. ';
  if (totals.compared < totals.declared) {
    yield 'Where the count is right, the first and the last messages and some in between were compared; `chatform verify --all` compares every one. ';
  }
  yield 'Compared are time, sender, type, text or URL, data and custom type. The platform does not list what it knows a message by (`dedup_id`), nor who has read it: those are not compared.\n';
}

/** Channels with trouble that are told one by one: the table has them all. */
const maxTroubles = 100;

function* troubles(bad: readonly ChannelFigures[]): Generator<string> {
  if (bad.length === 0) return;
  yield '\n## What is wrong or not known\n\n';
  for (const channel of bad.slice(0, maxTroubles)) {
    yield `- \`${cell(channel.channel_url)}\`: ${cell(troubleOf(channel))}\n`;
    for (const { what, timestamp, sender } of channel.findings) {
      yield `  - ${whats[what] ?? what}: ${momentOf(timestamp)}${sender === undefined ? '' : `, by \`${cell(sender)}\``}\n`;
    }
  }
  const more = bad.length - maxTroubles;
  if (more > 0) yield `- … and ${plural(more, 'more channel')}, first in the table below\n`;
}

function rowOf(channel: ChannelFigures): string {
  const { declared, there, compared, first, last } = channel;
  const { missing, deleted, doubled, moved, altered, out_of_order, others } = channel;
  const found = [missing, deleted, doubled, moved, altered, out_of_order, others].map((count) =>
    // Of what cannot be read, nothing is known.
    channel.outcome === 'unreadable' ? '?' : printNumber(count),
  );
  const figures = [printNumber(declared), there === undefined ? '?' : printNumber(there), printNumber(compared)];
  const times = [first, last].map((time) => (time === undefined ? '' : momentOf(time)));
  return `| \`${cell(channel.channel_url)}\` | ${channel.outcome} | ${[...figures, ...found, ...times].join(' | ')} |\n`;
}

function troubleOf(channel: ChannelFigures): string {
  if (channel.note !== undefined) return safe(channel.note);
  const parts = Object.entries(whats).flatMap(([name, words]) => {
    const count = channel[name as keyof ChannelFigures];
    return typeof count === 'number' && count > 0 ? [`${printNumber(count)} ${words}`] : [];
  });
  return `of ${plural(channel.declared, 'message')} ${parts.join(', ')}`;
}

function momentOf(timestamp: number): string {
  return new Date(timestamp).toISOString();
}

/** Names are data: nothing in them ends a cell or a code span. */
function cell(text: string): string {
  return safe(text).replaceAll('|', '\\|').replaceAll('`', "'");
}

const counts = Object.fromEntries(totalled.map((name) => [name, wholeNumber]));

/** Of `chatform verify --format json` and of its report file. */
export const migrationSchema = schemaDocument(
  'chatform verify --format json',
  'Whether every declared message is on the platform, once and in order.',
  object(
    {
      format_version: formatVersionSchema,
      application: withDescription(text, 'Host and path, or emulator: and its path.'),
      exit_code: wholeNumber,
      started_at: moment,
      finished_at: moment,
      requests: withDescription(wholeNumber, 'Reads that were sent for it.'),
      totals: object(
        { ...counts, channels: wholeNumber, matched: wholeNumber, mismatched: wholeNumber, unreadable: wholeNumber },
        {},
      ),
      channels: withDescription(
        arrayOf(
          object(
            {
              channel_url: text,
              file: text,
              outcome: { enum: ['matched', 'mismatched', 'unreadable'] },
              ...counts,
              findings: withDescription(
                arrayOf(
                  object(
                    {
                      what: { enum: ['missing', 'deleted', 'doubled', 'moved', 'altered', 'out_of_order'] },
                      timestamp: wholeNumber,
                    },
                    { sender: text },
                  ),
                ),
                'The first of them; all are counted.',
              ),
            },
            {
              there: withDescription(wholeNumber, 'Messages that the platform counts, those of others included.'),
              first: withDescription(wholeNumber, 'Unix milliseconds.'),
              last: wholeNumber,
              note: text,
            },
          ),
        ),
        'Sorted by channel_url.',
      ),
    },
    {},
  ),
);
