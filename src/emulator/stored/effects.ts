// The changes of stored data as values: applied to the state and written to the data file.

import type { JsonObject } from '../api/request.ts';
import type {
  ApplicationRecord,
  ChannelRecord,
  MemberRecord,
  MessageRecord,
  RestrictionRecord,
  UserRecord,
} from './records.ts';

export type RestrictionKind = 'ban' | 'mute';

export type Effect =
  | { readonly type: 'application.put'; readonly application: ApplicationRecord }
  | { readonly type: 'user.put'; readonly user: UserRecord }
  | { readonly type: 'user.delete'; readonly userId: string }
  | { readonly type: 'channel.put'; readonly channel: ChannelRecord }
  | { readonly type: 'channel.delete'; readonly url: string }
  | { readonly type: 'members.put'; readonly url: string; readonly members: readonly MemberRecord[] }
  | { readonly type: 'members.delete'; readonly url: string; readonly userIds: readonly string[] }
  | { readonly type: 'messages.put'; readonly url: string; readonly messages: readonly MessageRecord[] }
  | { readonly type: 'messages.delete'; readonly url: string; readonly ids: readonly number[] }
  | {
      readonly type: 'restriction.put';
      readonly kind: RestrictionKind;
      readonly url: string;
      readonly restriction: RestrictionRecord;
    }
  | {
      readonly type: 'restriction.delete';
      readonly kind: RestrictionKind;
      readonly url: string;
      readonly userId: string;
    }
  | { readonly type: 'setting.put'; readonly name: string; readonly value: JsonObject }
  | { readonly type: 'setting.delete'; readonly name: string };
