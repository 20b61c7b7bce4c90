// What becomes of each field that Stream writes: in import files, and in the answers of which its exports consist.
import { isObject, type JsonValue } from '../../../../lib/json.ts';
import {
  derived,
  identifying,
  isOneOf,
  kept,
  moved,
  personal,
  restricts,
  type SourceFields,
  technical,
} from '../../export/fields.ts';

/** Moderation may only flag a message, which everybody can still see. */
function isHiding(value: JsonValue): boolean {
  return isObject(value) && /remove|bounce|block|shadow/iu.test(String(value.action ?? ''));
}

const date = '2024-01-01T00:00:00Z';

/** Users, members and reactions have no envelope: fields that nobody knows are left out there. */
export const streamFields: SourceFields = {
  user: {
    ...moved('id', 'name', 'image', 'role', 'ban_expires'),
    ...identifying('email'),
    banned: restricts('banned', true),
    shadow_banned: restricts('banned', true),
    deactivated_at: restricts('kept', date),
    deleted_at: restricts('kept', date),
    revoke_tokens_issued_before: restricts('doubtful', date, undefined, 'dropped'),
    ...technical('created_at', 'updated_at', 'last_active', 'last_engaged_at', 'online', 'invisible'),
    ...personal('language'),
    ...technical('devices', 'mutes', 'channel_mutes', 'push_notifications', 'privacy_settings', 'teams', 'teams_role'),
    ...technical('unread_count', 'total_unread_count', 'unread_channels', 'unread_threads', 'blocked_user_ids'),
    ...technical('avg_response_time', 'bypass_moderation'),
  },
  channel: {
    ...moved('id', 'type', 'name', 'member_ids', 'created_by'),
    deleted_at: restricts('deleted', date),
    disabled: restricts('deleted', true),
    frozen: restricts('kept', true),
    team: restricts('kept', 'red', undefined, 'kept'),
    cooldown: restricts('doubtful', 30, undefined, 'kept'),
    ...kept('image'),
    ...kept('created_at', 'updated_at', 'truncated_at', 'truncated_by', 'created_by_id', 'filter_tags', 'members'),
    ...kept('auto_translation_enabled', 'auto_translation_language', 'config_overrides', 'invites', 'blocked'),
    ...kept('hidden', 'hide_messages_before', 'last_message_at_skip', 'truncated_by_id', 'pinned_messages'),
    ...derived('cid', 'member_count', 'last_message_at', 'message_count'),
    ...technical('config', 'own_capabilities'),
  },
  member: {
    ...moved('channel_type', 'channel_id', 'channel_member_ids', 'user_id', 'user', 'channel_role', 'role'),
    ...moved('invited', 'invite_accepted_at'),
    banned: restricts('no_member', true),
    shadow_banned: restricts('no_member', true),
    invite_rejected_at: restricts('no_member', date),
    hide_messages_before: restricts('doubtful', date, undefined, 'dropped'),
    ...derived('is_moderator', 'cid', 'status'),
    ...technical('created_at', 'updated_at', 'notifications_muted', 'pinned_at', 'archived_at', 'hide_channel'),
    ...technical('last_read', 'ban_expires', 'unread_messages', 'deleted_messages'),
  },
  message: {
    ...moved('id', 'channel_id', 'channel_type', 'channel_member_ids', 'user', 'user_id', 'text', 'created_at'),
    ...moved('reactions', 'latest_reactions', 'reaction_counts', 'parent_id', 'quoted_message_id', 'attachments'),
    ...moved('mentioned_users', 'mentioned_users_ids', 'updated_at'),
    restricted_visibility: restricts('restricted', ['u2'], undefined, 'kept'),
    shadowed: restricts('restricted', true, undefined, 'kept'),
    pending: restricts('restricted', true, undefined, 'kept'),
    type: restricts('restricted', 'ephemeral', isOneOf('ephemeral', 'error')),
    moderation: restricts('restricted', { action: 'remove' }, isHiding, 'kept'),
    moderation_details: restricts('restricted', { action: 'MESSAGE_RESPONSE_ACTION_BOUNCE' }, isHiding, 'kept'),
    deleted_at: restricts('deleted', date, undefined, 'kept'),
    // Another name of the soft deletion, in responses.
    deleted: restricts('deleted', true, undefined, 'kept'),
    deleted_for_me: restricts('restricted', true, undefined, 'kept'),
    ...kept('silent', 'pinned', 'pinned_at', 'pinned_by', 'pin_expires', 'show_in_channel', 'i18n', 'command'),
    ...kept('command_info', 'args', 'mml', 'image_labels', 'poll', 'poll_id', 'shared_location', 'reminder', 'team'),
    ...kept('message_text_updated_at', 'before_message_send_failed', 'mentioned_channel', 'mentioned_here'),
    ...kept('mentioned_roles', 'mentioned_group_ids', 'member', 'status', 'skip_push', 'automoderation'),
    ...derived('cid', 'own_reactions', 'reply_count', 'html', 'reaction_scores', 'reaction_groups', 'quoted_message'),
    ...derived('deleted_reply_count', 'thread_participants'),
  },
  reaction: {
    ...moved('message_id', 'type', 'user_id'),
    ...kept('user', 'created_at', 'updated_at', 'score', 'emoji_code'),
    ...derived('cid'),
  },
  file: {
    ...kept('id', 'type', 'title', 'title_link', 'text', 'fallback', 'pretext', 'author_name', 'author_link'),
    ...kept('author_icon', 'image_url', 'asset_url', 'thumb_url', 'og_scrape_url', 'color', 'actions', 'fields'),
    ...kept('footer', 'footer_icon', 'giphy', 'original_width', 'original_height', 'mime_type', 'file_size', 'name'),
    ...kept('duration', 'waveform_data', 'latitude', 'longitude'),
  },
};
