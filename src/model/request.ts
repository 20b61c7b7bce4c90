// Requests: one call to the platform, as data.

import { InternalError } from '../lib/errors.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { Refusal } from './errors.ts';
import { exitCode } from './exit-code.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call. Rate limits count by `route`, a template; `params` fill its names and are percent-encoded in the path. With a
 * file among its placeholders it is sent as multipart form data, else as JSON.
 */
export interface ApiRequest {
  readonly method: Method;
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly placeholders?: readonly Placeholder[];
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
  /** The seconds until a time, counted when the request is sent; refused when it is over by then. */
  | { readonly type: 'seconds'; readonly field: string; readonly until: string }
  | MessagesPlaceholder;

/** Messages of an archive, put into the body as a list at `field`; refused when they are no longer the planned ones. */
export interface MessagesPlaceholder {
  readonly type: 'messages';
  readonly field: string;
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly gzip?: true;
  /** The channel into which they go: a part of each message's fingerprint. */
  readonly channel: string;
  /** Where they stand in the unpacked file: a range of bytes, of whose lines the first `skip` are left out. */
  readonly offset: number;
  readonly bytes: number;
  readonly skip: number;
  readonly count: number;
  /** The digest of the fingerprints of their lines. */
  readonly digest: string;
  /** By the place among these messages: how many earlier lines of the archive have the same likeness; 0 where absent. */
  readonly repeats?: Readonly<Record<string, number>>;
  /** Only the messages at these places are sent, because the others are there already. */
  readonly only?: readonly number[];
  /** The number of the call, where messages of the channel were edited or deleted: a part of each message's fingerprint. */
  readonly call?: number;
}

/** The path below the base URL: `/users/a%2Fb`. Ids are encoded whole, as the platform wants (platform §1). */
export function requestPath(request: ApiRequest): string {
  return request.route.replace(/\{(\w+)\}/gu, (_whole, name: string) => {
    const value = request.params?.[name];
    if (value === undefined) throw new InternalError(`route ${request.route} lacks its parameter ${name}`);
    // Servers and proxies resolve these, encoded or not, so that the call would reach another object.
    if (value === '.' || value === '..') throw unusable(request, value);
    return encoded(request, value);
  });
}

/** `limit=100&token=a%20b`; empty when nothing is asked for. A space is `%20`, not `+`: the platform's clients encode each value once, as a whole (platform §1). */
export function requestQuery(request: ApiRequest): string {
  return Object.entries(request.query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(request, value)}`)
    .join('&');
}

function encoded(request: ApiRequest, value: string): string {
  if (!value.isWellFormed()) throw unusable(request, value);
  return encodeURIComponent(value);
}

/** No manifest holds such a text, so an answer did. */
function unusable(request: ApiRequest, value: string): Refusal {
  return new Refusal(
    'application.unreachable',
    exitCode.unexpected,
    `${routeName(request)} cannot be called for ${JSON.stringify(value)}, which an earlier answer named: no URL can hold it.`,
    'Check base_url: no answer of the platform names such a thing.',
  );
}

/** `POST /group_channels/{channel_url}/invite`: names the lane of a request, and its bucket. */
export function routeName(request: Pick<ApiRequest, 'method' | 'route'>): string {
  return `${request.method} ${request.route}`;
}

/**
 * What a read must show when a step had its effect. `path` leads into the answer; `is` compares a value; `includes`
 * requires every id in a list of objects that have their id in `by` (or in a list of plain strings).
 */
export type Expectation =
  | { readonly path: readonly string[]; readonly is: JsonValue }
  | {
      readonly path: readonly string[];
      readonly includes: readonly string[];
      readonly by: string;
      /** The platform may leave it out of its answers: of an object that may be this step's, that says nothing. */
      readonly ifShown?: true;
    };

/**
 * The read that tells whether a step had its effect. Refused with a code of `absentOn`: it had not. Every expectation met:
 * it had. Any other answer: somebody else made an object with this key.
 */
export interface Resolve {
  readonly request: ApiRequest;
  readonly absentOn: readonly number[];
  readonly expect: readonly Expectation[];
}

/**
 * For a call that sends many things, of which a part may have arrived (semantics §5.5): after the settle time a walk over
 * what is there finds what is missing, and only that is sent again. The kind's own code makes the next pages.
 */
export interface Settle {
  /** The first page. */
  readonly read: ApiRequest;
  /** The walk ends after this time, in Unix milliseconds. */
  readonly until: number;
  /** Codes with which the platform refuses such reads for good, so that nobody can tell. */
  readonly refusedOn: readonly number[];
  /** Codes with which it refuses the call as a whole, so that surely nothing arrived. */
  readonly nothingOn: readonly number[];
  /** The messages may have been sent by another call, or by one without a begin: they are looked for before they are sent. */
  readonly unsure?: true;
  /**
   * State knows nothing of the archive, and its channel may have been there before: a message of the call that is found
   * before it is sent was not sent by this plan, which is a conflict. `until`: the time of the archive's last line.
   */
  readonly fresh?: { readonly until: number };
  /** Places among the call's lines that are sent by a later call. */
  readonly later?: readonly number[];
  /** The call stands beside the batches that follow each other in the order of time, and answers for no begin of theirs. */
  readonly isApart?: true;
  /** The call changes or deletes one message, whose `message_id` the walk finds. */
  readonly target?: Target;
}

/** One message of an archive, as it can be found on the platform. */
export interface Target {
  /** What an edit leaves as it is (`identityMark`), and the fingerprint of the line as it was sent. */
  readonly identity: string;
  readonly mark: string;
  /** The lines of the archive that may be of the same identity. Without `only` the message is one of no line: it is deleted. */
  readonly lines: MessagesPlaceholder;
  /** Places of lines that were not sent yet, and of lines of which nobody knows whether they arrived. */
  readonly late?: readonly number[];
  readonly unsure?: readonly number[];
  /** How many messages of this identity are to be deleted; when more are found, none of them is surely ours. */
  readonly most?: number;
  /** The message may be gone, or may never have arrived: then nothing is to be done. */
  readonly mayBeAbsent?: true;
}
