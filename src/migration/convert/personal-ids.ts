// Replaces ids of people in the facts of a message where they are names or addresses, because clients can read these facts.
import { isList, type JsonValue } from '../../lib/json.ts';
import type { SourceMessage, SourceReaction } from './export/items.ts';
import type { Users } from './users.ts';

/** The message with user_ids in its facts. Ids of people who have none are left out. */
export function withUserIds(message: SourceMessage, users: Users): SourceMessage {
  const { facts } = message;
  const { sender, reactions = [] } = facts;
  const isSenderPersonal = sender !== undefined && users.hasPersonalId(sender);
  const arePersonal = reactions.some((reaction) => reaction.users.some((id) => users.hasPersonalId(id)));
  if (!isSenderPersonal && !arePersonal) return message;
  return {
    ...message,
    facts: {
      ...facts,
      ...(isSenderPersonal ? { sender: users.mentioned(sender) } : {}),
      ...(arePersonal ? { reactions: reactions.map((reaction) => reactionWithUserIds(reaction, users)) } : {}),
    },
  };
}

/** Other lists of the reaction have a value for each user. The count includes people without a user_id. */
function reactionWithUserIds(reaction: SourceReaction, users: Users): SourceReaction {
  const ids = reaction.users.map((id) => (users.hasPersonalId(id) ? users.mentioned(id) : id));
  const known = ids.flatMap((id) => id ?? []);
  if (known.length === ids.length) return { ...reaction, users: known };
  const lists = Object.entries(reaction).map(([name, value]): [string, JsonValue] => {
    const isParallel = isList(value) && value.length === ids.length;
    return [name, isParallel ? value.filter((_value, place) => ids[place] !== undefined) : value];
  });
  const count = typeof reaction.count === 'number' ? Math.max(reaction.count, ids.length) : ids.length;
  return { ...Object.fromEntries(lists), name: reaction.name, users: known, count };
}
