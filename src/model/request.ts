// Calls to the platform, as data.

import { InternalError } from '../lib/errors.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { Refusal } from './errors.ts';
import { exitCode } from './exit-code.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call. Rate limits count by `route`, a template. `params` fill its names and are percent-encoded in the path. A call
 * with a file placeholder is sent as multipart form data, any other as JSON.
 */
export interface ApiRequest {
  readonly method: Method;
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly placeholders?: readonly Placeholder[];
}

/** A value that is filled in when the request is sent and never appears in a plan, state or log. */
export type Placeholder =
  /** The value of the environment's CHATFORM_VAR_<variable>, put into the body at `field`. */
  | { readonly type: 'secret'; readonly field: string; readonly variable: string }
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
  | MessagesPlaceholder;

/** Returns the body with the seconds of such a placeholder. */
export function withSeconds(
  body: JsonObject | undefined,
  { field, within }: Pick<Extract<Placeholder, { readonly type: 'seconds' }>, 'field' | 'within'>,
  seconds: number,
): JsonObject {
  if (within === undefined) return { ...body, [field]: seconds };
  const list = body?.[within];
  const items = isList(list) ? list.map((item) => (isObject(item) ? { ...item, [field]: seconds } : item)) : [];
  return { ...body, [within]: items };
}

/** Messages of an archive, put into the body as a list at `field`. The call is refused if they changed since the plan. */
export interface MessagesPlaceholder {
  readonly type: 'messages';
  readonly field: string;
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly gzip?: true;
  /** The target channel, which is part of each message's fingerprint. */
  readonly channel: string;
  /** The range of bytes in the unpacked file. The first `skip` lines of the range are left out. */
  readonly offset: number;
  readonly bytes: number;
  readonly skip: number;
  readonly count: number;
  /** The digest of the fingerprints of their lines. */
  readonly digest: string;
  /** By index among these messages, the number of earlier lines with the same likeness; 0 where absent. */
  readonly repeats?: Readonly<Record<string, number>>;
  /** Indexes of the messages to send, if some of them have already arrived. */
  readonly only?: readonly number[];
  /** The number of the call, if an earlier message may have the same dedup_id. It becomes a part of each one. */
  readonly call?: number;
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
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(request, value)}`)
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
 * For a call that sends many messages, of which some may have arrived (semantics §5.5). After the settle time, chatform
 * lists the channel and sends only the missing ones again. The kind's own code requests the next pages.
 */
export interface Settle {
  /** The first page. */
  readonly read: ApiRequest;
  /** The listing ends after this time, in Unix milliseconds. */
  readonly until: number;
  /** Codes of permanent refusals of the listing, after which the outcome stays unknown. */
  readonly refusedOn: readonly number[];
  /** Codes that refuse the whole call, so that nothing arrived. */
  readonly nothingOn: readonly number[];
  /** Set if another call, or a call without a begin, may have sent the messages. The channel is listed before they are sent. */
  readonly unsure?: true;
  /**
   * Set if state may not know what was sent: it has no record of the archive and the channel may already have existed, it was
   * put back from a copy, or the plan is to check it. A message of the call that is found before it is sent was then not sent
   * by this plan, which is a conflict.
   */
  readonly fresh?: Fresh;
  /** Indexes of the call's lines that a later call sends. */
  readonly later?: readonly number[];
  /** The call is independent of the batches that follow each other in time, and resolves none of their begins. */
  readonly isApart?: true;
  /** Set if the call changes or deletes one message, whose `message_id` the listing finds. */
  readonly target?: Target;
}

/** How the messages of an archive are looked for before any of them is sent. Times are in Unix milliseconds. */
export interface Fresh {
  /** The time of the archive's last line. */
  readonly until: number;
  /** The time of the first line of the next call. No message from then on means that no later call needs a search. */
  readonly from?: number;
  /** Set on the first call, whose search usually answers for all. */
  readonly isFirst?: true;
  /** Whether the call is made even if the platform refuses the listing, because nothing suggests that state is wrong. */
  readonly isOptional?: true;
}

/** One message of an archive, as it can be found on the platform. */
export interface Target {
  /** The fingerprint of the fields that an edit keeps (`identityMark`), and that of the whole line as sent. */
  readonly identity: string;
  readonly mark: string;
  /** The lines of the archive that may have the same identity. Without `only`, the message is to be deleted and has no line. */
  readonly lines: MessagesPlaceholder;
  /** Indexes of lines that were not sent yet, of lines whose outcome is unknown, and of lines that are edited later. */
  readonly late?: readonly number[];
  readonly unsure?: readonly number[];
  readonly edited?: readonly number[];
  /** The number of messages of this identity without a line. If more are found, chatform cannot tell which to delete. */
  readonly most?: number;
  /** The message may be deleted or may never have arrived; then nothing is done. */
  readonly mayBeAbsent?: true;
  /** Only the meta arrays of the message are changed: those that differ are removed, or those of the line are added. */
  readonly metaArrays?: 'remove' | 'add';
  /** Only this reaction of the user to the message is added or removed. */
  readonly reaction?: {
    readonly how: 'add' | 'remove';
    readonly key: string;
    readonly user_id: string;
  };
  /** The message is only pinned or unpinned. */
  readonly pin?: 'add' | 'remove';
}
