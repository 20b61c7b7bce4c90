// Support: exports of Sendbird in tests of all sources.
import { messagesCut, messagesWindow } from '../../support/cut-exports.ts';
import {
  channelFiles,
  type Draft,
  type Fields,
  type GeneratedExport,
  type Placed,
  reactionsOf,
  times,
  without,
} from '../../support/drafts.ts';
import { at, byRoom, json } from '../../support/lists.ts';
import { sendbirdFile, sendbirdMessage, sendbirdUsers } from '../../support/small-exports.ts';
import type { SourceSample } from '../../support/source-sample.ts';

function makeExport(draft: Draft): GeneratedExport {
  const nameOf = (user: number): string => `u${user}`;
  const facts: Record<string, Fields> = {};
  const messageOf = (message: Placed): object => {
    const id = `sendbird:room_${message.channel}:${message.number + 1}`;
    const reactions = reactionsOf(message, nameOf);
    const own = message.hasFile ? { own: 1 } : undefined;
    facts[id] = without({
      ...{ id, sender: nameOf(message.sender), time: message.time, text: message.text, reactions, more: own },
      thread: message.replyTo === undefined ? undefined : String(message.replyTo + 1),
      edited: message.isEdited ? message.time + 5 : undefined,
    });
    return {
      message_id: message.number + 1,
      type: 'MESG',
      custom_type: 'kind',
      data: message.number % 2 === 0 ? '{"own":"data"}' : '',
      user: { user_id: nameOf(message.sender), nickname: `User ${message.sender}`, is_active: true },
      message: message.text,
      created_at: message.time,
      updated_at: message.isEdited ? message.time + 5 : 0,
      parent_message_id: message.replyTo === undefined ? 0 : message.replyTo + 1,
      reactions: reactions.map(({ name, users }) => ({ key: name, user_ids: users })),
      file: {},
      ...own,
    };
  };
  const members = times(draft.users, (user) => ({ user_id: nameOf(user), nickname: `User ${user}` }));
  const { files, messages } = channelFiles(draft, messageOf, (number) => ({
    channel: { channel_url: `room_${number}`, name: `Room ${number}`, data: '', members },
  }));
  return { files, count: draft.channels * (1 + draft.users) + messages, facts };
}

export const sample: SourceSample = {
  make: makeExport,
  list: ({ users, rooms, messages }) => {
    const userOf = (user_id: string) => ({ user_id, nickname: user_id });
    const files = byRoom(rooms, messages, ({ id, members, operators }, own) => ({
      channel: { channel_url: id, members: members.map(userOf), operators: operators.map(userOf) },
      messages: own.map((message) => ({
        message_id: message.number + 1,
        type: 'MESG',
        user: userOf(message.user),
        message: `${message.number}`,
        created_at: at(message),
      })),
    }));
    return { ...files, 'people.json': json({ users: users.map(userOf) }) };
  },
  cut: messagesCut,
  window: messagesWindow(({ created_at }) => Number(created_at)),
  restricted: {
    files: ({ user, channel, member, message }) => ({
      'room.json': sendbirdFile([sendbirdMessage(1, { message: 'whisper', ...message })], {
        is_public: true,
        members: [sendbirdUsers[0], { ...sendbirdUsers[1], ...user, ...member }],
        ...channel,
      }),
    }),
    ids: { user: 'sendbird:bob-2', channel: 'sendbird:own_url', member: 'sendbird:bob-2', message: 'own_url:1' },
    user: 'bob-2',
    room: 'own_url',
    hasPublicRooms: true,
  },
};
