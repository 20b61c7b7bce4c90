// Effects as changes of records: what each record was before, and what it is afterwards.

import type { Effect } from './effects.ts';
import type { ChannelRecord, MemberRecord, MessageRecord, UserRecord } from './records.ts';
import type { State } from './state.ts';

/** Absent `before`: the record is new. Absent `after`: it is gone. */
export interface RecordPair<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export type RecordChange =
  | { readonly type: 'user'; readonly pair: RecordPair<UserRecord> }
  | { readonly type: 'channel'; readonly pair: RecordPair<ChannelRecord> }
  | { readonly type: 'members'; readonly url: string; readonly pairs: readonly RecordPair<MemberRecord>[] }
  | { readonly type: 'messages'; readonly url: string; readonly pairs: readonly RecordPair<MessageRecord>[] };

/** Call it before the effect is applied. Undefined for effects on other records. */
export function changeOf(effect: Effect, state: State): RecordChange | undefined {
  switch (effect.type) {
    case 'user.put':
      return { type: 'user', pair: { before: state.users.get(effect.user.userId), after: effect.user } };
    case 'user.delete':
      return { type: 'user', pair: { before: state.users.get(effect.userId), after: undefined } };
    case 'channel.put':
      return { type: 'channel', pair: { before: state.channel(effect.channel.url), after: effect.channel } };
    case 'channel.delete':
      return { type: 'channel', pair: { before: state.channel(effect.url), after: undefined } };
    case 'members.put': {
      const members = state.members(effect.url);
      const pairs = effect.members.map((after) => ({ before: members.get(after.userId), after }));
      return { type: 'members', url: effect.url, pairs };
    }
    case 'members.delete': {
      const members = state.members(effect.url);
      const pairs = effect.userIds.map((id) => ({ before: members.get(id), after: undefined }));
      return { type: 'members', url: effect.url, pairs };
    }
    case 'messages.put': {
      const messages = state.messages(effect.url);
      const pairs = effect.messages.map((after) => ({ before: messages.get(after.id), after }));
      return { type: 'messages', url: effect.url, pairs };
    }
    default:
      return undefined;
  }
}
