// The kind `user` (base, POST /users; platform §4).

import { isList, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import {
  namesOf,
  rememberCreated,
  sentAfterCreate,
  sentFields,
  shownFields,
} from '../../kinds/definition/attribute-table.ts';
import type { BlockProblem, KindChange, KindDefinition, Normalised, StepDraft } from '../../kinds/definition/kind.ts';
import { userIdSchema } from '../../kinds/definition/schemas.ts';
import {
  creationTime,
  filePlaceholder,
  flagOf,
  hasEntries,
  idsOf,
  mapOf,
  pick,
  sortedSet,
  timeIn,
  uploadAt,
} from '../../kinds/definition/values.ts';
import {
  inOrder,
  type MetadataPlace,
  maxMetadataItems,
  metadataCreation,
  metadataPart,
  observeMetadata,
} from '../../kinds/parts/metadata.ts';
import { type OwnCalls, observeOwn, ownCallSteps, ownReads } from '../../kinds/parts/own-calls.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { Expectation } from '../../model/request.ts';
import { revisionOf, userAttributes, userSpellings } from './attributes.ts';
import { erasureOf, erasuresInDoubt, onErase } from './erasure.ts';
import { followingStep, sessionTokenStep, updateSteps } from './updates.ts';

const route = '/users/{user_id}';
const sentByCreate = sentFields(userAttributes, 'create');
const onlySentByUpdate = sentAfterCreate(userAttributes);
/** The attributes that have a route of their own. */
const sentApart = namesOf(userAttributes, ({ sentBy }) => typeof sentBy === 'object');
const params = (key: string) => ({ user_id: key });
const ownCalls: OwnCalls = { definitions: userAttributes, params, phase: 'user' };
const metadata: MetadataPlace = { route, params, phase: 'user' };

export const user: KindDefinition = {
  name: 'user',
  section: 'users',
  title: 'user',
  description: 'People and agents, by user_id.',
  keyName: 'user_id',
  keySchema: { ...userIdSchema, description: 'user_id: unique, at most 80 characters, no personal data.' },
  attributes: userAttributes,
  spellings: userSpellings,
  required: ['nickname'],
  rules: [{ not: { required: ['profile_url', 'profile_file'] }, $comment: 'not both of profile_url and profile_file' }],
  removals: ['deactivate', 'delete', 'erase', 'forget'],
  onRename:
    'sent messages, unread counts, tokens and undeclared memberships stay with the old user; keep the key and edit nickname to change what people see',
  disabledState: {
    attribute: 'deactivated',
    disable: 'deactivate',
    enable: 'reactivate',
    disablePhase: 'deactivate',
    // The documents do not say whether a deactivated user's metadata can be written, so the user is reactivated first.
    ownWorkNeedsEnabled: true,
    request: (key, closed, policy) => ({
      method: 'PUT',
      route: '/users/{user_id}',
      params: params(key),
      // Without leave_all_when_deactivated: false the platform removes every membership (platform §4.4).
      body: closed ? { is_active: false, leave_all_when_deactivated: policy.leaveChannels } : { is_active: true },
    }),
  },
  deletePhase: 'delete_user',
  normalise,
  checks: () => [],
  steps: (change) => (change.type === 'create' ? createSteps(change) : updateSteps(change, ownCalls, metadata)),
  view: (key) => ({ method: 'GET', route: '/users/{user_id}', params: params(key) }),
  remove: (key) => ({ method: 'DELETE', route: '/users/{user_id}', params: params(key) }),
  erase: erasureOf,
  onErase,
  callsInDoubt: erasuresInDoubt,
  observe,
  live: {
    list: {
      route: '/users',
      filter: 'user_ids',
      // By default the list omits deactivated users (platform §4.3).
      query: { active_mode: 'all', show_bot: 'true' },
      // Bots are a separate kind.
      ownOnly: { show_bot: 'false' },
      field: 'users',
    },
    parts: [metadataPart(metadata), ...ownReads(ownCalls)],
    // The client removes tokens from answers, but not the empty text of a user without one (platform §4.1).
    facts: (answer) => ({
      ...creationTime(answer),
      ...(answer.access_token === '' ? { access_token: 'none' } : {}),
    }),
    lastActivity,
    capacity: () => ({ metadata: maxMetadataItems }),
  },
};

const noProblems: readonly BlockProblem[] = [];

function normalise(_key: string, declared: JsonObject): Normalised {
  // Most users have neither and need no copy.
  if (declared.discovery_keys === undefined && declared.issue_access_token === undefined) {
    return { attributes: declared, problems: noProblems };
  }
  const { issue_access_token, ...rest } = declared;
  const attributes: Record<string, JsonValue> = { ...rest };
  // The platform does not keep their order (platform §4.1).
  if (isList(rest.discovery_keys)) attributes.discovery_keys = sortedSet(idsOf(rest, 'discovery_keys'));
  const revision = revisionOf(issue_access_token);
  if (revision !== undefined) attributes.issue_access_token = { revision };
  return { attributes, problems: noProblems };
}

function createSteps(change: KindChange): StepDraft[] {
  const { after, key } = change;
  const image = filePlaceholder('profile_file', after.profile_file);
  const entries = mapOf(after, 'metadata');
  const issues = after.issue_access_token !== undefined;
  // A multipart request cannot contain metadata (base, User), so a separate call sends it.
  const carriesMetadata = image === undefined && hasEntries(entries);
  const fields = {
    nickname: '',
    // The platform requires one of profile_url and profile_file (base, User). "" means no image.
    ...(image === undefined ? { profile_url: '' } : {}),
    ...pick(after, sentByCreate),
  };
  const body: JsonObject = {
    user_id: key,
    ...fields,
    ...(issues ? { issue_access_token: true } : {}),
    ...(carriesMetadata ? { metadata: entries } : {}),
  };
  const expect = [
    ...Object.entries(fields).map(([name, value]) => shown(name, value)),
    ...(carriesMetadata ? inOrder(entries).map(([name, value]) => ({ path: ['metadata', name], is: value })) : []),
  ];
  const { session_token, metadata: _metadata, ...created } = after;
  const following = pick(after, onlySentByUpdate);
  const steps: StepDraft[] = [
    {
      action: 'create',
      phase: 'user',
      request: {
        method: 'POST',
        route: '/users',
        body,
        ...(image === undefined ? {} : { placeholders: [image] }),
      },
      creates: rememberCreated(userAttributes, carriesMetadata ? { ...created, metadata: entries } : created),
      edits: [],
      begin: true,
      resolve: { request: user.view(key), absentOn: [platformCode.notFound], expect },
      ...(issues ? { sink: { field: 'access_token', user_id: key } } : {}),
    },
  ];
  if (hasEntries(following)) steps.push(followingStep(key, following));
  if (image !== undefined) steps.push(...metadataCreation(metadata, change));
  if (sentApart.some((name) => after[name] !== undefined)) steps.push(...ownCallSteps(ownCalls, change));
  if (session_token !== undefined) steps.push(sessionTokenStep(key, session_token));
  return steps;
}

/** Lists are compared in any order. */
function shown(name: string, value: JsonValue): Expectation {
  return isList(value)
    ? { path: [name], includes: idsOf({ [name]: value }, name), by: 'user_id' }
    : { path: [name], is: value };
}

function observe(answer: JsonObject): JsonObject {
  const isActive = flagOf(answer, 'is_active');
  return {
    ...pick(answer, shownFields(userAttributes)),
    ...(answer.profile_url === undefined ? {} : { profile_file: uploadAt(answer.profile_url) ?? null }),
    ...(typeof answer.access_token_digest === 'string' ? { issue_access_token: answer.access_token_digest } : {}),
    ...observeOwn(userAttributes, answer),
    ...(isList(answer.discovery_keys) ? { discovery_keys: sortedSet(idsOf(answer, 'discovery_keys')) } : {}),
    ...observeMetadata(answer),
    ...(isActive === undefined ? {} : { deactivated: !isActive }),
  };
}

/** `last_seen_at` is in milliseconds: -1 for a user who was never seen, and 0 while the user is online (platform §4.1). */
function lastActivity(answer: JsonObject, now: number): number | undefined {
  return answer.last_seen_at === 0 ? now : timeIn(answer, 'last_seen_at');
}
