// What becomes of each field of Mattermost's export.
import type { JsonValue } from '../../../../lib/json.ts';
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
  unsupported,
} from '../../export/fields.ts';

const isAfterStart = (value: JsonValue): boolean => Number(value) > 0;
const time = 1_700_000_000_000;

const user = {
  ...moved('username', 'nickname', 'display_name', 'roles', 'teams'),
  ...identifying('email', 'first_name', 'last_name'),
  delete_at: restricts('kept', time, isAfterStart),
  ...personal(
    'position',
    'auth_data',
    'password',
    'auth_service',
    'custom_status',
    'timezone',
    'locale',
    'phone',
    'props',
  ),
  ...technical('profile_image', 'id', 'create_at', 'update_at', 'email_verified', 'notify_props', 'theme'),
  ...technical('use_markdown_preview', 'use_formatting', 'show_unread_section', 'use_military_time', 'email_interval'),
  ...technical('collapse_previews', 'message_display', 'collapse_consecutive', 'colorize_usernames', 'tutorial_step'),
  ...technical('channel_display_mode', 'send_on_ctrl_enter', 'code_block_ctrl_enter', 'show_join_leave'),
  ...technical('show_unread_scroll_position', 'sync_drafts', 'name_format', 'limit_visible_dms_gms'),
  ...unsupported('description', 'owner'),
};

export const mattermostFields: SourceFields = {
  user,
  team: {
    ...moved('name', 'channels'),
    ...technical('roles', 'theme', 'delete_at', 'scheme_guest', 'scheme_user', 'scheme_admin'),
  },
  member: {
    ...moved('name', 'roles'),
    ...technical('notify_props', 'favorite', 'mention_count', 'mention_count_root', 'urgent_mention_count'),
    ...technical('urgend_mention_count', 'msg_count', 'msg_count_root', 'last_viewed_at'),
    ...technical('scheme_guest', 'scheme_user', 'scheme_admin', 'autotranslation'),
  },
  channel: {
    ...moved('name', 'display_name'),
    ...kept('team', 'header', 'purpose'),
    type: restricts('kept', 'P', isOneOf('P')),
    deleted_at: restricts('kept', time, isAfterStart),
    delete_at: restricts('kept', time, isAfterStart),
    // A scheme says who may write, react and invite.
    scheme: restricts('doubtful', 'announcements', undefined, 'dropped'),
    // Of direct channels.
    ...moved('members', 'participants', 'channel_members'),
    ...technical('favorited_by', 'shown_by', 'id', 'create_at', 'update_at', 'last_post_at', 'total_msg_count'),
    ...unsupported('banner_info', 'autotranslation'),
  },
  participant: {
    ...moved('username'),
    ...technical('last_viewed_at', 'msg_count', 'mention_count', 'msg_count_root', 'mention_count_root'),
    ...technical('urgent_mention_count', 'notify_props', 'favorite', 'scheme_guest', 'scheme_user', 'scheme_admin'),
  },
  message: {
    ...moved('team', 'channel', 'channel_members', 'user', 'message', 'create_at', 'edit_at', 'reactions', 'replies'),
    ...moved('attachments'),
    type: restricts('restricted', 'system_ephemeral', isOneOf('system_ephemeral', 'burn_on_read')),
    delete_at: restricts('deleted', time, isAfterStart, 'kept'),
    ...kept(
      'props',
      'is_pinned',
      'flagged_by',
      'thread_followers',
      'has_reactions',
      'metadata',
      'hashtags',
      'priority',
    ),
  },
  reaction: { ...moved('user', 'emoji_name', 'create_at'), ...derived('post_id') },
  file: { ...kept('path') },
};
