// The parts of the calls that send a channel's messages and look for them (semantics §5.5; platform §6.1, §6.3).
import { digestText } from '../../../lib/digest.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { ApiRequest, Search } from '../../model/request.ts';
import type { Batch, HistoryFile, LineBlock } from '../lines/history-file.ts';
import type { PlannedLines } from '../lines/range.ts';

/** Returns the call that sends the messages of these lines. */
export function migrationCall(
  params: Readonly<Record<string, string>>,
  body: JsonObject,
  source: PlannedLines,
): ApiRequest {
  const placeholders = [{ type: 'list', field: 'messages', source } as const];
  return { method: 'POST', route: '/migration/{channel_url}', params, body, placeholders };
}

/** Returns the lines of a call. */
export function batchLines(
  { block, skip, count, marks, only }: Pick<Batch, 'block' | 'skip' | 'count' | 'marks' | 'only'>,
  historyFile: Pick<HistoryFile, 'file' | 'gzip' | 'threads'>,
  channel: string,
  call?: number,
): PlannedLines {
  const repeats = repeatsAfter(block, skip);
  return {
    file: historyFile.file,
    ...(historyFile.gzip ? { gzip: true } : {}),
    ...(historyFile.threads === true ? { threads: true } : {}),
    channel,
    offset: block.offset,
    bytes: block.bytes,
    skip,
    count,
    digest: digestText(marks),
    ...(repeats === undefined ? {} : { repeats }),
    ...(only === undefined ? {} : { only }),
    ...(call === undefined ? {} : { call }),
  };
}

function repeatsAfter({ repeats }: Batch['block'], skip: number): Readonly<Record<string, number>> | undefined {
  if (repeats === undefined || skip === 0) return repeats;
  const unsent = Object.entries(repeats).flatMap(([place, repeat]): [string, number][] =>
    Number(place) >= skip ? [[String(Number(place) - skip), repeat]] : [],
  );
  return unsent.length === 0 ? undefined : Object.fromEntries(unsent);
}

/** The platform answers `notAllowed` to migrations and lists if the feature is disabled (platform §6.1, §6.3). */
const unseenOn = [platformCode.notAllowed];
const nothingOn = [platformCode.notAllowed, platformCode.frozenChannel, platformCode.wrongToken];

/** `isChanged` means that messages were deleted before and may be sent again, so a deleted message does not count as arrived. */
export function searchOf(
  { first, last }: Pick<LineBlock, 'first' | 'last'>,
  channel: string,
  params: Readonly<Record<string, string>>,
  isChanged = false,
): Search {
  // Without meta arrays, a message that has none would pass for one whose line has some.
  const query = { ...listQuery({ message_ts: String(first), include: 'true' }), with_sorted_meta_array: 'true' };
  return {
    read: {
      method: 'GET',
      route: messagesRoute(channel),
      params,
      query: !isChanged ? query : { ...query, including_removed: 'false' },
    },
    until: last,
    unseenOn,
    nothingOn,
    content: {},
  };
}

/** Returns the route of a channel's messages for the kind of the channel. */
export function messagesRoute(channel: string): string {
  return `${channel === 'open_channel' ? '/open_channels' : '/group_channels'}/{channel_url}/messages`;
}

/**
 * Returns a query for 200 messages from an anchor, oldest first. It includes what a list leaves out by default: removed messages,
 * which did arrive, and replies in threads (platform §6.3).
 */
export function listQuery(anchor: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...anchor, prev_limit: '0', next_limit: '200', including_removed: 'true', include_reply_type: 'ALL' };
}

/** The parts of a message that a list shows only when asked (platform §6.3). */
export const shownParts = { with_sorted_meta_array: 'true', include_reactions: 'true' } as const;

/** Returns a query for the whole history from a time: every message with all parts. */
export function historyQuery(from: number): Readonly<Record<string, string>> {
  return { ...listQuery({ message_ts: String(from), include: 'true' }), ...shownParts };
}
