// What members see of earlier messages, and how long messages are kept (platform §16). behaviours.md lists the behaviours.

import type { Behaviours } from '../api/behaviours.ts';
import type { Effect } from '../stored/effects.ts';
import type { GroupChannelRecord, MemberRecord, MessageRecord } from '../stored/records.ts';
import type { State } from '../stored/state.ts';
import { type Call, GLOBAL_SETTINGS } from './call.ts';
import { settingOfType } from './domains.ts';

/** Six months. No call changes it. */
export const RETENTION_HOURS = 4380;
const HOUR_MS = 3_600_000;

type Channel = Pick<GroupChannelRecord, 'customType'> & Partial<Pick<GroupChannelRecord, 'url'>>;

/** Whether new members of the channel see earlier messages. The settings of a custom type replace those of the application. */
function showsHistory({ state, behaviours }: Call, { customType }: Channel): boolean {
  const ofType = customType === '' ? undefined : state.setting(settingOfType(customType));
  const { display_past_message: shown } = ofType ?? state.setting(GLOBAL_SETTINGS) ?? {};
  return typeof shown === 'boolean' ? shown : behaviours.pastMessagesDefault === 'on';
}

/** The two times with which a membership begins. `isJoined`: whether the user is a member at once, without an invitation. */
export function firstTimes(call: Call, channel: Channel, isJoined: boolean): Pick<MemberRecord, 'readTs' | 'offsetTs'> {
  return {
    readTs: firstReceipt(call, channel),
    offsetTs: isJoined ? lineNow(call, channel) : invitationLine(call, channel),
  };
}

/** The offset of a member who accepts an invitation. */
export function offsetAtAcceptance(call: Call, channel: Channel, member: MemberRecord): number {
  return call.behaviours.historyLine === 'join' ? lineNow(call, channel) : member.offsetTs;
}

function invitationLine(call: Call, channel: Channel): number {
  return call.behaviours.historyLine === 'invitation' ? lineNow(call, channel) : 0;
}

function lineNow(call: Call, channel: Channel): number {
  return call.behaviours.historyLine === 'none' || showsHistory(call, channel) ? 0 : call.nowMs;
}

function firstReceipt(call: Call, channel: Channel): number {
  if (call.behaviours.firstReceipt === 'join_time') return call.nowMs;
  return showsHistory(call, channel) ? (call.state.messages(channel.url ?? '').last()?.createdAt ?? 0) : 0;
}

/** The messages that the platform has deleted by now. */
export function* expiredMessages(
  state: State,
  { migrationRetention }: Pick<Behaviours, 'migrationRetention'>,
  nowMs: number,
): Generator<Effect> {
  if (migrationRetention === 'none') return;
  const limit = nowMs - RETENTION_HOURS * HOUR_MS;
  const timeOf = ({ createdAt, arrivedAt = createdAt }: MessageRecord): number =>
    migrationRetention === 'by_time' ? createdAt : arrivedAt;
  for (const channels of [state.openChannels, state.groupChannels]) {
    for (const { url } of channels.ascending()) {
      const ids = [...state.messages(url).from(0)].filter((message) => timeOf(message) < limit).map(({ id }) => id);
      if (ids.length > 0) yield { type: 'messages.delete', url, ids };
    }
  }
}
