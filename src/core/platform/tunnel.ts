// Opens connections through the proxy of HTTPS_PROXY, except to the hosts of NO_PROXY and to this machine.
//
// The tunnel is the connector of an undici pool. Requests therefore leave through the same pool as without a proxy, so pacing
// and pipelining do not change.
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import type { buildConnector as BuildConnector } from 'undici';
import { percentDecoded } from '../../lib/url-parts.ts';
import { usage } from '../model/errors.ts';
import { ProxyFailure } from './answer.ts';
import undici from './undici.cjs';

const { buildConnector } = undici;

/** The variables of the environment. */
export interface ProxySettings {
  /** The name of the variable that names the proxy. */
  readonly variable: string;
  readonly value: string;
  readonly noProxy: string;
}

interface Proxy {
  readonly url: URL;
  readonly variable: string;
  /** The value of Proxy-Authorization. */
  readonly authorization: string | undefined;
}

interface TunnelPlace {
  /** An IPv6 address has no brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** A connector for undici, and the name of its proxy, without the user name and password. */
export type ProxyConnector = BuildConnector.connector & { readonly proxy: string };

/** Refused (64) for a value that is not the URL of an http or https proxy. */
export function connectorThrough(settings: ProxySettings, timeoutMs: number): ProxyConnector {
  const proxy = proxyOf(settings);
  const direct = buildConnector({ timeout: timeoutMs });
  const connect: BuildConnector.connector = (options, callback) => {
    const target = { hostname: options.hostname, port: Number(options.port || 443) };
    if (options.protocol !== 'https:' || isDirect(target, settings.noProxy)) {
      direct(options, callback);
      return;
    }
    openTunnel(proxy, target, timeoutMs).then(
      (httpSocket) =>
        direct({ ...options, httpSocket }, (...[error, socket]) => {
          if (error === null) callback(null, socket);
          else callback(tlsFailure(proxy, target, error), null);
        }),
      (error: Error) => callback(error, null),
    );
  };
  return Object.assign(connect, { proxy: addressOf(proxy) });
}

function addressOf({ url }: Proxy): string {
  return `${url.protocol}//${url.host}`;
}

/** Whatever ended it, the request had not left. Certificates say what is wrong by their codes. */
function tlsFailure(proxy: Proxy, { hostname, port }: TunnelPlace, error: NodeJS.ErrnoException): Error {
  const code = error.code ?? error.name;
  if (/CERT|UNABLE_TO/u.test(code)) return error;
  const name = `the proxy ${addressOf(proxy)} (${proxy.variable})`;
  return new ProxyFailure(`${name} lost the connection to ${hostname}:${port} before TLS was ready: ${code}`);
}

function proxyOf({ variable, value }: ProxySettings): Proxy {
  const text = /^[a-z][a-z0-9+.-]*:\/\//iu.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The value may contain a password, so it is not quoted.
  const advice = `Nothing was sent. Write it as ${variable}=http://proxy.example:3128, or http://USER:PASSWORD@proxy.example:3128 with percent-encoding.`;
  if (url === undefined || url.hostname === '') throw usage(`${variable} is not the URL of a proxy.`, advice);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw usage(`${variable} names a proxy by ${url.protocol}//, which chatform does not support.`, advice);
  const [user, password] = [url.username, url.password].map(percentDecoded);
  if (user === undefined || password === undefined)
    throw usage(`The user name or the password in ${variable} is not percent-encoded.`, advice);
  const credentials = `${user}:${password}`;
  const authorization = credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url, variable, authorization };
}

/** Of an https URL. */
export function placeOf({ hostname, port }: URL): TunnelPlace {
  return { hostname: hostname.replace(/^\[(.*)\]$/u, '$1'), port: Number(port || 443) };
}

/**
 * Whether a host needs no proxy: this machine, and what NO_PROXY names. Its entries are separated by commas or blanks: `*`, a
 * host, which includes its subdomains, with or without a leading `.` or `*.`, or an IP address, each with or without a port.
 */
export function isDirect({ hostname, port }: TunnelPlace, noProxy: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/u, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d+){3}$/u.test(host))
    return true;
  for (const entry of noProxy.toLowerCase().split(/[\s,]+/u)) {
    if (entry === '*') return true;
    const { name = '', at } = /^(?<name>\[[^\]]+\]|[^:]+|.*:.*:.*?)(?::(?<at>\d+))?$/u.exec(entry)?.groups ?? {};
    const bare = name.replace(/^\*?\./u, '').replace(/^\[(.*)\]$/u, '$1');
    if (bare === '' || (at !== undefined && Number(at) !== port)) continue;
    if (isIP(host) === 0 ? host === bare || host.endsWith(`.${bare}`) : isSameAddress(host, bare)) return true;
  }
  return false;
}

/** Addresses of IPv6 have several spellings. */
function isSameAddress(address: string, other: string): boolean {
  if (isIP(address) !== isIP(other)) return false;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const same = new BlockList();
  same.addAddress(other, family);
  return same.check(address, family);
}

/** Rejects with a ProxyFailure. */
function openTunnel(proxy: Proxy, target: TunnelPlace, timeoutMs: number): Promise<Socket> {
  const { url, variable, authorization } = proxy;
  const name = `the proxy ${addressOf(proxy)} (${variable})`;
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
  const place = `${host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request({
      method: 'CONNECT',
      host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      path: place,
      headers: {
        host: place,
        connection: 'keep-alive',
        'proxy-connection': 'keep-alive',
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      agent: false,
    });
    const timer = setTimeout(() => {
      request.destroy(new ProxyFailure(`${name} did not answer within ${Math.ceil(timeoutMs / 1000)} s`));
    }, timeoutMs);
    request.once('connect', ({ statusCode = 0 }, stream, head) => {
      clearTimeout(timer);
      const socket = stream as Socket;
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ProxyFailure(`${name} ${refusalInWords(statusCode, place, variable, authorization !== undefined)}`));
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const why = `no connection to ${name}: ${error.code ?? 'it does not answer as a proxy'}; check the variable, or name ${host} in NO_PROXY if it needs no proxy`;
      reject(error instanceof ProxyFailure ? error : new ProxyFailure(why));
    });
    request.end();
  });
}

function refusalInWords(status: number, place: string, variable: string, hasCredentials: boolean): string {
  if (status !== 407) return `refuses a connection to ${place} (${status}); ask who runs the proxy to allow that host`;
  return hasCredentials
    ? `refuses the user name or the password in ${variable} (407)`
    : `asks for a user name and a password (407); write them in ${variable}: http://USER:PASSWORD@HOST:PORT`;
}
