// The webhook events that the documents list (platform §13.1).

const byTopic: Readonly<Record<string, readonly string[]>> = {
  open_channel: ['create', 'remove', 'enter', 'exit', 'message_send', 'message_update', 'message_delete', 'report'],
  group_channel: [
    'create',
    'changed',
    'remove',
    'invite',
    'decline_invite',
    'join',
    'leave',
    'message_send',
    'message_read',
    'message_update',
    'message_delete',
    'freeze_unfreeze',
    'reaction_add',
    'reaction_delete',
    'report',
  ],
  user: [
    'block',
    'unblock',
    'mute',
    'ban',
    'deactivate',
    'push_preference',
    'push_channel_preference',
    'device_token_register',
    'device_token_unregister',
    'report',
  ],
  operators: ['register_by_operator', 'unregister_by_operator'],
  message: ['report'],
  alert: ['user_message_rate_limit_exceeded'],
  profanity_filter: ['replace', 'block', 'moderate', 'detect'],
  image_moderation: ['block'],
  announcement: ['create_channels', 'send_messages'],
};

export const webhookEvents: readonly string[] = Object.entries(byTopic).flatMap(([topic, events]) =>
  events.map((event) => `${topic}:${event}`),
);
