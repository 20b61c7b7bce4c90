// The routes of the platform, each with the operation that answers it (base, Endpoints; platform §4 to §6, §9 to §14).

import type { Method } from '../api/request.ts';
import type { Operation } from '../call/call.ts';
import { scheduleAnnouncement } from '../delivery/announcements.ts';
import * as blocks from '../delivery/blocks.ts';
import * as devices from '../delivery/device-tokens.ts';
import * as push from '../delivery/push-preferences.ts';
import { addMetaArrays, removeMetaArrays, updateMetaArrays } from '../message-parts/meta-arrays.ts';
import * as reactions from '../message-parts/reactions.ts';
import { countActive, indicateTyping } from '../operations/activity.ts';
import { addToAllowlist, removeFromAllowlist, viewAllowlist } from '../operations/application/allowlist.ts';
import * as types from '../operations/application/custom-types.ts';
import * as emojis from '../operations/application/emojis.ts';
import { updateEventMessages, viewEventMessages } from '../operations/application/event-messages.ts';
import * as moderation from '../operations/application/moderation-settings.ts';
import { addFcmKey, listFcmKeys } from '../operations/application/push-keys.ts';
import * as notifications from '../operations/application/push-settings.ts';
import { switchDefaultEmojis, switchReactions } from '../operations/application/reactions.ts';
import { updateWebhook, viewWebhook } from '../operations/application/webhook.ts';
import * as bots from '../operations/bots.ts';
import * as dataRequests from '../operations/data-requests.ts';
import { listGroupChannels, listMyGroupChannels } from '../operations/group-channel-lists.ts';
import * as group from '../operations/group-channels.ts';
import * as members from '../operations/members.ts';
import * as membership from '../operations/membership.ts';
import { countMessages, countUnread, listMessages } from '../operations/message-lists.ts';
import { deleteMessage, sendBotMessage, sendMessage, updateMessage, viewMessage } from '../operations/messages.ts';
import {
  groupChannelMetadata,
  type MetadataOperations,
  openChannelMetadata,
  userMetadata,
} from '../operations/metadata.ts';
import { migrateMessages } from '../operations/migration.ts';
import * as mine from '../operations/my-channels.ts';
import * as open from '../operations/open-channels.ts';
import { channelOperators, type OperatorOperations } from '../operations/operators.ts';
import { banOperations, listBannedChannels, listMutedChannels, muteOperations } from '../operations/restrictions.ts';
import * as tokens from '../operations/tokens.ts';
import { countGroupChannels, countUnreadItems } from '../operations/user-counts.ts';
import * as users from '../operations/users.ts';

export interface Route {
  readonly method: Method;
  /** The path after `/v3`, with parameters in braces. With the method it is the key of the route's rate limit. */
  readonly template: string;
  readonly operation: Operation;
}

export const ROUTES: readonly Route[] = [
  route('POST /users', users.createUser),
  route('GET /users', users.listUsers),
  route('GET /users/{user_id}', users.viewUser),
  route('PUT /users/{user_id}', users.updateUser),
  route('DELETE /users/{user_id}', users.deleteUser),
  route('POST /users/{user_id}/token', tokens.issueSessionToken),
  route('DELETE /users/{user_id}/token', tokens.revokeSessionTokens),
  ...metadataRoutes('/users/{user_id}/metadata', userMetadata),
  route('GET /users/{user_id}/my_group_channels', listMyGroupChannels),
  route('PUT /users/{user_id}/my_group_channels/leave', mine.leaveMyGroupChannels),
  route('GET /users/{user_id}/channel_invitation_preference', mine.viewInvitationPreference),
  route('PUT /users/{user_id}/channel_invitation_preference', mine.updateInvitationPreference),
  route('PUT /users/{user_id}/mark_as_read_all', members.markAllAsRead),
  route('GET /users/{user_id}/ban', listBannedChannels),
  route('GET /users/{user_id}/mute', listMutedChannels),

  route('GET /users/{user_id}/unread_message_count', users.countUnreadMessages),
  route('GET /users/{user_id}/unread_channel_count', users.countUnreadChannels),
  route('GET /users/{user_id}/unread_item_count', countUnreadItems),
  route('GET /users/{user_id}/group_channel_count', countGroupChannels),
  route('GET /users/{user_id}/block', blocks.listBlocks),
  route('POST /users/{user_id}/block', blocks.blockUsers),
  route('DELETE /users/{user_id}/block/{target_id}', blocks.unblockUser),
  route('GET /users/{user_id}/push_preference', push.viewPushPreferences),
  route('PUT /users/{user_id}/push_preference', push.updatePushPreferences),
  route('DELETE /users/{user_id}/push_preference', push.resetPushPreferences),
  route('GET /users/{user_id}/push_preference/{channel_url}', push.viewChannelPush),
  route('PUT /users/{user_id}/push_preference/{channel_url}', push.updateChannelPush),
  route('GET /users/{user_id}/count_preference/{channel_url}', push.viewCountPreference),
  route('PUT /users/{user_id}/count_preference/{channel_url}', push.updateCountPreference),
  route('PUT /users/{user_id}/push/template', push.choosePushTemplate),
  route('GET /users/{user_id}/push/{token_type}', devices.listDeviceTokens),
  route('POST /users/{user_id}/push/{token_type}', devices.addDeviceToken),
  route('DELETE /users/{user_id}/push/{token_type}/{token}', devices.removeDeviceToken),
  route('DELETE /users/{user_id}/push', devices.removeAllDeviceTokens),
  route('GET /push/device_tokens/{token_type}/{token}', devices.viewTokenOwners),
  route('DELETE /push/device_tokens/{token_type}/{token}', devices.removeTokenFromOwners),
  route('POST /announcements', scheduleAnnouncement),
  route('POST /privacy/gdpr', dataRequests.registerRequest),
  route('GET /privacy/gdpr', dataRequests.listRequests),
  route('GET /privacy/gdpr/{request_id}', dataRequests.viewRequest),

  route('POST /bots', bots.createBot),
  route('GET /bots', bots.listBots),
  route('GET /bots/{bot_userid}', bots.viewBot),
  route('PUT /bots/{bot_userid}', bots.updateBot),
  route('DELETE /bots/{bot_userid}', bots.deleteBot),
  route('POST /bots/{bot_userid}/channels', bots.joinChannels),
  route('DELETE /bots/{bot_userid}/channels', bots.leaveChannelsAsBot),
  route('DELETE /bots/{bot_userid}/channels/{channel_url}', bots.leaveChannelAsBot),
  route('POST /bots/{bot_userid}/send', sendBotMessage),

  route('GET /applications/default_channel_invitation_preference', mine.viewDefaultPreference),
  route('PUT /applications/default_channel_invitation_preference', mine.updateDefaultPreference),
  route('GET /applications/settings/webhook', viewWebhook),
  route('PUT /applications/settings/webhook', updateWebhook),
  route('GET /applications/settings/auto_event_message', viewEventMessages),
  route('PUT /applications/settings/auto_event_message', updateEventMessages),
  route('GET /applications/settings_global', moderation.viewGlobalSettings),
  route('PUT /applications/settings_global', moderation.updateGlobalSettings),
  route('PUT /applications/settings_global/{custom_type}', moderation.upsertTypeSettings),
  route('POST /applications/settings_by_channel_custom_type', moderation.createTypeSettings),
  route('GET /applications/settings_by_channel_custom_type', moderation.listTypeSettings),
  route('GET /applications/settings_by_channel_custom_type/{custom_type}', moderation.viewTypeSettings),
  route('PUT /applications/settings_by_channel_custom_type/{custom_type}', moderation.updateTypeSettings),
  route('DELETE /applications/settings_by_channel_custom_type/{custom_type}', moderation.deleteTypeSettings),
  ...customTypeRoutes(),
  route('PUT /applications/settings/reactions', switchReactions),
  route('PUT /applications/settings/use_default_emoji', switchDefaultEmojis),
  route('POST /applications/push/fcm', addFcmKey),
  route('GET /applications/push/fcm', listFcmKeys),
  route('GET /emojis', emojis.listEmojis),
  route('POST /emojis', emojis.addEmojis),
  route('GET /emojis/{emoji_key}', emojis.viewEmoji),
  route('PUT /emojis/{emoji_key}', emojis.updateEmoji),
  route('DELETE /emojis/{emoji_key}', emojis.deleteEmoji),
  route('GET /applications/push/settings', notifications.viewPush),
  route('PUT /applications/push/settings', notifications.updatePush),
  route('GET /applications/push/message_templates', notifications.listTemplates),
  route('GET /applications/push/message_templates/{template_name}', notifications.viewTemplate),
  route('PUT /applications/push/message_templates/{template_name}', notifications.updateTemplate),
  route('GET /applications/settings/ip_whitelist', viewAllowlist),
  route('PUT /applications/settings/ip_whitelist', addToAllowlist),
  route('DELETE /applications/settings/ip_whitelist', removeFromAllowlist),
  route('GET /applications/dau', countActive('dau')),
  route('GET /applications/mau', countActive('mau')),

  route('POST /open_channels', open.createOpenChannel),
  route('GET /open_channels', open.listOpenChannels),
  route('GET /open_channels/{channel_url}', open.viewOpenChannel),
  route('PUT /open_channels/{channel_url}', open.updateOpenChannel),
  route('PUT /open_channels/{channel_url}/freeze', open.freezeOpenChannel),
  route('DELETE /open_channels/{channel_url}', open.deleteOpenChannel),
  route('GET /open_channels/{channel_url}/participants', open.listParticipants),
  ...operatorRoutes('/open_channels/{channel_url}', channelOperators('open')),
  ...metadataRoutes('/open_channels/{channel_url}/metadata', openChannelMetadata),
  ...restrictionRoutes('open'),

  route('POST /group_channels', group.createGroupChannel),
  route('GET /group_channels', listGroupChannels),
  route('GET /group_channels/{channel_url}', group.viewGroupChannel),
  route('PUT /group_channels/{channel_url}', group.updateGroupChannel),
  route('PUT /group_channels/{channel_url}/freeze', group.freezeGroupChannel),
  route('DELETE /group_channels/{channel_url}', group.deleteGroupChannel),
  route('POST /group_channels/{channel_url}/invite', membership.inviteMembers),
  route('PUT /group_channels/{channel_url}/join', membership.joinChannel),
  route('PUT /group_channels/{channel_url}/leave', membership.leaveChannel),
  route('PUT /group_channels/{channel_url}/accept', membership.acceptInvitation),
  route('PUT /group_channels/{channel_url}/decline', membership.declineInvitation),
  route('PUT /group_channels/{channel_url}/hide', members.hideChannel),
  route('DELETE /group_channels/{channel_url}/hide', members.unhideChannel),
  route('GET /group_channels/{channel_url}/members', members.listMembers),
  route('GET /group_channels/{channel_url}/members/{user_id}', members.isMember),
  route('PUT /group_channels/{channel_url}/reset_user_history', members.resetHistory),
  ...operatorRoutes('/group_channels/{channel_url}', channelOperators('group')),
  ...metadataRoutes('/group_channels/{channel_url}/metadata', groupChannelMetadata),
  ...restrictionRoutes('group'),
  route('POST /group_channels/{channel_url}/typing', indicateTyping),
  route('DELETE /group_channels/{channel_url}/typing', indicateTyping),

  route('POST /migration/{channel_url}', migrateMessages),
  ...messageRoutes('open'),
  ...messageRoutes('group'),
  route('POST /group_channels/{channel_url}/messages/{message_id}/reactions', reactions.addReaction),
  route('GET /group_channels/{channel_url}/messages/{message_id}/reactions', reactions.listReactions),
  route('DELETE /group_channels/{channel_url}/messages/{message_id}/reactions', reactions.removeReaction),
  route('POST /group_channels/{channel_url}/messages/{message_id}/pin', reactions.pinMessage),
  route('DELETE /group_channels/{channel_url}/messages/{message_id}/pin', reactions.unpinMessage),
  route('GET /group_channels/{channel_url}/messages/unread_count', countUnread),
  route('PUT /group_channels/{channel_url}/messages/mark_as_read', members.markAsRead),
];

function route(line: `${Method} /${string}`, operation: Operation): Route {
  const [method, template] = line.split(' ') as [Method, string];
  return { method, template, operation };
}

function customTypeRoutes(): readonly Route[] {
  const template = '/applications/settings_by_channel_custom_type/{custom_type}';
  return [
    ...operatorRoutes(template, types.typeOperators),
    route(`GET ${template}/ban`, types.listTypeBans),
    route(`POST ${template}/ban`, types.banInType),
    route(`DELETE ${template}/ban`, types.unbanInType),
    route(`GET ${template}/mute`, types.listTypeMutes),
    route(`POST ${template}/mute`, types.muteInType),
    route(`DELETE ${template}/mute`, types.unmuteInType),
  ];
}

function operatorRoutes(template: `/${string}`, operations: OperatorOperations): readonly Route[] {
  return [
    route(`POST ${template}/operators`, operations.register),
    route(`DELETE ${template}/operators`, operations.cancel),
    route(`GET ${template}/operators`, operations.list),
  ];
}

function messageRoutes(kind: 'open' | 'group'): readonly Route[] {
  const template = `/${kind}_channels/{channel_url}/messages` as const;
  return [
    route(`POST ${template}`, sendMessage(kind)),
    route(`GET ${template}`, listMessages(kind)),
    route(`GET ${template}/total_count`, countMessages(kind)),
    route(`GET ${template}/{message_id}`, viewMessage(kind)),
    route(`PUT ${template}/{message_id}`, updateMessage(kind)),
    route(`DELETE ${template}/{message_id}`, deleteMessage(kind)),
    route(`POST ${template}/{message_id}/sorted_metaarray`, addMetaArrays(kind)),
    route(`PUT ${template}/{message_id}/sorted_metaarray`, updateMetaArrays(kind)),
    route(`DELETE ${template}/{message_id}/sorted_metaarray`, removeMetaArrays(kind)),
  ];
}

function restrictionRoutes(kind: 'open' | 'group'): readonly Route[] {
  const channel = `/${kind}_channels/{channel_url}` as const;
  const bans = banOperations(kind);
  const mutes = muteOperations(kind);
  return [
    route(`POST ${channel}/ban`, bans.impose),
    route(`GET ${channel}/ban`, bans.list),
    route(`GET ${channel}/ban/{user_id}`, bans.view),
    route(`PUT ${channel}/ban/{user_id}`, bans.update),
    route(`DELETE ${channel}/ban/{user_id}`, bans.lift),
    route(`POST ${channel}/mute`, mutes.impose),
    route(`GET ${channel}/mute`, mutes.list),
    route(`GET ${channel}/mute/{user_id}`, mutes.view),
    route(`DELETE ${channel}/mute/{user_id}`, mutes.lift),
  ];
}

function metadataRoutes(template: `/${string}`, operations: MetadataOperations): readonly Route[] {
  return [
    route(`POST ${template}`, operations.add),
    route(`GET ${template}`, operations.viewAll),
    route(`PUT ${template}`, operations.updateMany),
    route(`DELETE ${template}`, operations.deleteAll),
    route(`GET ${template}/{key}`, operations.viewOne),
    route(`PUT ${template}/{key}`, operations.updateOne),
    route(`DELETE ${template}/{key}`, operations.deleteOne),
  ];
}
