// Requests and responses as plain values, shared by HTTP, tests and virtual time.

/** A JSON value on the wire. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A file in a multipart body. */
export interface FilePart {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A decoded body. `invalid` marks a body that could not be decoded. */
export type Body =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: unknown }
  | {
      readonly type: 'multipart';
      readonly fields: readonly (readonly [name: string, value: string])[];
      readonly files: ReadonlyMap<string, FilePart>;
    }
  | { readonly type: 'invalid' };

export interface PlatformRequest {
  readonly method: string;
  /** With `/v3` and still percent-encoded: ids are decoded after splitting, so `%2F` stays inside an id (platform §1). */
  readonly path: string;
  /** Without the question mark, still percent-encoded. */
  readonly query: string;
  /** Names in lower case; only `api-token` is read. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
}

export interface PlatformResponse {
  readonly status: number;
  readonly body: Json;
}

export interface ResponseOutcome extends PlatformResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** How much of the response reaches the client. Some faults reset the connection or never respond. */
  readonly delivery: 'whole' | 'cut' | 'reset' | 'never';
}
