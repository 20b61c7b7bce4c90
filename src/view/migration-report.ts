// How is it told whether a migration arrived? For people in a terminal, and as Markdown for whoever signs it off.
import { type ChannelFigures, type MigrationReport, totalled } from '../model/migration-report.ts';
import { described, document, formatVersion, list, moment, object, text, whole } from './schema-parts.ts';
import { safe } from './text.ts';
import { plural, printNumber } from './words.ts';

const whats: Readonly<Record<string, string>> = {
  missing: 'missing',
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
  yield `${plural(matched, 'channel')} of ${channels} as declared: ${plural(declared, 'message')}, ${printNumber(compared)} of them compared one by one.\n`;
  if (mismatched > 0) yield `${plural(mismatched, 'channel')} with messages that are missing, doubled or changed.\n`;
  if (unreadable > 0)
    yield `${plural(unreadable, 'channel')} cannot be read: nothing is known of ${unreadable === 1 ? 'it' : 'them'}.\n`;
}

/** One row a channel, those with trouble first. */
export function* migrationAsMarkdown(report: MigrationReport): Generator<string> {
  const { totals } = report;
  const isGood = totals.matched === totals.channels;
  yield `# Migration report\n\n`;
  yield `${isGood ? '**Every message arrived.**' : '**Not everything is as declared.**'} Application \`${cell(report.application)}\`, verified from ${report.started_at} to ${report.finished_at}.\n\n`;
  yield '| | |\n|---|---:|\n';
  yield `| Channels as declared | ${printNumber(totals.matched)} of ${printNumber(totals.channels)} |\n`;
  yield `| Messages declared | ${printNumber(totals.declared)} |\n`;
  yield `| Compared one by one | ${printNumber(totals.compared)} |\n`;
  yield `| Missing | ${printNumber(totals.missing)} |\n`;
  yield `| There twice | ${printNumber(totals.doubled)} |\n`;
  yield `| At another time | ${printNumber(totals.moved)} |\n`;
  yield `| With other data or custom type | ${printNumber(totals.altered)} |\n`;
  yield `| Out of order | ${printNumber(totals.out_of_order)} |\n`;
  yield `| Written by others in between | ${printNumber(totals.others)} |\n\n`;
  yield '| Channel | Outcome | Declared | There | Compared | Missing | Twice | Moved | Altered | Order | First | Last |\n';
  yield '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|\n';
  const bad = report.channels.filter(({ outcome }) => outcome !== 'matched');
  const good = report.channels.filter(({ outcome }) => outcome === 'matched');
  for (const channel of [...bad, ...good]) yield rowOf(channel);
  if (!isGood) {
    yield '\n## What is wrong\n\n';
    for (const channel of bad) {
      yield `- \`${cell(channel.channel_url)}\`: ${cell(troubleOf(channel))}\n`;
      for (const { what, timestamp, sender } of channel.findings) {
        yield `  - ${whats[what] ?? what}: ${momentOf(timestamp)}${sender === undefined ? '' : `, by \`${cell(sender)}\``}\n`;
      }
    }
  }
  yield '\nSigned off by: ______________________  Date: ______________\n';
}

function rowOf(channel: ChannelFigures): string {
  const { declared, there, compared, missing, doubled, moved, altered, out_of_order, first, last } = channel;
  const figures = [declared, there, compared, missing, doubled, moved, altered, out_of_order].map((count) =>
    count === undefined ? '' : printNumber(count),
  );
  const times = [first, last].map((time) => (time === undefined ? '' : momentOf(time)));
  return `| \`${cell(channel.channel_url)}\` | ${channel.outcome} | ${figures.join(' | ')} | ${times.join(' | ')} |\n`;
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

const counts = Object.fromEntries(totalled.map((name) => [name, whole]));

/** Of `chatform verify --format json` and of its report file. */
export const migrationSchema = document(
  'chatform verify --format json',
  'Whether every declared message is on the platform, once and in order.',
  object(
    {
      format_version: formatVersion,
      application: described(text, 'Host and path, or emulator: and its path.'),
      exit_code: whole,
      started_at: moment,
      finished_at: moment,
      requests: described(whole, 'Reads that were sent for it.'),
      totals: object({ ...counts, channels: whole, matched: whole, mismatched: whole, unreadable: whole }, {}),
      channels: described(
        list(
          object(
            {
              channel_url: text,
              file: text,
              outcome: { enum: ['matched', 'mismatched', 'unreadable'] },
              ...counts,
              findings: described(
                list(
                  object(
                    { what: { enum: ['missing', 'doubled', 'moved', 'altered', 'out_of_order'] }, timestamp: whole },
                    { sender: text },
                  ),
                ),
                'The first of them; all are counted.',
              ),
            },
            {
              there: described(whole, 'Messages that the platform counts, those of others included.'),
              first: described(whole, 'Unix milliseconds.'),
              last: whole,
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
