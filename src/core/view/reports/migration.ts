// The report of a migration: for people in a terminal, and as Markdown for the person who signs it off.

import { listOf, plural, printNumber } from '../../../lib/words.ts';
import type { ChannelFigures, MessageFinding, MigrationReport, Uncompared } from '../../model/migration-report.ts';
import { cell } from '../markdown/text.ts';
import type { Status } from '../summary/status.ts';
import { actorInWords } from '../text/actor.ts';
import { safe } from '../text/text.ts';

const findingWords: Readonly<Record<MessageFinding['what'], string>> = {
  missing: 'missing',
  deleted: 'deleted after arrival',
  doubled: 'duplicated',
  moved: 'at a different time',
  altered: 'altered',
  out_of_order: 'out of order',
};
/** The maximum number of channels to explain. The table has all of them. */
const maxExplained = 100;
const findingNames = Object.keys(findingWords) as MessageFinding['what'][];

/** One line for each channel with problems, then the totals. */
export function* migrationForPeople(report: MigrationReport): Generator<string> {
  for (const channel of withProblems(report)) {
    const name = channel.name === undefined ? '' : ` (${safe(channel.name)})`;
    yield `${safe(channel.channel_url)}${name}: ${problemOf(channel)}\n`;
    for (const finding of channel.findings) yield `  ${findingInWords(finding, safe)}\n`;
  }
  const { channels, matched, mismatched, unreadable, declared, compared } = report.totals;
  if (channels === 0) {
    yield 'No history file is declared: there is nothing to verify.\n';
    return;
  }
  yield `${printNumber(matched)} of ${plural(channels, 'channel')} matched: ${plural(declared, 'declared message')}, ${printNumber(compared)} compared one by one.\n`;
  if (mismatched > 0) {
    yield `${plural(mismatched, 'channel')} with missing, deleted, duplicated or altered messages.\n`;
  }
  if (unreadable > 0) yield `${plural(unreadable, 'channel')} could not be read.\n`;
  if (report.totals.out_of_order > 0) yield `${orderOf(report)}\n`;
  for (const line of memberLines(report, safe)) yield `${line}\n`;
  for (const entry of report.totals.not_compared) yield `Not compared: ${uncomparedInWords(entry)}.\n`;
}

/** Channels with problems are explained first and come first in the table. */
export function* migrationAsMarkdown(report: MigrationReport): Generator<string> {
  const problems = withProblems(report);
  yield '# Migration report\n\n';
  yield `**${verdictOf(report)}** Application \`${cell(report.application)}\`, verified from ${report.started_at} to ${report.finished_at} by ${cell(actorInWords(report.by))}.\n\n`;
  yield* totalRows(report);
  yield `\n${scopeOf(report)}\n`;
  yield* uncomparedRows(report);
  yield* problemList(problems);
  yield* memberRows(report);
  yield '\n## Channels\n\n';
  yield '| Channel | Name | Outcome | Declared | Found | Compared | Missing | Deleted | Duplicated | Moved | Altered | Order | Others | First | Last |\n';
  yield '|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|\n';
  for (const channel of problems) yield rowOf(channel);
  for (const channel of report.channels) if (channel.outcome === 'matched') yield rowOf(channel);
  yield '\nTimes are in UTC. Signed off by: ______________________  Date: ______________\n';
}

export function withProblems({ channels }: MigrationReport): ChannelFigures[] {
  return channels.filter(({ outcome }) => outcome !== 'matched');
}

export function statusOfVerification({ totals, channels, as_member: views }: MigrationReport): Status {
  if (channels.length === 0) return { kind: 'idle', words: 'Nothing to compare' };
  if (totals.mismatched > 0) return { kind: 'refused', words: 'Does not match' };
  const isOpen = totals.unreadable > 0 || (views?.hidden_from ?? 0) + (views?.not_members ?? 0) > 0;
  return isOpen ? { kind: 'awaits', words: 'Not verified' } : { kind: 'ready', words: 'Verified' };
}

/** Whether everything that was compared arrived, in a sentence. */
export function verdictOf({ totals, channels, as_member: asMember }: MigrationReport): string {
  if (channels.length === 0) return 'No history file is declared.';
  if (totals.mismatched > 0) return 'Some channels do not match their history files.';
  if (totals.unreadable > 0) return 'Some channels could not be read.';
  if ((asMember?.hidden_from ?? 0) > 0) return 'Every compared message arrived, but members do not see all of them.';
  if ((asMember?.not_members ?? 0) > 0)
    return 'Every compared message arrived, but the views of some members are not verified.';
  const arrived =
    totals.compared === totals.declared
      ? 'Every message arrived, once and in order.'
      : 'Every compared message arrived, once and in order. The message counts match.';
  if (totals.out_of_order > 0) return `${arrived.replace(', once and in order', ' once')} ${orderOf({ totals })}`;
  const fields = new Set(totals.not_compared.map(({ field }) => field)).size;
  return fields === 0 ? arrived : `${arrived} ${plural(fields, 'field')} could not be compared.`;
}

/** What members see, one sentence each: first in total, then by channel. */
export function memberLines(
  { as_member: views }: Pick<MigrationReport, 'as_member'>,
  printName: (name: string) => string,
): string[] {
  if (views === undefined) return [];
  const { users, memberships, hidden_from, not_members, channels } = views;
  const total = `As members: ${plural(users, 'user')} with ${plural(memberships, 'membership')} read.`;
  const isSeen = hidden_from === 0 && memberships > 0;
  const verdict = isSeen
    ? `${not_members === 0 ? 'All' : 'All of these'} see the oldest message of each history file.`
    : '';
  const hidden = channels.flatMap(({ channel_url: url, hidden_from: from, members, messages = 0, first = [] }) => {
    if (from === 0) return [];
    const names = `${first.map(printName).join(', ')}${from > first.length ? ', …' : ''}`;
    return [
      `${printName(url)}: ${printNumber(from)} of ${plural(members, 'member')} ${from === 1 ? 'does' : 'do'} not see all messages (ts_message_offset; up to ${printNumber(messages)} hidden): ${names}.`,
    ];
  });
  const absent =
    not_members === 0
      ? []
      : [
          `Not verified: ${plural(not_members, 'declared membership')}. The user is not in the channel, or the platform does not show the user's channels.`,
        ];
  return [[total, verdict].filter((text) => text !== '').join(' '), ...hidden.slice(0, maxExplained), ...absent];
}

function* memberRows(report: MigrationReport): Generator<string> {
  const lines = memberLines(report, (name) => `\`${cell(name)}\``);
  if (lines.length === 0) return;
  yield '\n## What members see\n\n';
  for (const line of lines) yield `- ${line}\n`;
}

/** Out-of-order messages follow those of the same time that were sent earlier. */
function orderOf({ totals }: Pick<MigrationReport, 'totals'>): string {
  return `${plural(totals.out_of_order, 'message')} with equal times in a different order: the platform shows such messages in order of arrival, which cannot be changed.`;
}

/** The totals as names and values. `printName` prints the name of a field. */
export function totalsOf(
  { totals, channels }: MigrationReport,
  printName: (name: string) => string,
): [string, string][] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const channel of channels) {
    first = Math.min(first, channel.first ?? first);
    last = Math.max(last, channel.last ?? last);
  }
  const rows: [string, string][] = [
    ['Channels matched', `${printNumber(totals.matched)} of ${printNumber(totals.channels)}`],
    ['Channels with mismatches', printNumber(totals.mismatched)],
    ['Channels that could not be read', printNumber(totals.unreadable)],
    ['Messages declared', printNumber(totals.declared)],
    ['Compared one by one', `${printNumber(totals.compared)}${shareOf(totals.compared, totals.declared)}`],
    ['Missing', printNumber(totals.missing)],
    ['Deleted after arrival', printNumber(totals.deleted)],
    ['Duplicated', printNumber(totals.doubled)],
    ['At a different time', printNumber(totals.moved)],
    ['Altered', printNumber(totals.altered)],
    ...Object.entries(totals.altered_fields).map(([name, count]): [string, string] => [
      `Altered: ${printName(name)}`,
      printNumber(count),
    ]),
    ['Out of order', printNumber(totals.out_of_order)],
    ['Sent by others in between', printNumber(totals.others)],
  ];
  if (first <= last) {
    rows.push(['First message', printTime(first)], ['Last message', printTime(last)]);
  }
  return rows;
}

function* totalRows(report: MigrationReport): Generator<string> {
  yield '| Totals | |\n|---|---:|\n';
  for (const [name, value] of totalsOf(report, (field) => `\`${cell(field)}\``)) yield `| ${name} | ${value} |\n`;
}

/** Rounded down, so that 100 % means all. */
function shareOf(part: number, total: number): string {
  return total === 0 ? '' : ` (${Math.floor((part / total) * 1000) / 10} %)`;
}

/** Says in sentences what was compared. */
export function scopeOf({ totals }: MigrationReport): string {
  return [
    'The messages of every readable channel were counted.',
    totals.compared < totals.declared
      ? 'Where the count matches, the first and last messages and a sample of the others were compared; `chatform verify --all` compares every message.'
      : '',
    'Every field of a compared message that both the history file and the platform show was compared.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function* uncomparedRows({ totals }: MigrationReport): Generator<string> {
  if (totals.not_compared.length === 0) return;
  yield '\n## Not compared\n\nThis report says nothing about these fields of the compared messages.\n\n';
  yield '| Field | Messages | Why |\n|---|---:|---|\n';
  for (const { field, why, messages } of totals.not_compared) {
    yield `| \`${cell(field)}\` | ${printNumber(messages)} | ${uncomparedWords[why]} |\n`;
  }
}

export const uncomparedWords: Readonly<Record<Uncompared['why'], string>> = {
  not_shown: 'declared, but the platform does not show it',
  not_declared: 'shown by the platform, but not declared',
  kept: 'different, and kept as policy.messages.edited says',
};

/** `file_name of 3 messages (declared, but the platform does not show it)` */
function uncomparedInWords({ field, why, messages }: Uncompared): string {
  return `${field} of ${plural(messages, 'message')} (${uncomparedWords[why]})`;
}

function* problemList(channels: readonly ChannelFigures[]): Generator<string> {
  if (channels.length === 0) return;
  yield '\n## Problems\n\n';
  for (const channel of channels.slice(0, maxExplained)) {
    yield `- \`${cell(channel.channel_url)}\`: ${cell(problemOf(channel))}\n`;
    for (const finding of channel.findings) yield `  - ${findingInWords(finding, (name) => `\`${cell(name)}\``)}\n`;
  }
  const more = channels.length - maxExplained;
  if (more > 0) yield `- … and ${plural(more, 'more channel')}, first in the table below\n`;
}

function rowOf(channel: ChannelFigures): string {
  const { declared, there, compared, first, last, others, outcome } = channel;
  const found = [...findingNames.map((name) => channel[name]), others];
  const cells = [
    printNumber(declared),
    there === undefined ? '?' : printNumber(there),
    printNumber(compared),
    ...found.map((count) => (outcome === 'unreadable' ? '?' : printNumber(count))),
    ...[first, last].map((time) => (time === undefined ? '' : printTime(time))),
  ];
  return `| \`${cell(channel.channel_url)}\` | ${nameCell(channel)} | ${outcome} | ${cells.join(' | ')} |\n`;
}

/** The name in a code span, so that nothing in it is Markdown. */
function nameCell({ name = '' }: ChannelFigures): string {
  return name === '' ? '' : `\`${cell(name)}\``;
}

/** `of 1,250 messages, 1 missing, 2 duplicated` */
export function problemOf(channel: ChannelFigures): string {
  if (channel.note !== undefined) return safe(channel.note);
  return `of ${plural(channel.declared, 'message')}, ${deviationsOf(channel).join(', ')}`;
}

/** `1 missing`, `2 altered in message`. */
export function deviationsOf(channel: ChannelFigures): string[] {
  const altered = Object.keys(channel.altered_fields);
  return findingNames
    .filter((name) => channel[name] > 0)
    .map((name) => {
      const where = name === 'altered' && altered.length > 0 ? ` in ${listOf(altered)}` : '';
      return `${printNumber(channel[name])} ${findingWords[name]}${where}`;
    });
}

export function findingInWords(
  { what, timestamp, sender, fields }: MessageFinding,
  printName: (name: string) => string,
): string {
  const by = sender === undefined ? '' : `, by ${printName(sender)}`;
  const where = fields === undefined ? '' : ` in ${listOf(fields)}`;
  return `${findingWords[what]}${where}: ${printTime(timestamp)}${by}`;
}

export function printTime(timestamp: number): string {
  return new Date(timestamp).toISOString();
}
