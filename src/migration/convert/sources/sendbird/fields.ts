// What becomes of each field that the platform exports.
import type { JsonValue } from '../../../../lib/json.ts';
import {
  derived,
  isOneOf,
  kept,
  moved,
  personal,
  restricts,
  type SourceFields,
  technical,
  unsupported,
} from '../../export/fields.ts';

const isFalse = (value: JsonValue): boolean => value === false;
const isPositive = (value: JsonValue): boolean => Number(value) > 0;

const user = {
  ...moved('user_id', 'nickname', 'profile_url'),
  is_active: restricts('kept', false, isFalse),
  is_shadow_blocked: restricts('banned', true),
  ...derived('plain_profile_url', 'require_auth_for_profile_image', 'id', 'guest_id', 'name', 'image'),
  ...personal(
    'metadata',
    'phone_number',
    'access_token',
    'session_tokens',
    'discovery_keys',
    'friend_discovery_key',
    'friend_name',
  ),
  ...technical('is_online', 'last_seen_at', 'has_ever_logged_in', 'created_at', 'preferred_languages', 'locale'),
  ...technical('timezone', 'is_created', 'is_blocked_by_me', 'is_blocking_me', 'is_hide_me_from_friends'),
  ...technical('unread_message_count', 'unread_channel_count'),
};

export const sendbirdFields: SourceFields = {
  // Messages say the role of their sender in the channel.
  user: { ...user, ...derived('role') },
  // A member is a user with a membership.
  member: {
    ...user,
    ...moved('role', 'muted_end_at', 'muted_description'),
    state: restricts('kept', 'invited', isOneOf('invited')),
    member_state: restricts('kept', 'invited', isOneOf('invited')),
    is_muted: restricts('kept', true),
    ...technical('delivered_ts', 'read_ts', 'joined_ts', 'invited_ts', 'push_trigger_option', 'is_push_enabled'),
  },
  channel: {
    ...moved(
      'channel_url',
      'channel_type',
      'name',
      'cover_url',
      'custom_type',
      'data',
      'metadata',
      'members',
      'operators',
    ),
    ...moved('is_distinct', 'is_public', 'is_super', 'is_dynamic_partitioned'),
    freeze: restricts('kept', true),
    is_ephemeral: restricts('kept', true),
    is_broadcast: restricts('kept', true),
    muted_list: restricts('kept', [{ user: { user_id: 'bob-2' } }]),
    banned_list: restricts('kept', [{ user: { user_id: 'gone-3' } }]),
    // The code itself is not exported. Without it, a public channel would be open to everybody.
    is_access_code_required: restricts('kept', true),
    is_discoverable: restricts('doubtful', false, isFalse, 'dropped'),
    is_exclusive: restricts('doubtful', true, undefined, 'dropped'),
    ...kept('created_at', 'message_survival_seconds'),
    ...derived('member_count', 'joined_member_count', 'invited_member_count', 'participant_count', 'last_message'),
    ...derived('channel', 'id', 'max_length_message', 'cover_image'),
    ...technical('created_by', 'inviter', 'creator', 'is_created', 'hidden_state', 'is_hidden', 'read_receipt'),
    ...technical('delivery_receipt', 'unread_message_count', 'unread_mention_count', 'member_state', 'is_muted'),
    ...technical('my_member_state', 'my_role', 'my_muted', 'is_push_enabled', 'push_trigger_option', 'invited_at'),
    ...technical('user_last_read', 'joined_at', 'ts_message_offset', 'count_preference', 'latest_pinned_message'),
    ...technical('updated_at', 'last_updated_at', 'last_message_timestamp'),
    ...unsupported('has_ai_bot', 'has_bot', 'disappearing_message', 'sms_fallback', 'ignore_profanity_filter'),
    ...unsupported('pinned_message_ids', 'message_purge_offset', 'is_desk_channel'),
  },
  message: {
    ...moved('message_id', 'type', 'message_type', 'custom_type', 'data', 'user', 'user_id', 'message', 'created_at'),
    ...moved('updated_at', 'file', 'files', 'mentioned_users', 'mentioned_user_ids', 'sorted_metaarray', 'reactions'),
    ...moved('parent_message_id', 'channel_url', 'channel_type'),
    is_removed: restricts('deleted', true),
    // Messages that disappear some time after they were read or sent.
    message_survival_seconds: restricts('doubtful', 60, isPositive, 'kept'),
    ...kept('thread_info', 'translations', 'og_tag', 'is_op_msg', 'is_apple_critical_alert', 'message_retention_hour'),
    ...kept('parent_message_text', 'parent_message_info', 'is_reply_to_channel', 'extended_message', 'thumbnails'),
    ...kept('extended_message_payload', 'require_auth', 'poll', 'push_template_key', 'last_updated_at', 'is_pinned'),
    ...kept('scheduled_message_id', 'review', 'data_type', 'metaarray', 'file_name', 'target_language'),
    ...technical('silent', 'mention_type', 'message_events', 'req_id', 'ts', 'channel_id', 'msg_id', 'is_super'),
  },
  reaction: {
    ...moved('key', 'user_ids'),
    ...technical('updated_at', 'latest_updated_at', 'count', 'sampled_user_info_list'),
  },
  file: {
    ...moved('url', 'name', 'type', 'size'),
    ...technical('data', 'thumbnails', 'require_auth', 'object_id', 'object_status', 'plain_url', 'scan_result'),
  },
};
