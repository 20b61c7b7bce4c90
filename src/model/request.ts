// What is one call to the platform, as data?

import { InternalError } from '../lib/errors.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call. `route` is the template that rate limits are counted by; `params` fill its names, percent-encoded when the
 * path is made. A body with a file hole is sent as multipart form data, else as JSON.
 */
export interface ApiRequest {
  readonly method: Method;
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly holes?: readonly Placeholder[];
}

/** A value that is in no plan, state or log, and is filled in when the request is sent. */
export type Placeholder =
  /** The value of the environment's CHATFORM_VAR_<variable>, put into the body at `field`. */
  | { readonly type: 'secret'; readonly field: string; readonly variable: string }
  /** A file part, refused when its digest is no longer the planned one. */
  | {
      readonly type: 'file';
      readonly field: string;
      /** Relative to the working folder, with `/`. */
      readonly file: string;
      readonly digest: string;
      readonly mediaType: string;
    }
  | MessagesPlaceholder;

/** Messages of an archive, put into the body as a list at `field`; refused when they are no longer the planned ones. */
export interface MessagesPlaceholder {
  readonly type: 'messages';
  readonly field: string;
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly gzip?: true;
  /** The channel that they are for: a part of each message's fingerprint. */
  readonly channel: string;
  /** Where they stand in the file (unpacked): so many bytes, of whose lines the first are left out. */
  readonly offset: number;
  readonly bytes: number;
  readonly skip: number;
  readonly count: number;
  /** Of the marks of their lines. */
  readonly digest: string;
  /** By the place among these messages: how many earlier lines of the archive say the same; 0 where absent. */
  readonly repeats?: Readonly<Record<string, number>>;
  /** Of these messages only those at these places, when the others are there already. */
  readonly only?: readonly number[];
}

/** The path below the base URL: `/users/a%2Fb`. Ids are encoded whole, as the platform wants (platform §1). */
export function requestPath(request: ApiRequest): string {
  return request.route.replace(/\{(\w+)\}/gu, (_whole, name: string) => {
    const value = request.params?.[name];
    if (value === undefined) throw new InternalError(`route ${request.route} lacks its parameter ${name}`);
    // Servers and proxies resolve these, encoded or not, so that the call would reach another object.
    if (value === '.' || value === '..') throw new InternalError(`${name} cannot be ${value} in ${request.route}`);
    return encodeURIComponent(value);
  });
}

/** `POST /group_channels/{channel_url}/invite`: the lane of a request, and the name of its bucket by route. */
export function routeName(request: Pick<ApiRequest, 'method' | 'route'>): string {
  return `${request.method} ${request.route}`;
}

/**
 * What a read must show for a step's effect to be there. `path` leads into the answer; `is` compares a value; `includes`
 * wants every id in a list of objects that carry their id in `by` (or in a list of plain strings).
 */
export type Expectation =
  | { readonly path: readonly string[]; readonly is: JsonValue }
  | { readonly path: readonly string[]; readonly includes: readonly string[]; readonly by: string };

/**
 * The read that tells whether a step's effect is there. Refused with a code of `absentOn`: it is not.
 * Answered and every expectation met: it is. Answered otherwise: an object of somebody else's making is in the way.
 */
export interface Resolve {
  readonly request: ApiRequest;
  readonly absentOn: readonly number[];
  readonly expect: readonly Expectation[];
}

/**
 * For a call that brings many things, of which a part may have landed (semantics §5.5): after the settle time a walk
 * over what is there finds what is missing, and only that is sent again. Who knows the things knows how to walk on.
 */
export interface Settle {
  /** The first page. */
  readonly read: ApiRequest;
  /** The walk ends behind this time, in Unix milliseconds. */
  readonly until: number;
  /** Codes by which the platform refuses such reads for good: nobody can tell then. */
  readonly refusedOn: readonly number[];
  /** Codes by which it refuses the call itself as a whole, so that surely nothing of it landed. */
  readonly nothingOn: readonly number[];
  /** It may have been sent as a part of another call, or with no begin left: it is looked for before it is sent at all. */
  readonly unsure?: true;
}
