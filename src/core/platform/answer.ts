// Classifies the platform's answer to one request (base, Errors; semantics §5).
import { type JsonObject, parsedObject } from '../../lib/json.ts';
import { platformCode } from '../model/platform-codes.ts';
import type { Answer } from '../model/ports.ts';
import { parseRetryAfter } from './rate-headers.ts';

/** Status, headers and body of an answer, or as much of them as arrived before `error`. */
export interface Received {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly text?: string;
  readonly error?: unknown;
}

/** The answer was cut off because it was too large. */
export class AnswerTooLarge extends Error {}

/** The request was held back after its connection was ready. The message says why. */
export class NotSent extends Error {}

/** The tunnel through a proxy could not be opened. The message says why, and contains no password. */
export class ProxyFailure extends Error {}

/** This status, or this code under another status, means that the call had no effect and may be sent again (base). */
const tooManyRequests = 429;

/** Messages of the platform are one sentence long. Longer texts are pages of a proxy. */
const maxMessageLength = 500;

/**
 * `now` reads the wall clock, for an answer that asks to wait until a date. `wordsOf` replaces the platform's own sentence,
 * which may quote the request.
 */
export function answerOf(
  received: Received,
  now: () => Date,
  wordsOf: (sentence: string) => string = (sentence) => sentence,
): Answer {
  const { status, headers, text, error } = received;
  if (status === undefined) return failed(error);
  const body = text === undefined ? undefined : parsedObject(text);
  const code = typeof body?.code === 'number' ? body.code : 0;
  if (status === tooManyRequests || (status >= 400 && code === platformCode.rateLimitExceeded)) {
    return { type: 'limited', retryAfterS: headers === undefined ? undefined : parseRetryAfter(headers, now) };
  }
  if (error instanceof AnswerTooLarge) return { type: 'unknown', status, message: error.message, isUnusable: true };
  if (text === undefined && isTimeout(error)) {
    return { type: 'unknown', status, message: 'the answer began but took too long to finish', isUnfinished: true };
  }
  if (status >= 500) {
    const message = messageOf(body, wordsOf) ?? `the platform answered ${status}`;
    const retryAfterS = headers === undefined ? undefined : parseRetryAfter(headers, now);
    return { type: 'unknown', status, message, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
  }
  if (text === undefined) return { type: 'unknown', status, message: `the answer was cut off: ${reason(error)}` };
  if (status >= 400) {
    const message =
      messageOf(body, wordsOf) ??
      compressed(received) ??
      `the answer ${status} has no error object of the platform, so a proxy may have given it: check the base URL, the network and the limits of a proxy`;
    return { type: 'refused', status, code, message };
  }
  if (status >= 300) {
    const message = `the answer ${status} is a redirect, which chatform never follows: the base URL may be wrong`;
    return { type: 'refused', status, code: 0, message };
  }
  if (body === undefined) {
    const message = compressed(received) ?? `the answer ${status} is not a JSON object`;
    return { type: 'unknown', status, message, isUnclear: true };
  }
  if (body.error === true) {
    const said = messageOf(body, wordsOf);
    const message = `the answer ${status} is an error object${said === undefined ? '' : `: ${said}`}`;
    return { type: 'unknown', status, message, isUnclear: true };
  }
  return { type: 'ok', body };
}

/** chatform asks for no compression and does not unpack it. Undefined for an answer without it. */
function compressed({ status, headers }: Received): string | undefined {
  const encoding = String(headers?.['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (encoding === 'identity' || encoding === '') return undefined;
  const name = /^[a-z0-9, -]{1,40}$/u.test(encoding) ? ` (content-encoding: ${encoding})` : '';
  return `the answer ${status} is compressed${name}, although chatform did not ask for it: a proxy may have done so`;
}

function messageOf(body: JsonObject | undefined, wordsOf: (sentence: string) => string): string | undefined {
  return typeof body?.message === 'string' ? wordsOf(body.message).slice(0, maxMessageLength) : undefined;
}

/** Classifies a call without an answer. Without a connection the request was not sent. Otherwise its outcome is unknown. */
function failed(error: unknown): Answer {
  if (error instanceof NotSent || error instanceof ProxyFailure) return { type: 'unsent', message: error.message };
  const neverConnected = causes(error).some(isConnectFailure);
  return neverConnected
    ? { type: 'unsent', message: `no connection: ${reason(error)}${hintOf(reason(error))}` }
    : { type: 'unknown', message: `no answer: ${reason(error)}` };
}

/** Returns an error and its parts. Node tries several addresses of a name and collects their errors. */
function causes(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? [error, ...error.errors] : [error];
}

/** Codes of errors that happen before a connection exists. */
const connectCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Causes that are usual where a company's proxy is the way out. */
function hintOf(code: string): string {
  if (code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return '; if this network needs a proxy, name it in HTTPS_PROXY';
  if (code === 'SELF_SIGNED_CERT_IN_CHAIN' || code === 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
    return '; if a proxy inspects connections, name the file of its certificate in NODE_EXTRA_CA_CERTS';
  return '';
}

function isConnectFailure(error: unknown): boolean {
  const syscall = textField(error, 'syscall');
  return syscall === 'connect' || syscall === 'getaddrinfo' || connectCodes.has(textField(error, 'code') ?? '');
}

function isTimeout(error: unknown): boolean {
  return textField(error, 'name') === 'TimeoutError';
}

/** Returns only names and codes, because the texts of network errors contain addresses and possibly more. */
function reason(error: unknown): string {
  if (isTimeout(error)) return 'it took too long';
  for (const cause of causes(error)) {
    const code = textField(cause, 'code');
    if (code !== undefined) return code;
  }
  return textField(error, 'name') ?? 'an unknown error';
}

function textField(error: unknown, name: 'code' | 'name' | 'syscall'): string | undefined {
  if (typeof error !== 'object' || error === null || !(name in error)) return undefined;
  const value = (error as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}
