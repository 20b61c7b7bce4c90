// What the platform is asked and what it answers: plain values, so that HTTP, tests and virtual time all speak to it alike.

/** A JSON value as it goes over the wire. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One part of a multipart body that carries a file. */
export interface FilePart {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A body after its transport encoding was read; `invalid` marks one that could not be. */
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
  /** With `/v3`, still percent-encoded: ids are decoded after splitting, so that `%2F` stays inside an id (platform §1). */
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
