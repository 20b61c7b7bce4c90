// The calls on data requests, by which an application erases users (platform §4.7). The work on a request is due a second after
// its registration, and is done when somebody reads requests from then on.

import { ApiError } from '../api/errors.ts';
import type { Json } from '../api/request.ts';
import type { Call } from '../call/call.ts';
import { takeSortedPage } from '../call/paging.ts';
import type { Effect } from '../stored/effects.ts';
import { deletionOf } from './users.ts';

const SETTING = 'data_requests';
const MAX_USERS = 100;
const STARTED_MS = 500;
const DUE_MS = 1_000;

type DataRequest = {
  readonly request_id: string;
  readonly action: 'delete';
  readonly status: 'scheduled' | 'done' | 'no_data';
  readonly user_ids: readonly string[];
  readonly channel_delete_option: 'do_not_delete' | '1_on_1' | 'all';
  readonly created_at: number;
};

type Requests = Readonly<Record<string, DataRequest>>;

export function registerRequest(call: Call): Json {
  const requests = worked(call);
  const { action, channel_delete_option } = readChoices(call);
  const user_ids = call.body.requiredStrings('user_ids', MAX_USERS);
  if (user_ids.length === 0) throw new ApiError('invalidValue', 'user_ids');
  for (const id of user_ids) if (call.state.users.get(id)?.bot !== undefined) call.person(id);
  const request_id = `gdpr-${Object.keys(requests).length + 1}`;
  const request = {
    request_id,
    action,
    status: 'scheduled',
    user_ids,
    channel_delete_option,
    created_at: call.nowMs,
  } as const;
  call.commit([stored({ ...requests, [request_id]: request })]);
  return { ...request };
}

export function listRequests(call: Call): Json {
  const { items, next } = takeSortedPage(
    call,
    SETTING,
    Object.values(worked(call)),
    ({ created_at, request_id }) => `${String(created_at).padStart(15, '0')} ${request_id}`,
  );
  return { requests: items.map((request) => viewOf(request, call.nowMs)), next };
}

export function viewRequest(call: Call): Json {
  const requests = worked(call);
  const id = call.path('request_id');
  const request = Object.hasOwn(requests, id) ? requests[id] : undefined;
  if (request === undefined) throw new ApiError('notFound', 'GDPRRequest');
  return viewOf(request, call.nowMs);
}

function readChoices({ body }: Call): Pick<DataRequest, 'action' | 'channel_delete_option'> {
  const option = body.string('channel_delete_option') ?? 'do_not_delete';
  if ((body.string('action') ?? 'delete') !== 'delete') throw new ApiError('invalidValue', 'action');
  if (option !== 'do_not_delete' && option !== '1_on_1' && option !== 'all')
    throw new ApiError('invalidValue', 'channel_delete_option');
  return { action: 'delete', channel_delete_option: option };
}

/** Does the work that is due, and returns all requests. An application without data requests has no such route. */
function worked(call: Call): Requests {
  if (call.behaviours.dataRequests === 'off')
    throw new ApiError(call.behaviours.unknownRouteStatus === 404 ? 'unknownRoute' : 'invalidUrl');
  const requests = (call.state.setting(SETTING) ?? {}) as unknown as Requests;
  const due = Object.values(requests).filter(
    ({ status, created_at }) => status === 'scheduled' && call.nowMs - created_at >= DUE_MS,
  );
  if (due.length === 0) return requests;
  const effects: Effect[] = [];
  const ended: Record<string, DataRequest> = { ...requests };
  for (const request of due) {
    const users = request.user_ids.filter((id) => call.state.users.get(id) !== undefined);
    ended[request.request_id] = { ...request, status: users.length === 0 ? 'no_data' : 'done' };
    effects.push(...users.flatMap((id) => erasure(call, id, request.channel_delete_option)));
  }
  call.commit([...effects, stored(ended)]);
  return ended;
}

function erasure({ state }: Call, userId: string, option: DataRequest['channel_delete_option']): readonly Effect[] {
  const ended = [...state.channelsOf(userId)].filter(
    (url) => option === 'all' || (option === '1_on_1' && state.members(url).size === 2),
  );
  return [...ended.map((url): Effect => ({ type: 'channel.delete', url })), ...deletionOf(state, userId)];
}

function viewOf(request: DataRequest, nowMs: number): Json {
  const isStarted = request.status === 'scheduled' && nowMs - request.created_at >= STARTED_MS;
  return { ...request, ...(isStarted ? { status: 'processing' } : {}) };
}

function stored(requests: Requests): Effect {
  return { type: 'setting.put', name: SETTING, value: { ...requests } };
}
