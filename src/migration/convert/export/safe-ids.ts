// Ids that are URLs, as some systems have them, without their queries: an id is written to decisions.yaml and to history files.
import type { MessageFacts, Roster, SourceChannel, SourceItem, SourceMessage, SourceUser } from './items.ts';
import { safeId } from './urls.ts';

/** A channel and its people by ids without queries. */
export function safeRoster({ users, channels }: Roster): Roster {
  return { users: users.map(safeUser), channels: channels.map(safeChannel) };
}

export function safeItem(item: SourceItem): SourceItem {
  if (item.type === 'message') return { ...item, message: safeMessage(item.message) };
  const id = safeId(item.id);
  return item.type === 'part' ? { ...item, id, of: { ...item.of, id: safeId(item.of.id) } } : { ...item, id };
}

function safeUser(user: SourceUser): SourceUser {
  return named(user);
}

/** Some sources name an object without a name by its id. */
function named<T extends { readonly id: string; readonly name: string }>(object: T): T {
  const { id, name } = object;
  return { ...object, id: safeId(id), name: name === id ? safeId(id) : name };
}

function safeChannel(channel: SourceChannel): SourceChannel {
  const { url, members, invited, excluded, muted, banned, operators, creator } = channel;
  return {
    ...named(channel),
    url: url === undefined ? undefined : safeId(url),
    members: members?.map(safeId),
    operators: operators.map(safeId),
    creator: creator === undefined ? undefined : safeId(creator),
    ...(invited === undefined ? {} : { invited: invited.map(safeId) }),
    ...(excluded === undefined ? {} : { excluded: excluded.map(safeId) }),
    ...(muted === undefined ? {} : { muted: safeKeys(muted) }),
    ...(banned === undefined ? {} : { banned: safeKeys(banned) }),
  };
}

function safeKeys<T>(entries: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map(Array.from(entries, ([id, value]) => [safeId(id), value]));
}

function safeMessage(message: SourceMessage): SourceMessage {
  const { channel, people, mentions, rowId, facts } = message;
  return {
    ...message,
    channel: safeId(channel),
    mentions: mentions.map(safeId),
    facts: safeFacts(facts),
    ...(people === undefined ? {} : { people: people.map(safeUser) }),
    ...(rowId === undefined ? {} : { rowId: safeId(rowId) }),
  };
}

function safeFacts(facts: MessageFacts): MessageFacts {
  const { id, sender, thread, reply_to, reactions } = facts;
  return {
    ...facts,
    id: safeId(id),
    ...(sender === undefined ? {} : { sender: safeId(sender) }),
    ...(thread === undefined ? {} : { thread: safeId(thread) }),
    ...(reply_to === undefined ? {} : { reply_to: safeId(reply_to) }),
    ...(reactions === undefined
      ? {}
      : { reactions: reactions.map((reaction) => ({ ...reaction, users: reaction.users.map(safeId) })) }),
  };
}
