// The calls that migrate an archive: one for each block, in the order of time, one after the other (semantics §3, §5.5).

import { digestText } from '../../lib/digest.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { MessagesPlaceholder, Settle } from '../../model/request.ts';
import type { KindChange, StepDraft } from '../define.ts';
import { userAddresses } from '../people.ts';
import { idsOf, sortedSet, textOf } from '../values.ts';
import {
  type Archive,
  archiveOf,
  type Batch,
  batchesAfter,
  countMarks,
  pathOfCall,
  type Sent,
  sendersAfter,
  sentOf,
} from './archive.ts';

const route = '/migration/{channel_url}';

export function migrationSteps(change: KindChange): StepDraft[] {
  const { key, before, after } = change;
  const archive = archiveOf(after);
  const channel = textOf(after, 'channel') ?? 'group_channel';
  const channelAddress: Address = `${channel}.${key}`;
  const sent = sentOf(before);
  const readers = Array.isArray(after.mark_as_read) ? sortedSet(idsOf(after, 'mark_as_read')) : [];
  // Only who wrote what is still to be sent has to be there.
  const acting = [channelAddress, ...userAddresses(sendersAfter(archive, countMarks(sent.marks)))];
  // The calls share these objects, because there may be ten thousand calls.
  const params = { channel_url: key };
  const body = after.mark_as_read === true ? { update_read_ts: true } : {};
  const drafts: StepDraft[] = [];
  let call = sent.calls;
  for (const batch of batchesAfter(archive, sent.marks)) {
    const isFirst = call === sent.calls;
    const isLast = batch.messages === archive.messages;
    const noted = notedWith(batch, call, sent, after);
    const creates = change.type === 'create' && isFirst;
    drafts.push({
      action: 'migrate',
      phase: 'messages',
      request: { method: 'POST', route, params, body, holes: [batchPlaceholder(batch, archive, key)] },
      edits: creates ? [] : noted,
      ...(creates ? { creates: recordOf(noted, channel) } : {}),
      // The calls are a chain, so only the first one has to wait for others, and others only for the last one.
      ...(isFirst ? { exists: acting, between: [channelAddress] } : isLast ? { between: [channelAddress] } : {}),
      ...(isFirst || isLast ? { active: acting } : {}),
      begin: true,
      settle: settleOf(batch, channel, params, batch.messages - batch.count < sent.unsureTo),
    });
    call++;
  }
  const isMigrating = drafts.length > 0;
  const unmarked = isMigrating ? readers : readers.filter((id) => !idsOf(before, 'mark_as_read').includes(id));
  for (const id of archive.messages === 0 ? [] : unmarked) {
    drafts.push({
      // Counts as a part of the migration, when messages are migrated.
      action: isMigrating ? 'migrate' : 'update',
      phase: 'mark_as_read',
      request: {
        method: 'PUT',
        route: '/group_channels/{channel_url}/messages/mark_as_read',
        params: { channel_url: key },
        body: { user_id: id },
      },
      edits: [{ op: 'add', path: ['mark_as_read'], values: [id] }],
      exists: [channelAddress, ...userAddresses([id])],
      active: userAddresses([id]),
      between: [channelAddress],
    });
  }
  return drafts;
}

const allHaveRead: RecordEdit = { op: 'set', path: ['mark_as_read'], value: true };
const nobodyHasRead: RecordEdit = { op: 'unset', path: ['mark_as_read'] };

/** What state records with a call. New messages are unread again for the named readers, until each of their calls is made. */
function notedWith(
  { messages, digest, marks }: Batch,
  call: number,
  { unsureTo }: Sent,
  after: JsonObject,
): RecordEdit[] {
  const archive = { messages, digest, ...(messages < unsureTo ? { unsure_to: unsureTo } : {}) };
  return [
    { op: 'set', path: ['archive'], value: archive },
    { op: 'set', path: pathOfCall(call), value: marks },
    after.mark_as_read === true ? allHaveRead : nobodyHasRead,
  ];
}

function recordOf(edits: readonly RecordEdit[], channel: string): JsonObject {
  const values = edits.flatMap((edit): [string, JsonValue][] => {
    if (edit.op !== 'set') return [];
    const [name = '', ...rest] = edit.path;
    return [[name, rest.reduceRight<JsonValue>((value, part) => ({ [part]: value }), edit.value)]];
  });
  return { channel, ...Object.fromEntries(values) };
}

/** The messages of a call, without their content. */
export function batchPlaceholder(
  { block, skip, count, marks }: Pick<Batch, 'block' | 'skip' | 'count' | 'marks'>,
  archive: Archive,
  channel: string,
): MessagesPlaceholder {
  const repeats = repeatsAfter(block, skip);
  return {
    type: 'messages',
    field: 'messages',
    file: archive.file,
    ...(archive.gzip ? { gzip: true } : {}),
    channel,
    offset: block.offset,
    bytes: block.bytes,
    skip,
    count,
    digest: digestText(marks),
    ...(repeats === undefined ? {} : { repeats }),
  };
}

function repeatsAfter({ repeats }: Batch['block'], skip: number): Readonly<Record<string, number>> | undefined {
  if (repeats === undefined || skip === 0) return repeats;
  const left = Object.entries(repeats).flatMap(([place, repeat]): [string, number][] =>
    Number(place) >= skip ? [[String(Number(place) - skip), repeat]] : [],
  );
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** The platform answers `notAllowed` when the feature is not switched on, to migrations and lists alike (platform §6.1, §6.3). */
const refusedOn = [platformCode.notAllowed];
const nothingOn = [platformCode.notAllowed, platformCode.frozenChannel, platformCode.wrongToken];

function settleOf(
  { block }: Batch,
  channel: string,
  params: Readonly<Record<string, string>>,
  isUnsure: boolean,
): Settle {
  return {
    read: {
      method: 'GET',
      route: messagesRoute(channel),
      params,
      query: listQuery({ message_ts: String(block.first), include: 'true' }),
    },
    until: block.last,
    refusedOn,
    nothingOn,
    ...(isUnsure ? { unsure: true } : {}),
  };
}

/** The list of a channel's messages, by the kind of the channel. */
export function messagesRoute(channel: string): string {
  return `${channel === 'open_channel' ? '/open_channels' : '/group_channels'}/{channel_url}/messages`;
}

/** Messages from an anchor on, oldest first, 200 a page, including those that a moderator removed: they did arrive (platform §6.3). */
export function listQuery(anchor: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...anchor, prev_limit: '0', next_limit: '200', including_removed: 'true' };
}
