// Turns an HTTP request into a platform request, and an outcome into an HTTP response.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body, FilePart, Json, PlatformRequest, ResponseOutcome } from '../api/request.ts';

/** More than the 5 MB of a profile image, so that a file just over that limit gets the platform's own error. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_DISCARDED_BYTES = 32 * MAX_BODY_BYTES;
export const MAX_URL_BYTES = 8192;

/** The platform request, with a body that was read already. */
export function requestOf(message: IncomingMessage, body: Body): PlatformRequest {
  const url = message.url ?? '/';
  const cut = url.indexOf('?');
  const token = message.headers['api-token'];
  return {
    method: message.method ?? 'GET',
    path: cut < 0 ? url : url.slice(0, cut),
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers: { 'api-token': typeof token === 'string' ? token : undefined },
    body,
  };
}

/**
 * Undefined if the body is too large to keep. It is still read to its end, up to a limit, because a client does not read the
 * response while it sends. Rejects when the client disconnects or the body exceeds that limit.
 */
export async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_DISCARDED_BYTES) throw new Error('The body does not end.');
    if (size > MAX_BODY_BYTES) chunks = [];
    else chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

export async function parseBody(contentType: string | undefined, bytes: Buffer): Promise<Body> {
  if (bytes.length === 0) return { type: 'none' };
  try {
    if (contentType?.toLowerCase().startsWith('multipart/form-data'))
      return await readForm(await new Response(bytes, { headers: { 'content-type': contentType } }).formData());
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { type: 'json', value: JSON.parse(text) };
  } catch {
    return { type: 'invalid' };
  }
}

/** Returns the body of a form as it goes over the wire. */
export async function readForm(form: FormData): Promise<Body> {
  const fields: [string, string][] = [];
  const files = new Map<string, FilePart>();
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value]);
    else {
      const bytes = new Uint8Array(await value.arrayBuffer());
      files.set(name, { fileName: value.name, contentType: value.type, bytes });
    }
  }
  return { type: 'multipart', fields, files };
}

/** `nowMs` is the time of the emulator, which the `Date` header shows as on a real server. */
export function send(response: ServerResponse, outcome: ResponseOutcome, nowMs: number): void {
  if (outcome.delivery === 'never') return;
  if (outcome.delivery === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const bytes = encode(outcome.body);
  response.writeHead(outcome.status, {
    ...outcome.headers,
    Date: new Date(nowMs).toUTCString(),
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  });
  if (outcome.delivery === 'whole') {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
}

export function encode(body: Json): Buffer {
  return Buffer.from(JSON.stringify(body));
}
