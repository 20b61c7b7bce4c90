// The erasure of a user: a data request to the platform, which works on it later (platform §4.7).
//
// The list of requests is read before a request is made, and after a lost answer. So a user never gets a second request while
// one waits, and an application without data requests refuses before anything is sent.

import { InternalError } from '../../../lib/errors.ts';
import { isList, isObject, type JsonObject } from '../../../lib/json.ts';
import type { StepDraft } from '../../kinds/definition/kind.ts';
import { textOf } from '../../kinds/definition/values.ts';
import { keyOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import { type ApiRequest, dataRequestsRoute } from '../../model/request.ts';
import type { CallSearch, CallsInDoubt, RegisteredRequest, SearchResult } from '../../model/step.ts';

const listed: ApiRequest = { method: 'GET', route: dataRequestsRoute, query: { limit: '100' } };
/** The documented states of a request that the platform still works on. */
const waiting = ['scheduled', 'processing'];
const ended = ['done', 'no_data'];
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/** The documents give no duration. A longer one needs another apply, which waits for the same request. */
const patienceMs = 10 * 60_000;

/** Deletes the user alone: the group channels of the user stay, as the platform does by default. */
export function erasureOf(key: string): Pick<StepDraft, 'request' | 'begin' | 'search'> {
  return {
    request: {
      method: 'POST',
      route: dataRequestsRoute,
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
};

/** Follows one request to its end. The end is believed only when a read shows that the user is gone. */
class ErasureSearch implements CallSearch {
  readonly #key: string;
  readonly #request: ApiRequest;
  /** The newest request of the list that names the user. */
  #newest: JsonObject | undefined;
  /** The request for this user, as the platform last showed it. */
  #registered: RegisteredRequest | undefined;
  /** Whether the request has ended, and the next answer shows the user. */
  #hasEnded = false;
  /** Whether the request had ended before this run followed it, so that it may be of an earlier user with this id. */
  #mayBeEarlier = false;
  #waitMs = firstWaitMs;
  #waitedMs = 0;

  constructor(key: string, request: ApiRequest) {
    this.#key = key;
    this.#request = request;
  }

  /** Takes a page of requests, one request, or the user. */
  take(page: JsonObject): SearchResult {
    if (this.#hasEnded) return this.#stillExists();
    if (!isList(page.requests)) return this.#follow(page);
    for (const request of page.requests) if (isObject(request)) this.#meet(request);
    const token = textOf(page, 'next') ?? '';
    if (token !== '') return { type: 'page', request: { ...listed, query: { ...listed.query, token } } };
    if (this.#newest === undefined) return { type: 'send', request: this.#request };
    this.#mayBeEarlier = ended.includes(textOf(this.#newest, 'status') ?? '');
    return this.#follow(this.#newest);
  }

  refused(code: number): SearchResult | undefined {
    const registered = this.#registered;
    if (!this.#hasEnded || registered === undefined) return undefined;
    if (code === platformCode.notFound) return { type: 'done', note: inWords(registered), registered };
    return code === platformCode.deactivatedUser ? this.#stillExists() : undefined;
  }

  unread(reason: string): string {
    const why = reason.replace(/\.$/u, '');
    if (this.#registered === undefined)
      return `chatform could not use the data requests of the application: ${why}. It erases no user without them. If the application has no data requests, remove the user with on_remove: delete`;
    return `${this.#inWords()}; chatform could not read ${this.#hasEnded ? 'whether the user still exists' : 'its state'}: ${why}. Apply again`;
  }

  #meet(request: JsonObject): void {
    if (request.action !== 'delete' || !this.#isForUser(request)) return;
    const isNewer = this.#newest === undefined || Number(request.created_at) > Number(this.#newest.created_at);
    if (isNewer) this.#newest = request;
  }

  /** The vendor's clients type these ids as numbers. */
  #isForUser({ user_ids: ids }: JsonObject): boolean {
    return isList(ids) && ids.some((id) => String(id) === this.#key);
  }

  #follow(request: JsonObject): SearchResult {
    const [id, status] = [textOf(request, 'request_id') ?? '', textOf(request, 'status') ?? ''];
    const isOther = this.#registered !== undefined && this.#registered.request_id !== id;
    if (id === '' || isOther || !this.#isForUser(request))
      return lost(this.unread('the answer shows no request for this user'));
    this.#registered = { request_id: id, status };
    this.#hasEnded = ended.includes(status);
    if (this.#hasEnded) return { type: 'page', request: this.#user() };
    if (!waiting.includes(status)) return lost(`${this.#inWords()}; chatform does not know this state`);
    const view: ApiRequest = { method: 'GET', route: `${dataRequestsRoute}/{request_id}`, params: { request_id: id } };
    return this.#later(view) ?? lost(`${this.#inWords()}; apply again to wait for it`);
  }

  #stillExists(): SearchResult {
    if (this.#mayBeEarlier) return { type: 'send', request: this.#request };
    // no_data may mean a fault of the platform, and another request could end alike.
    const next = this.#registered?.status === 'done' ? this.#later(this.#user()) : undefined;
    return next ?? lost(`${this.#inWords()}; but the user still exists: ask the vendor`);
  }

  #user(): ApiRequest {
    return { method: 'GET', route: '/users/{user_id}', params: { user_id: this.#key } };
  }

  /** Returns undefined when the patience has ended. */
  #later(request: ApiRequest): SearchResult | undefined {
    if (this.#waitedMs >= patienceMs) return undefined;
    const afterMs = this.#waitMs;
    this.#waitedMs += afterMs;
    this.#waitMs = Math.min(2 * afterMs, longestWaitMs);
    return { type: 'page', afterMs, request, ...(this.#registered && { awaits: this.#registered }) };
  }

  #inWords(): string {
    const registered = this.#registered;
    return `the platform registered the erasure as ${registered === undefined ? 'a data request' : inWords(registered)}`;
  }
}

function inWords({ request_id: id, status }: RegisteredRequest): string {
  return `data request ${id}: ${status}`;
}

function lost(why: string): SearchResult {
  return { type: 'lost', why };
}
