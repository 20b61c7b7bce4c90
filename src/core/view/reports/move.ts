// Shows what is left of a move: how long it takes, in which order, what members see meanwhile, each channel, and the room that it takes.
import { plural, printBytes, printNumber } from '../../../lib/words.ts';
import type { ChannelProgress, MoveReport } from '../../model/migration/cutover.ts';
import { durationSentences, totalRequests } from '../summary/verdict.ts';
import { safe } from '../text/text.ts';

const mostShown = 10;

/** `apply` is the command that sends what is left. */
export function* moveForPeople(move: MoveReport, apply: string): Generator<string> {
  const { messages, sent, edited, removed, channels, rest, unplanned } = move;
  const share = messages === 0 ? 100 : Math.floor((100 * sent) / messages);
  yield `\nThe move: ${printNumber(sent)} of ${plural(messages, 'message')} sent (${share} %).\n`;
  if (edited + removed > 0)
    yield `  Sent messages that differ from the history files: ${printNumber(edited)} edited, ${printNumber(removed)} removed.\n`;
  yield* progressLines(channels);
  if (unplanned !== undefined) yield `  Left: no plan is possible. ${safe(unplanned)}\n`;
  if (rest !== undefined && rest.steps > 0) {
    yield `  Left: ${plural(rest.steps, 'step')} with ${plural(totalRequests(rest), 'request')}. ${durationSentences(rest)}\n`;
    if (sent < messages) {
      yield '  Order: an apply makes the users and channels that most of the rest waits for first. Then it fills channels side by side, those with the most messages left first, so most become complete at the end. Each one is filled from its oldest message to its newest.\n';
      yield `  Rooms that matter first: ${apply} --verify --stage 'group_channel.PATTERN'\n`;
      yield* meanwhile(move);
    }
    yield `  The rest needs the state and this folder. To continue, run the same command again: ${apply}\n`;
    yield '  An undo does not take messages back. To give up, remove the channels or the application.\n';
  }
  const { history_bytes, conversion_bytes, next_conversion_bytes } = move.disk;
  yield `  Disk: history files ${printBytes(history_bytes)}, other files of the conversion ${printBytes(conversion_bytes)}, and ${printBytes(next_conversion_bytes)} for both while the next conversion replaces them.\n`;
  yield `  Memory: reading and planning all of it took this command ${printBytes(move.memory_bytes)}.\n`;
}

function* progressLines(channels: readonly ChannelProgress[]): Generator<string> {
  const unfilled = channels.filter(({ messages, sent }) => sent < messages);
  const open = channels.filter(({ messages, sent, edited, removed }) => sent < messages || edited + removed > 0);
  const begun = unfilled.filter(({ sent }) => sent > 0);
  const counts = [
    `${printNumber(channels.length - open.length)} complete`,
    `${printNumber(begun.length)} being filled`,
    `${printNumber(unfilled.length - begun.length)} not begun`,
    ...(open.length > unfilled.length ? [`${printNumber(open.length - unfilled.length)} to correct`] : []),
  ];
  yield `  Channels: ${counts.join(', ')}.\n`;
  for (const { channel_url, name, messages, sent, edited, removed } of open.slice(0, mostShown)) {
    const named = name === undefined ? '' : ` (${safe(name)})`;
    const corrections = edited + removed > 0 ? `, ${printNumber(edited)} edited, ${printNumber(removed)} removed` : '';
    yield `    ${safe(channel_url)}${named}: ${printNumber(sent)} of ${printNumber(messages)}${corrections}\n`;
  }
  if (open.length > mostShown)
    yield `    and ${plural(open.length - mostShown, 'more channel')}, which --format json lists\n`;
}

/** By the vendor's documents (platform §16). */
function* meanwhile({ marks_as_read }: MoveReport): Generator<string> {
  yield '  Members meanwhile: a channel is in their list once it exists, and its history grows until the channel is complete. Whether a migrated message is pushed is not documented.\n';
  yield marks_as_read === 0
    ? '  Unread counters: the vendor’s documents name no effect of a migration without mark_as_read, and do not exclude one.\n'
    : `  Unread counters: by the vendor’s documents, mark_as_read: true moves the receipts of all members of ${plural(marks_as_read, 'channel')} and counts again, so later messages become unread.\n`;
}
