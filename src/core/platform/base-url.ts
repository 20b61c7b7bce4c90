// Checks that the token may be sent to a base URL, and names the application behind it (semantics §10, §12).
import { isThisMachine } from '../../lib/url-parts.ts';
import { baseUrlAdvice, baseUrlFault } from '../model/calls/base-url.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

export interface BaseUrlTrust {
  /** True for a URL from a flag or the environment, whose author has the token anyway. False for one from a manifest. */
  readonly trusted: boolean;
  /** The hosts in CHATFORM_ALLOWED_HOSTS, with a port unless it is the default one. */
  readonly allowedHosts: readonly string[];
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const vendorHost = /^api-[a-z0-9-]+\.sendbird\.com$/u;

/** Returns the base URL without a trailing slash. Throws a Refusal (exit code 65) if the token must not be sent there. */
export function checkBaseUrl(text: string, trust: BaseUrlTrust): URL {
  const url = parseBaseUrl(text);
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new Refusal(
      'base-url.untrusted',
      exitCode.invalid,
      `The base URL of ${url.host} uses plain http.`,
      'The API token would be sent unencrypted. chatform allows plain http only for this machine. Use https.',
    );
  }
  if (trust.trusted || isThisMachine(url.hostname) || isVendor(url) || isAllowed(url, trust.allowedHosts)) return url;
  throw new Refusal(
    'base-url.untrusted',
    exitCode.invalid,
    `The manifest would send the API token to ${url.host}.`,
    `A host from a manifest must be api-….sendbird.com, so that a pull request cannot send the token elsewhere. If you trust this host, add it to CHATFORM_ALLOWED_HOSTS or pass it with --base-url.`,
  );
}

function parseBaseUrl(text: string): URL {
  const fault = baseUrlFault(text);
  if (fault !== undefined) throw invalid(fault);
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/+$/u, '');
  return url;
}

function invalid(what: string): Refusal {
  return new Refusal('base-url.invalid', exitCode.invalid, `The base URL ${what}.`, baseUrlAdvice);
}

function isVendor(url: URL): boolean {
  return url.protocol === 'https:' && url.port === '' && vendorHost.test(url.hostname);
}

function isAllowed(url: URL, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((host) => host.trim().toLowerCase() === url.host);
}

/**
 * Returns the name of the application that a state belongs to: its normalised host and path. A loopback address keeps its
 * port, because another port is another application. Elsewhere the default port is left out. `emulator:PATH` is unchanged.
 */
export function applicationIdentity(baseUrl: string): string {
  if (baseUrl.startsWith('emulator:')) return baseUrl;
  const url = parseBaseUrl(baseUrl);
  const port = url.port === '' ? defaultPorts[url.protocol] : url.port;
  return `${isThisMachine(url.hostname) ? `${url.hostname}:${port}` : url.host}${url.pathname}`;
}
