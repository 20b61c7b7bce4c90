// Schedules an announcement (platform §14). It stays scheduled: the emulator never sends it.

import { ApiError } from '../api/errors.ts';
import type { Json, JsonObject } from '../api/request.ts';
import type { Call } from '../call/call.ts';

const TARGETS = [
  'sender_all_channels',
  'target_channels',
  'target_users_only_channels',
  'target_users_included_channels',
];

export function scheduleAnnouncement(call: Call): Json {
  const { body } = call;
  const message = body.nested('message');
  if (message === undefined) throw new ApiError('missing', 'message');
  const targetAt = body.requiredString('target_at');
  if (!TARGETS.includes(targetAt)) throw new ApiError('invalidValue', 'target_at');
  const targets = body.strings('target_list') ?? [];
  const sender = call.user(message.requiredString('user_id'));
  const id = body.string('unique_id') ?? call.draw();
  const name = `announcement:${id}`;
  if (call.state.setting(name) !== undefined) throw new ApiError('alreadyExists', 'unique_id');
  const value: JsonObject = {
    unique_id: id,
    announcement_group: body.string('announcement_group') ?? '',
    message: {
      type: message.string('type') ?? 'MESG',
      user_id: sender.userId,
      content: message.requiredString('content'),
      custom_type: message.string('custom_type') ?? '',
      data: message.string('data') ?? '',
    },
    target_at: targetAt,
    target_channel_type: body.string('target_channel_type') ?? 'distinct',
    target_custom_type: body.string('target_custom_type') ?? '',
    target_user_count: targetAt.startsWith('target_users') ? targets.length : 0,
    target_channel_count: targetAt === 'target_channels' ? targets.length : 0,
    create_channel: body.boolean('create_channel') ?? false,
    enable_push: body.boolean('enable_push') ?? true,
    mark_as_read: body.boolean('mark_as_read') ?? false,
    send_to_frozen_channels: body.boolean('send_to_frozen_channels') ?? true,
    scheduled_at: body.integer('scheduled_at') ?? call.nowMs,
    status: 'scheduled',
    sent_user_count: 0,
    sent_channel_count: 0,
    open_count: 0,
    open_rate: 0,
  };
  call.commit([{ type: 'setting.put', name, value }]);
  return value;
}
