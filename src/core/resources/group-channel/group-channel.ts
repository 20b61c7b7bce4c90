// The kind `group_channel` (base, POST /group_channels; platform §5.2, §5.3).

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { lastMessageIn } from '../../history/sent/last-message.ts';
import { rememberCreated, sentFields } from '../../kinds/definition/attribute-table.ts';
import type {
  BlockProblem,
  KindChange,
  KindDefinition,
  Normalised,
  Reference,
  StepDraft,
} from '../../kinds/definition/kind.ts';
import {
  creationTime,
  flagOf,
  hasEntries,
  idsOf,
  mapOf,
  pick,
  shownIds,
  sortedSet,
  textOf,
  timeIn,
} from '../../kinds/definition/values.ts';
import {
  type CarriedSecret,
  carriedByCreate,
  channelExpectations,
  channelKeySchema,
  channelParts,
  channelReferences,
  channelView,
  coverRule,
  freezing,
  observeChannel,
} from '../../kinds/parts/channel.ts';
import { operatorSteps, operatorsPart, withOperators } from '../../kinds/parts/operators.ts';
import { userAddresses, userReference } from '../../kinds/parts/people.ts';
import { restrictionProblems, withRestrictions } from '../../kinds/parts/restrictions.ts';
import type { ObservedFacts } from '../../model/live.ts';
import { platformCode } from '../../model/platform-codes.ts';
import { declaredMessages } from '../messages/declaration.ts';
import {
  groupChannelAttributes,
  groupChannelRules,
  groupChannelSpellings,
  maxMembers,
  maxSupergroupMembers,
} from './attributes.ts';
import {
  accessCodePlaceholder,
  firstLinesOf,
  invitees,
  inviteSteps,
  laterHideSteps,
  memberOf,
  memberSettings,
  membershipProblems,
  membershipSteps,
  membersPart,
  usersInOneCall,
} from './members.ts';
import { invitationsRead, onlyInvited, receiptsIn, statusRead } from './statuses.ts';

const route = '/group_channels/{channel_url}';
const parts = channelParts(route);

export const groupChannel: KindDefinition = {
  name: 'group_channel',
  section: 'group_channels',
  title: 'group channel',
  description: 'Channels with members, by channel_url.',
  keyName: 'channel_url',
  keySchema: channelKeySchema,
  attributes: groupChannelAttributes,
  spellings: groupChannelSpellings,
  required: [],
  rules: [coverRule, ...groupChannelRules],
  removals: ['freeze', 'delete', 'forget'],
  children: { messages: declaredMessages },
  onRename:
    'messages, unread counts, hidden statuses and who has joined stay with the old channel; keep the key and edit name to change what people see',
  disabledState: freezing(route),
  deletePhase: 'delete_channel',
  memberships: 'members',
  // The platform identifies a distinct channel by its members and custom_type.
  identity: {
    attribute: 'is_distinct',
    of: ({ is_distinct, members, custom_type }) =>
      is_distinct === true && isObject(members) ? [Object.keys(members).sort(), custom_type ?? ''] : undefined,
  },
  normalise,
  references,
  checks: (change) =>
    change.type === 'create' ? creationProblems(change) : [...membershipProblems(change), ...ignoredCode(change)],
  steps: (change) => (change.type === 'create' ? createSteps(change) : updateSteps(change)),
  notes: (change) =>
    change.type !== 'update'
      ? []
      : [
          ...(needsCode(change) && !isChanged(change, 'access_code')
            ? ['its access code is sent again, so that nobody enters without it']
            : []),
          ...(isChanged(change, 'strict') ? ['strict affects only a creation, so it changes nothing here'] : []),
        ],
  view: (key) => channelView(route, key, { show_member: 'true', member_active_mode: 'all' }),
  remove: (key) => ({ method: 'DELETE', route, params: { channel_url: key } }),
  observe,
  live: {
    list: {
      route: '/group_channels',
      filter: 'channel_urls',
      // By default the list omits channels without messages, and members (platform §5.3). It has no hidden_mode.
      query: {
        show_empty: 'true',
        show_frozen: 'true',
        show_metadata: 'true',
        show_member: 'true',
        member_active_mode: 'all',
        distinct_mode: 'all',
        public_mode: 'all',
        super_mode: 'all',
      },
      field: 'channels',
      more: { show_read_receipt: 'true' },
    },
    parts: [membersPart, operatorsPart(route), ...parts.reads],
    facts,
    lastActivity: lastMessageAt,
    capacity: (attributes) => ({
      members: flagOf(attributes, 'is_super') === true ? maxSupergroupMembers : maxMembers,
      ...parts.capacity,
    }),
    details: invitationsRead,
    entryPart: statusRead,
  },
};

function normalise(_key: string, declared: JsonObject): Normalised {
  const attributes: Record<string, JsonValue> = { ...withRestrictions(withOperators(declared)) };
  if (declared.members !== undefined) {
    const lines = mapOf(declared, 'members');
    attributes.members = Object.fromEntries(sortedSet(Object.keys(lines)).map((id) => [id, memberOf(lines[id])]));
  }
  return {
    attributes,
    problems: [...operatorsOutside(attributes), ...publicMembers(attributes), ...restrictionProblems(attributes)],
  };
}

function operatorsOutside(attributes: JsonObject): BlockProblem[] {
  if (attributes.members === undefined) return [];
  const members = mapOf(attributes, 'members');
  const outside = idsOf(attributes, 'operators').filter((id) => !Object.hasOwn(members, id));
  const [first, ...others] = outside;
  if (first === undefined) return [];
  const outsiders = others.length === 0 ? `${first} is` : `${first} and ${others.length} more are`;
  return [
    {
      severity: 'warning',
      code: 'group_channel.operator-outside',
      summary: 'An operator is not a member',
      detail: `${outsiders} declared as ${others.length === 0 ? 'an operator' : 'operators'} but not under members, so the channel is missing from their channel list. If they should be members, add a line for each under members, such as "${first}:".`,
      path: ['operators', first],
    },
  ];
}

/** The base document and the vendor's tests disagree about public supergroups (platform §7). */
function publicMembers(attributes: JsonObject): BlockProblem[] {
  const members = Object.keys(mapOf(attributes, 'members')).length;
  if (members <= maxMembers || flagOf(attributes, 'is_public') !== true || flagOf(attributes, 'is_super') !== true) {
    return [];
  }
  return [
    {
      severity: 'warning',
      code: 'group_channel.public-over-100',
      summary: 'A public channel has more than 100 members',
      detail: `It declares ${members} members. The base document says that a public channel has at most ${maxMembers}, while the vendor's own tests create public supergroups. If the platform refuses them, declare is_public: false.`,
      path: ['members'],
    },
  ];
}

function references(block: JsonObject): Reference[] {
  const inviter = textOf(block, 'inviter_id');
  return [
    ...Object.keys(mapOf(block, 'members')).map((key) => userReference(key, 'member', ['members', key])),
    ...channelReferences(block),
    ...(inviter === undefined ? [] : [userReference(inviter, 'inviter', ['inviter_id'])]),
  ];
}

function creationProblems({ after }: KindChange): BlockProblem[] {
  if (hasEntries(mapOf(after, 'members'))) return [];
  return [
    {
      severity: 'error',
      code: 'group_channel.no-members',
      summary: 'A new group channel needs a member',
      detail:
        'The platform creates a group channel with at least one user (users or user_ids). Declare one under members.',
      path: ['members'],
    },
  ];
}

/**
 * One create with the first hundred members, operators first, so that they can be operators from the start. The other
 * members of a supergroup are invited in batches of a hundred (semantics §2.5).
 */
function createSteps(change: KindChange): StepDraft[] {
  const { key, after } = change;
  const ids = Object.keys(mapOf(after, 'members'));
  const members = firstLinesOf(change, ids);
  const operators = idsOf(after, 'operators');
  const inviter = textOf(after, 'inviter_id');
  const ordered = [...ids.filter((id) => operators.includes(id)), ...ids.filter((id) => !operators.includes(id))];
  const first = ordered.slice(0, usersInOneCall);
  const code = accessCodePlaceholder(after);
  const body: JsonObject = {
    channel_url: key,
    ...invitees(first, members),
    ...pick(after, sentFields(groupChannelAttributes, 'create')),
    strict: flagOf(after, 'strict') ?? true,
    ...(operators.length > 0 ? { operator_ids: operators } : {}),
  };
  // A supergroup's answer shows only ten members (platform §5.2), so they cannot be compared. Others may be without unknown ones.
  const isOpen = flagOf(after, 'is_super') === true || flagOf(after, 'strict') === false;
  const shown = isOpen ? [] : [{ path: ['members'], includes: first, by: 'user_id' }];
  const expect = channelExpectations(key, groupChannelAttributes, after, shown);
  const acting = userAddresses([...first, ...(inviter === undefined ? [] : [inviter])]);
  const create: StepDraft = {
    action: 'create',
    phase: 'channel',
    request: {
      method: 'POST',
      route: '/group_channels',
      body,
      ...(code === undefined ? {} : { placeholders: [code] }),
    },
    creates: rememberCreated(groupChannelAttributes, {
      ...carriedByCreate(after),
      members: Object.fromEntries(first.map((id) => [id, memberOf(members[id])])),
    }),
    edits: [],
    exists: [...acting, ...userAddresses(operators)],
    active: acting,
    configuredBy: memberSettings(after, first),
    begin: true,
    resolve: { request: groupChannel.view(key), absentOn: [platformCode.notFound], expect },
    // An existing distinct channel is returned with its own channel_url (semantics §2.6).
    ...(flagOf(after, 'is_distinct') === true ? { expect: [{ path: ['channel_url'], is: key }] } : {}),
  };
  return [
    create,
    ...parts.afterCreation(change),
    ...inviteSteps(key, ordered.slice(usersInOneCall), after, members),
    ...laterHideSteps(change, ids, members),
  ];
}

function updateSteps(change: KindChange): StepDraft[] {
  const code = needsCode(change) ? accessCode(change.after) : undefined;
  const carriesCode = makesPublic(change) || isChanged(change, 'access_code');
  return [
    ...operatorSteps(route, change),
    ...membershipSteps(change),
    ...inviteOperators(change),
    ...parts.ofUpdate(groupChannelAttributes, change, carriesCode ? code : undefined),
    ...(code === undefined || carriesCode ? [] : [codeBeforeUnfreezing(change.key, code)]),
  ];
}

/** Whether the plan opens the channel to people, or sends another code. */
function needsCode(change: KindChange): boolean {
  const { after, ignored = [], opens = false } = change;
  if (accessCode(after) === undefined || ignored.includes('access_code')) return false;
  return opens || makesPublic(change) || isChanged(change, 'access_code');
}

function makesPublic(change: KindChange): boolean {
  return isChanged(change, 'is_public') && flagOf(change.after, 'is_public') === true;
}

function isChanged({ attributes }: KindChange, name: string): boolean {
  return attributes.some(({ path, how }) => path[0] === name && how === 'set');
}

/** The call that unfreezes a channel has no field for the code, so a call before it sends the code. */
function codeBeforeUnfreezing(key: string, { placeholder, edit }: CarriedSecret): StepDraft {
  const request = {
    method: 'PUT',
    route,
    params: { channel_url: key },
    body: {},
    placeholders: [placeholder],
  } as const;
  return { action: 'update', phase: 'revoke', request, edits: [edit] };
}

/** An ignored code is not sent, and without it strangers could enter. */
function ignoredCode(change: KindChange): BlockProblem[] {
  if (!makesPublic(change) || change.after.access_code === undefined) return [];
  if (change.ignored?.includes('access_code') !== true) return [];
  return [
    {
      severity: 'error',
      code: 'group_channel.code-ignored',
      summary: 'A channel would become public without its access code',
      detail:
        'lifecycle.ignore_changes lists access_code, so the call that makes the channel public would not send it. Remove access_code from ignore_changes, or list is_public there as well.',
      path: ['is_public'],
    },
  ];
}

/**
 * In a private channel only a member can become an operator (platform §5.3). A user who is declared only as an operator is
 * invited first. That membership is not declared and stays unmanaged.
 */
function inviteOperators(change: KindChange): StepDraft[] {
  if (flagOf(change.after, 'is_public') === true || flagOf(change.after, 'is_distinct') === true) return [];
  const members = mapOf(change.after, 'members');
  const before = idsOf(change.before, 'operators');
  const outside = idsOf(change.after, 'operators').filter((id) => !before.includes(id) && !Object.hasOwn(members, id));
  return inviteSteps(change.key, outside, change.after).map((step) => ({ ...step, edits: [] }));
}

function accessCode(after: JsonObject): CarriedSecret | undefined {
  const placeholder = accessCodePlaceholder(after);
  if (placeholder === undefined) return undefined;
  const value = pick(mapOf(after, 'access_code'), ['revision']);
  return { placeholder, edit: { op: 'set', path: ['access_code'], value } };
}

/** Returns only the members that the answer lists, which are ten for a supergroup. */
function observe(answer: JsonObject): JsonObject {
  const members = shownIds(answer, 'members')?.map((id): [string, JsonObject] => [id, {}]);
  const isCodeSet = flagOf(answer, 'is_access_code_required');
  return {
    ...observeChannel(groupChannelAttributes, answer),
    ...(members === undefined ? {} : { members: Object.fromEntries(members) }),
    ...(isCodeSet === undefined ? {} : { access_code: isCodeSet }),
  };
}

function facts(answer: JsonObject): ObservedFacts {
  const { member_count: members } = answer;
  const at = lastMessageAt(answer);
  const invited = onlyInvited(answer);
  const last = lastMessageIn(answer);
  const receipts = receiptsIn(answer);
  return {
    ...creationTime(answer),
    ...(invited.length === 0 ? {} : { invited }),
    ...(typeof members === 'number' ? { members } : {}),
    ...(at === undefined ? {} : { last_message_at: new Date(at).toISOString() }),
    ...(last === undefined ? {} : { last_message: last }),
    ...(receipts === undefined ? {} : { receipts }),
  };
}

/** `last_message` is null in a channel without messages. Its time is in milliseconds (platform §6.2). */
function lastMessageAt({ last_message: last }: JsonObject): number | undefined {
  return isObject(last) ? timeIn(last, 'created_at') : undefined;
}
