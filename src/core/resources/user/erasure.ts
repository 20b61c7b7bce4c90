// The erasure of a user: a data request to the platform, which works on it later (platform §4.7).
//
// The list of requests is read before a request is made, and after a lost answer. So a user never gets a second request while
// one waits, and an application without data requests refuses before anything is sent.

import { InternalError } from '../../../lib/errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { StepDraft } from '../../kinds/definition/kind.ts';
import { idsOf, textOf } from '../../kinds/definition/values.ts';
import { keyOf } from '../../model/address.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { CallSearch, CallsInDoubt, RegisteredRequest } from '../../model/step.ts';

const route = '/privacy/gdpr';
const listed: ApiRequest = { method: 'GET', route, query: { limit: '100' } };
/** The documented states of a request that the platform still works on. */
const waiting = ['scheduled', 'processing'];
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/** The documents give no duration. A longer one needs another apply, which waits for the same request. */
const patienceMs = 10 * 60_000;

/** Deletes the user alone: the group channels of the user stay, as the platform does by default. */
export function erasureOf(key: string): Pick<StepDraft, 'request' | 'begin' | 'search'> {
  return {
    request: {
      method: 'POST',
      route,
      body: { action: 'delete', user_ids: [key], channel_delete_option: 'do_not_delete' },
    },
    begin: true,
    search: { read: listed, unseenOn: [], nothingOn: [], until: 0, fresh: {}, isAwaited: true, content: {} },
  };
}

export const onErase = [
  'the platform deletes the user by a data request, with the profile, metadata, tokens and memberships; group channels stay',
  'no document says that messages and uploaded files of the user are deleted, so expect them to stay',
  'history files, exports, and earlier versions of manifests and state stay as they are: remove the user there by hand',
];

export const erasuresInDoubt: CallsInDoubt = {
  search: async ({ address, request }) => {
    if (request === undefined) throw new InternalError(`the erasure of ${address} has no request`);
    return new ErasureSearch(keyOf(address), request);
  },
  // The begin stays until a run has seen the end of the request.
  entry: async () => undefined,
};

class ErasureSearch implements CallSearch {
  readonly #key: string;
  readonly #request: ApiRequest;
  #newest: JsonObject | undefined;
  /** The request that the platform has ended, while a read looks whether the user is gone. */
  #ended: RegisteredRequest | undefined;
  #waitMs = firstWaitMs;
  #waitedMs = 0;

  constructor(key: string, request: ApiRequest) {
    this.#key = key;
    this.#request = request;
  }

  /** Takes a page of requests, one request, or the list of users with this id. */
  take(page: JsonObject): ReturnType<CallSearch['take']> {
    if (isList(page.users)) return this.#lookedUp(page.users);
    if (!isList(page.requests)) return this.#follow(page);
    for (const request of page.requests) if (isObject(request)) this.#meet(request);
    const token = textOf(page, 'next') ?? '';
    if (token !== '') return { type: 'page', request: { ...listed, query: { ...listed.query, token } } };
    if (this.#newest === undefined) return { type: 'send', request: this.#request };
    const { status, ...registered } = registeredIn(this.#newest);
    // An ended request may be of an earlier user with this id.
    return waiting.includes(status) ? this.#follow(this.#newest) : this.#lookUp({ ...registered, status });
  }

  unread(why: string): string {
    return `chatform could not read the data requests of the application: ${why}. It registers no request without that. If the application has no data requests, remove the user with on_remove: delete`;
  }

  #meet(request: JsonObject): void {
    if (request.action !== 'delete' || !idsOf(request, 'user_ids').includes(this.#key)) return;
    const isNewer = this.#newest === undefined || Number(request.created_at) > Number(this.#newest.created_at);
    if (isNewer) this.#newest = request;
  }

  #follow(request: JsonObject): ReturnType<CallSearch['take']> {
    const registered = registeredIn(request);
    const { request_id: id, status } = registered;
    if (status === 'done') return { type: 'done', note: inWords(registered), registered };
    if (status === 'no_data') return this.#lookUp(registered);
    if (id === '' || !waiting.includes(status)) return lost(registered, 'chatform does not know this state');
    if (this.#waitedMs >= patienceMs) return lost(registered, 'apply again to wait for it');
    const afterMs = this.#waitMs;
    this.#waitedMs += afterMs;
    this.#waitMs = Math.min(2 * afterMs, longestWaitMs);
    return {
      type: 'page',
      afterMs,
      request: { method: 'GET', route: `${route}/{request_id}`, params: { request_id: id } },
    };
  }

  #lookUp(ended: RegisteredRequest): ReturnType<CallSearch['take']> {
    // A list of users cannot be asked for an id with a comma.
    if (this.#key.includes(',')) return lost(ended, 'no list shows whether the user still exists');
    this.#ended = ended;
    const query = { user_ids: this.#key, active_mode: 'all' };
    return { type: 'page', request: { method: 'GET', route: '/users', query } };
  }

  #lookedUp(users: readonly JsonValue[]): ReturnType<CallSearch['take']> {
    const ended = this.#ended;
    if (ended === undefined) throw new InternalError(`the erasure of ${this.#key} asked for no list of users`);
    if (users.length === 0) return { type: 'done', note: inWords(ended), registered: ended };
    // no_data may mean a fault of the platform, and another request could end alike.
    return this.#newest === undefined
      ? lost(ended, 'but the user still exists: ask the vendor')
      : { type: 'send', request: this.#request };
  }
}

function registeredIn(request: JsonObject): RegisteredRequest {
  return { request_id: textOf(request, 'request_id') ?? '', status: textOf(request, 'status') ?? '' };
}

function inWords({ request_id: id, status }: RegisteredRequest): string {
  return `data request ${id}: ${status}`;
}

function lost(registered: RegisteredRequest, why: string): ReturnType<CallSearch['take']> {
  return { type: 'lost', why: `the platform registered the erasure as ${inWords(registered)}; ${why}` };
}
