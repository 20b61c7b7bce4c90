// Where the calls to the application go: to this machine, whatever address the manifest declares.

import { lookup } from 'node:dns';
import { type Agent, request } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress, isLoopbackHost } from '../control/loopback.ts';

/** Reads `http://127.0.0.1:PORT`. @throws an Error that says what is wrong. */
export function parseTarget(text: string): URL {
  if (!URL.canParse(text)) throw new Error(`"${text}" is not a URL.`);
  const url = new URL(text);
  if (url.protocol !== 'http:') throw new Error(`${text} does not begin with http://.`);
  if (!isLoopbackHost(url.hostname)) throw new Error(`${url.hostname} is not this machine.`);
  if (url.username !== '' || url.password !== '') throw new Error('The URL contains a user name or a password.');
  return url;
}

/**
 * The address of a call to a declared URL: at the target with the path that is declared, unless the target has a path itself.
 * Undefined if there is no target and the declared address is not on this machine.
 */
export function addressOf(declared: string, target: URL | undefined): URL | undefined {
  if (!URL.canParse(declared)) return undefined;
  const url = new URL(declared);
  if (target === undefined) return url.protocol === 'http:' && isLoopbackHost(url.hostname) ? url : undefined;
  return target.pathname === '/' ? new URL(`${url.pathname}${url.search}`, target) : target;
}

/** Sends a POST to an address on this machine. Resolves to the status once the answer has begun. Redirects are not followed. */
export function post(
  address: URL,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  { agent, signal }: { readonly agent: Agent; readonly signal: AbortSignal },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': body.length };
    const options = { method: 'POST', headers: { ...headers, ...length }, agent, signal, lookup: lookupHere };
    const call = request(address, options, (answer) => {
      answer.on('error', () => {}).resume();
      resolve(answer.statusCode ?? 0);
    });
    call.on('error', reject).end(body);
  });
}

/** A name of this machine that a hosts file points elsewhere is not called. */
const lookupHere: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first, ...others] = (addresses ?? []).filter(({ address }) => isLoopbackAddress(address));
    if (error !== null || first === undefined) callback(error ?? new Error(`${host} is not this machine.`), []);
    else if (options.all === true) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
