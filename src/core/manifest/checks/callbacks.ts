// Checks the URLs that the platform calls: webhooks and callbacks of bots (semantics §12.5). A pull request must not redirect
// messages and events to another host.

import type { JsonObject } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { plainUrl } from '../../model/calls/plain-url.ts';
import { spotOfMeaning } from '../document/block-spots.ts';
import type { DeclaredBlock } from '../document/declared-block.ts';
import type { Problems } from '../problems/problems.ts';

/** Host names in lower case, with a port unless it is 443. `all` is for URLs that are already on the platform. */
export type AllowedHosts = readonly string[] | 'all';

export function checkCallbacks(
  kind: KindDefinition,
  attributes: JsonObject,
  blockOf: () => DeclaredBlock,
  allowedHosts: AllowedHosts,
  problems: Problems,
): void {
  for (const { url, path } of kind.callbacks?.(attributes) ?? []) {
    const fault = callbackFault(url);
    if (fault !== undefined) {
      // The URL may contain a password.
      problems.add('manifest.bad-callback', fault, { ...spotOfMeaning(blockOf(), path), secret: true });
    } else if (allowedHosts !== 'all' && !isTrusted(url, allowedHosts)) {
      const detail = `Messages and events would be sent to ${new URL(url).host}. A manifest may name only trusted hosts, so that a pull request cannot redirect events. If you trust this host, add it to CHATFORM_ALLOWED_HOSTS.`;
      problems.add('manifest.untrusted-host', detail, spotOfMeaning(blockOf(), path));
    }
  }
}

const otherForm = 'It is not in the normal form of a URL, so programs may read different hosts in it';

/** Returns why the URL is not allowed and what to write instead, or undefined if it is valid. */
export function callbackFault(text: string): string | undefined {
  const why = URL.canParse(text)
    ? (faultOf(new URL(text)) ?? (plainUrl(text) === undefined ? otherForm : undefined))
    : 'It is not a URL';
  return why === undefined ? undefined : `${why}. Write an https address, such as https://hooks.acme.example/chat.`;
}

/** Matches the host of a parsed URL. Some programs end the host of https://evil.example;a.example at another character. */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/u;

function faultOf({ protocol, username, password, hostname }: URL): string | undefined {
  if (username !== '' || password !== '')
    return 'It contains a user name or a password, which anybody who reads the manifest would see';
  if (protocol === 'https:')
    return plainHost.test(hostname) ? undefined : 'Its host contains characters that no host name has';
  return protocol === 'http:'
    ? 'It uses plain http, so anybody on the network path could read the events'
    : 'It is not an https address';
}

/** Names reserved for tests and documents (RFC 6761). */
const nobodys = /(?:^|\.)(?:example|test|invalid|localhost)$/u;

/** Expects a URL that is valid according to `callbackFault`. */
export function isTrusted(url: string, allowed: readonly string[]): boolean {
  const { host, hostname } = new URL(url);
  return nobodys.test(hostname) || allowed.includes(host);
}
