// Calls to the platform, as data, and the form in which they are sent: the path, the query, and the seconds until a time in the body.

import { InternalError } from '../../lib/errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { Refusal } from './errors.ts';
import { exitCode } from './exit-code.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call. Rate limits count by `route`, a template. `params` fill its names and are percent-encoded in the path. A call
 * with a file, of a placeholder or of a secret, is sent as multipart form data, any other as JSON.
 */
export interface ApiRequest {
  readonly method: Method;
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  /** A list is sent as one field for each item. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: JsonObject;
  readonly placeholders?: readonly RequestPlaceholder[];
}

/** A value that is filled in when the request is sent and never appears in a plan, state or log. */
export type RequestPlaceholder =
  /** The value of the environment's CHATFORM_VAR_<variable>, put into the body at `field`. */
  | { readonly type: 'secret'; readonly field: string; readonly variable: string; readonly file?: SecretFile }
  /** A file part. The call is refused if the digest of the file has changed since the plan. */
  | {
      readonly type: 'file';
      readonly field: string;
      /** Relative to the working folder, with `/`. */
      readonly file: string;
      readonly digest: string;
      readonly mediaType: string;
    }
  /**
   * The seconds until a time, computed when the request is sent. The call is refused if the time has passed. With `within`,
   * the field is that of each item of this list in the body.
   */
  | { readonly type: 'seconds'; readonly field: string; readonly until: string; readonly within?: string }
  /** A list, put into the body at `field`. Its kind knows the form of `source`. The call is refused if the list changed since the plan. */
  | { readonly type: 'list'; readonly field: string; readonly source: JsonObject };

/** A secret that is sent as a file part. It must be JSON with these values, or the call is refused. */
interface SecretFile {
  readonly name: string;
  readonly mediaType: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The data requests of the platform, which erase users later (platform §4.7). */
export const dataRequestsRoute = '/privacy/gdpr';

/** Returns `POST /group_channels/{channel_url}/invite`, the name of the request's lane and bucket. */
export function routeName(request: Pick<ApiRequest, 'method' | 'route'>): string {
  return `${request.method} ${request.route}`;
}

/**
 * A condition that a read must meet if a step took effect. `path` leads into the answer, `is` compares a value, and
 * `includes` requires every id in a list of objects that have their id in `by`, or in a list of strings.
 */
export type Expectation =
  | { readonly path: readonly string[]; readonly is: JsonValue }
  | {
      readonly path: readonly string[];
      readonly includes: readonly string[];
      readonly by: string;
      /** The platform may omit the value from its answers, so its absence proves nothing. */
      readonly ifShown?: true;
    };

/**
 * The read that tells whether a step took effect. It did not if the read is refused with a code of `absentOn`. It did if
 * every expectation is met. On any other answer, somebody else made an object with this key.
 */
export interface Resolve {
  readonly request: ApiRequest;
  readonly absentOn: readonly number[];
  readonly expect: readonly Expectation[];
}

/**
 * The search that finds out what a call did that may take effect in part, such as one that sends a list (semantics §5.5). After
 * the settle time its pages are read, and only what is missing is sent again. The kind of the object makes it and resolves it
 * (`CallsInDoubt`).
 */
export interface Search {
  /** The first page. The kind requests the next ones. */
  readonly read: ApiRequest;
  /** Codes of refusals of a page on which the call may be made unseen. After all others the outcome stays unknown. */
  readonly unseenOn: readonly number[];
  /** Codes that refuse the whole call, so that nothing of it took effect. */
  readonly nothingOn: readonly number[];
  /** The time of the last item of the call, in Unix milliseconds. Calls of one object follow each other in time. */
  readonly until: number;
  /** The call is independent of those that follow each other in time, and resolves none of their begins. */
  readonly isApart?: true;
  /** Another call, or a call without a begin, may have done the same. The search precedes the call. */
  readonly unsure?: true;
  /**
   * The search precedes the call, and must find nothing of it, because state may not know what was sent. What it finds was not
   * sent by this plan, which is a conflict.
   */
  readonly fresh?: {
    /** Set on the first call of the object, whose search usually answers for all. */
    readonly isFirst?: true;
    /** The call is made even if a page is refused, because nothing suggests that state is wrong. */
    readonly isOptional?: true;
  };
  /**
   * The platform does the work of the call later. The search judges the answer as well, and reads the platform until the work is
   * done. A refused call did nothing.
   */
  readonly isAwaited?: true;
  /** For the kind alone: what it looks for. */
  readonly content: JsonObject;
}

/** Returns the body with the seconds of such a placeholder. */
export function withSeconds(
  body: JsonObject | undefined,
  { field, within }: Pick<Extract<RequestPlaceholder, { readonly type: 'seconds' }>, 'field' | 'within'>,
  seconds: number,
): JsonObject {
  if (within === undefined) return { ...body, [field]: seconds };
  const list = body?.[within];
  const items = isList(list) ? list.map((item) => (isObject(item) ? { ...item, [field]: seconds } : item)) : [];
  return { ...body, [within]: items };
}

/** Returns the path below the base URL: `/users/a%2Fb`. Throws a Refusal if an id cannot be part of a URL (platform §1). */
export function requestPath(request: ApiRequest): string {
  return request.route.replace(/\{(\w+)\}/gu, (_whole, name: string) => {
    const value = request.params?.[name];
    if (value === undefined) throw new InternalError(`route ${request.route} lacks its parameter ${name}`);
    // Servers and proxies resolve "." and "..", even encoded, so the call would reach another object.
    if (value === '.' || value === '..') throw unusable(request, value);
    return encoded(request, value);
  });
}

/** Returns `limit=100&token=a%20b`, or an empty text. The platform's clients encode a space as `%20`, not `+` (platform §1). */
export function requestQuery(request: ApiRequest): string {
  return Object.entries(request.query ?? {})
    .flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map(
        (item) => `${encodeURIComponent(name)}=${encoded(request, item)}`,
      ),
    )
    .join('&');
}

function encoded(request: ApiRequest, value: string): string {
  if (!value.isWellFormed()) throw unusable(request, value);
  return encodeURIComponent(value);
}

/** No manifest may contain such a value, so it came from an answer. */
function unusable(request: ApiRequest, value: string): Refusal {
  return new Refusal(
    'application.unreachable',
    exitCode.unexpected,
    `${routeName(request)} cannot be called for ${JSON.stringify(value)}, a value from an earlier answer: no URL can contain it.`,
    'The platform does not return such a value. Check base_url.',
  );
}
