// The migration of messages: up to 100, or as many as the application allows, into one channel, all or none (base, Migrate messages; platform §6.1).

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { Params } from '../fields/params.ts';
import type { Effect } from '../stored/effects.ts';
import type { ChannelRecord, MemberRecord, MessageRecord } from '../stored/records.ts';
import { readContent, readType, unhidden } from './message-fields.ts';

export function migrateMessages(call: Call): Json {
  const { body, behaviours, state } = call;
  const channel = state.channel(call.path('channel_url'));
  if (channel === undefined) throw new ApiError('notFound', 'Channel');
  const items = body.list('messages', call.maxMigratedMessages);
  if (items === undefined) throw new ApiError('missing', 'messages');
  if (items.length === 0) throw new ApiError('invalidValue', 'messages');
  if (channel.frozen && behaviours.migrationIntoFrozen === 'refused') throw new ApiError('frozenChannel', channel.url);
  const { messages, refusal } = readBatch(call, channel, items);
  const members = memberEffects(call, channel, messages);
  const lands = refusal === undefined || behaviours.migrationBatch === 'up_to_first_bad';
  if (lands && messages.length > 0) {
    const stored: Effect[] = [{ type: 'messages.put', url: channel.url, messages }];
    // An ephemeral channel stores no messages (base, is_ephemeral).
    call.commit([...(channel.ephemeral ? [] : stored), ...members]);
  }
  if (refusal !== undefined) throw refusal;
  return {};
}

interface CheckedBatch {
  readonly messages: readonly MessageRecord[];
  /** The reason why the next message is refused. */
  readonly refusal: ApiError | undefined;
}

/** Reads every message before anything is stored. Known messages are skipped. */
function readBatch(call: Call, channel: ChannelRecord, items: readonly unknown[]): CheckedBatch {
  const messages: MessageRecord[] = [];
  const seen = new Set<string>();
  try {
    for (const [place, item] of items.entries()) {
      const path = `messages[${place}]`;
      const message = readMessage(call, Params.nested(item, path), path, messages.length);
      if (isKnown(call, channel, message.dedupId, seen)) continue;
      seen.add(message.dedupId);
      messages.push(message);
    }
  } catch (error) {
    if (error instanceof ApiError) return { messages, refusal: error };
    throw error;
  }
  return { messages, refusal: undefined };
}

function readMessage(call: Call, fields: Params, path: string, place: number): MessageRecord {
  const type = readType(fields);
  const createdAt = fields.requiredInteger('timestamp');
  const userId = type === 'ADMM' ? null : fields.requiredString('user_id');
  if (userId !== null) checkSender(call, userId, path);
  return {
    id: call.state.application.lastMessageId + 1 + place,
    userId,
    ...readContent(call, fields, type, true),
    ...(type === 'FILE' && call.behaviours.customFieldOfFile === 'file' ? { data: '' } : {}),
    createdAt,
    updatedAt: 0,
    removed: false,
    arrivedAt: call.nowMs,
  };
}

/** The documentation only requires registered senders (behaviours.md, migrationByDeactivated). */
function checkSender(call: Call, userId: string, path: string): void {
  const { state, behaviours } = call;
  const sender = state.users.get(userId);
  if (sender === undefined) throw new ApiError('notFound', `${path}.user_id`);
  if (!sender.active && behaviours.migrationByDeactivated === 'refused') {
    throw new ApiError('sendNotAllowed', `${path}.user_id is deactivated`);
  }
}

function isKnown(call: Call, channel: ChannelRecord, dedupId: string, seen: ReadonlySet<string>): boolean {
  const { behaviours, state } = call;
  if (dedupId === '' || behaviours.dedup === 'ignore') return false;
  const scope = behaviours.dedupScope === 'channel' ? channel.url : undefined;
  const known = seen.has(dedupId) || state.knowsDedupId(dedupId, scope);
  if (known && behaviours.dedup === 'refuse') throw new ApiError('alreadyExists', 'dedup_id');
  return known;
}

/** The effects on the members: a hidden channel may reappear, and `update_read_ts` may move what they have read. */
function memberEffects(call: Call, channel: ChannelRecord, messages: readonly MessageRecord[]): readonly Effect[] {
  const update = call.body.boolean('update_read_ts') ?? false;
  const rewind = call.body.boolean('rewind_read_ts') ?? false;
  if (channel.kind === 'open') {
    if (update) throw new ApiError('invalidValue', 'update_read_ts');
    return [];
  }
  const loud = messages.filter(({ silent }) => !silent);
  const unhides = call.behaviours.migrationUnhides && loud.length > 0;
  if (!update && !unhides) return [];
  const senders = new Set(call.behaviours.migrationUnhidesSender ? loud.map(({ userId }) => userId) : []);
  const latest = messages.reduce((ts, { createdAt }) => Math.max(ts, createdAt), 0);
  const members = [...call.state.members(channel.url).values()]
    .map((member) => (unhides ? unhidden(member) : member))
    .map((member): MemberRecord => (senders.has(member.userId) ? { ...member, hidden: 'unhidden' } : member))
    .map((member) => (update ? { ...member, readTs: movedReceipt(call, member, latest, rewind) } : member));
  return members.length === 0 ? [] : [{ type: 'members.put', url: channel.url, members }];
}

/** The page moves receipts that are later than the newest migrated message, which is backwards (platform §16.2). */
function movedReceipt({ behaviours }: Call, { readTs }: MemberRecord, latest: number, rewind: boolean): number {
  if (rewind || behaviours.updateReadTs === 'to_newest') return latest;
  return behaviours.updateReadTs === 'forwards' ? Math.max(readTs, latest) : Math.min(readTs, latest);
}
