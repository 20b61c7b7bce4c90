// What becomes of each field that DiscordChatExporter writes. Permissions are not exported, so channels are private.
import type { JsonValue } from '../../../../lib/json.ts';
import { derived, kept, moved, restricts, type SourceFields, technical, unsupported } from '../../export/fields.ts';

/** The bit of messages that only one person sees (Discord, message flags). */
const ephemeralFlag = 64;

function isEphemeral(value: JsonValue): boolean {
  return typeof value === 'number' ? (value & ephemeralFlag) !== 0 : /ephemeral/iu.test(JSON.stringify(value));
}

export const discordFields: SourceFields = {
  guild: { ...kept('id', 'name'), ...unsupported('iconUrl') },
  channel: {
    ...moved('id', 'name'),
    ...kept('type', 'categoryId', 'category', 'topic'),
    ...unsupported('iconUrl'),
  },
  user: {
    ...moved('id', 'name', 'nickname', 'avatarUrl', 'isBot'),
    ...technical('discriminator', 'color', 'roles', 'canonicalAvatarUrl'),
  },
  message: {
    ...moved('id', 'type', 'timestamp', 'timestampEdited', 'content', 'author', 'attachments', 'reactions', 'mentions'),
    ...moved('reference'),
    flags: restricts('restricted', 'Ephemeral', isEphemeral, 'kept'),
    ...kept('callEndedTimestamp', 'isPinned', 'embeds', 'stickers', 'inlineEmojis', 'interaction', 'forwardedMessage'),
    ...kept('poll', 'components'),
  },
  reaction: { ...moved('emoji', 'users', 'count') },
  emoji: { ...moved('id', 'name', 'code'), ...technical('isAnimated', 'imageUrl') },
  file: { ...kept('id', 'fileName', 'fileSizeBytes', 'url') },
  reference: { ...moved('messageId'), ...kept('channelId', 'guildId'), ...derived('type') },
};
