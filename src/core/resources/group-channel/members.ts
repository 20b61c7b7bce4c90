// The calls that start, change and end memberships: invite, leave, accept, hide (platform §5.3, §5.4; semantics §2).

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { inBatches } from '../../kinds/definition/batches.ts';
import type { BlockProblem, KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import type { PartRead } from '../../kinds/definition/live-reads.ts';
import { flagOf, mapOf, textOf } from '../../kinds/definition/values.ts';
import { isBot, userAddresses } from '../../kinds/parts/people.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { ApiRequest, RequestPlaceholder } from '../../model/request.ts';

const route = '/group_channels/{channel_url}';
/** The maximum number of users in one create or invitation (base, Other limits). */
export const usersInOneCall = 100;

/**
 * A list shows all members of a channel but only ten of a supergroup, and possibly no deactivated ones (platform §5.2, §5.6).
 * The answer is complete if it contains `member_count` members.
 */
export const membersPart = membersRead({});

/** `query` selects members. The filter `all` is not in the vendor's file (platform §8.1), and the two others together replace it. */
export function membersRead(query: Readonly<Record<string, string>>): PartRead {
  const request = (key: string, mode: 'all' | 'activated' | 'deactivated'): ApiRequest => ({
    method: 'GET',
    route: `${route}/members`,
    params: { channel_url: key },
    query: { limit: '100', member_active_mode_filter: mode, ...query },
  });
  return {
    attribute: 'members',
    field: 'members',
    isWhole: ({ members, member_count }) => isList(members) && members.length === member_count,
    request: (key) => request(key, 'all'),
    instead: {
      on: [platformCode.invalidValue],
      requests: (key) => [request(key, 'activated'), request(key, 'deactivated')],
    },
  };
}

/** Returns a member in normal form, without statuses that are the platform's default. */
export function memberOf(value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) return {};
  const invitation = textOf(value, 'invitation_status');
  const hidden = textOf(value, 'hidden_status');
  const member: Record<string, JsonValue> = {};
  if (invitation !== undefined && invitation !== 'joined') member.invitation_status = invitation;
  if (hidden !== undefined && hidden !== 'unhidden') member.hidden_status = hidden;
  return member;
}

/** Returns the body fields of a create or an invitation for users and their statuses. */
export function invitees(ids: readonly string[], members: JsonObject): JsonObject {
  const invitation: Record<string, JsonValue> = {};
  const hidden: Record<string, JsonValue> = {};
  for (const id of ids) {
    const { invitation_status, hidden_status } = memberOf(members[id]);
    if (invitation_status !== undefined) invitation[id] = invitation_status;
    if (hidden_status !== undefined) hidden[id] = hidden_status;
  }
  return {
    user_ids: ids,
    ...(Object.keys(invitation).length > 0 ? { invitation_status: invitation } : {}),
    ...(Object.keys(hidden).length > 0 ? { hidden_status: hidden } : {}),
  };
}

/**
 * Returns the member lines for the create or invitation, as declared with one exception. A message ends
 * hidden_allow_auto_unhide, and on some platforms every hidden status of its sender. If the channel gets such messages, a
 * later call sets the status (semantics §3; platform §5.4).
 */
export function firstLinesOf(change: KindChange, ids: readonly string[]): JsonObject {
  const members = mapOf(change.after, 'members');
  const isEnded = (id: string): boolean => {
    const { hidden_status } = memberOf(members[id]);
    if (hidden_status === undefined) return false;
    if (hidden_status === untilNextMessage) return change.hasChildrenToSend?.() === true;
    return userAddresses([id]).some((sender) => change.hasChildrenToSend?.(sender) === true);
  };
  const waiting = ids.filter(isEnded);
  if (waiting.length === 0) return members;
  const begun = waiting.map((id): [string, JsonObject] => {
    const { hidden_status: _later, ...rest } = memberOf(members[id]);
    return [id, rest];
  });
  return { ...members, ...Object.fromEntries(begun) };
}

const untilNextMessage = 'hidden_allow_auto_unhide';

/** Returns the later calls for declared statuses that the create or invitation left out. */
export function laterHideSteps({ key, after }: KindChange, ids: readonly string[], begun: JsonObject): StepDraft[] {
  const members = mapOf(after, 'members');
  return ids.flatMap((id) => {
    const { hidden_status: hidden } = memberOf(members[id]);
    return hidden === memberOf(begun[id]).hidden_status ? [] : [hideStep(key, id, hidden)];
  });
}

/** Invites in batches of a hundred. `members` are the lines with which the memberships begin. */
export function inviteSteps(
  key: string,
  ids: readonly string[],
  after: JsonObject,
  members = mapOf(after, 'members'),
): StepDraft[] {
  const inviter = textOf(after, 'inviter_id');
  return inBatches(ids, usersInOneCall).map((batch): StepDraft => {
    const acting = userAddresses([...batch, ...(inviter === undefined ? [] : [inviter])]);
    return {
      action: 'invite',
      phase: 'invite',
      request: {
        method: 'POST',
        route: `${route}/invite`,
        params: { channel_url: key },
        body: { ...invitees(batch, members), ...(inviter === undefined ? {} : { inviter_id: inviter }) },
      },
      edits: batch.map((id) => ({ op: 'set', path: ['members', id], value: memberOf(members[id]) })),
      ...(flagOf(after, 'strict') === false ? { leavesOut: true } : {}),
      exists: acting,
      active: acting,
      configuredBy: memberSettings(after, batch),
    };
  });
}

/** Whether these users are members at once, and see earlier messages, depends on the settings at the time of the call (platform §5.7, §16). */
export function memberSettings(attributes: JsonObject, ids: readonly string[]): readonly Address[] {
  const type = textOf(attributes, 'custom_type') ?? '';
  const ofType = type === '' ? [] : [addressOf('custom_type', type)];
  return [addressOf('settings', 'application'), ...ofType, ...userAddresses(ids)];
}

/** Returns the calls for added, removed and edited members of an existing channel. */
export function membershipSteps(change: KindChange): StepDraft[] {
  const joining: string[] = [];
  const leaving: string[] = [];
  const edited: StepDraft[] = [];
  for (const { path, before, after } of change.attributes) {
    const id = path[1];
    if (path[0] !== 'members' || id === undefined) continue;
    if (after === undefined) leaving.push(id);
    else if (before === undefined) joining.push(id);
    else edited.push(...editMember(change, id, memberOf(before), memberOf(after)));
  }
  const bots = leaving.filter((id) => isBot(id, change));
  const people = leaving.filter((id) => !bots.includes(id));
  const leaves = inBatches(people, usersInOneCall).map(
    (batch): StepDraft => ({
      action: 'leave',
      phase: 'leave',
      request: {
        method: 'PUT',
        route: `${route}/leave`,
        params: { channel_url: change.key },
        body: { user_ids: batch },
      },
      edits: batch.map((id) => ({ op: 'unset', path: ['members', id] })),
      // The platform refuses to remove a deactivated user (platform §5.3).
      active: userAddresses(batch),
      names: userAddresses(batch),
    }),
  );
  const begun = firstLinesOf(change, joining);
  return [
    ...leaves,
    ...bots.map((id) => botLeave(change.key, id)),
    ...inviteSteps(change.key, joining, change.after, begun),
    ...edited,
    ...statusesOfUnknown(change, joining, begun),
    ...laterHideSteps(change, joining, begun),
  ];
}

/** Sets the statuses of memberships that may be there already, which no invitation changes (semantics §1.7). */
function statusesOfUnknown(change: KindChange, joining: readonly string[], begun: JsonObject): StepDraft[] {
  const mayBeMember = (id: string): boolean =>
    change.unknown?.some(([name, key]) => name === 'members' && key === id) === true;
  return joining
    .filter((id) => mayBeMember(id) && !isBot(id, change))
    .flatMap((id) => editMember(change, id, anyStatus, memberOf(begun[id])));
}

/** Differs from each declared status. */
const anyStatus: JsonObject = { invitation_status: 'unknown', hidden_status: 'unknown' };

/** A separate call for bots, because the documents do not say whether the call for users removes them (platform §9.2). */
function botLeave(key: string, id: string): StepDraft {
  return {
    action: 'leave',
    phase: 'leave',
    request: {
      method: 'DELETE',
      route: '/bots/{bot_userid}/channels/{channel_url}',
      params: { bot_userid: id, channel_url: key },
    },
    edits: [{ op: 'unset', path: ['members', id] }],
    doneOn: [platformCode.notFound],
    names: userAddresses([id]),
  };
}

function editMember(change: KindChange, id: string, before: JsonObject, after: JsonObject): StepDraft[] {
  const steps: StepDraft[] = [];
  const params = { channel_url: change.key };
  const code = accessCodePlaceholder(change.after);
  if (before.invitation_status !== undefined && after.invitation_status === undefined) {
    steps.push({
      action: 'update',
      active: userAddresses([id]),
      phase: 'invite',
      request: {
        method: 'PUT',
        route: `${route}/accept`,
        params,
        body: { user_id: id },
        // Accepting needs the access code, if the channel has one (platform §5.3).
        ...(code === undefined ? {} : { placeholders: [code] }),
      },
      // A user who left the channel no longer has an invitation.
      doneOn: [platformCode.notFound],
      member: id,
      edits: [{ op: 'unset', path: ['members', id, 'invitation_status'] }],
    });
  }
  if (before.hidden_status === after.hidden_status) return steps;
  steps.push(hideStep(change.key, id, after.hidden_status));
  return steps;
}

/** If `hidden` is undefined, the channel appears in the user's list again. */
function hideStep(key: string, id: string, hidden: JsonValue | undefined): StepDraft {
  const params = { channel_url: key };
  return {
    action: 'update',
    active: userAddresses([id]),
    phase: 'hide',
    request:
      hidden === undefined
        ? { method: 'DELETE', route: `${route}/hide`, params, query: { user_id: id } }
        : {
            method: 'PUT',
            route: `${route}/hide`,
            params,
            body: { user_id: id, allow_auto_unhide: hidden === untilNextMessage },
          },
    // Users who left the channel no longer have a hidden status.
    doneOn: [platformCode.notFound],
    member: id,
    edits: [
      hidden === undefined
        ? { op: 'unset', path: ['members', id, 'hidden_status'] }
        : { op: 'set', path: ['members', id, 'hidden_status'], value: hidden },
    ],
  };
}

/** Returns the placeholder for the code that users enter to join a public channel. */
export function accessCodePlaceholder(after: JsonObject): RequestPlaceholder | undefined {
  const variable = textOf(mapOf(after, 'access_code'), 'env');
  return variable === undefined ? undefined : { type: 'secret', field: 'access_code', variable };
}

/** Returns problems with edits of memberships that the platform cannot make (semantics §2.2, §2.6). */
export function membershipProblems(change: KindChange): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const { before: old, after: declared, attributes } = change;
  // A call that ends the distinct channel comes before the invitations, and one that begins it would come too early.
  const isEnded = flagOf(declared, 'is_distinct') === false;
  const begins = attributes.some(({ path, after }) => path[0] === 'is_distinct' && after === true);
  const isDistinct = begins || (flagOf(old, 'is_distinct') === true && !isEnded);
  for (const { path, before, after } of change.attributes) {
    const id = path[1];
    if (path[0] !== 'members' || id === undefined) continue;
    if (before === undefined || after === undefined) {
      if (isDistinct) problems.push(distinctMembers(id));
      continue;
    }
    const invitation = memberOf(after).invitation_status;
    const standing =
      (memberOf(before).invitation_status ?? 'joined') === 'joined' ? 'is already a member' : 'is already invited';
    if (invitation !== undefined && invitation !== memberOf(before).invitation_status) {
      problems.push({
        severity: 'error',
        code: 'group_channel.cannot-uninvite',
        summary: 'A membership cannot go back to an invitation',
        detail: `${id} ${standing}, so invitation_status: ${String(invitation)} can no longer be set. Remove the status, or remove the member, apply, and add the line again.`,
        path: ['members', id],
      });
    }
  }
  return problems.slice(0, 10);
}

function distinctMembers(id: string): BlockProblem {
  return {
    severity: 'error',
    code: 'group_channel.distinct-members',
    summary: 'Members of a distinct channel are fixed',
    detail: `A distinct channel is identified by its members, so ${id} can be neither added nor removed while is_distinct is true. Declare is_distinct: false, which keeps the channel and its history, or keep its members.`,
    path: ['members', id],
  };
}
