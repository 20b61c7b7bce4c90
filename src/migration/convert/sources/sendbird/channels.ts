// Converts a channel of the platform's export, with what people may do in it.
import { isList, isObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts';
import { inTableOrder } from '../../export/fields.ts';
import type { ChannelRestriction, SourceChannel } from '../../export/items.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import type { ReasonCode } from '../../export/reasons.ts';
import { numberIn, objectIn, objectsIn, picked, textIn } from '../../export/values.ts';
import { sendbirdFields } from './fields.ts';
import { nativeOf } from './native.ts';

const nativeFields = ['custom_type', 'data', 'cover_url', 'metadata'] as const;
const openFlags = ['is_ephemeral', 'is_dynamic_partitioned'] as const;
const groupFlags = ['is_ephemeral', 'is_super'] as const;

/** Open channels have participants, who come and go, and no members. */
export function isOpenChannel(channel: JsonObject): boolean {
  return channel.channel_type === 'open' || channel.channel_type === 'open_channels';
}

export function channelOf(channel: JsonObject, fields: ExportFields): SourceChannel {
  const look = fields.of('channel').look(channel);
  const rows = objectsIn(channel, 'members');
  const isOpen = isOpenChannel(channel);
  const flags = (isOpen ? openFlags : groupFlags).filter((name) => channel[name] === true);
  const { native, unfit } = nativeOf(channel, nativeFields);
  const isPublic = channel.is_public === true && channel.is_access_code_required !== true;
  const isBroadcast = channel.is_broadcast === true;
  const lost = picked(look.kept ?? {}, ['created_at', 'message_survival_seconds']);
  const reasons: ReasonCode[] = [...look.reasons];
  if (isBroadcast) reasons.push('channel.broadcast');
  if (Object.keys(lost).length > 0 || unfit.metadata !== undefined) reasons.push('channel.fields');
  const banned = restrictionsIn(channel.banned_list);
  return {
    id: textIn(channel, 'channel_url') ?? '',
    name: textIn(channel, 'name') ?? '',
    access: isOpen
      ? 'public'
      : channel.is_distinct === true && channel.is_super !== true
        ? 'direct'
        : isPublic
          ? 'public'
          : 'private',
    isOpen,
    native: { ...native, ...Object.fromEntries(flags.map((name) => [name, true])) },
    hasOpaqueId: true,
    members: isOpen ? undefined : idsOf(rows),
    invited: idsOf(rows.filter(({ state, member_state }) => state === 'invited' || member_state === 'invited')),
    excluded: [...banned.keys()],
    muted: new Map([...mutesIn(rows), ...restrictionsIn(channel.muted_list)]),
    banned,
    operators: idsOf([...rows.filter(({ role }) => role === 'operator'), ...objectsIn(channel, 'operators')]),
    // In a broadcast channel as in a frozen one, only operators can write.
    isArchived: channel.freeze === true || isBroadcast,
    facts: {
      ...unfit,
      ...inTableOrder(look.kept, sendbirdFields.channel),
      ...(isBroadcast ? { is_broadcast: true } : {}),
    },
    reasons,
  };
}

function idsOf(users: readonly JsonObject[]): readonly string[] {
  return users.flatMap((user) => textIn(user, 'user_id') ?? []);
}

function mutesIn(members: readonly JsonObject[]): [string, ChannelRestriction][] {
  return members
    .filter(({ is_muted }) => is_muted === true)
    .flatMap((member) => {
      const id = textIn(member, 'user_id');
      return id === undefined ? [] : [[id, restrictionOf(member, 'muted_end_at', 'muted_description')]];
    });
}

/** The lists of the API: each entry has its user in a part of its own, or beside its other fields. */
function restrictionsIn(list: JsonValue | undefined): ReadonlyMap<string, ChannelRestriction> {
  const entries = (isList(list) ? list : []).filter(isObject).flatMap((entry): [string, ChannelRestriction][] => {
    const id = textIn(objectIn(entry, 'user'), 'user_id') ?? textIn(entry, 'user_id');
    return id === undefined ? [] : [[id, restrictionOf(entry, 'end_at', 'description')]];
  });
  return new Map(entries);
}

/** The platform writes -1 for no end, and says seconds or milliseconds. */
function restrictionOf(entry: JsonObject, end: string, about: string): ChannelRestriction {
  const at = numberIn(entry, end) ?? 0;
  const time = at > 0 && at < 100_000_000_000 ? at * 1000 : at;
  const until = time > 0 && time < latest ? new Date(time).toISOString() : undefined;
  const description = textIn(entry, about);
  return { ...(until === undefined ? {} : { until }), ...(description === undefined ? {} : { description }) };
}

/** The last millisecond of the year 9999. */
const latest = 253_402_300_799_999;
