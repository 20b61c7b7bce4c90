// Sends the events of each request to the webhook of the application and to bots, as their settings say.

import type { Behaviours } from '../api/behaviours.ts';
import type { JsonObject } from '../api/request.ts';
import type { RecordChange } from '../stored/changes.ts';
import type { GroupChannelRecord, MessageRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';
import type { BotUser } from '../views/bot-view.ts';
import type { Deliveries } from './deliveries.ts';
import { eventsOf } from './events.ts';
import { memberParts, userPart } from './parts.ts';

export interface Committed {
  readonly changes: readonly RecordChange[];
  readonly nowMs: number;
  /** "METHOD template" of the request. */
  readonly route: string;
}

export class Announcer {
  readonly #deliveries: Deliveries;
  readonly #state: State;
  readonly #behaviours: Behaviours;

  constructor(deliveries: Deliveries, state: State, behaviours: Behaviours) {
    this.#deliveries = deliveries;
    this.#state = state;
    this.#behaviours = behaviours;
  }

  announce(committed: Committed): void {
    const state = this.#state;
    const { enabled, url, enabled_events: subscribed, include_members } = state.setting('webhook') ?? {};
    if (enabled === true && typeof url === 'string' && Array.isArray(subscribed)) {
      const context = { ...committed, state, behaviours: this.#behaviours, includesMembers: include_members === true };
      for (const { category, body } of eventsOf(committed.changes, context))
        if (subscribed.includes(category)) this.#deliveries.send({ kind: 'webhook', category, url, body });
    }
    if (state.bots.size === 0) return;
    for (const { bot, body } of botCallbacksOf(committed.changes, state))
      this.#deliveries.send({ kind: 'bot', category: BOT_CATEGORY, url: bot.bot.callbackUrl, body });
  }
}

const BOT_CATEGORY = 'bot_message_notification';

interface BotCallback {
  readonly bot: BotUser;
  /** Without the id of the application. */
  readonly body: JsonObject;
}

/** The calls of bots (platform §9.1, §13.7): one for each bot that is in the channel of a new text message of a person. Bots do not hear each other. */
function botCallbacksOf(changes: readonly RecordChange[], state: State): readonly BotCallback[] {
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
