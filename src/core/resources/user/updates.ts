// The steps that update a user: attributes, uploaded images, metadata and tokens (platform §4).

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { sentFields } from '../../kinds/definition/attribute-table.ts';
import type { KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { filePlaceholder, hasEntries, pick, textOf } from '../../kinds/definition/values.ts';
import { type MetadataPlace, metadataSteps } from '../../kinds/parts/metadata.ts';
import { type OwnCalls, ownCallSteps } from '../../kinds/parts/own-calls.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import { platformDefault, userAttributes } from './attributes.ts';

const sentByUpdate = sentFields(userAttributes, 'update');

/** Returns the step that sends the attributes that a creation cannot contain. */
export function followingStep(key: string, fields: JsonObject): StepDraft {
  return updateStep(
    put(key, fields),
    Object.entries(fields).map(([name, value]) => ({ op: 'set', path: [name], value })),
  );
}

export function updateSteps(change: KindChange, ownCalls: OwnCalls, metadata: MetadataPlace): StepDraft[] {
  const { key, after } = change;
  const body: Record<string, JsonValue> = {};
  const edits: RecordEdit[] = [];
  const steps: StepDraft[] = metadataSteps(metadata, change);
  const image = change.attributes.some(({ path, how }) => path[0] === 'profile_file' && how === 'set')
    ? filePlaceholder('profile_file', after.profile_file)
    : undefined;
  for (const { path, after: value, how } of change.attributes) {
    const [name = ''] = path;
    if (how === 'release') continue;
    if (sentByUpdate.includes(name)) {
      // An uploaded image replaces the URL. Sending "" as well would remove it again.
      if (image === undefined || name !== 'profile_url') body[name] = value ?? '';
      edits.push(how === 'reset' ? { op: 'unset', path: [name] } : { op: 'set', path: [name], value: value ?? '' });
      if (name === 'profile_url' && how === 'set') edits.push({ op: 'unset', path: ['profile_file'] });
    } else if (name === 'profile_file' && image !== undefined) {
      edits.push({ op: 'set', path: [name], value: { digest: image.digest } }, { op: 'unset', path: ['profile_url'] });
    }
  }
  if (image !== undefined) {
    // Lists are sent separately from an upload, because their multipart form is undocumented (platform §8.1).
    const lists = pick(
      body,
      sentByUpdate.filter((name) => isList(body[name])),
    );
    const isApart = ({ path }: RecordEdit) => Object.hasOwn(lists, path[0] ?? '');
    const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(lists, name)));
    if (hasEntries(lists)) steps.unshift(updateStep(put(key, lists), edits.filter(isApart)));
    const combinedEdits = edits.filter((edit) => !isApart(edit));
    steps.unshift(updateStep({ ...put(key, rest), placeholders: [image] }, combinedEdits));
  } else if (hasEntries(body)) steps.unshift(updateStep(put(key, body), edits));
  steps.push(...ownCallSteps(ownCalls, change));
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

/** Issuing revokes the earlier token, so repeating it after an unknown outcome leaves exactly one valid token, the last. */
function accessTokenStep(key: string, value: JsonValue): StepDraft {
  return {
    ...updateStep(put(key, { issue_access_token: true }), [{ op: 'set', path: ['issue_access_token'], value }]),
    sink: { field: 'access_token', user_id: key },
  };
}

export function sessionTokenStep(key: string, value: JsonValue): StepDraft {
  const expiresAt = isObject(value) ? (textOf(value, 'expires_at') ?? '') : '';
  return {
    ...updateStep(
      {
        method: 'POST',
        route: '/users/{user_id}/token',
        params: { user_id: key },
        body: expiresAt === platformDefault ? {} : { expires_at: Date.parse(expiresAt) },
      },
      [{ op: 'set', path: ['session_token'], value }],
    ),
    sink: { field: 'token', user_id: key },
  };
}
