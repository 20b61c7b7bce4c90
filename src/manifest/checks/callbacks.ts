// Checks the addresses that the platform is told to call: webhooks and the callbacks of bots (semantics §12.5).
//
// A pull request must not send messages and events elsewhere, as it must not send the token elsewhere.
import type { JsonObject } from '../../lib/json.ts';
import type { KindDefinition } from '../../resources/definition/kind.ts';
import { type DeclaredBlock, spotOfMeaning } from '../blocks/declared-block.ts';
import type { Problems } from '../problems/problems.ts';

/** In lower case, each with its port unless that is 443. `all`: for what is on the platform already. */
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
      // It may hold a password.
      problems.add('manifest.bad-callback', fault, { ...spotOfMeaning(blockOf(), path), secret: true });
    } else if (allowedHosts !== 'all' && !isTrusted(url, allowedHosts)) {
      const detail = `Messages and events would be sent to ${new URL(url).host}. A manifest may name only trusted hosts, so that a pull request cannot redirect events. If you trust this host, add it to CHATFORM_ALLOWED_HOSTS.`;
      problems.add('manifest.untrusted-host', detail, spotOfMeaning(blockOf(), path));
    }
  }
}

/** Why nobody may be told to call the address, and what to write; undefined when it is good. */
export function callbackFault(text: string): string | undefined {
  const why = URL.canParse(text) ? faultOf(new URL(text)) : 'It is not a URL';
  return why === undefined ? undefined : `${why}. Write an https address, such as https://hooks.acme.example/chat.`;
}

function faultOf({ protocol, username, password }: URL): string | undefined {
  if (username !== '' || password !== '')
    return 'It contains a user name or a password, which anybody who reads the manifest would see';
  if (protocol === 'https:') return undefined;
  return protocol === 'http:'
    ? 'It uses plain http, so anybody on the network path could read the events'
    : 'It is not an https address';
}

/** Names for tests and documents, which belong to nobody and lead nowhere (RFC 6761). */
const nobodys = /(?:^|\.)(?:example|test|invalid|localhost)$/u;

/** Of an address without a fault. */
export function isTrusted(url: string, allowed: readonly string[]): boolean {
  const { host, hostname } = new URL(url);
  return nobodys.test(hostname) || allowed.includes(host);
}
