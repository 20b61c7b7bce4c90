// How far a move is, and what is left of it: the plan of the rest, each channel, and the room that it takes. Reads state and files, so it
// tells the same while an apply runs.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFileOf } from '../../core/history/lines/history-file.ts';
import { differencesOf } from '../../core/history/sent/differences.ts';
import { editsByWord } from '../../core/history/sent/edited-lines.ts';
import { sentOf } from '../../core/history/sent/recorded-calls.ts';
import { textOf } from '../../core/kinds/definition/values.ts';
import { keyOf, kindOf } from '../../core/model/address.ts';
import type { ChannelProgress, MoveReport } from '../../core/model/migration/cutover.ts';
import type { Plan } from '../../core/model/plan.ts';
import { defaultMessagesPolicy } from '../../core/model/policy.ts';
import type { Resource } from '../../core/model/resource.ts';
import type { ReadFacts } from './facts.ts';

/** `root` is the folder of the conversions. Undefined without history files, or if the state was not read. */
export async function moveOf(root: string, facts: ReadFacts): Promise<MoveReport | undefined> {
  if (facts.unreadState !== undefined) return undefined;
  const channels = progressOf(facts);
  if (channels.length === 0) return undefined;
  const sum = (name: keyof ProgressCounts) => channels.reduce((total, channel) => total + channel[name], 0);
  const generated = facts.files.map(({ path }) => path);
  const [history, conversion] = await Promise.all([
    bytesOf(
      root,
      generated.filter((path) => path.startsWith('history/')),
    ),
    bytesOf(
      root,
      generated.filter((path) => !path.startsWith('history/')),
    ),
  ]);
  return {
    messages: sum('messages'),
    sent: sum('sent'),
    edited: sum('edited'),
    removed: sum('removed'),
    channels,
    marks_as_read: markedAsRead(facts),
    ...(facts.rest === undefined ? {} : { rest: restOf(facts.rest) }),
    ...(typeof facts.pending === 'string' ? { unplanned: facts.pending } : {}),
    disk: { history_bytes: history, conversion_bytes: conversion, next_conversion_bytes: 2 * (history + conversion) },
    memory_bytes: process.resourceUsage().maxRSS * 1024,
  };
}

function restOf({
  steps,
  requests,
  duration,
}: Pick<Plan, 'steps' | 'requests' | 'duration'>): NonNullable<MoveReport['rest']> {
  return { steps: steps.length, requests, duration };
}

/** Those that are being filled first, then those that wait, each with the most messages left first. */
function progressOf({ resources, snapshot, messagesPolicy }: ReadFacts): readonly ChannelProgress[] {
  const names = new Map<string, string>();
  const channels: ChannelProgress[] = [];
  for (const resource of resources) {
    const { address, attributes } = resource;
    if (kindOf(address) === 'messages')
      channels.push({ channel_url: keyOf(address), ...countsOf(resource, snapshot, messagesPolicy) });
    else {
      const name = textOf(attributes, 'name');
      if (name !== undefined && name !== '') names.set(keyOf(address), name);
    }
  }
  const leftOf = ({ messages, sent }: ChannelProgress) => messages - sent;
  const rankOf = (channel: ChannelProgress) => {
    if (leftOf(channel) > 0) return channel.sent > 0 ? 0 : 1;
    return channel.edited + channel.removed > 0 ? 2 : 3;
  };
  return channels
    .map((channel): ChannelProgress => {
      const name = names.get(channel.channel_url);
      return name === undefined ? channel : { ...channel, name };
    })
    .sort((left, right) => rankOf(left) - rankOf(right) || leftOf(right) - leftOf(left));
}

type ProgressCounts = Pick<ChannelProgress, 'messages' | 'sent' | 'edited' | 'removed'>;

/** Compares as a plan does: equal counts of lines and of sent messages need not be equal messages. */
function countsOf(
  { address, attributes }: Resource,
  snapshot: ReadFacts['snapshot'],
  policy = defaultMessagesPolicy,
): ProgressCounts {
  const historyFile = historyFileOf(attributes);
  const differences = differencesOf(historyFile, sentOf(snapshot.get(address)?.attributes ?? {}));
  const { known, late, replies, unsure } = differences;
  // All replies after the known lines are in `replies`, too.
  const unsentReplies = replies.filter((line) => line < known).length;
  const { update, refuse } = editsByWord(differences.edited, policy);
  return {
    messages: historyFile.messages,
    sent: known - late.length - unsentReplies - unsure.length,
    edited: update.length + refuse.length,
    removed: policy.deleted === 'keep' ? 0 : differences.gone.length,
  };
}

/** Channels whose receipts the calls of the migration move. */
function markedAsRead({ resources }: ReadFacts): number {
  let count = 0;
  for (const { address, attributes } of resources)
    if (kindOf(address) === 'messages' && attributes.mark_as_read === true) count += 1;
  return count;
}

async function bytesOf(root: string, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) bytes += (await stat(join(root, path)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
