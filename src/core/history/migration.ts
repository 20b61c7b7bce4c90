// Drafts the calls that make a channel's messages match its history file (semantics §3, §5.5, §7). They run one after the other:
// changes of edited messages, deletions of removed ones, insertions of late ones, then new messages.

import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { KindChange, StepDraft } from '../kinds/definition/kind.ts';
import { idsOf, sortedSet, textOf } from '../kinds/definition/values.ts';
import { userAddresses } from '../kinds/parts/people.ts';
import type { Address } from '../model/address.ts';
import type { RecordEdit } from '../model/record.ts';
import type { Search } from '../model/request.ts';
import { correctionDrafts } from './correcting/corrections.ts';
import {
  type Batch,
  batchesAfter,
  endsQuietly,
  historyFileOf,
  rememberHistoryFile,
  sendersOf,
} from './lines/history-file.ts';
import { rememberMarks } from './lines/marked-lines.ts';
import { markDrafts } from './marks/mark-steps.ts';
import { batchLines, migrationCall, searchOf } from './sending/requests.ts';
import { differencesOf } from './sent/differences.ts';
import {
  arraysSent,
  nothingRestored,
  pathOfCall,
  printCall,
  type SentHistoryFile,
  sentOf,
} from './sent/recorded-calls.ts';
import { replyDrafts } from './threads/reply-steps.ts';

export function migrationSteps(change: KindChange): StepDraft[] {
  const { key, before, after } = change;
  const historyFile = historyFileOf(after);
  const channel = textOf(after, 'channel') ?? 'group_channel';
  const channelAddress: Address = `${channel}.${key}`;
  const sent = sentOf(before);
  const differences = differencesOf(historyFile, sent);
  const readers = Array.isArray(after.mark_as_read) ? sortedSet(idsOf(after, 'mark_as_read')) : [];
  // The calls share these objects, because there may be ten thousand calls.
  const params = { channel_url: key };
  const body = after.mark_as_read === true ? { update_read_ts: true } : {};
  const batches = [...batchesAfter(historyFile, differences.known)];
  const { policy } = change;
  const corrections = correctionDrafts(historyFile, { channel, params, sent, differences, policy });
  const isMigrating = batches.length + corrections.replies.length > 0;
  const marks = markDrafts(change, isMigrating ? 'migrate' : 'update');
  const { drafts } = corrections;
  let call = corrections.calls;
  const isChecked = isLookedFor(change, sent);
  const until = historyFile.blocks.at(-1)?.last ?? 0;
  for (const [place, batch] of batches.entries()) {
    const isUnsure = batch.messages - batch.count < sent.unsureTo;
    const next = batches[place + 1]?.block.first;
    const rest = { until, ...(next === undefined ? {} : { from: next }) };
    const fresh: Search['fresh'] = {
      ...(place === 0 ? { isFirst: true } : {}),
      ...(change.type === 'create' || sent.isRestored ? {} : { isOptional: true }),
    };
    const later = laterReplies(batch);
    const noted = [
      ...notedWith(batch, call, sent.unsureTo, after, corrections.replies.length > 0),
      ...(sent.isRestored && next === undefined ? [nothingRestored] : []),
    ];
    const creates = change.type === 'create' && drafts.length === 0;
    drafts.push({
      action: 'migrate',
      phase: 'messages',
      request: migrationCall(
        params,
        body,
        batchLines(batch, historyFile, key, corrections.isChanged ? call : undefined),
      ),
      edits: creates ? [] : noted,
      ...(creates ? { creates: recordOf([...noted, ...markEdits(after)], channel) } : {}),
      begin: true,
      search: {
        ...searchOf(batch.block, channel, params, corrections.isChanged),
        ...(isUnsure ? { unsure: true } : {}),
        ...(isChecked && !isUnsure ? { fresh } : {}),
        content: { ...(isChecked && !isUnsure ? { rest } : {}), ...(later.length === 0 ? {} : { later }) },
      },
    });
    call++;
  }
  const { replies, edits, isChanged } = corrections;
  for (const draft of replyDrafts(historyFile, replies, { channel, key, call, edits, isChanged, differences }))
    drafts.push(draft);
  for (const draft of marks.chained) drafts.push(draft);
  // Only the senders of lines still to be sent are needed.
  const acting = [channelAddress, ...userAddresses(sendersOf(historyFile, differences.known, corrections.lateSenders))];
  // The last batch records the whole history file, unless replies follow.
  const isDone = drafts.length > 0 && (batches.length === 0 || replies.length > 0);
  const done: RecordEdit[] = isDone
    ? [{ op: 'set', path: ['history'], value: rememberHistoryFile(after.history ?? {}) }]
    : [];
  const calls = drafts.map((draft, place): StepDraft => {
    const [isFirst, isLast] = [place === 0, place === drafts.length - 1];
    if (!isFirst && !isLast) return draft;
    return {
      ...draft,
      edits: [...(isFirst ? marks.firstEdits : []), ...draft.edits, ...(isLast ? done : [])],
      // The calls are a chain, so only the first waits for other objects, and other objects wait only for the last.
      ...(isFirst ? { exists: [...acting, ...(draft.exists ?? [])] } : {}),
      between: [channelAddress],
      active: [...acting, ...(draft.active ?? [])],
    };
  });
  for (const draft of marks.reactions) calls.push(draft);
  const unmarked = isMigrating ? readers : readers.filter((id) => !idsOf(before, 'mark_as_read').includes(id));
  for (const id of historyFile.messages === 0 ? [] : unmarked) {
    calls.push({
      // Counts as part of the migration if messages are migrated.
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
  return calls;
}

/**
 * Whether new messages are looked for before they are sent, because state may not know that they were: it has no record of the
 * history file although the channel may have existed, it was put back from a copy, or the plan read the platform.
 */
export function isLookedFor(
  { type, mayHaveParent, isRefreshed }: KindChange,
  { isRestored }: SentHistoryFile,
): boolean {
  return type === 'create' ? mayHaveParent?.() === true : isRestored || isRefreshed === true;
}

/** Kept from the start of a creation, which is not over before its last call. For an update, the planner records them. */
function markEdits(after: JsonObject): RecordEdit[] {
  return ['reactions', 'pinned'].flatMap((name): RecordEdit[] => {
    const value = after[name];
    return value === undefined ? [] : [{ op: 'set', path: [name], value: rememberMarks(value) }];
  });
}

/** Returns the replies among the lines of a batch, which later calls send, as indexes from its first line. */
function laterReplies({ block: { replies = {} }, skip }: Batch): number[] {
  return Object.keys(replies).flatMap((place) => (Number(place) >= skip ? [Number(place) - skip] : []));
}

const allHaveRead: RecordEdit = { op: 'set', path: ['mark_as_read'], value: true };
const nobodyHasRead: RecordEdit = { op: 'unset', path: ['mark_as_read'] };

/** Returns the edits that a call records. New messages are unread for the named readers until their calls are made. */
function notedWith(
  { messages, digest, sent: { marks, identities }, skip, count, only, block }: Batch,
  call: number,
  unsureTo: number,
  after: JsonObject,
  hasReplies: boolean,
): RecordEdit[] {
  const { first, last, arrays = [] } = block;
  const isQuiet = endsQuietly(block, skip + (only?.at(-1) ?? count - 1));
  const historyFile = {
    messages,
    // The next plan takes up a history file whose replies are missing, because its digest differs.
    digest: hasReplies ? '' : digest,
    ...(messages < unsureTo ? { unsure_to: unsureTo } : {}),
  };
  return [
    { op: 'set', path: ['history'], value: historyFile },
    {
      op: 'set',
      path: pathOfCall(call),
      value: printCall({ marks, identities, first, last, isUnsure: false, isQuiet }),
    },
    ...(arrays.some((place) => place >= skip) ? [arraysSent] : []),
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
