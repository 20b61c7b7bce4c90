// The wire form of a bot (platform §9.1).

import type { JsonObject } from '../api/request.ts';
import type { BotRecord, UserRecord } from '../stored/records.ts';

export type BotUser = UserRecord & { readonly bot: BotRecord };

export function botView(user: BotUser): JsonObject {
  return {
    bot: {
      bot_userid: user.userId,
      bot_nickname: user.nickname,
      bot_type: user.bot.type,
      bot_profile_url: user.profileUrl,
      bot_token: user.bot.token,
      bot_metadata: user.metadata,
      bot_require_auth_for_profile_image: false,
    },
    ...(user.bot.ai === undefined ? {} : { ai: user.bot.ai }),
    bot_callback_url: user.bot.callbackUrl,
    is_privacy_mode: user.bot.privacyMode,
    enable_mark_as_read: user.bot.marksAsRead,
    show_member: user.bot.showsMembers,
    channel_invitation_preference: user.autoAccept ? 0 : 1,
  };
}

/** The answers of create and list also say when the bot was created. */
export function datedBotView(user: BotUser): JsonObject {
  return { ...botView(user), created_at: user.createdAt };
}
