// The calls that bots get for the messages of their channels (platform §9.1, §13.7).

import type { JsonObject } from '../api/request.ts';
import type { RecordChange } from '../stored/changes.ts';
import type { GroupChannelRecord, MessageRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';
import type { BotUser } from '../views/bot-view.ts';
import { memberParts, userPart } from './parts.ts';

export const BOT_CATEGORY = 'bot_message_notification';

export interface BotCallback {
  readonly bot: BotUser;
  /** Without the id of the application. */
  readonly body: JsonObject;
}

/** One for each bot that is in the channel of a new text message of a person. Bots do not hear each other. */
export function botCallbacksOf(changes: readonly RecordChange[], state: State): readonly BotCallback[] {
  return changes.flatMap((change) => {
    const channel = change.type === 'messages' ? state.groupChannels.get(change.url) : undefined;
    if (change.type !== 'messages' || channel === undefined) return [];
    return change.pairs.flatMap(({ before, after }) =>
      before === undefined && after !== undefined ? callbacks(channel, after, state) : [],
    );
  });
}

function callbacks(channel: GroupChannelRecord, message: MessageRecord, state: State): readonly BotCallback[] {
  const { type, userId, arrivedAt, text, createdAt } = message;
  if (type !== 'MESG' || userId === null || arrivedAt !== undefined || state.bots.get(userId) !== undefined) return [];
  return [...state.members(channel.url).values()].flatMap((member) => {
    const user = state.bots.get(member.userId);
    if (
      user?.bot === undefined ||
      member.state !== 'joined' ||
      !isForwarded(user.bot.privacyMode, user.userId, message)
    )
      return [];
    const bot: BotUser = { ...user, bot: user.bot };
    const body: JsonObject = {
      sender: userPart(state, userId),
      bot: { bot_userid: user.userId, bot_nickname: user.nickname },
      channel: { channel_url: channel.url },
      message: { text },
      ts: createdAt,
      ...(user.bot.showsMembers ? { members: memberParts(state, channel) } : {}),
    };
    return [{ bot, body }];
  });
}

/** In privacy mode, commands and mentions alone. */
function isForwarded(isPrivate: boolean, botId: string, { text, mentioned }: MessageRecord): boolean {
  return !isPrivate || text.startsWith('/') || mentioned.includes(botId);
}
