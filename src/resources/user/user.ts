// How is a user declared, created and changed? (base, POST /users; platform §4)
import { compareText, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest, Expectation } from '../../model/request.ts';
import type { KindChange, KindDefinition, Normalised, Problem, StepDraft } from '../define.ts';
import { rememberAll } from '../remember.ts';
import { filePlaceholder, flagOf, hasEntries, mapOf, pick, textOf, userIdSchema } from '../values.ts';
import { deprecatedUserForms, revisionOf, userAttributes } from './attributes.ts';

const notFound = 400201;

export const user: KindDefinition = {
  kind: 'user',
  section: 'users',
  title: 'user',
  description: 'People, bots and agents, by user_id.',
  keyName: 'user_id',
  keySchema: { ...userIdSchema, description: 'user_id: unique, at most 80 characters, no personal data.' },
  attributes: userAttributes,
  deprecated: deprecatedUserForms,
  required: ['nickname'],
  rules: [{ not: { required: ['profile_url', 'profile_file'] }, $comment: 'not both of profile_url and profile_file' }],
  opaqueTexts: ['nickname', 'profile_url', 'metadata'],
  removals: ['deactivate', 'delete', 'forget'],
  disabledState: {
    attribute: 'deactivated',
    disable: 'deactivate',
    enable: 'reactivate',
    disablePhase: 'deactivate',
    // Whether a deactivated user's metadata can be written is not documented; the stricter reading opens first.
    ownWorkNeedsEnabled: true,
    field: 'is_active',
    request: (key, closed, policy) => ({
      method: 'PUT',
      route: '/users/{user_id}',
      params: { user_id: key },
      // Without leave_all_when_deactivated: false the platform takes every membership away (platform §4.4).
      body: closed ? { is_active: false, leave_all_when_deactivated: policy.leaveChannels } : { is_active: true },
    }),
  },
  deletePhase: 'delete_user',
  normalise,
  references: () => [],
  checks: () => [],
  steps: (change) => (change.type === 'create' ? createSteps(change) : updateSteps(change)),
  view: (key) => ({ method: 'GET', route: '/users/{user_id}', params: { user_id: key } }),
  remove: (key) => ({ method: 'DELETE', route: '/users/{user_id}', params: { user_id: key } }),
  observe,
  live: {
    list: {
      route: '/users',
      filter: 'user_ids',
      // Deactivated users are left out by default (platform §4.3).
      query: { active_mode: 'all', show_bot: 'true' },
      field: 'users',
    },
    parts: [],
    facts: () => ({}),
    capacity: () => ({ metadata: 5 }),
  },
};

const noProblems: readonly Problem[] = [];

function normalise(_key: string, declared: JsonObject): Normalised {
  // Of a million users most have none of the forms that are rewritten.
  if (
    declared.issue_access_token === undefined &&
    declared.issue_session_token === undefined &&
    declared.session_token_expires_at === undefined
  ) {
    return { attributes: declared, problems: noProblems };
  }
  const { issue_access_token, issue_session_token, session_token_expires_at, ...rest } = declared;
  const problems: Problem[] = [];
  const attributes: Record<string, JsonValue> = { ...rest };
  const revision = revisionOf(issue_access_token);
  if (revision !== undefined) attributes.issue_access_token = { revision };
  if (issue_session_token === true && typeof session_token_expires_at !== 'number') {
    problems.push({
      severity: 'error',
      code: 'user.session-token-without-end',
      summary: 'A session token needs a declared end',
      detail:
        'issue_session_token alone means "seven days from now", which would be another value at every run. Write session_token: {expires_at: 2027-01-01T00:00:00Z} with the end that you want.',
      path: ['issue_session_token'],
    });
  }
  if (issue_session_token === true && typeof session_token_expires_at === 'number') {
    const end = new Date(session_token_expires_at);
    if (!Number.isNaN(end.getTime())) attributes.session_token = { expires_at: end.toISOString() };
  }
  return { attributes, problems };
}

function createSteps(change: KindChange): StepDraft[] {
  const { after, key } = change;
  const image = filePlaceholder('profile_file', after.profile_file);
  const metadata = mapOf(after, 'metadata');
  const issues = after.issue_access_token !== undefined;
  // A multipart request cannot carry metadata (base, User): then it follows in a call of its own.
  const carriesMetadata = image === undefined && hasEntries(metadata);
  const profileUrl = textOf(after, 'profile_url') ?? '';
  const body: JsonObject = {
    user_id: key,
    nickname: textOf(after, 'nickname') ?? '',
    // The platform wants one of profile_url and profile_file (base, User); "" means no image.
    ...(image === undefined ? { profile_url: profileUrl } : {}),
    ...(issues ? { issue_access_token: true } : {}),
    ...(carriesMetadata ? { metadata } : {}),
  };
  const expect: Expectation[] = [{ path: ['nickname'], is: body.nickname ?? '' }];
  if (image === undefined) expect.push({ path: ['profile_url'], is: profileUrl });
  if (carriesMetadata) {
    for (const [name, value] of inOrder(metadata)) expect.push({ path: ['metadata', name], is: value });
  }
  const created = pick(after, ['nickname', 'profile_url', 'profile_file', 'issue_access_token']);
  const steps: StepDraft[] = [
    {
      action: 'create',
      phase: 'user',
      request: {
        method: 'POST',
        route: '/users',
        body,
        ...(image === undefined ? {} : { holes: [image] }),
      },
      creates: rememberAll(userAttributes, carriesMetadata ? { ...created, metadata } : created),
      edits: [],
      begin: true,
      resolve: { request: user.view(key), absentOn: [notFound], expect },
      ...(issues ? { sink: { field: 'access_token', user_id: key } } : {}),
    },
  ];
  if (!carriesMetadata && hasEntries(metadata)) steps.push(metadataStep(key, metadata));
  if (after.session_token !== undefined) steps.push(sessionTokenStep(key, after.session_token));
  return steps;
}

function updateSteps(change: KindChange): StepDraft[] {
  const { key, after } = change;
  const body: Record<string, JsonValue> = {};
  const edits: RecordEdit[] = [];
  const metadata: Record<string, JsonValue> = {};
  const steps: StepDraft[] = [];
  const image = change.attributes.some(({ path, how }) => path[0] === 'profile_file' && how === 'set')
    ? filePlaceholder('profile_file', after.profile_file)
    : undefined;
  for (const { path, after: value, how } of change.attributes) {
    const [name = '', inner] = path;
    if (how === 'release') continue;
    if (name === 'metadata' && inner !== undefined) {
      if (value === undefined) steps.push(metadataRemoval(key, inner));
      else metadata[inner] = value;
    } else if (name === 'nickname' || name === 'profile_url') {
      // An uploaded image takes the place of the URL: sending "" as well would take it away again.
      if (image === undefined || name === 'nickname') body[name] = value ?? '';
      edits.push(how === 'reset' ? { op: 'unset', path: [name] } : { op: 'set', path: [name], value: value ?? '' });
      if (name === 'profile_url' && how === 'set') edits.push({ op: 'unset', path: ['profile_file'] });
    } else if (name === 'profile_file' && image !== undefined) {
      edits.push({ op: 'set', path: [name], value: { digest: image.digest } }, { op: 'unset', path: ['profile_url'] });
    }
  }
  if (hasEntries(body) || image !== undefined) {
    steps.unshift(updateStep({ ...put(key, body), ...(image === undefined ? {} : { holes: [image] }) }, edits));
  }
  if (hasEntries(metadata)) steps.push(metadataStep(key, metadata));
  if (isSet(change, 'issue_access_token')) steps.push(accessTokenStep(key, after.issue_access_token ?? null));
  if (isSet(change, 'session_token')) steps.push(sessionTokenStep(key, after.session_token ?? null));
  return steps;
}

function isSet(change: KindChange, name: string): boolean {
  return change.attributes.some(({ path, how }) => path[0] === name && how === 'set');
}

function put(key: string, body: JsonObject): ApiRequest {
  return { method: 'PUT', route: '/users/{user_id}', params: { user_id: key }, body };
}

function updateStep(request: ApiRequest, edits: readonly RecordEdit[]): StepDraft {
  return { action: 'update', phase: 'user', request, edits };
}

/** By key, whatever the order in the manifest, so that the same declaration gives the same plan. */
function inOrder(map: JsonObject): [string, JsonValue][] {
  return Object.entries(map).sort(([left], [right]) => compareText(left, right));
}

/** Upsert, so that sending it twice is as good as once (platform §4.5). */
function metadataStep(key: string, metadata: JsonObject): StepDraft {
  return updateStep(
    {
      method: 'PUT',
      route: '/users/{user_id}/metadata',
      params: { user_id: key },
      body: { metadata, upsert: true },
    },
    inOrder(metadata).map(([name, value]) => ({ op: 'set', path: ['metadata', name], value })),
  );
}

function metadataRemoval(key: string, name: string): StepDraft {
  return {
    ...updateStep({ method: 'DELETE', route: '/users/{user_id}/metadata/{key}', params: { user_id: key, key: name } }, [
      { op: 'unset', path: ['metadata', name] },
    ]),
    doneOn: [notFound],
  };
}

/** Issuing revokes the token before, so a repeat after an unknown outcome still ends with one valid token, the last. */
function accessTokenStep(key: string, value: JsonValue): StepDraft {
  return {
    ...updateStep(put(key, { issue_access_token: true }), [{ op: 'set', path: ['issue_access_token'], value }]),
    sink: { field: 'access_token', user_id: key },
  };
}

function sessionTokenStep(key: string, value: JsonValue): StepDraft {
  const expiresAt = isObject(value) ? (textOf(value, 'expires_at') ?? '') : '';
  return {
    ...updateStep(
      {
        method: 'POST',
        route: '/users/{user_id}/token',
        params: { user_id: key },
        body: { expires_at: Date.parse(expiresAt) },
      },
      [{ op: 'set', path: ['session_token'], value }],
    ),
    sink: { field: 'token', user_id: key },
  };
}

function observe(answer: JsonObject): JsonObject {
  const isActive = flagOf(answer, 'is_active');
  return {
    ...pick(answer, ['nickname', 'profile_url']),
    ...(isObject(answer.metadata) ? { metadata: answer.metadata } : {}),
    ...(isActive === undefined ? {} : { deactivated: !isActive }),
  };
}
