// Support: exports of Discord in tests of all sources.
import { messagesCut, messagesWindow } from '../../support/cut-exports.ts';
import {
  channelFiles,
  type Draft,
  type Fields,
  type GeneratedExport,
  type Placed,
  reactionsOf,
  without,
} from '../../support/drafts.ts';
import { byRoom, iso } from '../../support/lists.ts';
import { discordFile, discordMessage } from '../../support/small-exports.ts';
import type { SourceSample } from '../../support/source-sample.ts';

function makeExport(draft: Draft): GeneratedExport {
  const userId = (user: number): string => `90000000000000000${user}`;
  const userOf = (user: number): object => ({ id: userId(user), name: `user${user}`, isBot: false });
  const channelId = (channel: number): string => `70000000000000000${channel}`;
  const idOf = (number: number): string => `80000000000000${String(number).padStart(4, '0')}`;
  const facts: Record<string, Fields> = {};
  const messageOf = (message: Placed): object => {
    const attachment = { id: '7', fileName: 'plan.pdf', fileSizeBytes: 12 };
    const replyTo = message.replyTo === undefined ? undefined : idOf(message.replyTo);
    const edited = message.isEdited ? '2030-01-01T00:00:00+00:00' : null;
    const timestamp = new Date(message.time).toISOString().replace('Z', '+00:00');
    const isPinned = message.number % 2 === 0;
    const url = 'https://cdn.discordapp.com/plan.pdf';
    const id = `discord:${channelId(message.channel)}:${idOf(message.number)}`;
    facts[id] = without({
      ...{ id, sender: userId(message.sender), time: message.time, text: message.text, reply_to: replyTo },
      type: replyTo === undefined ? undefined : 'Reply',
      reactions: reactionsOf(message, userId),
      edited: edited === null ? undefined : Date.parse(edited),
      files: message.hasFile ? [{ ...attachment, url }] : undefined,
      more: moreOf(isPinned, replyTo),
    });
    return {
      id: idOf(message.number),
      type: replyTo === undefined ? 'Default' : 'Reply',
      timestamp,
      timestampEdited: edited,
      isPinned,
      content: message.text,
      author: userOf(message.sender),
      attachments: message.hasFile ? [{ ...attachment, url: `${url}?ex=66000000&is=65000000&hm=ab` }] : [],
      embeds: [],
      reactions: message.reactions.map(({ name, users }) => ({
        emoji: { id: '', name, code: name },
        count: users.length,
        users: users.map(userOf),
      })),
      mentions: [],
      ...(replyTo === undefined ? {} : { reference: { messageId: replyTo, channelId: '1' } }),
    };
  };
  const { files, messages } = channelFiles(draft, messageOf, (number) => ({
    guild: { id: '1', name: 'Guild' },
    channel: { id: channelId(number), type: 'GuildTextChat', name: `room-${number}`, topic: null },
  }));
  return { files, count: draft.channels + messages, facts };
}

/** Replies of the sample are to another channel. */
function moreOf(isPinned: boolean, replyTo: string | undefined): Fields | undefined {
  const more = {
    ...(isPinned ? { isPinned } : {}),
    ...(replyTo === undefined ? {} : { reference: { channelId: '1' } }),
  };
  return Object.keys(more).length === 0 ? undefined : more;
}

export const sample: SourceSample = {
  make: makeExport,
  list: ({ rooms, messages }) =>
    byRoom(rooms, messages, ({ id }, own) => ({
      guild: { id: '1', name: 'Guild' },
      channel: { id, type: 'GuildTextChat', name: id },
      messages: own.map((message) => ({
        id: `${message.number}`,
        type: 'Default',
        timestamp: iso(message),
        content: `${message.number}`,
        author: { id: message.user, name: message.user },
      })),
    })),
  cut: messagesCut,
  window: messagesWindow(({ timestamp }) => Date.parse(String(timestamp))),
  restricted: {
    files: ({ channel, message }) => ({
      'room.json': discordFile([discordMessage('1', { content: 'whisper', ...message })], channel),
    }),
    ids: { channel: 'discord:700000000000000000', message: 'discord:700000000000000000:1' },
    user: '100000000000000001',
    room: 'discord_700000000000000000',
    hasPublicRooms: false,
  },
};
