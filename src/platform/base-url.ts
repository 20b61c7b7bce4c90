// May the token be sent to this address, and which application does it name? (semantics §10, §12)
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

export interface BaseUrlTrust {
  /** From a flag or the environment: whoever sets those, has the token anyway. False for one from a manifest. */
  readonly trusted: boolean;
  /** Hosts of CHATFORM_ALLOWED_HOSTS, with a port when it is not the default one. */
  readonly allowedHosts: readonly string[];
}

const vendorHost = /^api-[a-z0-9-]+\.sendbird\.com$/u;

/** The base URL without a trailing slash, once it is sure that the token may go there; else a Refusal. */
export function checkBaseUrl(text: string, trust: BaseUrlTrust): URL {
  const url = parseBaseUrl(text);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new Refusal(
      'base-url.untrusted',
      exitCode.conflict,
      `The base URL of ${url.host} uses plain http.`,
      'The API token would travel unencrypted, so chatform sends it over plain http to this machine only. Use https.',
    );
  }
  if (trust.trusted || isLoopback(url) || isVendor(url) || isAllowed(url, trust.allowedHosts)) return url;
  throw new Refusal(
    'base-url.untrusted',
    exitCode.conflict,
    `The manifest sends requests, and with them the API token, to ${url.host}.`,
    `A host from a manifest must be api-….sendbird.com, so that a pull request cannot send the token elsewhere. If this one is right, add it to CHATFORM_ALLOWED_HOSTS or give it with --base-url.`,
  );
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalid('is no http or https address');
  }
  if (url.username !== '' || url.password !== '') throw invalid('holds a user name or a password');
  if (url.search !== '' || url.hash !== '') throw invalid('has a query or a fragment');
  url.pathname = url.pathname.replace(/\/+$/u, '');
  if (!url.pathname.endsWith('/v3')) throw invalid('does not end in the version segment /v3');
  return url;
}

/** Does not repeat the address: it may hold a password. */
function invalid(what: string): Refusal {
  return new Refusal(
    'base-url.invalid',
    exitCode.invalid,
    `The base URL ${what}.`,
    'It looks like https://api-APPLICATION_ID.sendbird.com/v3. The dashboard shows it as the API request URL.',
  );
}

function isVendor(url: URL): boolean {
  return url.protocol === 'https:' && url.port === '' && vendorHost.test(url.hostname);
}

function isAllowed(url: URL, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((host) => host.trim().toLowerCase() === url.host);
}

/** Does the address stay on this machine? */
function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d+){3}$/u.test(url.hostname);
}

/**
 * What a state is bound to: host and path, the same for every way of writing them. The port of a loopback address is
 * left out, since an emulator gets another one every time; `emulator:PATH` is its own name already.
 */
export function applicationIdentity(baseUrl: string): string {
  if (baseUrl.startsWith('emulator:')) return baseUrl;
  const url = parseBaseUrl(baseUrl);
  return `${isLoopback(url) ? url.hostname : url.host}${url.pathname}`;
}
