// How do memberships start and end? Invitations, leaving, accepting, hiding (platform §5.3, §5.4; semantics §2).
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Placeholder } from '../../model/request.ts';
import { notFound, userAddress } from '../channel.ts';
import type { KindChange, PartRead, Problem, StepDraft } from '../define.ts';
import { flagOf, inBatches, mapOf, textOf } from '../values.ts';

const route = '/group_channels/{channel_url}';
const taken = 400202;
/** Users in one create or one invitation (base, Other limits). */
export const usersInOneCall = 100;

/**
 * A list shows all members of a channel, but ten of a supergroup, and maybe none who is deactivated (platform §5.2, §5.6).
 * The count tells.
 */
export const membersPart: PartRead = {
  attribute: 'members',
  field: 'members',
  isWhole: ({ members, member_count }) => isList(members) && members.length === member_count,
  request: (key) => ({
    method: 'GET',
    route: `${route}/members`,
    params: { channel_url: key },
    query: { limit: '100', member_active_mode_filter: 'all' },
  }),
};

/** A member in normal form: statuses that are the platform's default are left out. */
export function memberOf(value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) return {};
  const invitation = textOf(value, 'invitation_status');
  const hidden = textOf(value, 'hidden_status');
  return {
    ...(invitation === undefined || invitation === 'joined' ? {} : { invitation_status: invitation }),
    ...(hidden === undefined || hidden === 'unhidden' ? {} : { hidden_status: hidden }),
  };
}

/** The parts of a create or an invitation that say who comes, and how. */
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
 * How memberships begin: as declared. But a message ends hidden_allow_auto_unhide, so where messages are to come, that
 * status waits for a call after them (semantics §3; platform §5.4).
 */
export function beginningOf(change: KindChange, ids: readonly string[]): JsonObject {
  const members = mapOf(change.after, 'members');
  const waiting = ids.filter((id) => memberOf(members[id]).hidden_status === untilNextMessage);
  if (waiting.length === 0 || change.hasChildrenToSend?.() !== true) return members;
  const begun = waiting.map((id): [string, JsonObject] => {
    const { hidden_status: _later, ...rest } = memberOf(members[id]);
    return [id, rest];
  });
  return { ...members, ...Object.fromEntries(begun) };
}

const untilNextMessage = 'hidden_allow_auto_unhide';

/** The calls for statuses that the memberships did not begin with. */
export function laterHideSteps({ key, after }: KindChange, ids: readonly string[], begun: JsonObject): StepDraft[] {
  const members = mapOf(after, 'members');
  return ids.flatMap((id) => {
    const { hidden_status: hidden } = memberOf(members[id]);
    return hidden === memberOf(begun[id]).hidden_status ? [] : [hideStep(key, id, hidden)];
  });
}

/** `members`: the lines with which they begin. */
export function inviteSteps(
  key: string,
  ids: readonly string[],
  after: JsonObject,
  members = mapOf(after, 'members'),
): StepDraft[] {
  const inviter = textOf(after, 'inviter_id');
  return inBatches(ids, usersInOneCall).map((batch): StepDraft => {
    const acting = [...batch, ...(inviter === undefined ? [] : [inviter])].map(userAddress);
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
      exists: acting,
      active: acting,
      // Somebody who is a member already, by himself or by an earlier call whose answer was lost: whether the platform
      // then refuses the whole list is not documented.
      split: { in: 'body', field: 'user_ids', ids: batch, on: [taken], doneOn: [taken] },
    };
  });
}

/** Members of an existing channel who come, go, or whose line was edited. */
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
  const leaves = inBatches(leaving, usersInOneCall).map(
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
      // Somebody who left by himself meanwhile: whether the platform then refuses the whole list is not documented.
      split: { in: 'body', field: 'user_ids', ids: batch, on: [notFound], doneOn: [notFound] },
      // Leaving is refused for a deactivated user (platform §5.3).
      active: batch.map(userAddress),
      names: batch.map(userAddress),
    }),
  );
  const begun = beginningOf(change, joining);
  return [
    ...leaves,
    ...inviteSteps(change.key, joining, change.after, begun),
    ...edited,
    ...laterHideSteps(change, joining, begun),
  ];
}

function editMember(change: KindChange, id: string, before: JsonObject, after: JsonObject): StepDraft[] {
  const steps: StepDraft[] = [];
  const params = { channel_url: change.key };
  const code = accessCodePlaceholder(change.after);
  if (before.invitation_status !== undefined && after.invitation_status === undefined) {
    steps.push({
      action: 'update',
      active: [userAddress(id)],
      phase: 'invite',
      request: {
        method: 'PUT',
        route: `${route}/accept`,
        params,
        body: { user_id: id },
        // Accepting takes the code of a channel that has one (platform §5.3).
        ...(code === undefined ? {} : { holes: [code] }),
      },
      edits: [{ op: 'unset', path: ['members', id, 'invitation_status'] }],
    });
  }
  if (before.hidden_status === after.hidden_status) return steps;
  steps.push(hideStep(change.key, id, after.hidden_status));
  return steps;
}

/** Undefined: shown in his list again. */
function hideStep(key: string, id: string, hidden: JsonValue | undefined): StepDraft {
  const params = { channel_url: key };
  return {
    action: 'update',
    active: [userAddress(id)],
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
    edits: [
      hidden === undefined
        ? { op: 'unset', path: ['members', id, 'hidden_status'] }
        : { op: 'set', path: ['members', id, 'hidden_status'], value: hidden },
    ],
  };
}

/** The code that users enter to join a public channel. */
export function accessCodePlaceholder(after: JsonObject): Placeholder | undefined {
  const variable = textOf(mapOf(after, 'access_code'), 'env');
  return variable === undefined ? undefined : { type: 'secret', field: 'access_code', variable };
}

/** Edits of memberships that the platform cannot make (semantics §2.2, §2.6). */
export function membershipProblems(change: KindChange): Problem[] {
  const problems: Problem[] = [];
  const wasDistinct = flagOf(change.before, 'is_distinct') === true;
  for (const { path, before, after } of change.attributes) {
    const id = path[1];
    if (path[0] !== 'members' || id === undefined) continue;
    if (before === undefined || after === undefined) {
      if (wasDistinct) problems.push(distinctMembers(id));
      continue;
    }
    const invitation = memberOf(after).invitation_status;
    if (invitation !== undefined && invitation !== memberOf(before).invitation_status) {
      problems.push({
        severity: 'error',
        code: 'group_channel.cannot-uninvite',
        summary: 'A membership cannot go back to an invitation',
        detail: `${id} is a member already, so that invitation_status: ${String(invitation)} cannot be set any more. Remove the status again; or remove the member, apply, and add the line anew.`,
        path: ['members', id, 'invitation_status'],
      });
    }
  }
  return problems.slice(0, 10);
}

function distinctMembers(id: string): Problem {
  return {
    severity: 'error',
    code: 'group_channel.distinct-members',
    summary: 'Members of a distinct channel are fixed',
    detail: `A distinct channel is identified by its members, so ${id} can neither come nor go. Declare the channel with is_distinct: false under a new channel_url, or leave its members as they are.`,
    path: ['members', id],
  };
}
