// The routes of the platform, each with the operation that answers it (base, Endpoints; platform §4 to §6).

import type { Operation } from '../call.ts';
import { listGroupChannels, listMyGroupChannels } from '../operations/group-channel-lists.ts';
import * as group from '../operations/group-channels.ts';
import * as members from '../operations/members.ts';
import * as membership from '../operations/membership.ts';
import { countMessages, countUnread, listMessages } from '../operations/message-lists.ts';
import { deleteMessage, sendMessage, updateMessage, viewMessage } from '../operations/messages.ts';
import {
  groupChannelMetadata,
  type MetadataOperations,
  openChannelMetadata,
  userMetadata,
} from '../operations/metadata.ts';
import { migrateMessages } from '../operations/migration.ts';
import * as mine from '../operations/my-channels.ts';
import * as open from '../operations/open-channels.ts';
import { cancelOperators, listOperators, registerOperators } from '../operations/operators.ts';
import * as tokens from '../operations/tokens.ts';
import * as users from '../operations/users.ts';
import type { Method } from './request.ts';

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
  route('GET /applications/default_channel_invitation_preference', mine.viewDefaultPreference),
  route('PUT /applications/default_channel_invitation_preference', mine.updateDefaultPreference),

  route('POST /open_channels', open.createOpenChannel),
  route('GET /open_channels', open.listOpenChannels),
  route('GET /open_channels/{channel_url}', open.viewOpenChannel),
  route('PUT /open_channels/{channel_url}', open.updateOpenChannel),
  route('PUT /open_channels/{channel_url}/freeze', open.freezeOpenChannel),
  route('DELETE /open_channels/{channel_url}', open.deleteOpenChannel),
  route('GET /open_channels/{channel_url}/participants', open.listParticipants),
  route('POST /open_channels/{channel_url}/operators', registerOperators('open')),
  route('DELETE /open_channels/{channel_url}/operators', cancelOperators('open')),
  route('GET /open_channels/{channel_url}/operators', listOperators('open')),
  ...metadataRoutes('/open_channels/{channel_url}/metadata', openChannelMetadata),

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
  route('POST /group_channels/{channel_url}/operators', registerOperators('group')),
  route('DELETE /group_channels/{channel_url}/operators', cancelOperators('group')),
  route('GET /group_channels/{channel_url}/operators', listOperators('group')),
  ...metadataRoutes('/group_channels/{channel_url}/metadata', groupChannelMetadata),

  route('POST /migration/{channel_url}', migrateMessages),
  ...messageRoutes('open'),
  ...messageRoutes('group'),
  route('GET /group_channels/{channel_url}/messages/unread_count', countUnread),
  route('PUT /group_channels/{channel_url}/messages/mark_as_read', members.markAsRead),
];

function route(line: `${Method} /${string}`, operation: Operation): Route {
  const [method, template] = line.split(' ') as [Method, string];
  return { method, template, operation };
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
